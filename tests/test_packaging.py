"""The wheel: pure Python, everything inside that an offline user needs, installable."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest

from git_intent import __version__
from git_intent.web.page import assets
from tests.support.repo import Repo
from tests.support.snapshots import requirement, store

ROOT = Path(__file__).resolve().parents[1]
NAME = f"git_intent-{__version__}"


def run(*command, **options):
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    run(
        *(sys.executable, "-m", "hatchling", "build", "-t", "wheel"),
        *("-d", str(folder)),
        cwd=ROOT,
    )
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="module")
def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"{NAME}.dist-info/METADATA").decode()
    return HeaderParser().parsestr(text)


def test_n182_the_wheel_is_pure_python(wheel, names):
    assert wheel.name == f"{NAME}-py3-none-any.whl"
    assert not [name for name in names if name.endswith((".so", ".pyd", ".dylib"))]


def test_n182_the_wheel_holds_every_tracked_file_of_the_package(names):
    tracked = run("git", "ls-files", "-z", "git_intent", cwd=ROOT).split("\0")[:-1]
    present = {name for name in tracked if (ROOT / name).is_file()}
    assert present <= names
    for needed in ("lean.bin", "model.safetensors", "tokenizer.json", "config.json"):
        assert [n for n in names if re.fullmatch(f"git_intent/embed/.*/{needed}", n)]
    assert "git_intent/scan/weights/statements.bin" in names
    assert "git_intent/scan/prompts/extract.md" in names
    assert "git_intent/workflow/builtin/intent-scan.cloche" in names
    assert "git_intent/web/templates/index.html" in names
    assert {f"git_intent/web/static/{name}" for name in assets()} <= names


def test_n182_nothing_else_is_in_the_wheel(names):
    outside = {name for name in names if not name.startswith("git_intent/")}
    assert outside == {
        f"{NAME}.data/data/share/git-intent/ledger_input.py",
        f"{NAME}.data/data/share/man/man1/git-intent.1",
        *(
            f"{NAME}.dist-info/{name}"
            for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt")
        ),
        *(f"{NAME}.dist-info/licenses/{name}" for name in ("LICENSE", "NOTICE")),
    }
    assert not [name for name in names if "__pycache__" in name]


def test_n182_the_metadata_names_what_it_needs(metadata, wheel):
    needs = metadata.get_all("Requires-Dist")
    plain = {re.split(r"[ >=;]", text)[0] for text in needs if "extra ==" not in text}
    assert {"pygit2", "pyyaml", "python-frontmatter", "model2vec", "click"} <= plain
    assert "pre-commit" not in plain
    assert [text for text in needs if re.match(r"pre-commit.*extra == 'hooks'", text)]
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "MIT"
    assert metadata.get_payload().startswith("# git-intent")
    with zipfile.ZipFile(wheel) as archive:
        points = archive.read(f"{NAME}.dist-info/entry_points.txt").decode()
    assert "git-intent = git_intent.__main__:main" in points


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The prefix that the wheel was installed into, without network."""
    prefix = tmp_path_factory.mktemp("prefix")
    run(
        *(sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-q"),
        "--ignore-installed",  # or pip would uninstall what we run from
        *("--no-deps", "--no-index", f"--prefix={prefix}", str(wheel)),
    )
    return prefix


@pytest.fixture
def environment(installed):
    """As a user has it who installed to a prefix and put its bin on the PATH."""
    places = {"base": str(installed), "platbase": str(installed)}
    return {
        **os.environ,
        "PATH": f"{installed / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": sysconfig.get_path("purelib", vars=places),
    }


def test_installing_to_a_prefix_leaves_this_environment_alone(installed):
    out = run(sys.executable, "-m", "pip", "show", "-f", "git-intent")
    assert str(installed) not in out


def test_n182_git_runs_the_installed_command(repo: Repo, environment, installed):
    repo.commit_files(store(requirement()))
    where = run(
        *(sys.executable, "-c", "import git_intent; print(git_intent.__file__)"),
        env=environment,
        cwd=repo.path,
    )
    assert Path(where.strip()).is_relative_to(installed)
    assert "req-0001" in run("git", "intent", "list", env=environment, cwd=repo.path)
    assert run("git", "intent", "-h", env=environment, cwd=repo.path).startswith(
        "Usage: git intent "
    )


def test_n182_the_installed_command_scans_offline(repo: Repo, environment):
    rules = "# Rules\n\nNever bump the major version unless explicitly told to.\n"
    repo.commit("rules", **{"CLAUDE.md": rules})
    closed = dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9")
    out = run("git", "intent", "scan", env={**environment, **closed}, cwd=repo.path)
    assert "1 created" in out


@pytest.mark.skipif(not shutil.which("man"), reason="needs man")
def test_n178_git_help_finds_the_installed_man_page(repo: Repo, environment, installed):
    quiet = {"MANPAGER": "cat", "PAGER": "cat", "MANWIDTH": "80"}
    by_path = {"MANPATH": str(installed / "share" / "man")}
    for extra in ({}, by_path):
        out = run(
            *("git", "intent", "--help"),
            env={**environment, **quiet, **extra},
            cwd=repo.path,
        )
        assert "keep what a project has decided" in out


@pytest.mark.soak
def test_n182_the_sdist_builds_the_same_wheel(wheel, tmp_path):
    run(
        *(sys.executable, "-m", "hatchling", "build", "-t", "sdist"),
        *("-d", str(tmp_path)),
        cwd=ROOT,
    )
    (sdist,) = tmp_path.iterdir()
    shutil.unpack_archive(sdist, tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    run(
        *(sys.executable, "-m", "hatchling", "build", "-t", "wheel"),
        *("-d", str(tmp_path / "again")),
        cwd=source,
    )
    (again,) = (tmp_path / "again").iterdir()
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert set(one.namelist()) == set(other.namelist())
