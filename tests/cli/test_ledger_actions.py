"""Actions and their effects, and prompts that are missing, through the commands."""

import itertools
import json
import shutil

from git_intent.ledger import spool
from git_intent.ledger.actions import EFFECTS
from tests.support.chat import sha
from tests.support.desk import WHO
from tests.support.ledgers import header

EVERY = ("NONE", "APPLIED", "PARTIAL", "UNKNOWN")
EVIDENCE = [{"text": "seen"}]


def lose(desk, text: str = "lost words") -> str:
    """A prompt whose bytes could not be kept; gives the id of its gap."""
    told = {**header(text.encode()), "kind": "gap", "reason": "not-kept"}
    told["id"] = f"gap-{told['id'][4:]}"
    spool.spool(str(desk.folder / "inbox"), told)
    return told["id"]


def start(desk, **more):
    return {"tool": "Edit", "contract": desk.hash(), **more}


def test_l052_a_waiting_prompt_holds_a_new_action(desk):
    desk.initial()
    source = desk.say("wait")
    refusal = desk.refused("action-start", start(desk))
    assert (refusal["code"], refusal["ids"]) == ("unclassified-source", [source])
    desk.dispose(source)
    desk.start()


def test_l052_so_does_one_that_is_only_in_the_inbox(desk):
    desk.initial()
    with desk.busy():
        desk.session.prompt("wait")
    done = desk.run("action-start", *WHO, document=start(desk))
    assert json.loads(done.out)["refusal"]["code"] == "unclassified-source"


def test_l053_an_open_gap_holds_a_new_action_of_its_own_chat(desk):
    desk.initial()
    gap = lose(desk)
    done = desk.run("action-start", *WHO, document=start(desk))
    refusal = json.loads(done.out)["refusal"]
    assert (refusal["code"], refusal["ids"]) == ("gap-open", [gap])
    desk.do("dispose-gap", {"gap": gap, "note": "it will not come"})
    desk.start()
    folder = desk.session.home.folder("team", "s-2")
    spool.spool(f"{folder}/inbox", {**header(b"x"), "id": "gap-" + "a" * 32})
    desk.start()


def test_l053_l114_a_recovery_whose_bytes_are_gone_holds_again(desk):
    desk.initial()
    gap = lose(desk)
    answer = desk.do("recover-source", {"gap": gap, "text": "lost words"})
    desk.dispose(answer["source"])
    desk.start()
    blob = sha(b"lost words")
    name = desk.repo.git("rev-parse", f"{desk.ref}:sources/{blob[:2]}/{blob}")
    (desk.repo.path / f".git/objects/{name[:2]}/{name[2:]}").unlink()
    assert desk.refused("action-start", start(desk))["code"] == "gap-open"
    assert "UNPROVEN" in desk.text("show", *WHO)


def test_l054_nothing_but_new_actions_is_held(desk):
    desk.initial()
    pending, unknown = desk.start(), desk.unknown()
    source, other, gap = desk.say("wait"), desk.say("wait too"), lose(desk)
    for words in (
        ("sources", *WHO),
        ("read-source", source, *WHO),
        ("show", *WHO),
        ("log", *WHO),
        ("verify", *WHO),
        ("owner-view", *WHO),
        ("preflight", *WHO, "--tool", "Read"),
    ):
        assert desk.run(*words).code == 0, words
    desk.finish(pending)
    document = {"action": unknown, "effect": "APPLIED", "evidence": EVIDENCE}
    desk.do("reconcile-effect", document)
    desk.dispose(other)
    desk.do("recover-source", {"gap": gap, "text": "lost words"})
    second = lose(desk, "more")
    desk.do("dispose-gap", {"gap": second, "note": "gone"})
    desk.classify(source, ("ADD", [desk.add(source, "outcomes", "waited")]))


def test_l055_each_pair_of_result_and_effect(desk):
    desk.initial()
    action = desk.start()
    for result, effect in itertools.product(EFFECTS, EVERY):
        if effect not in EFFECTS[result]:
            document = {"action": action, "result": result, "effect": effect}
            assert desk.refused("action-finish", document)["pointer"] == "/effect"
    legal = [(result, effect) for result in EFFECTS for effect in EFFECTS[result]]
    for result, effect in legal:
        document = {"action": desk.start(), "result": result, "effect": effect}
        desk.do("action-finish", document)
    other = {**document, "result": "FAILED", "effect": "NONE", "note": "other"}
    assert desk.refused("action-finish", other)["code"] == "already-settled"
    results = [e["body"]["action"] for e in desk.events() if "result" in e["body"]]
    assert len(results) == len(set(results)) == len(legal) == 11


def test_l055_a_result_says_its_effect(desk):
    desk.initial()
    document = {"action": desk.start(), "result": "SUCCEEDED"}
    assert desk.refused("action-finish", document)["pointer"] == "/effect"


def test_l056_what_was_recorded_is_answered_again(desk):
    desk.initial()
    document = start(desk, request="r-1")
    first = desk.do("action-start", document)
    again = desk.do("action-start", document)
    assert again["already"]
    assert (again["event"], again["head"]) == (first["event"], first["head"])
    assert again["action"] == first["action"]
    finish = {"action": first["action"], "result": "FAILED", "effect": "NONE"}
    done = desk.do("action-finish", finish)
    again = desk.do("action-finish", finish)
    assert (again["already"], again["head"]) == (True, done["head"])
    other = desk.refused("action-start", {**document, "tool": "Write"})
    assert (other["code"], other["pointer"]) == ("request-reused", "/request")


