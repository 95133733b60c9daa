"""Who is let in: token, Host, Origin, paths; and what a refused request leaves."""

from itertools import product
from urllib.parse import urlsplit

import pytest

from git_intent.web.access import ALONE, HEADERS, POLICY, Door, Seen, refusal
from git_intent.web.page import SHEET, SHEETS, assets
from git_intent.web.server import address, door_of, listen
from tests.support.api import ORIGIN, PORT, api, everything
from tests.support.repo import Repo
from tests.support.snapshots import requirement, store

GETS = [
    "/",
    "/openapi.json",
    "/static/app.js",
    "/api/project",
    "/api/requirements",
    "/api/requirements/req-0001",
    "/api/requirements/req-0001/history",
    "/api/domains",
    "/api/globs?glob=src/**",
    "/api/search?q=promise",
    "/api/scan",
    "/api/scans",
    "/api/scans/none",
    "/api/runs",
    "/api/runs/r-1",
    "/api/ledger",
    "/api/ledger/none",
    "/api/ledger/none/events",
    "/api/doc?path=README.md",
    "/api/commit/HEAD",
]
WRITES = [
    ("PATCH", "/api/requirements/req-0001", {"etag": "", "changes": {"why": "x"}}),
    ("POST", "/api/requirements", {"statement": "X.", "scope": {}}),
    ("POST", "/api/domains", {"etag": "", "name": "web", "paths": []}),
    ("PATCH", "/api/domains/api", {"etag": "", "description": "y"}),
    ("POST", "/api/scan", {"full": True}),
]


@pytest.fixture(scope="module")
def project(world, tmp_path_factory):
    """One for the whole module: nothing here is allowed to change it."""
    repo = Repo.init(tmp_path_factory.mktemp("access") / "project")
    repo.commit_files(store(requirement(), domains="  - name: api\n"))
    repo.commit("docs", **{"README.md": "# One\n", "src/a.py": "1\n"})
    repo.intent("inject", "README.md", "--run", "r-1", "--workflow", "w", "--step", "s")
    return repo


@pytest.fixture
def served(project):
    with api(project) as found:
        yield found


@pytest.fixture
def own(repo):
    repo.commit("docs", **{"README.md": "# One\n", "docs/a.md": "mine"})
    with api(repo) as found:
        yield found


def bare(served, method, path, headers, **options):
    """A request with exactly these headers beside those of the client."""
    answer = served.client.request(method, path, headers=headers, **options)
    assert answer.status_code < 500
    return answer


def cookie(served):
    return {"Cookie": f"{served.door.cookie}={served.door.token}"}


def test_opening_the_address_gives_a_cookie_and_hides_the_token(served):
    answer = bare(served, "GET", f"/?token={served.door.token}", {})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    given = answer.headers["set-cookie"]
    assert "HttpOnly" in given
    assert "SameSite=Strict" in given
    page = bare(served, "GET", "/", {"Cookie": given.partition(";")[0]})
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"


def test_a_ticket_opens_once(served):
    ticket = served.door.ticket()
    assert bare(served, "GET", f"/?token={ticket}", {}).status_code == 303
    served.client.cookies.clear()
    assert bare(served, "GET", f"/?token={ticket}", {}).status_code == 401
    headers = {"Authorization": f"Bearer {served.door.ticket()}"}
    assert bare(served, "GET", "/api/project", headers).status_code == 401


def test_n173_nothing_is_told_without_the_token(served):
    for path, headers in product(GETS, strangers(served)):
        answer = bare(served, "GET", path, headers)
        assert answer.status_code == 401
        assert served.door.token not in answer.text
    for token in ("wrong", "", served.door.token[:-1]):
        assert bare(served, "GET", f"/?token={token}", {}).status_code == 401


def strangers(served):
    return (
        {},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Basic {served.door.token}"},
        {"Cookie": f"{served.door.cookie}=wrong"},
        {"Cookie": f"git-intent-1={served.door.token}"},
        {"Cookie": f"{served.door.cookie}=\u2603".encode()},
    )


HOSTS = [
    "evil.example",
    f"evil.example:{PORT}",
    f"127.0.0.1.evil.example:{PORT}",
    "127.0.0.1",
    f"127.0.0.1:{PORT + 1}",
    f"127.0.0.2:{PORT}",
    f"0.0.0.0:{PORT}",
    f"localhost:{PORT}.",
    f"[::1:{PORT}",
    f"user@127.0.0.1:{PORT}",
    "",
]


