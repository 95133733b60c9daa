"""A statement gets the narrowest scope that its place and words support."""

import pytest

from git_intent.scan.scope import scope_of
from git_intent.scan.topics import usual_domains
from git_intent.store.domains import Domain
from git_intent.store.requirement import Level

DOMAINS = (
    Domain("testing", "Tests.", ("tests/**",)),
    Domain("documentation", "Documentation.", ("docs/**",)),
    Domain("payment-gateway", "Charging cards through the gateway.", ("src/pay/**",)),
)


@pytest.mark.parametrize(
    ("statement", "headings", "domains"),
    [
        ("Mock the clock.", ("Guide", "Unit tests"), ("testing",)),
        ("Every page has a title.", ("Documentation",), ("documentation",)),
        ("Retry a charge at most once.", ("Payment gateway",), ("payment-gateway",)),
    ],
)
def test_topic_or_name_gives_the_domain(statement, headings, domains):
    scope = scope_of(statement, headings, "CONTRIBUTING.md", DOMAINS)
    assert (scope.level, scope.domains) == (Level.DOMAIN, domains)


@pytest.mark.parametrize(
    "statement",
    [
        "Never commit secrets.",
        "Do not publish a release without asking.",
        "Keep every change inside the scope of the task.",
    ],
)
def test_rules_for_everybody_are_project_level(statement):
    scope = scope_of(statement, ("Unit tests",), "AGENTS.md", DOMAINS)
    assert scope.level is Level.PROJECT


def test_document_without_a_topic_belongs_to_the_domain_it_lies_in():
    scope = scope_of("Keep names short.", (), "docs/guide.md", DOMAINS)
    assert (scope.level, scope.domains) == (Level.DOMAIN, ("documentation",))


@pytest.mark.parametrize("path", ["AGENTS.md", "docs/contributing.md", "README.md"])
def test_document_that_speaks_to_everybody_is_project_level(path):
    assert scope_of("Keep names short.", (), path, DOMAINS).level is Level.PROJECT


def test_nested_agent_file_speaks_about_its_folder():
    scope = scope_of(
        "Prefer small tests.", ("Testing",), "packages/ui/AGENTS.md", DOMAINS
    )
    assert scope.paths == ("packages/ui/**",)


@pytest.mark.parametrize("path", ["docs/a/README.md", "AGENTS.md", ".github/README.md"])
def test_other_documents_narrow_nothing(path):
    assert scope_of("Prefer small tests.", (), path, DOMAINS).paths == ()


@pytest.mark.parametrize(
    ("heading", "languages"),
    [
        ("Python style", ("python",)),
        ("Go", ("go",)),
        ("Where to go from here", ()),
        ("TypeScript and CSS", ("typescript", "css")),
    ],
)
def test_heading_names_the_language(heading, languages):
    scope = scope_of("Keep names short.", (heading,), "STYLE.md", DOMAINS)
    assert scope.languages == languages


@pytest.mark.parametrize(
    ("statement", "headings"),
    [
        ("Touch nothing that the user did not name.", ("Guide", "Core principles")),
        ("Commits by LLMs say so.", ("Guide", "Commits")),
        ("Leave unrelated files alone.", ("Guide", "Unit tests")),
        ("Encrypt what leaves the machine.", ("Guide", "Security")),
        ("A majority of the board decides.", ("Guide", "Governance")),
        ("Run the checks before you commit.", ("Guide", "Unit tests")),
    ],
)
def test_rules_on_how_anybody_works_here_are_project_level(statement, headings):
    scope = scope_of(statement, headings, "GUIDE.md", usual_domains())
    assert scope.level is Level.PROJECT


@pytest.mark.parametrize(
    ("statement", "headings", "domain"),
    [
        ("Say what went wrong.", ("Guide", "Error handling philosophy"), "errors"),
        ("Wrap what you catch.", ("Principles", "Errors"), "errors"),
        ("Never print a token in a test log.", ("Guide", "Unit tests"), "testing"),
        ("Keep commit messages short.", ("Commit messages",), "commits"),
        ("Use `const` for what stays.", ("General",), "code-style"),
        ("Return early.", ("Python",), "code-style"),
        ("Use two spaces.", ("AGENTS.md",), "code-style"),
        ("Mock the clock.", ("Claude Code Instructions", "Tests"), "testing"),
    ],
)
def test_rules_of_one_kind_of_work_are_domain_level(statement, headings, domain):
    scope = scope_of(statement, headings, "GUIDE.md", usual_domains())
    assert (scope.level, scope.domains) == (Level.DOMAIN, (domain,))


def test_code_has_no_domain_in_a_project_without_one():
    scope = scope_of("Use `const` for what stays.", ("Values",), "GUIDE.md", DOMAINS)
    assert (scope.level, scope.domains) == (Level.PROJECT, ())
