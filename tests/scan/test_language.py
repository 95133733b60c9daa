"""Only what the classifier was taught is judged."""

import pytest

from git_intent.scan.language import _CODE, _prose, language, trained


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Never push to the main branch.", "en"),
        ("Niemals direkt auf den Hauptzweig schieben, das ist nicht erlaubt.", "de"),
        ("Toujours écrire les tests avant le code.", "fr"),
        ("Nunca se debe publicar sin una prueba.", "es"),
        ("テストを必ず書くこと。", "other"),
        ("لا تدفع إلى الفرع الرئيسي", "other"),
        ("Никогда не отправляйте в основную ветку", "other"),
        ("`git push --force`", ""),
        ("snake_case", ""),
    ],
)
def test_language_of_a_sentence(text, code):
    assert language(text) == code


def test_n097_bare_fragment_follows_the_words_around_it():
    english = ["Kurze Funktionsnamen", "Use short names for the functions."]
    assert trained(english) == [True, True]
    german = [
        "Kurze Namen",
        "Wir schreiben die Namen kurz und nicht mit Unterstrich.",
    ]
    assert trained(german) == [False, False]


def test_code_does_not_decide():
    assert trained(["Use `der die das` as a fixture for the parser."]) == [True]


@pytest.mark.parametrize(
    "text",
    [
        "Never der/die/das push_die das.der to main",
        "/der die/ das.",
        "//x ./der ../die",
        "a.b/c `der\u2028die` x_y",
        "naïve.der die/das/ _nie_ immer.",
    ],
)
def test_code_is_found_word_by_word_as_in_the_whole(text):
    whole = " ".join(_CODE.sub(" ", text).split())
    assert " ".join(_prose(text).split()) == whole
