"""When the project is surveyed, and what the history of the map says about people."""

from pathlib import Path

import pytest

from git_intent.config import Config
from git_intent.git.repository import Repository
from git_intent.scan.job import Job, Options
from git_intent.scan.run import Run
from git_intent.scan.survey import survey
from git_intent.store.domains import Domains, parse_domains, render_domains
from git_intent.store.intent_dir import DOMAINS, SCAN_STATE
from tests.support.scanning import NOW, TOOLS

TRAILER = "intent scan: created 1\n\nIntent-Scan: x"


def surveyed(repo, **options):
    opened = Repository.discover(repo.path)
    job = Job(opened, Config(), Options(**options), TOOLS, NOW, Run("x", Path()))
    return survey(job)


def names(found):
    return [domain.name for domain in found.added]


def save(repo, domains, message):
    repo.write(DOMAINS, render_domains(domains))
    repo.git("add", DOMAINS)
    repo.git("commit", "-q", "-m", message)


@pytest.fixture
def mapped(repo):
    """A project that a scan has surveyed and committed."""
    repo.commit_files(
        {
            "README.md": "# Shop\n\n## Releases\n",
            "src/shop/cart/a.py": "",
            "src/shop/cart/b.py": "",
            "src/shop/tax/a.py": "",
            "src/shop/tax/b.py": "",
            "tests/test_a.py": "",
        }
    )
    repo.write(SCAN_STATE, f"last_commit: {repo.head()}\n")
    repo.git("add", SCAN_STATE)
    domains = Domains(1, surveyed(repo).added)
    save(repo, domains, TRAILER)
    return repo, domains


def test_n057_a_first_survey_proposes_and_a_second_adds_nothing(mapped):
    repo, domains = mapped
    found = [domain.name for domain in domains.domains]
    assert found == ["testing", "release", "documentation", "cart", "tax"]
    assert surveyed(repo).empty
    assert surveyed(repo, full=True).empty


def test_a_plain_scan_looks_again_only_if_upper_folders_changed(mapped):
    repo, _ = mapped
    repo.commit_files({"src/shop/deep/a.py": "", "src/shop/deep/b.py": ""})
    assert names(surveyed(repo)) == []
    assert names(surveyed(repo, full=True)) == ["deep"]
    repo.commit_files({"ops/a.py": "", "ops/b.py": ""})
    assert "deep" in names(surveyed(repo))


def edited(domains):
    text = render_domains(domains).decode().replace("Tests:", "Our tests:")
    return parse_domains(text.encode(), DOMAINS)


def test_n046_an_edited_entry_is_told_apart_and_a_removed_one_stays_away(mapped):
    repo, domains = mapped
    kept = tuple(d for d in edited(domains).domains if d.name != "cart")
    repo.write(DOMAINS, render_domains(Domains(1, kept)))
    found = surveyed(repo, full=True)
    assert names(found) == []
    assert found.marked == ("testing",)
    repo.commit("Edit the map")
    assert surveyed(repo, full=True) == found


def test_n046_a_removal_is_known_in_a_clone(mapped, tmp_path):
    repo, domains = mapped
    kept = Domains(1, tuple(d for d in domains.domains if d.name != "cart"))
    save(repo, kept, "Drop the cart")
    repo.git("clone", "-q", repo.path, tmp_path / "clone")
    assert names(surveyed(type(repo)(tmp_path / "clone"), full=True)) == []


def test_n046_a_borrowed_trailer_makes_no_scan(mapped):
    repo, domains = mapped
    repo.write("src/other.py", "")
    repo.git("add", "-A")
    save(repo, edited(domains), TRAILER)
    assert surveyed(repo, full=True).marked == ("testing",)


def test_broken_versions_of_the_map_are_passed_over(mapped):
    repo, domains = mapped
    repo.write(DOMAINS, "domains: [\n")
    repo.commit("break it")
    save(repo, domains, "mend it")
    assert surveyed(repo, full=True).empty


def test_n057_an_empty_repository_and_an_unborn_branch(repo):
    assert surveyed(repo).empty
    repo.write("src/a/x.py", "")
    repo.write("src/a/y.py", "")
    assert names(surveyed(repo)) == ["a"]
    repo.commit("One")
    assert names(surveyed(repo)) == ["a"]


def test_a_nested_project_is_not_surveyed(repo):
    repo.commit_files(
        {
            "svc/.cloche/config.toml": "",
            "svc/src/a/x.py": "",
            "svc/src/a/y.py": "",
            "lib/core/x.py": "",
            "lib/core/y.py": "",
        }
    )
    assert names(surveyed(repo)) == ["core"]
