"""Which files are documents, which of them are new, and what is passed over."""

import os

import pytest

from git_intent.files import sha256
from git_intent.git.repository import Repository
from git_intent.scan.collect_documents import (
    LARGEST,
    collect_documents,
    is_document,
    nested_projects,
)
from git_intent.store.requirement import Kind


def collected(repo, known=None, **options):
    opened = Repository.discover(repo.path)
    return collect_documents(opened, opened.head().oid, known or {}, **options)


def paths(material):
    return [item.path for item in material.items]


def reasons(material):
    return {notice.path: notice.reason for notice in material.skipped}


@pytest.mark.parametrize(
    "path",
    [
        "CLAUDE.md",
        "AGENTS.md",
        "GEMINI.md",
        "packages/ui/CLAUDE.md",
        "README.rst",
        "README",
        "README.de.md",
        "readme.md",
        "CONTRIBUTING.md",
        "STYLE_GUIDE.md",
        "GOVERNANCE.md",
        "SECURITY.md",
        "MAINTAINERS",
        "docs/a/b.md",
        "docs/x.rst",
        "docs/x.adoc",
        "docs/x.txt",
        ".cloche/prompts/x.md",
        ".cloche/prompts/deep/y",
        ".github/copilot-instructions.md",
        ".github/CONTRIBUTING.md",
        ".cursorrules",
        ".cursor/rules/style.mdc",
        ".windsurfrules",
    ],
)
def test_usual_places_are_documents(path):
    assert is_document(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/c.md",
        "src/README.md",
        "styles.css",
        "style.py",
        "README.png",
        "docs/conf.py",
        "docs/LICENSE.txt",
        "docs/node_modules/x/guide.md",
        "vendor/lib/CLAUDE.md",
        "tests/fixtures/CLAUDE.md",
        ".cloche/develop.cloche",
        "LICENSE",
    ],
)
def test_other_files_are_none(path):
    assert not is_document(path)


def test_doc_globs_add_and_take_away():
    assert is_document("handbook/rules.md", ["handbook/**"])
    assert not is_document("docs/vendor-notes.md", ["!docs/vendor-*"])
    assert is_document("docs/vendor-a.md", ["!docs/vendor-*", "docs/vendor-a.md"])


def test_n059_documents_are_collected_and_sources_are_not(repo):
    changed = {
        "CLAUDE.md": "Never push.\n",
        "README.rst": "Title\n=====\n",
        "docs/a/b.md": "# B\n",
        ".cloche/prompts/x.md": "Do it.\n",
        "src/c.md": "# C\n",
    }
    repo.commit_files(changed)
    found = collected(repo)
    assert sorted(paths(found)) == sorted(set(changed) - {"src/c.md"})
    assert {item.kind for item in found.items} == {Kind.DOC}
    assert found.hashes["CLAUDE.md"] == sha256(b"Never push.\n")


def test_n059_what_cannot_be_read_is_named(repo):
    repo.write(".gitignore", "docs/ignored.md\nprivate/\n")
    repo.commit_files(
        {
            "docs/large.md": "x" * (2 * LARGEST),
            "docs/nul.md": b"a\0b",
            "docs/wide.md": "Nie pushen.\n".encode("utf-16"),
            "docs/latin.md": "Größe\n".encode("latin-1"),
            "docs/pointer.md": "version https://git-lfs.github.com/spec/v1\noid x\n",
            "docs/real.md": "# Real\n",
        }
    )
    (repo.path / "docs/link.md").symlink_to("real.md")
    repo.commit("link")
    repo.write("docs/ignored.md", "Always ignored.\n")
    repo.write("docs/new.md", "Always new.\n")
    repo.write("AGENTS.md", "Always here.\n")
    found = collected(repo)
    assert paths(found) == ["docs/real.md"]
    assert reasons(found) == {
        "AGENTS.md": "not committed",
        "docs/ignored.md": "ignored by git",
        "docs/large.md": "2.0 MiB; at most 1 MiB is read",
        "docs/latin.md": "not UTF-8",
        "docs/link.md": "a symbolic link",
        "docs/new.md": "not committed",
        "docs/nul.md": "binary",
        "docs/pointer.md": "a pointer to a file in Git LFS",
        "docs/wide.md": "UTF-16; only UTF-8 is read",
    }
    assert set(found.hashes) == {"docs/real.md"}


def test_unchanged_documents_are_not_new_however_their_files_look(repo):
    repo.commit_files({"CLAUDE.md": "Never push.\n", "docs/a.md": "# A\n"})
    known = collected(repo).hashes
    for path in ("CLAUDE.md", "docs/a.md"):
        os.utime(repo.path / path, (1, 1))
    assert paths(collected(repo, known)) == []
    assert paths(collected(repo, known, full=True)) == ["CLAUDE.md", "docs/a.md"]


def test_a_document_moved_without_a_change_is_not_new(repo):
    repo.commit_files({"docs/a.md": "# A\n\nNever push.\n"})
    known = collected(repo).hashes
    repo.git("mv", "docs/a.md", "docs/b.md")
    repo.commit("move")
    found = collected(repo, known)
    assert paths(found) == []
    assert list(found.hashes) == ["docs/b.md"]


