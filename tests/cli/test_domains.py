"""git intent domains: typed changes of domains.yaml."""

import json

from tests.cli.acting import changed_lines

DOMAINS = """\
# ours
version: 1
domains:

  # the wire
  - name: api
    paths: [src/api/**]   # keep
    owner: core

  - name: web
    description: "Pages."
"""


def test_n028_domains_are_edited_without_a_byte_changed_elsewhere(repo, intent):
    path = ".cloche/intent/domains.yaml"
    repo.write(path, DOMAINS)
    repo.commit("domains")
    done = intent("domains", "add", "cli", "--path", "src/cli/**", "--description=Say.")
    assert (done.code, done.out) == (0, "cli added\n")
    assert repo.read(path).decode().startswith(DOMAINS)
    assert {line[0] for line in changed_lines(repo)} <= {"+"}
    assert repo.git("diff", "--cached", "--name-only") == ""
    repo.commit("cli")

    assert intent("domains", "edit", "web", "--description", "Sites.").code == 0
    assert changed_lines(repo) == [
        '-    description: "Pages."',
        '+    description: "Sites."',
        "+    user_edited: true",
    ]
    same = intent("domains", "edit", "web", "--description", "Sites.")
    assert same.out == "web unchanged\n"
    repo.commit("web")

    assert intent("domains", "remove", "web").code == 0
    assert {line[0] for line in changed_lines(repo)} == {"-"}
    left = repo.read(path).decode()
    assert left.startswith(DOMAINS[: DOMAINS.index("\n  - name: web")])


def test_n029_domains_refuse_what_a_check_would_refuse(repo, intent):
    repo.write(".cloche/intent/domains.yaml", DOMAINS)
    repo.commit("domains")
    for args, said in (
        (["add", "My Domain"], "is not like-this\n  use a-z"),
        (["add", "api"], "a domain 'api' already\n  `git intent domains edit api`"),
        (["add", "x", "--path", "[a"], "I022"),
        (["edit", "nope", "--path", "a"], "no domain 'nope'\n  there are: api, web"),
        (["remove", "nope"], "no domain 'nope'\n  there are: api, web"),
    ):
        done = intent("domains", *args)
        assert (done.code, done.out) == (1, ""), args
        assert said in done.err
    assert intent("domains", "edit", "api").code == 2
    assert repo.status() == ""
    repo.write(".cloche/intent/domains.yaml", DOMAINS.replace("n: 1", "n: 2"))
    done = intent("domains", "add", "x")
    assert done.code == 1
    assert "domains.yaml:2:" in done.err


def test_n029_an_agent_leaves_a_persons_domain_alone(repo, holds, intent):
    holds(domains="  - name: api\n    description: Mine.\n    user_edited: true\n")
    for args in (["remove", "api"], ["edit", "api", "--description", "Theirs."]):
        done = intent("domains", *args, "--actor", "agent")
        assert done.code == 1
        assert "I106" in done.err
    assert intent("domains", "add", "web", "--actor=agent").code == 0
    (web,) = json.loads(intent("domains", "list", "--json").out)["domains"][1:]
    assert web["user_edited"] is False
