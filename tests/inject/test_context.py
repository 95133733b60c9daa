"""What is found out about the work: paths, domains, repositories, opt-outs."""

import pytest

from git_intent.git.repository import Repository
from git_intent.inject.context import Context, gather

WORKFLOW = """
workflow "develop" {
  repos = ["api", "gone"]
  domains = ["versioning"]
  step implement {
    prompt = file(".cloche/prompts/implement.md")
    results = [success]
  }
  step release {
    prompt = "do it"
    domains = ["release", "ci"]
    results = [success]
  }
  step none {
    prompt = "x"
    domains = []
    results = [success]
  }
  step quiet {
    prompt = "x"
    intent_tracking = false
    results = [success]
  }
  step old {
    prompt = "x"
    intent = "off"
    results = [success]
  }
  implement:success -> release
  release:success -> none
  none:success -> quiet
  quiet:success -> old
  old:success -> done
}

workflow "closed" {
  intent_tracking = false
  step open {
    prompt = "x"
    intent_tracking = true
    results = [success]
  }
  open:success -> done
}
"""


def gathered(repo, **about):
    return gather(Repository.discover(repo.path), repo.path, **about)


def paths(repo, **about):
    return gathered(repo, **about).context.paths


@pytest.fixture
def flow(repo):
    repo.write(".cloche/main.cloche", WORKFLOW)
    repo.write(
        ".cloche/config.toml",
        '[[repositories]]\nname = "api"\npath = "./services/api/"\n',
    )
    repo.commit()
    return repo


def test_n118_paths_are_given_from_where_one_stands(repo):
    repo.commit_files({"src/api/x.py": "", "a\\b.py": ""})
    given = ["x.py", "./gone.py", "../lib/", "..", "sub\\y.py", "../../a\\b.py", "."]
    assert paths(repo, paths=given, cwd=repo.path / "src/api") == (
        "src/api/x.py",
        "src/api/gone.py",
        "src/lib/",
        "src/",
        "src/api/sub/y.py",
        "a\\b.py",
        "src/api/",
    )
    assert paths(repo, paths=[str(repo.path / "src/api/x.py")]) == ("src/api/x.py",)
    assert paths(repo, paths=["."]) == ("./",)


def test_n118_a_path_outside_is_named_and_left_out(repo):
    found = gathered(repo, paths=["../elsewhere", "/etc/passwd", "../project-2/x"])
    assert found.context.paths is None
    assert len(found.warnings) == 3
    assert "../elsewhere: lies outside of the project" in found.warnings[0]


def test_n118_a_linked_way_to_the_project_is_the_project(repo, tmp_path):
    repo.commit_files({"src/x.py": ""})
    (tmp_path / "link").symlink_to(repo.path)
    (repo.path / "src/out.py").symlink_to("/etc/passwd")
    assert paths(repo, paths=[str(tmp_path / "link/src/x.py")]) == ("src/x.py",)
    assert paths(repo, paths=["src/out.py"]) == ("src/out.py",)


def test_n118_without_given_paths_those_changed_on_the_branch_count(repo):
    repo.commit_files({"a.py": "1", "b.py": "1", "c.py": "1", ".gitignore": "*.log\n"})
    repo.git("checkout", "-qb", "work")
    repo.commit_files({"a.py": "2"})
    repo.write("b.py", "2")
    repo.git("add", "b.py")
    (repo.path / "c.py").unlink()
    repo.write("new/größe.py", "1")
    repo.write("x.log", "1")
    repo.write(".cloche/intent/requirements/req-0001.md", "x")
    repo.git("checkout", "-q", "main", "--", ".gitignore")
    found = gathered(repo).context
    assert found.paths == ("a.py", "b.py", "c.py", "new/größe.py")
    assert found.origin == "changed since the branch left main"


def test_changes_on_the_default_branch_itself_are_those_not_committed(repo):
    repo.commit_files({"a.py": "1"})
    repo.commit_files({"a.py": "2"})
    assert paths(repo) is None
    repo.write("a.py", "3")
    assert paths(repo) == ("a.py",)


def test_the_remote_says_which_branch_is_the_default(repo, tmp_path):
    repo.commit_files({"a.py": "1"})
    repo.git("branch", "-m", "develop")
    repo.git("clone", "-q", str(repo.path), str(tmp_path / "clone"))
    clone = type(repo)(tmp_path / "clone")
    clone.commit_files({"b.py": "1"})
    found = gathered(clone).context
    assert found.paths == ("b.py",)
    assert found.origin == "changed since the branch left origin/HEAD"


@pytest.mark.parametrize("relative", ["true", "false"])
def test_changed_paths_of_a_project_in_a_subfolder(repo, relative):
    repo.git("config", "diff.relative", relative)
    repo.commit_files({"svc/.cloche/config.toml": "", "svc/a.py": "1", "b.py": "1"})
    repo.write("svc/a.py", "2")
    repo.write("b.py", "2")
    repo.write("svc/new.py", "")
    found = Repository.discover(repo.path / "svc")
    assert gather(found, found.root).context.paths == ("a.py", "new.py")


