"""Which domains the place of work reaches, and what narrows a scope."""

import pytest

from git_intent.inject.context import Context
from git_intent.inject.entry import entries
from git_intent.inject.languages import language_of
from git_intent.inject.scope import covers, overlaps, reach
from git_intent.store.domains import Domain, Domains
from git_intent.store.requirement import Level, Scope
from tests.support.snapshots import requirement


def entry(*domains, paths=(), languages=()):
    scope = Scope(Level.DOMAIN, domains, paths, languages)
    return entries({"req-0001": requirement(scope=scope)})[0]


def scoped(context, one, **domains):
    found = Domains(domains=tuple(Domain(n, "", p) for n, p in domains.items()))
    return reach(found, context).matches(one)


@pytest.mark.parametrize(
    ("pattern", "folder", "expected"),
    [
        ("services/api/**", "services/api", True),
        ("services/api", "services/api", True),
        ("services/api-v2/**", "services/api", False),
        ("services/ap", "services/api", False),
        ("services/**", "services/api", True),
        ("services/api/db/*.sql", "services/api", True),
        ("services/*/db/**", "services/api", True),
        ("services/web-*/**", "services/api", False),
        ("**/db/**", "services/api", True),
        ("*.sql", "services/api", True),
        ("/services/api/", "services/api/", True),
        ("./services/api/**", "services/api", True),
        ("Services/api/**", "services/api", False),
        ("!services/api/**", "services/api", False),
        ("services/{api,web}/**", "services/api", False),
        ("docs/**", "services/api", False),
        ("docs/**", ".", True),
        ("services/api/**", "services", True),
    ],
)
def test_n114_overlap_is_told_by_path_components(pattern, folder, expected):
    assert overlaps(pattern, folder) is expected


def test_n114_a_declared_repository_reaches_the_domains_below_it():
    context = Context(repos=(("api", "services/api"),))
    domains = {"api": ("services/api/**",), "old": ("services/api-v2/**",)}
    why = scoped(context, entry("api"), **domains)
    assert why == (
        "domain api: services/api/** overlaps repository 'api' at services/api"
    )
    assert scoped(context, entry("old"), **domains) == ""
    assert scoped(Context(), entry("api"), **domains) == ""


def test_n115_a_declared_domain_is_reached_whether_known_or_not():
    context = Context(domains=("versioning",), declared="step 'release'")
    why = "domain versioning: step 'release'"
    assert scoped(context, entry("web", "versioning")) == why
    assert scoped(context, entry("web")) == ""


@pytest.mark.parametrize(
    ("patterns", "path", "expected"),
    [
        (("*.py",), "a/b/c.py", True),
        (("/*.py",), "a/c.py", False),
        (("**/x",), "x", True),
        (("**/x",), "a/b/x", True),
        (("src/**", "!src/gen/**"), "src/a.py", True),
        (("src/**", "!src/gen/**"), "src/gen/a.py", False),
        (("{a,b}/**",), "a/x", False),
        (("src/**",), "Src/a.py", False),
        (("./src/**",), "src/a.py", True),
        (("src",), "src/deep/a.py", True),
        (("src/*.py",), "src/deep/a.py", False),
        (("internal/version/**",), "internal/version/", True),
        (("internal/version/**",), "internal/", True),
        (("internal/version/**",), "internal/versioning/", False),
    ],
)
def test_n118_one_meaning_of_patterns_everywhere(patterns, path, expected):
    assert covers(patterns, path) is expected


NARROW = entry("web", paths=("web/**",), languages=("go",))


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (None, True),
        (("api/x.py",), False),
        (("web/x.py",), False),
        (("api/x.go",), False),
        (("web/x.go",), True),
        (("web/x.py", "api/x.go"), True),
        (("web/LICENSE",), False),
        (("web/Makefile",), False),
        (("web/",), True),
        (("api/",), False),
    ],
)
def test_n123_paths_and_languages_narrow_once_paths_are_known(paths, expected):
    context = Context(paths=paths, domains=("web",), declared="workflow 'w'")
    assert bool(scoped(context, NARROW)) is expected


def test_n123_the_reason_names_what_narrowed():
    context = Context(paths=("api/x.py",), domains=("web",), declared="workflow 'w'")
    reached = reach(Domains(), context)
    assert reached.misses(NARROW) == (
        "domain web: workflow 'w', but scope.paths web/** fits none of api/x.py"
    )
    assert reached.misses(entry("web", languages=("go", "rust"))) == (
        "domain web: workflow 'w', but scope.languages go, rust is that of none of "
        "api/x.py"
    )


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"),
        ("Makefile", "make"),
        ("a/makefile", "make"),
        ("Dockerfile", "dockerfile"),
        ("LICENSE", ""),
        (".go", ""),
        ("a.unknown", ""),
        ("a.d/b", ""),
        ("A.GO", "go"),
        ("src/", "*"),
    ],
)
def test_n123_the_language_of_a_file_is_told_by_its_name(path, language):
    assert language_of(path) == language


@pytest.mark.parametrize("written", ["golang", "Go", " go "])
def test_n123_a_language_has_several_spellings(written):
    context = Context(paths=("x.go",), domains=("web",))
    assert scoped(context, entry("web", languages=(written,)))


def test_n139_misses_name_the_domain_and_the_pattern_that_failed():
    domains = Domains(
        domains=(
            Domain("web", "", ("web/**", "ui/**", "*.css", "*.html")),
            Domain("bare"),
        )
    )
    known = reach(domains, Context(paths=("api/x.py",)))
    assert known.misses(entry("web")) == (
        "domain web: web/**, ui/**, *.css and 1 more matches none of api/x.py"
    )
    assert known.misses(entry("bare", "gone")) == (
        "domain bare has no paths; domain gone is not in domains.yaml and not declared"
    )
    assert known.misses(entry()) == "names no domain"
    for paths in (None, ()):
        unknown = reach(domains, Context(paths=paths))
        assert unknown.misses(entry("web")) == (
            "domain web is not declared, and no paths are known"
        )
