"""`git intent preview` and `git intent inject`, from the command line to the bytes."""

import json
import os

import pytest

from git_intent.store import marks
from git_intent.store.intent_dir import DOMAINS
from git_intent.store.requirement import Level, Scope
from tests.cli.acting import PATH
from tests.support.repo import Repo, run_intent
from tests.support.snapshots import content, requirement

MAP = '  - name: api\n    description: x\n    paths: ["src/api/**"]\n'


def domain(id, name="api", **changes):
    return requirement(id, scope=Scope(Level.DOMAIN, (name,)), **changes)


@pytest.fixture
def project(repo, holds):
    holds(
        requirement("req-0001", statement="Never push."),
        domain("req-0002", statement="Answer in JSON."),
        domain("req-0003", "web", statement="Use buttons."),
        domains=MAP,
    )
    return repo


def shown(out):
    return [line[3:11] for line in out.splitlines() if line.startswith("- [")]


def injected(repo, prompt, *args, **options):
    done = run_intent(["inject", *args], repo.path, prompt, **options)
    assert done.code == 0, done.err
    return done


# Rows


def test_n002_an_edit_shows_at_once_whatever_the_stamps(project, intent):
    before = intent("preview").out
    place = project.path / PATH
    old = place.stat()
    place.write_bytes(place.read_bytes().replace(b"Never push", b"Never pull"))
    os.utime(place, ns=(old.st_atime_ns, old.st_mtime_ns))
    assert intent("preview").out == before.replace("Never push", "Never pull")


def test_n116_a_status_changed_a_moment_ago_counts(project, intent):
    assert shown(intent("preview").out) == ["req-0001"]
    intent("disable", "req-0001")
    assert intent("preview").out == ""


def test_n018_one_broken_file_costs_nothing_but_itself(repo, intent, holds):
    holds(*(requirement(f"req-{n:04x}", statement=f"R {n}.") for n in range(200)))
    repo.write(".cloche/intent/requirements/req-0007.md", "no frontmatter")
    found = intent("preview", env={"GIT_INTENT_TOKEN_BUDGET": "100000"})
    assert (found.code, len(shown(found.out))) == (0, 199)
    assert ".cloche/intent/requirements/req-0007.md:1:1: " in found.err


def test_n018_with_broken_domains_the_project_level_is_rendered(project, intent):
    project.write(DOMAINS, "domains: [")
    found = intent("preview", "--path", "src/api/x.py")
    assert (found.code, shown(found.out)) == (0, ["req-0001"])
    assert f"{DOMAINS}:1:" in found.err
    assert "Never push." in injected(project, "x").out


@pytest.mark.parametrize(
    "path", ["src/api/x.py", "./src/api/gone.py", "src\\api\\x.py", "src/api", "src/"]
)
def test_n118_a_given_path_brings_in_its_domain(project, path):
    (project.path / "src/api").mkdir(parents=True)
    out = injected(project, "", "--path", path).out
    assert shown(out) == ["req-0001", "req-0002"]


@pytest.mark.parametrize("path", ["../outside", "SRC/api/x.py", "src/apix/y"])
def test_n118_another_path_does_not(project, path):
    assert shown(injected(project, "", "--path", path).out) == ["req-0001"]


def test_n114_n115_what_a_workflow_declares_brings_in_its_domains(project, intent):
    project.write(
        ".cloche/w.cloche",
        'workflow "w" {\n  repos = ["svc"]\n  step s {\n    prompt = "x"\n'
        '    domains = ["web", "gone"]\n    results = [a]\n  }\n  s:a -> done\n}\n',
    )
    project.write(
        ".cloche/config.toml", '[[repositories]]\nname = "svc"\npath = "src/api"\n'
    )
    project.commit()
    assert shown(intent("preview").out) == ["req-0001"]
    assert shown(intent("preview", "--workflow", "w").out) == ["req-0001", "req-0002"]
    found = intent("preview", "--workflow", "w", "--step", "s")
    assert shown(found.out) == ["req-0001", "req-0002", "req-0003"]
    assert "the domain 'gone' is not in domains.yaml" in found.err


def test_n129_project_level_above_the_budget_is_a_warning(project, intent):
    small = {"GIT_INTENT_TOKEN_BUDGET": "3"}
    found = intent("preview", env=small)
    assert (found.code, shown(found.out)) == (0, [])
    assert "(1 more requirements omitted; run git intent list)" in found.out
    assert "the requirements of project level take" in found.err
    assert injected(project, "x", env=small).out == f"{found.out}\nx"