def test_n173_a_name_that_leads_here_is_not_ours(served, project):
    """DNS rebinding: the page of a stranger has our address, and its own Host."""
    before = everything(project)
    asked = [("GET", "/api/project", None), *WRITES]
    for host, (method, path, body) in product(HOSTS, asked):
        headers = {**cookie(served), "Host": host, "Origin": f"http://{host}"}
        assert bare(served, method, path, headers, json=body).status_code == 403
    assert everything(project) == before


def test_every_spelling_of_this_machine_is_ours(served):
    for host in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        headers = {**cookie(served), "Host": f"{host}:{PORT}"}
        assert bare(served, "GET", "/api/project", headers).status_code == 200


FOREIGN = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": f"https://127.0.0.1:{PORT}"},
    {"Origin": f"http://127.0.0.1:{PORT + 1}"},
    {"Origin": f"http://localhost:{PORT}"},
    {"Origin": ORIGIN, "Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
]


def test_n173_another_origin_neither_reads_nor_writes(served, project):
    before = everything(project)
    bearer = {"Authorization": f"Bearer {served.door.token}"}
    asked = [("GET", "/api/requirements", None), *WRITES]
    for known, foreign in product((cookie(served), bearer), FOREIGN):
        for method, path, body in asked:
            answer = bare(served, method, path, {**known, **foreign}, json=body)
            assert answer.status_code == 403
    assert everything(project) == before


def test_a_write_by_cookie_says_where_it_comes_from(served, project):
    path, body = "/api/requirements/req-0001", {"etag": "", "changes": {}}
    assert bare(served, "PATCH", path, cookie(served), json=body).status_code == 403
    for told in ({"Origin": ORIGIN}, {"Sec-Fetch-Site": "same-origin"}):
        headers = {**cookie(served), **told}
        assert bare(served, "PATCH", path, headers, json=body).status_code == 409


def test_a_link_from_elsewhere_opens_the_page_and_nothing_else(served):
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    opened = bare(served, "GET", f"/?token={served.door.token}", link)
    assert opened.status_code == 303
    served.client.cookies.clear()
    assert bare(served, "GET", "/", link).status_code == 401


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", ""]
)
def test_a_form_of_a_page_is_no_write(served, project, kind):
    before = everything(project)
    for method, path, body in WRITES:
        answer = served.ask(method, path, json=body, headers={"Content-Type": kind})
        assert answer.status_code == 415
    assert everything(project) == before


STRANGE = [
    "/static/../templates/index.html",
    "/static/%2e%2e/templates/index.html",
    "/static/..%2ftemplates%2findex.html",
    "/static/%2e%2e%2f%2e%2e%2fapp.py",
    "/static/..%5capp.py",
    "/static//etc/passwd",
    "/static/%2fetc%2fpasswd",
    "/static/%00",
    "/static/",
    "/static/app.py",
    "/../../etc/passwd",
    "/api/requirements/%2e%2e",
    "/api/runs/..%2f..%2fHEAD",
    "/api/scans/..%2f..",
]


def test_n173_no_path_leads_out_of_the_console(served, project):
    before = everything(project)
    for path in STRANGE:
        assert 400 <= served.ask("GET", path).status_code < 500, path
    assert everything(project) == before


OUTSIDE = [
    "../outside.txt",
    "docs/../../outside.txt",
    "/etc/passwd",
    "link.md",
    "linked/outside.txt",
    "./README.md",
    "docs//a.md",
    "README.md/",
    "untracked.md",
    ".git/config",
    "docs/.GIT/config",
    "sub\\a.md",
    "a\0b",
    "README.md\n",
    "",
    ":(top)README.md",
    "*.md",
    "-x",
]


def test_n173_a_document_is_a_tracked_file_of_the_project(own, repo):
    outside = repo.path.parent / "outside.txt"
    outside.write_text("a secret")
    repo.write("untracked.md", "a secret")
    (repo.path / "link.md").symlink_to(outside)
    (repo.path / "linked").symlink_to(repo.path.parent)
    repo.git("add", "link.md", "linked")
    before = everything(repo)
    for path in OUTSIDE:
        answer = own.ask("GET", "/api/doc", params={"path": path})
        assert 400 <= answer.status_code < 500, path
        assert "secret" not in answer.text
    assert everything(repo) == before


def test_n173_a_tracked_file_behind_a_folder_that_became_a_link_is_not_read(own, repo):
    elsewhere = repo.path.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a.md").write_text("a secret")
    (repo.path / "docs" / "a.md").unlink()
    (repo.path / "docs").rmdir()
    (repo.path / "docs").symlink_to(elsewhere)
    assert "secret" not in own.ask("GET", "/api/doc?path=docs/a.md").text


def test_n173_reading_changes_nothing(served, project):
    before, refs = everything(project), project.git("for-each-ref")
    for path in GETS:
        for method in ("GET", "HEAD"):
            assert served.ask(method, path).status_code in (200, 404)
    assert everything(project) == before
    assert project.git("for-each-ref") == refs


