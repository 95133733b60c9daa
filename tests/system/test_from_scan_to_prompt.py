"""The whole way, with the real program: documents, requirements, a prompt."""

import pytest

from tests.support.repo import STORE

GUIDE = """\
# Contributing

## Versioning

- Never bump the major version unless explicitly told to.

## Testing

- Every bug fix must come with a test that fails without it.
"""

REQUIREMENT = """\
---
id: req-0001
status: active
scope:
  level: project
confidence: high
provenance:
  kind: user
created: 2026-01-01T00:00:00Z
updated: 2026-01-01T00:00:00Z
---

Never use tabs.

**Why:** They render differently.

---

**Why:** And nobody sees them."""


def test_n180_adopting_a_project_needs_no_configuration(repo):
    repo.commit_files({"CONTRIBUTING.md": GUIDE, "src/a.py": "x = 1\n"})
    repo.write("src/a.py", "x = 2\n")  # work all over the place
    repo.write("notes.txt", "mine\n")
    before = repo.status()
    assert repo.intent("scan", "--full").code == 0
    assert repo.status() == before

    listed = repo.intent("list").out.splitlines()[1:]
    version = next(line.split()[0] for line in listed if "major version" in line)
    test = next(line.split()[0] for line in listed if "bug fix" in line)
    assert "Never bump the major version" in repo.intent("show", version).out
    assert repo.intent("disable", version).code == 0
    repo.git("commit", "-qm", "review", "--", ".cloche/intent")

    task = ("--task", "fix a bug and write the failing test, bump the version")
    done = repo.intent("inject", "-", *task, input="Do it.\n")
    assert done.code == 0
    assert f"[{test}]" in done.out
    assert version not in done.out
    assert done.out.endswith("Do it.\n")


def test_n014_body_reaches_the_block_and_frontmatter_does_not(repo):
    repo.write(f"{STORE}/requirements/req-0001.md", REQUIREMENT)
    block = repo.intent("preview").out
    (line,) = [x for x in block.splitlines() if x.startswith("- [")]
    assert line.startswith("- [req-0001] Never use tabs. **Why:** They render")
    assert line.endswith("**Why:** And nobody sees them.")
    assert "provenance" not in block
    assert "2026-01-01" not in block


def test_n031_injecting_leaves_the_work_tree_clean(repo):
    repo.commit_files({f"{STORE}/requirements/req-0001.md": REQUIREMENT})
    other = repo.write(".cloche/intent-index/vectors.json", '{"version": 1}\n')
    assert repo.intent("inject", "-", "--task", "format the code", input="x").code == 0
    assert repo.status() == ""
    assert other.read_bytes() == b'{"version": 1}\n'
    ignored = repo.git("check-ignore", ".cloche/intent-index/x", check=False)
    assert ignored == ".cloche/intent-index/x"
    assert not (repo.path / ".gitignore").exists()


def test_n031_an_index_that_was_committed_is_named_and_left_alone(repo):
    index = ".cloche/intent-index/rows.bin"
    repo.commit_files(
        {f"{STORE}/requirements/req-0001.md": REQUIREMENT, index: "old\n"}
    )
    for _ in range(2):
        done = repo.intent("preview", "--task", "format the code")
        assert done.code == 0
        assert "[req-0001]" in done.out
        assert "git rm -r --cached .cloche/intent-index" in done.err
    assert repo.status() == ""


@pytest.mark.parametrize("damage", ["gone", "cut", "foreign"])
def test_n032_a_lost_index_changes_nothing(repo, damage):
    repo.commit_files({f"{STORE}/requirements/req-0001.md": REQUIREMENT})
    ask = ("preview", "--task", "which indentation do we use")
    first = repo.intent(*ask)
    rows = repo.path / ".cloche/intent-index/rows.bin"
    data = rows.read_bytes()
    if damage == "gone":
        rows.unlink()
    else:
        rows.write_bytes(data[: len(data) // 2] if damage == "cut" else b"not ours")
    again = repo.intent(*ask)
    assert (again.code, again.out, again.err) == (first.code, first.out, first.err)


@pytest.mark.parametrize(
    ("where", "step", "expected"),
    [
        ("workflow", "implement", False),
        ("step", "implement", False),
        ("step", "review", True),
    ],
)
def test_n109_n110_opted_out_prompts_stay_as_they_are(repo, where, step, expected):
    out = "intent_tracking = false"
    repo.write(
        ".cloche/main.cloche",
        'workflow "develop" {\n'
        f"  {out if where == 'workflow' else ''}\n"
        '  step implement {\n    prompt = "p"\n    results = [success]\n'
        f"    {out if where == 'step' else 'intent_tracking = true'}\n  }}\n"
        '  step review {\n    prompt = "p"\n    results = [success]\n  }\n'
        "  implement:success -> review\n  review:success -> done\n}\n",
    )
    repo.write(f"{STORE}/requirements/req-0001.md", REQUIREMENT)
    place = ("--workflow", "develop", "--step", step)
    done = repo.intent("inject", "-", *place, input=b"\xff prompt")
    assert done.code == 0
    assert ("[req-0001]" in done.out) is expected
    if not expected:
        assert done.out.encode("utf-8", "surrogateescape") == b"\xff prompt"


@pytest.mark.parametrize("bad", ["-5", '"many"', "10000000000"])
def test_n176_a_bad_budget_never_blocks_a_prompt(repo, bad):
    repo.write(".cloche/config.toml", f"[intent]\ntoken_budget = {bad}\n")
    repo.write(f"{STORE}/requirements/req-0001.md", REQUIREMENT)
    done = repo.intent("inject", "-", "--task", "format", input="x")
    assert done.code == 0
    assert "[req-0001]" in done.out
    assert ".cloche/config.toml:2:" in done.err
    assert repo.intent("config").code == 1
