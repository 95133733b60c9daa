"""list, show, status and domains list: what they print and what they leave alone."""

import json
import os
import shutil
from pathlib import Path

import pytest

from git_intent.store.requirement import Level, Scope
from tests.cli.conftest import NOW
from tests.support.repo import Repo
from tests.support.snapshots import disabled, requirement, superseded

MISSION = """\
---
id: req-a3f8
status: active            # active | disabled | superseded
superseded_by: ""         # req id, when status == superseded
scope:
  level: domain           # project | domain
  domains: [versioning]
  paths: []               # optional narrowing globs
  languages: []           # optional, e.g. [go]
hints:                    # retrieval-only phrasings; embedded, never injected
  - "when to bump minor vs build number"
  - "is this change a breaking change"
confidence: high          # high | medium | low
user_edited: false        # true once a human touches statement/scope
provenance:
  kind: doc               # doc | transcript | prompt | commit | user
  ref: "CLAUDE.md#versioning"
  extracted_at: 2026-09-13T10:00:00Z
  extracted_by: intent-scan
created: 2026-09-13T10:00:00Z
updated: 2026-09-13T10:00:00Z
---

Never bump the major version unless explicitly told to. Minor bumps are for new major
features and backward-incompatible changes; everything else bumps the build number.

**Why:** Major releases are batched manually at the maintainer's direction.
"""