def test_n132_an_opted_out_step_gets_its_prompt_without_placement(project, intent):
    project.write(
        ".cloche/w.cloche",
        'workflow "w" {\n  step s {\n    prompt = "x"\n    intent_tracking = false\n'
        "    results = [a]\n  }\n  s:a -> done\n}\n",
    )
    about = ("--workflow", "w", "--step", "s")
    assert injected(project, "a\n{{ $intent }}\nb", *about).out == "a\nb"
    found = intent("preview", *about)
    assert (found.code, found.out) == (0, "")
    assert "step 's' of workflow 'w' opted out (.cloche/w.cloche:1)" in found.err


def test_n133_n138_off_leaves_every_prompt_as_it_is(project, intent):
    project.write(".cloche/config.toml", '[intent]\ninject = "off"\n')
    assert injected(project, "a\r\nb").out == "a\r\nb"
    assert injected(project, "a {{ $intent }}").out == "a "
    found = intent("preview")
    assert (found.code, found.out) == (0, "")
    assert "injection is off: inject in .cloche/config.toml:2" in found.err
    record = json.loads(intent("preview", "--json").out)
    assert (record["block"], record["selected"]) == ("", [])
    assert {row["reason"] for row in record["ranked"]} == {
        "injection is off: inject in .cloche/config.toml:2"
    }
    where = intent("preview", env={"GIT_INTENT_INJECT": "on"})
    assert shown(where.out) == ["req-0001"]


def test_n138_an_unquoted_off_is_named_and_stops_nothing(project):
    project.write(".cloche/config.toml", "[intent]\ninject = off\n")
    found = injected(project, "x")
    assert shown(found.out) == ["req-0001"]
    assert ".cloche/config.toml:2:10: C001" in found.err


@pytest.mark.parametrize("prompt", [b"", b"a", b"\xff\xfe\0\x80\r", b"\xef\xbb\xbfa"])
def test_n133_without_a_store_the_prompt_is_the_same(repo, prompt):
    given = prompt.decode(errors="surrogateescape")
    found = injected(repo, prompt)
    assert (found.out, found.err) == (given, "")


@pytest.mark.parametrize(
    "args",
    [
        ("--task", "Fix the answer."),
        ("--path", "src/api/x.py"),
        ("--task", "Fix it.", "--path", "src/api/x.py", "--workflow", "unknown"),
        (),
    ],
)
def test_n139_preview_and_inject_give_equal_bytes_and_leave_no_trace(
    project, intent, args
):
    before = project.status(), project.git("for-each-ref")
    block = intent("preview", *args).out
    assert block.startswith(marks.HEADING)
    assert injected(project, "the prompt", *args).out == f"{block}\nthe prompt"
    assert json.loads(intent("preview", "--json", *args).out)["block"] == block
    assert (project.status(), project.git("for-each-ref")) == before


def test_n139_explain_gives_a_line_for_each_active_requirement(project, intent):
    found = intent("preview", "--explain", "--path", "src/api/x.py")
    assert found.code == 0
    head, columns, *rows = found.out.splitlines()
    assert head == "Paths (given): src/api/x.py"
    assert columns.split() == ["IN", "ID", "STAGE", "SCORE", "REASON"]
    assert [row.split()[:3] for row in rows] == [
        ["yes", "req-0001", "project"],
        ["yes", "req-0002", "scope"],
        ["no", "req-0003", "none"],
    ]
    assert "domain api: src/api/** matches src/api/x.py" in rows[1]
    assert "domain web is not in domains.yaml and not declared" in rows[2]


def test_n139_the_json_has_the_documented_shape(project, intent):
    record = json.loads(intent("preview", "--json", "--path", "src/api/x.py").out)
    assert list(record) == ["version", "block", "selected", "ranked", "budget"]
    assert record["version"] == 1
    assert record["selected"] == ["req-0001", "req-0002"]
    assert record["budget"] == 2000
    assert [list(row) for row in record["ranked"]] == [
        ["id", "score", "stage", "selected", "reason"]
    ] * 3
    assert [row["selected"] for row in record["ranked"]] == [True, True, False]