def test_l057_a_retry_clears_nothing_of_the_first_attempt(desk):
    desk.initial()
    first = desk.unknown()
    retry = desk.start(retries=first)
    assert retry != first
    desk.finish(retry)
    assert first in desk.card().partition("UNKNOWN EFFECTS")[2]
    assert f"a retry of {first}" in desk.log(first)
    pending = desk.start()
    for wrong in (retry, pending, "act-99", f"act-{len(desk.events()) + 1}"):
        refusal = desk.refused("action-start", start(desk, retries=wrong))
        assert refusal["pointer"] == "/retries"


def test_l058_every_word_on_an_effect_stays(desk):
    desk.initial()
    action = desk.unknown()
    for effect in ("STILL_UNKNOWN", "APPLIED", "NOT_APPLIED"):
        document = {"action": action, "effect": effect, "evidence": EVIDENCE}
        desk.do("reconcile-effect", document)
        open_still = action in json.dumps(desk.shown()["unknown_effects"])
        assert open_still == (effect == "STILL_UNKNOWN")
    told = desk.log(action)
    lines = [line for line in told.splitlines() if action in line]
    assert [line.split(action)[1].strip() for line in lines] == [
        "started: Edit",
        "UNKNOWN_EFFECT, effect UNKNOWN",
        *(f"reconciled: {e}" for e in ("STILL_UNKNOWN", "APPLIED", "NOT_APPLIED")),
    ]
    assert "evidence: seen" in told
    for wrong, pointer in (
        ({"action": action, "effect": "APPLIED", "evidence": []}, "/evidence"),
        ({"action": action, "effect": "APPLIED"}, "/evidence"),
    ):
        assert desk.refused("reconcile-effect", wrong)["pointer"] == pointer
    known = desk.start()
    desk.finish(known)
    wrong = {"action": known, "effect": "APPLIED", "evidence": EVIDENCE}
    assert desk.refused("reconcile-effect", wrong)["code"] == "not-allowed"
    gone = [{"ref": "file:gone.txt", "sha256": sha(b"gone")}]
    wrong = {"action": action, "effect": "APPLIED", "evidence": gone}
    assert desk.refused("reconcile-effect", wrong)["code"] == "evidence-unproven"


def test_l059_an_action_outlives_the_outcome_it_served(desk):
    desk.initial()
    action = desk.start(serves=["out-3.5"])
    source = desk.say("Something else.")
    new = desk.add(source, "outcomes", "new")
    desk.classify(source, ("REPLACE", [new]), all="retire")
    assert "(started under an earlier contract)" in desk.card()
    desk.finish(action, "UNKNOWN_EFFECT")
    card = desk.card()
    assert action in card.partition("UNKNOWN EFFECTS")[2].partition("PROMPTS")[0]
    assert "NEXT WORK: none" in card


def test_l060_a_pending_action_waits_for_whoever_resumes(desk):
    desk.initial()
    action = desk.start()
    shutil.rmtree(desk.folder)  # as if the machine had been reinstalled
    context = desk.session.hook("SessionStart", source="resume").context
    assert action in context
    assert action in desk.text("show", *WHO).partition("WITHOUT A RESULT")[2]
    desk.finish(action, "UNKNOWN_EFFECT")
    assert action in desk.card().partition("UNKNOWN EFFECTS")[2]


def test_l061_what_an_action_names_must_be_there(desk):
    desk.initial()
    source = desk.say("Forget it.")
    desk.classify(source, ("CORRECT", [{"op": "retire", "id": "out-3.5"}]))
    for name, wrong in (
        ("serves", "out-9.9"),
        ("serves", "out-3.5"),
        ("serves", "OUT-3.6"),
        ("depends", "act-99"),
        ("depends", "out-3.6"),
    ):
        refusal = desk.refused("action-start", start(desk, **{name: [wrong]}))
        assert (refusal["code"], refusal["pointer"]) == ("unknown-id", f"/{name}/0")


def test_l113_only_the_exact_bytes_bring_a_prompt_back(desk):
    desk.initial()
    gap, other = lose(desk), lose(desk, "other words")
    done = desk.run(
        "recover-source", *WHO, document={"gap": gap, "text": "lost words!"}
    )
    assert json.loads(done.out)["refusal"]["pointer"] == "/text"
    for text in ("lost wordz", "other words"):
        refusal = desk.refused("recover-source", {"gap": gap, "text": text})
        assert refusal["pointer"] == "/text"
    answer = desk.do("recover-source", {"gap": gap[:12], "text": "lost words"})
    (waiting,) = desk.listed("--pending")
    assert (waiting["id"], waiting["state"]) == (answer["source"], "UNCLASSIFIED")
    printed = json.loads(desk.text("sources", *WHO, "--json"))
    assert [each["id"] for each in printed["gaps"]] == [other]


def test_l115_a_gap_is_given_up_by_its_owner_with_a_note(desk):
    desk.initial()
    gap = lose(desk)
    desk.text("log", *WHO)
    desk.session.ledger.drain()
    assert desk.refused("dispose-gap", {"gap": gap})["pointer"] == "/note"
    stranger = ("--host", "claude", "--session", "s-2", "--chat", "s-1")
    document = {"gap": gap, "note": "gone"}
    assert desk.refused("dispose-gap", document, *stranger)["code"] == "reference-only"
    desk.do("dispose-gap", document)
    assert "given up" in desk.log(gap)


def test_a_spooled_gap_is_listed_before_it_is_drained(desk):
    desk.initial()
    gap = lose(desk)
    printed = json.loads(desk.text("sources", *WHO, "--json", "--pending"))
    (told,) = printed["gaps"]
    assert (told["id"], told["spooled"], told["seq"]) == (gap, True, None)
    assert gap in desk.text("sources", *WHO, "--pending")