def below(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_n001_list_shows_a_clone_and_touches_nothing(repo, holds, tmp_path):
    holds(*(requirement(f"req-000{n}") for n in range(3)))
    clone = Repo(tmp_path / "clone")
    repo.git("clone", "-q", str(repo.path), str(clone.path))
    for file in clone.path.rglob("*"):
        file.chmod(0o555 if file.is_dir() else 0o444)
    before, status = below(clone.path), clone.status()

    done = clone.intent("list")

    assert (done.code, done.err) == (0, "")
    assert [line.split()[0] for line in done.out.splitlines()] == [
        "ID",
        "req-0000",
        "req-0001",
        "req-0002",
    ]
    assert clone.status() == status
    assert below(clone.path) == before
    for folder in [clone.path, *clone.path.rglob("*")]:
        if folder.is_dir():
            folder.chmod(0o755)
    shutil.rmtree(clone.path)


def test_n002_the_words_of_an_editor_are_shown_whatever_the_stamps(repo, holds, intent):
    holds(requirement())
    file = repo.store / "requirements/req-0001.md"
    assert "Always keep" in intent("list").out
    old = file.stat()
    file.write_bytes(file.read_bytes().replace(b"Always keep", b"Must uphold"))
    os.utime(file, ns=(old.st_atime_ns, old.st_mtime_ns))
    assert "Must uphold the promise" in intent("list").out
    assert "Must uphold the promise" in intent("show", "req-0001").out


def test_n011_show_gives_every_field_of_the_missions_example(repo, intent):
    repo.write(".cloche/intent/requirements/req-a3f8.md", MISSION)
    found = json.loads(intent("show", "--json", "req-a3f8").out)
    assert found["version"] == 1
    assert found["requirement"] == {
        "id": "req-a3f8",
        "status": "active",
        "superseded_by": "",
        "scope": {
            "level": "domain",
            "domains": ["versioning"],
            "paths": [],
            "languages": [],
        },
        "hints": [
            "when to bump minor vs build number",
            "is this change a breaking change",
        ],
        "confidence": "high",
        "user_edited": False,
        "provenance": {
            "kind": "doc",
            "ref": "CLAUDE.md#versioning",
            "extracted_at": NOW,
            "extracted_by": "intent-scan",
        },
        "created": NOW,
        "updated": NOW,
        "statement": "Never bump the major version unless explicitly told to. Minor "
        "bumps are for new major features and backward-incompatible changes; "
        "everything else bumps the build number.",
        "rationale": "Major releases are batched manually at the maintainer's "
        "direction.",
    }
    assert found["path"] == ".cloche/intent/requirements/req-a3f8.md"


@pytest.mark.parametrize(
    "stamp",
    [
        "2026-09-13T10:00:00.5Z",
        "2026-09-13T10:00:00.123456789Z",
        "2026-09-13T12:00:00+02:00",
        "2026-09-13",
    ],
)
def test_n011_stamps_of_all_spellings_are_shown_as_written(repo, intent, stamp):
    text = MISSION.replace(f"updated: {NOW}", f"updated: {stamp}")
    repo.write(".cloche/intent/requirements/req-a3f8.md", text)
    found = json.loads(intent("show", "--json", "a3f8").out)
    assert found["requirement"]["updated"] == stamp


def test_n011_show_prints_the_file_and_leads_back_to_its_source(repo, intent):
    repo.write(".cloche/intent/requirements/req-a3f8.md", MISSION)
    repo.commit("x", **{"CLAUDE.md": "# Project\n\n## Versioning\n\nText.\n"})
    done = intent("show", "req-a3f8.md")
    assert done.out.startswith(MISSION)
    assert done.out.endswith(
        "\nFile: .cloche/intent/requirements/req-a3f8.md\n"
        "From: CLAUDE.md:5, under #versioning\n"
    )


def test_show_prints_windows_line_ends_as_lines(repo, intent):
    text = "\ufeff" + MISSION.replace("\n", "\r\n")
    repo.write(".cloche/intent/requirements/req-a3f8.md", text)
    assert intent("show", "a3f8").out.startswith(MISSION)


BROKEN = {
    "requirements/req-0003.md": b"---\nid: req-0003\nstatus: Active\n---\nx\n",
    "domains.yaml": b"version: 1\ndomains:\n  - name: a\n    description: b: c\n",
    "scan-state.yaml": b"version: 1\nversion: 1\n",
}


@pytest.mark.parametrize("broken", BROKEN)
def test_n018_a_broken_file_is_named_and_the_others_are_listed(
    repo, holds, intent, broken
):
    holds(requirement("req-0001"), requirement("req-0002"), requirement("req-0003"))
    repo.write(f".cloche/intent/{broken}", BROKEN[broken])
    done = intent("list")
    assert done.code == 0
    assert f".cloche/intent/{broken}:" in done.err
    lines = 2 if "req-0003" in broken else 3
    assert len(done.out.splitlines()) == 1 + lines
    assert f".cloche/intent/{broken}" in intent("status").out


def test_n018_a_broken_file_of_200_costs_nothing_but_itself(repo, holds, intent):
    holds(*(requirement(f"req-{n:04x}") for n in range(200)), commit=False)
    repo.write(".cloche/intent/requirements/req-0007.md", "no fence\n")
    done = intent("list", "--json")
    assert len(json.loads(done.out)["requirements"]) == 199
    assert done.err.startswith(".cloche/intent/requirements/req-0007.md:1:1: I002 ")


def test_n019_a_key_that_stands_twice_is_never_guessed(repo, intent):
    text = MISSION.replace("confidence: high ", "confidence: low\nconfidence: high ")
    repo.write(".cloche/intent/requirements/req-a3f8.md", text)
    done = intent("show", "a3f8")
    assert done.code == 1
    assert "req-a3f8.md:14:1: I004" in done.err
    assert "req-a3f8.md: cannot be read\n  mend the line named above" in done.err


@pytest.mark.parametrize("where", [".cloche", "store", "requirements", "file"])
def test_n025_a_symlink_in_the_store_is_refused_by_name(
    repo, holds, intent, tmp_path, where
):
    holds(requirement())
    place = {
        ".cloche": repo.path / ".cloche",
        "store": repo.store,
        "requirements": repo.store / "requirements",
        "file": repo.store / "requirements/req-0001.md",
    }[where]
    outside = tmp_path / "outside"
    place.rename(outside)
    place.symlink_to(outside)
    before = below(outside) if outside.is_dir() else outside.read_bytes()
    for command in (["list"], ["disable", "req-0001"], ["add", "X must hold."]):
        done = intent(*command)
        assert done.code == 1
        assert f"{place.relative_to(repo.path)}: is a symbolic link" in done.err
    assert before == (below(outside) if outside.is_dir() else outside.read_bytes())


def test_n027_the_missions_domain_map_is_listed(repo, holds, intent):
    holds(requirement(scope=Scope(Level.DOMAIN, ("versioning",))))
    repo.write(
        ".cloche/intent/domains.yaml",
        "# .cloche/intent/domains.yaml\nversion: 1\ndomains:\n"
        "  - name: versioning\n"
        "    description: Version string management, release process, changelog.\n"
        '    paths: ["internal/version/**", "docs/plans/*release*"]\n',
    )
    repo.commit("x", **{"internal/version/v.go": "", "docs/plans/a-release.md": ""})
    done = intent("domains", "list")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1].split(maxsplit=5) == [
        "versioning",
        "2",
        "1",
        "internal/version/**",
        "docs/plans/*release*",
        "Version string management, release process, changelog.",
    ]
    (found,) = json.loads(intent("domains", "list", "--json").out)["domains"]
    assert found == {
        "name": "versioning",
        "description": "Version string management, release process, changelog.",
        "paths": ["internal/version/**", "docs/plans/*release*"],
        "user_edited": False,
        "files": 2,
        "requirements": 1,
    }


def test_n027_an_unquoted_colon_is_named_with_its_line(repo, intent):
    repo.write(".cloche/intent/domains.yaml", BROKEN["domains.yaml"])
    assert ".cloche/intent/domains.yaml:4:" in intent("domains", "list").err


def test_n029_removing_a_domain_says_who_still_names_it(repo, holds, intent):
    holds(
        requirement(scope=Scope(Level.DOMAIN, ("api",))),
        domains="  - name: api\n    description: x\n",
    )
    done = intent("domains", "remove", "api")
    assert (done.code, done.out) == (0, "api removed\n")
    assert done.err == "note: api is still named by req-0001\n"
    assert intent("list").err == ""