def test_n140_equal_bytes_in_another_place_zone_and_order(project, tmp_path, intent):
    args = ("preview", "--task", "Answer a request", "--path", "src/api/x.py")
    expected = intent(*args).out
    other = Repo.init(tmp_path / "elsewhere" / "named otherwise")
    for file in sorted((project.store / "requirements").iterdir(), reverse=True):
        other.write(f".cloche/intent/requirements/{file.name}", file.read_bytes())
    other.write(DOMAINS, project.read(DOMAINS))
    other.commit()
    for seed, zone, language in (("1", "Asia/Tokyo", "C"), ("7", "UTC", "tr_TR.UTF-8")):
        env = {"PYTHONHASHSEED": seed, "TZ": zone, "LANG": language, "LC_ALL": language}
        assert run_intent(args, other.path, env=env).out == expected


@pytest.mark.parametrize("how", ["--task", "stdin", "--task-file", "file"])
def test_n142_the_task_comes_from_anywhere(project, how):
    task = "Answer in JSON, please. " * 3
    project.write("task.md", b"\xef\xbb\xbf" + task.encode())
    args, given = {
        "--task": (["--task", task], ""),
        "stdin": (["-"], task),
        "--task-file": (["--task-file", "-"], task),
        "file": (["--task-file", "task.md"], ""),
    }[how]
    path = ("--path", "x")
    found = run_intent(["preview", "--json", *path, *args], project.path, given)
    assert found.code == 0
    assert "no task was given" not in found.err
    whole = run_intent(["preview", "--json", *path, "--task", task], project.path)
    assert found.out == whole.out


@pytest.mark.parametrize("args", [(), ("--task", " \n")])
def test_n120_n142_without_a_task_it_is_said_that_meaning_plays_no_part(
    project, intent, args
):
    found = intent("preview", *args)
    assert found.code == 0
    assert "no task was given" in found.err
    assert "no task was given" in injected(project, "x", *args).err


def test_n142_a_task_of_any_size_and_encoding_is_read(project):
    project.write("task", b"\xff\xfe " + b"word " * 60_000)
    injected(project, "x", "--task-file", "task")


# The command line


def test_the_prompt_is_a_file_or_standard_input(project):
    project.write("p.md", b"a {{ $intent }}\r\n")
    from_file = injected(project, "", "p.md").out
    assert from_file == injected(project, "a {{ $intent }}\r\n").out
    assert from_file == injected(project, "a {{ $intent }}\r\n", "-").out
    assert from_file.startswith(f"a {marks.HEADING}\n")
    assert from_file.endswith("Never push.\r\n")


@pytest.mark.parametrize(
    "args",
    [
        ("preview", "--task", "x", "--task-file", "y"),
        ("preview", "-", "--task", "x"),
        ("preview", "a task"),
        ("inject", "--task-file", "-"),
        ("inject", "--task", "x", "--task-file", "y"),
    ],
)
def test_a_command_line_that_contradicts_itself_is_exit_2(project, intent, args):
    assert intent(*args).code == 2


@pytest.mark.parametrize(
    "args", [("inject", "gone.md"), ("inject", "--task-file", "no")]
)
def test_a_prompt_or_task_that_is_not_there_is_exit_1(project, intent, args):
    found = intent(*args)
    assert (found.code, found.out) == (1, "")
    assert "No such file" in found.err


def test_a_symlinked_store_stops_preview_and_no_prompt(project, intent, tmp_path):
    store = project.path / ".cloche/intent"
    store.rename(tmp_path / "moved")
    store.symlink_to(tmp_path / "moved")
    assert intent("preview").code == 1
    found = injected(project, "a {{ $intent }} b")
    assert found.out == "a  b"
    assert "is a symbolic link" in found.err


def test_outside_of_a_repository_a_prompt_passes(tmp_path):
    found = run_intent(["inject"], tmp_path, "a {{ $intent }}")
    assert (found.code, found.out) == (0, "a ")
    assert "git repository" in found.err


@pytest.mark.parametrize("inner", ["", ".cloche/intent"])
@pytest.mark.parametrize("inside", [True, False])
def test_n135_a_store_elsewhere_is_read_in_its_place(project, tmp_path, inner, inside):
    (tmp_path / "plain").mkdir()
    where = Repo.init(tmp_path / "clone").path if inside else tmp_path / "plain"
    intent_md = project.path / PATH
    intent_md.write_bytes(intent_md.read_bytes().replace(b"Never", b"Rarely"))
    store = str(project.path / inner)
    found = run_intent(["inject", "--store", store], where, "x")
    assert (found.code, shown(found.out)) == (0, ["req-0001"])
    assert "Rarely push." in found.out