def test_n064_line_ends_of_the_checkout_do_not_count(repo):
    repo.commit_files({"docs/a.md": "# A\n\nNever push.\n"})
    known = collected(repo).hashes
    repo.git("config", "core.autocrlf", "true")
    (repo.path / "docs/a.md").unlink()
    repo.git("checkout", "--", "docs/a.md")
    assert b"\r\n" in repo.read("docs/a.md")
    assert paths(collected(repo, known)) == []
    repo.write("docs/a.md", b"# A\r\n\r\nNever merge.\r\n")
    found = collected(repo, known)
    assert found.items[0].text == "# A\n\nNever merge.\n"
    assert found.hashes["docs/a.md"] == sha256(b"# A\n\nNever merge.\n")


def test_an_edit_in_the_work_tree_is_read_once(repo):
    repo.commit_files({"CLAUDE.md": "Never push.\n"})
    known = collected(repo).hashes
    repo.write("CLAUDE.md", "Never merge.\n")
    found = collected(repo, known)
    assert [item.text for item in found.items] == ["Never merge.\n"]
    repo.commit("reword")
    assert paths(collected(repo, found.hashes)) == []


def test_a_document_missing_in_the_work_tree_still_stands(repo):
    repo.commit_files({"CLAUDE.md": "Never push.\n"})
    known = collected(repo).hashes
    (repo.path / "CLAUDE.md").unlink()
    found = collected(repo, known)
    assert paths(found) == []
    assert found.hashes == known


def test_a_document_replaced_by_a_link_is_not_followed(repo, tmp_path):
    (tmp_path / "outside.md").write_text("Always leak.\n", "utf-8")
    repo.commit_files({"CLAUDE.md": "Never push.\n"})
    (repo.path / "CLAUDE.md").unlink()
    (repo.path / "CLAUDE.md").symlink_to(tmp_path / "outside.md")
    found = collected(repo)
    assert paths(found) == []
    assert reasons(found) == {"CLAUDE.md": "a symbolic link"}


def test_n053_files_stand_in_on_an_unborn_branch(repo):
    repo.write("CLAUDE.md", "Never push.\n")
    repo.write(".gitignore", "docs/\n")
    repo.write("docs/a.md", "Always ignored.\n")
    found = collected(repo)
    assert paths(found) == ["CLAUDE.md"]
    repo.git("add", "CLAUDE.md")
    assert collected(repo).hashes == found.hashes


def test_exported_section_and_injected_block_are_blanked(repo):
    repo.commit_files(
        {
            "CLAUDE.md": "# Rules\n\n<!-- git-intent:begin -->\n- Always echo.\n"
            "<!-- git-intent:end -->\n\nNever push.\n"
        }
    )
    text = collected(repo).items[0].text
    assert text == "# Rules\n\n\n\n\n\nNever push.\n"


def test_n034_names_outside_ascii_are_kept(repo):
    repo.git("config", "core.quotePath", "true")
    repo.commit_files({"docs/größe und maß.md": "# A\n", "docs/zeilen\num.md": "# B\n"})
    found = collected(repo)
    assert paths(found) == ["docs/größe und maß.md", "docs/zeilen\num.md"]
    assert paths(collected(repo, found.hashes)) == []


def test_n095_neither_submodules_nor_nested_repositories_are_entered(repo, tmp_path):
    other = type(repo).init(tmp_path / "other")
    other.commit_files({"CLAUDE.md": "Always other.\n"})
    nested = type(repo).init(repo.path / "docs/nested")
    nested.commit_files({"guide.md": "Always nested.\n"})
    repo.write("README.md", "# Main\n")
    repo.git("add", "README.md")
    repo.git("submodule", "-q", "add", str(other.path), "docs/sub")
    repo.git("commit", "-q", "-m", "first")
    assert paths(collected(repo)) == ["README.md"]


def test_n096_a_nested_project_keeps_its_documents(repo):
    repo.commit_files(
        {
            "CLAUDE.md": "Root.\n",
            "svc/CLAUDE.md": "Service.\n",
            "svc/.cloche/prompts/x.md": "Do.\n",
        }
    )
    assert paths(collected(repo)) == ["CLAUDE.md"]
    inside = Repository.discover(repo.path / "svc")
    found = collect_documents(inside, inside.head().oid, {})
    assert paths(found) == [".cloche/prompts/x.md", "CLAUDE.md"]
    assert nested_projects(["a/.cloche/x", ".cloche/y"]) == ("a/",)


def test_n097_text_of_every_script_is_kept_to_the_byte(repo):
    text = "# Regeln\n\nNie ändern. 必ずテストする。 لا تدفع أبداً\n"
    repo.commit_files({"docs/a.md": "\ufeff" + text})
    assert collected(repo).items[0].text == text


def test_n094_a_blob_that_is_not_here_is_named_and_not_fetched(repo, tmp_path):
    repo.commit_files({"CLAUDE.md": "Never push.\n", "docs/a.md": "# A\n"})
    repo.git("config", "uploadpack.allowFilter", "true")
    partial = type(repo)(tmp_path / "partial")
    url = f"file://{repo.path}"
    repo.git("clone", "-q", "--no-checkout", "--filter=blob:none", url, partial.path)
    partial.git("remote", "set-url", "origin", "file:///nowhere")
    partial.git("sparse-checkout", "set", "--no-cone", "/nothing")
    partial.git("read-tree", "-mu", "HEAD")
    found = collected(partial)
    assert paths(found) == []
    assert set(reasons(found).values()) == {"not in this partial clone"}