def test_list_filters_by_domain_and_status(repo, holds, intent):
    holds(
        requirement("req-0001", scope=Scope(Level.DOMAIN, ("api",))),
        disabled("req-0002"),
        superseded("req-0003", "req-0001"),
        commit=False,
    )

    def ids(*args):
        found = json.loads(intent("list", "--json", *args).out)
        return [r["id"] for r in found["requirements"]]

    assert ids() == ["req-0001", "req-0002", "req-0003"]
    assert ids("--domain", "api") == ids("--domain=api") == ids("-d", "api")
    assert ids("--domain", "api") == ["req-0001"]
    assert ids("--status=disabled") == ids("-s", "disabled") == ["req-0002"]
    assert ids("--status", "superseded") == ["req-0003"]
    assert ids("--domain", "api", "--status", "disabled") == []
    assert intent("list", "-d", "web").out == "None of 3 requirements matches.\n"


def test_an_empty_project_is_told_what_comes_next(repo, intent):
    assert "git intent scan" in intent("list").out
    assert "git intent scan" in intent("domains", "list").out
    assert json.loads(intent("list", "--json").out) == {
        "version": 1,
        "requirements": [],
    }


def test_status_tells_store_cursor_and_what_is_in_the_way(repo, holds, intent):
    holds(requirement("req-0001"), disabled("req-0002"))
    repo.commit("more")
    repo.commit("scan\n\nIntent-Scan: 20260101T000000Z-0001-0000")
    assert intent("status").out.splitlines() == [
        f"Project       {repo.path}",
        "Requirements  2 (1 active, 1 disabled)",
        "Domains       0",
        "Read up to    nothing yet",
        "Unread        2 commits",
        "Scan          built-in",
    ]
    repo.git("checkout", "-q", "--detach")
    repo.git("bisect", "start")
    assert "A bisect is in progress" in intent("status").out
    found = json.loads(intent("status", "--json").out)
    assert (found["version"], found["operation"]) == (1, "bisect")
    assert found["requirements"] == {"active": 1, "disabled": 1, "superseded": 0}


def test_status_names_a_workflow_that_stops_every_scan(repo, intent):
    repo.write(".cloche/bad.cloche", 'workflow "x" {\n')
    done = intent("status")
    assert (done.code, done.err) == (0, "")
    assert "A scan is stopped by .cloche/bad.cloche:2:1: " in done.out
    found = json.loads(intent("status", "--json").out)
    assert found["workflow_error"].startswith(".cloche/bad.cloche:2:1: ")


def test_status_of_a_lost_cursor(repo, holds, intent):
    holds(requirement())
    repo.write(
        ".cloche/intent/scan-state.yaml", f"version: 1\nlast_commit: {'1' * 40}\n"
    )
    assert "the cursor is lost" in intent("status").out
    assert json.loads(intent("status", "--json").out)["commits_since"] is None


def test_n096_the_nearest_project_is_used_and_named_by_verbose(repo, holds, intent):
    holds(requirement("req-0001"))
    inner = repo.path / "svc"
    (inner / "src").mkdir(parents=True)
    assert intent("-v", "list", cwd=inner).err == f"project: {repo.path}\n"
    (inner / ".cloche").mkdir()
    assert intent("--verbose", "list", cwd=inner / "src").err == f"project: {inner}\n"
    assert "No requirements yet" in intent("list", cwd=inner / "src").out
    assert intent("list", cwd=inner / "src").err == ""


def test_n096_a_bare_repository_is_read_from_head_and_never_written(
    repo, holds, intent, tmp_path
):
    holds(requirement(), domains="  - name: api\n    paths: [src/**]\n")
    repo.commit("x", **{"src/a": ""})
    bare = tmp_path / "bare.git"
    repo.git("clone", "-q", "--bare", str(repo.path), str(bare))
    before = below(bare)
    assert "req-0001" in intent("list", cwd=bare).out
    assert "req-0001" in intent("show", "req-0001", cwd=bare).out
    assert intent("domains", "list", cwd=bare).out.split()[6:8] == ["1", "0"]
    assert intent("status", cwd=bare).code == 0
    assert intent("config", cwd=bare).code == 0
    for command in (
        "init",
        "scan",
        "scan-step commit",
        "add X",
        "edit req-0001",
        "disable req-0001",
        "redact req-0001",
        "domains add api",
        "domains remove api",
        "trust",
    ):
        done = intent(*command.split(), cwd=bare)
        assert done.code == 1, command
        assert "bare repository" in done.err
        assert "clone" in done.err
    assert below(bare) == before


def test_n096_an_empty_bare_repository_has_no_requirements(intent, tmp_path):
    bare = Repo.init(tmp_path / "empty.git", "--bare")
    assert "No requirements yet" in intent("list", cwd=bare.path).out
    assert "No domains yet" in intent("domains", "list", cwd=bare.path).out