def test_nothing_is_known_before_the_first_commit_or_without_repository(repo, tmp_path):
    assert paths(repo) is None
    assert gather(None, tmp_path).context.paths is None
    repo.write("a.py", "1")
    assert paths(repo) == ("a.py",)


def test_unrelated_histories_and_a_detached_head_are_no_trouble(repo):
    repo.commit_files({"a.py": "1"})
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit_files({"b.py": "1"})
    assert paths(repo) is None
    repo.git("checkout", "-q", "--detach")
    repo.write("b.py", "2")
    assert paths(repo) == ("b.py",)


def test_where_git_cannot_tell_the_paths_are_not_known(repo):
    repo.commit_files({"a.py": "1"})
    repo.write("b.py", "1")
    assert paths(repo) == ("b.py",)
    tree = repo.git("rev-parse", "HEAD^{tree}")
    (repo.path / ".git/objects" / tree[:2] / tree[2:]).unlink()
    assert paths(repo) is None


def test_n114_repositories_are_found_by_name_and_an_unknown_one_is_named(flow):
    found = gathered(flow, workflow="develop")
    assert found.context.repos == (("api", "services/api"),)
    assert [w for w in found.warnings if "gone" in w] == [
        ".cloche/main.cloche:2: no repository 'gone' in .cloche/config.toml"
    ]
    assert gathered(flow, workflow="closed").context.repos == ()


@pytest.mark.parametrize(
    ("step", "domains", "declared"),
    [
        ("", ("versioning",), "workflow 'develop'"),
        ("implement", ("versioning",), "workflow 'develop'"),
        ("release", ("release", "ci"), "step 'release'"),
        ("none", (), "step 'none'"),
    ],
)
def test_n115_a_steps_domains_replace_those_of_the_workflow(
    flow, step, domains, declared
):
    found = gathered(flow, workflow="develop", step=step).context
    assert (found.domains, found.declared) == (domains, declared)


@pytest.mark.parametrize(
    ("workflow", "step", "off"),
    [
        ("develop", "", ""),
        ("develop", "implement", ""),
        ("develop", "quiet", "step 'quiet' of workflow 'develop' opted out"),
        ("develop", "old", "step 'old' of workflow 'develop' opted out"),
        ("closed", "", "workflow 'closed' opted out"),
        ("closed", "open", "workflow 'closed' opted out"),
        ("closed", "unknown", "workflow 'closed' opted out"),
        ("intent-scan", "", "workflow 'intent-scan' is the scan itself"),
        ("unknown", "unknown", ""),
        ("develop", "unknown", ""),
    ],
)
def test_n132_a_step_is_out_if_it_or_its_workflow_says_so(flow, workflow, step, off):
    found = gathered(flow, workflow=workflow, step=step)
    assert found.off.startswith(off)
    assert bool(found.off) is bool(off)


def test_the_old_spelling_of_an_opt_out_is_honoured_and_named(flow):
    warnings = gathered(flow, workflow="develop", step="old").warnings
    assert any("W001 'intent' is the old spelling" in w for w in warnings)


def test_what_nobody_defines_is_named(flow):
    assert (
        "workflow 'x' is not defined any more" in gathered(flow, workflow="x").warnings
    )
    found = gathered(flow, workflow="develop", step="x").warnings
    assert "step 'x' of workflow 'develop' is not defined any more" in found


def test_a_broken_workflow_file_is_named_and_stops_nothing(flow):
    flow.write(".cloche/broken.cloche", "workflow {")
    found = gathered(flow, workflow="develop")
    assert any(".cloche/broken.cloche:1" in w for w in found.warnings)
    assert found.context.domains == ("versioning",)


def test_n142_the_query_is_the_task_with_the_names_of_prompt_and_workflow(flow):
    about = {"workflow": "develop", "step": "implement"}
    assert gathered(flow, task=" Fix it. \n", **about).context.query == (
        "Fix it.\nimplement\ndevelop"
    )
    assert gathered(
        flow, task="x", workflow="develop", step="release"
    ).context.query == ("x\nrelease\ndevelop")
    assert gathered(flow, task=" \n", **about).context.query == ""
    assert Context(task="x").query == "x"


@pytest.mark.parametrize(
    "toml", ["[[repositories]\n", "repositories = 3\n", "[[repositories]]\nname = 3\n"]
)
def test_settings_that_cannot_be_read_declare_nothing(flow, toml):
    flow.write(".cloche/config.toml", toml)
    found = gathered(flow, workflow="develop")
    assert found.context.repos == ()
    assert any("no repository 'api'" in w for w in found.warnings)