def test_a_store_that_is_not_there_stops_no_prompt(project):
    found = injected(project, "x", "--store", "nowhere")
    assert found.out == "x"
    assert "holds no .cloche/intent" in found.err


def test_in_a_bare_repository_the_store_of_head_counts(project, tmp_path):
    project.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    found = run_intent(["inject", "--path", "src/api/x"], tmp_path / "bare.git", "x")
    assert shown(found.out) == ["req-0001", "req-0002"]


def test_nothing_selected_is_said_beside_the_result(repo, intent, holds):
    holds(domain("req-0001"), domains=MAP)
    found = intent("preview")
    assert (found.code, found.out) == (0, "")
    assert "No requirement is selected; --explain says why." in found.err
    intent("disable", "req-0001")
    for args in ((), ("--explain",)):
        assert "No requirement is active" in intent("preview", *args).err


# By meaning


@pytest.fixture
def shop(repo, holds):
    """Thirty rules of a project, none of which the scope brings in."""
    rules = {
        "release": (
            "Never bump the major version unless the maintainer asks for it.",
            "Tag every release with its date.",
            "Write the changelog before a release is tagged.",
        ),
        "database": (
            "Every migration must be reversible.",
            "Never drop a column in the release that stops writing it.",
            "Index foreign keys of tables with more than a thousand rows.",
        ),
        "web": (
            "Buttons have a visible focus ring.",
            "Every picture carries an alternative text.",
            "Forms keep what was typed when they are refused.",
        ),
        "security": (
            "Store passwords as argon2id hashes only.",
            "Sessions end after twelve hours without activity.",
            "Log no personal data of customers.",
        ),
        "payments": (
            "Amounts are integers in the smallest unit of a currency.",
            "Refunds need the approval of a second person.",
            "Retry card charges with the same idempotency key.",
        ),
    }
    found = []
    for name, statements in rules.items():
        for statement in statements:
            id = f"req-{len(found):04x}"
            hints = ('what {{ $intent }} to "do" when money goes back to a buyer',)
            asked = hints if "Refunds" in statement else ()
            found.append(domain(id, name, statement=statement, hints=asked))
    holds(*found, domains="".join(f"  - name: {name}\n" for name in rules))
    return repo


def test_n119_a_requirement_without_a_word_in_common_joins(shop, intent):
    task = "add a picture gallery that blind people can use with screen readers"
    found = intent("preview", "--explain", "--task", task)
    row = next(line for line in found.out.splitlines() if "req-0007" in line)
    assert row.split()[:3] == ["yes", "req-0007", "semantic"]
    assert "at or above the floor 0.5000" in row
    task = "let people who forgot their secret sign in sign-on choose a new credential"
    record = json.loads(intent("preview", "--json", "--task", task).out)
    assert "req-0009" in [row["id"] for row in record["ranked"][:3]]


def test_n121_a_hint_finds_its_requirement_and_is_never_shown(shop, intent):
    task = 'what to "do" when money goes back to a buyer'
    found = intent("preview", "--task", task)
    assert "req-000d" in shown(found.out)
    assert "buyer" not in found.out
    assert "$intent" not in found.out


OFF_TOPIC = (
    "translate a poem about autumn into Latin",
    "which trumpet should a beginner buy",
    "plan a week of hiking in the Dolomites",
)


@pytest.mark.parametrize("task", OFF_TOPIC)
def test_n120_a_task_of_another_world_selects_nothing_if_asked_strictly(
    shop, intent, task
):
    """How little the normal floor lets in is measured over 500 requirements."""
    strict = {"GIT_INTENT_FLOOR": "strict"}
    assert shown(intent("preview", "--task", task, env=strict).out) == []


def test_n117_without_embedder_project_level_is_in_and_words_count(shop, intent):
    shop.write(
        ".cloche/intent/requirements/req-00ff.md",
        content(requirement("req-00ff", statement="Be kind.")),
    )
    words = {"GIT_INTENT_EMBEDDER": "keyword"}
    found = intent("preview", "--task", "bake bread", env=words)
    assert shown(found.out) == ["req-00ff"]
    task = "use argon2id hashes for passwords"
    found = intent("preview", "--task", task, env=words)
    assert shown(found.out)[:2] == ["req-00ff", "req-0009"]


def test_n139_the_index_leaves_no_trace_in_the_status(shop, intent):
    before = shop.status()
    first = intent("preview", "--task", "refund a customer").out
    assert (shop.path / ".cloche/intent-index").exists()
    assert intent("preview", "--task", "refund a customer").out == first
    assert shop.status() == before