def test_n173_a_get_is_no_write_and_a_write_no_get(served, project):
    before = everything(project)
    methods = ("PUT", "DELETE", "PATCH", "POST", "OPTIONS", "TRACE")
    for path, method in product(GETS, methods):
        if (method, path) == ("POST", "/api/scan"):
            continue  # takes an empty body, and begins one
        answer = served.ask(method, path, json={})
        assert 400 <= answer.status_code < 500
    assert everything(project) == before


def test_read_only_refuses_every_write(project):
    with api(project, read_only=True) as served:
        before = everything(project)
        assert served.get("/api/project")["read_only"] is True
        for method, path, body in WRITES:
            told = served.told(method, path, 403, json=body)
            assert "read-only" in told["error"]
        etag = served.detail("req-0001")["etag"]
        served.preview("req-0001", 200, etag, why="Because.")
        served.told("POST", "/api/preview", 200, json={"task": "keep a promise"})
        assert everything(project) == before


def test_every_answer_carries_the_policy(served):
    paths = ["/", "/api/project", "/static/app.js", "/nowhere"]
    answers = [served.ask("GET", path) for path in paths]
    answers += [bare(served, "GET", path, {}) for path in paths]
    for answer in answers:
        for name, value in {**HEADERS, **ALONE}.items():
            assert answer.headers[name] == value
        assert answer.headers["cache-control"] in ("no-store", "no-cache")
        assert "server" not in answer.headers
    assert "unsafe" not in POLICY


@pytest.mark.parametrize(
    ("site", "tied"),
    [("none", 0), ("same-origin", 0), ("same-site", 1), ("cross-site", 1)],
)
def test_a_page_that_another_one_opened_is_cut_off_from_it(served, site, tied):
    headers = {**cookie(served), "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
    answer = bare(served, "GET", "/", headers)
    assert answer.status_code == 200
    (name,) = ALONE
    assert answer.headers.get(name) == (ALONE[name] if tied else None)


def test_a_body_without_end_is_not_read(served, project):
    body = b'{"etag": "' + b"x" * (5 << 20) + b'"}'
    headers = {"Content-Type": "application/json"}
    where = "/api/requirements/req-0001"
    served.told("PATCH", where, 413, content=body, headers=headers)
    for text in (b"", b"{", b"\xff", b"[" * 100_000, b"1" * 5000, b'{"a": NaN}'):
        answer = served.ask("PATCH", where, content=text, headers=headers)
        assert answer.status_code in (400, 422)


def test_what_is_listened_on_decides_which_hosts_are_ours():
    def lets_in(door, host):
        bearer = ("authorization", f"Bearer {door.token}")
        seen = Seen("GET", "/", "", (("host", host), bearer))
        return refusal(door, seen) is None

    anywhere = Door(80, anywhere=True)
    assert lets_in(anywhere, "192.0.2.7:80")
    assert lets_in(anywhere, "[2001:db8::1]:80")
    assert not lets_in(anywhere, "evil.example:80")
    named = Door(80, ("localhost", "box.local"))
    assert lets_in(named, "box.local:80")
    assert not lets_in(named, "192.0.2.7:80")
    twice = (("host", "localhost:80"), ("host", "evil:80"))
    assert refusal(named, Seen("GET", "/", "", twice)).status == 403
    assert refusal(named, Seen("GET", "/", "", ())).status == 403


def test_the_address_printed_is_one_that_is_let_in():
    for host, name in (
        ("127.0.0.1", "127.0.0.1"),
        ("0.0.0.0", "127.0.0.1"),
        ("::1", "[::1]"),
        ("::", "[::1]"),
        ("localhost", "localhost"),
    ):
        listening = listen(host, 0)
        with listening:
            door = door_of(listening, host)
            found = urlsplit(address(door, host, door.token))
        assert found.netloc == f"{name}:{door.port}"
        assert door.is_host(found.netloc)


def test_the_page_asks_for_nothing_that_is_not_there(served):
    page = served.ask("GET", "/").text
    assert set(SHEETS) == {name for name in assets() if name.endswith(".css")}
    names = {*assets(), SHEET}
    asked = [part for part in page.split('"') if part.startswith("/static/")]
    assert {part.rpartition("/")[2] for part in asked} <= names
    (folder,) = {part.rpartition("/")[0] for part in asked}
    for name in names:
        answer = served.ask("GET", f"{folder}/{name}")
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        etag = {"If-None-Match": answer.headers["etag"]}
        again = served.ask("GET", f"{folder}/{name}", headers=etag)
        assert (again.status_code, again.content) == (304, b"")
