"""A remote of a home, for the one ref of one chat: what it has, fetch it, push it.

Only a remote that the user named in the home's git config is talked to, by whatever
protocols the user allows. A refspec never has a `+`, so neither side loses a commit;
neither tags nor anything else goes along. What is fetched gets a name of its own:

    refs/intent/remotes/<remote>/ledger/<namespace>/<chat>

No lock is held meanwhile. Whatever fails is `remote-failed`, in git's words.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from git_intent.errors import IntentError
from git_intent.git.process import GitError, git_in_time, run_git
from git_intent.ledger.home import Home
from git_intent.ledger.hot import Place
from git_intent.ledger.names import escape
from git_intent.ledger.refusal import Refusal

REMOTES = "refs/intent/remotes/"
#: How long git may take where nobody looks on.
_SECONDS = 300.0
#: What arrives is checked, and survives a power loss.
_CAREFUL = ("-c", "transfer.fsckObjects=true", "-c", "core.fsync=all")


@dataclass(frozen=True, slots=True)
class Remote:
    """`terminal` says that somebody is there whom git may ask for a password."""

    home: Home
    name: str
    terminal: bool = False

    def check(self) -> None:
        """Refuse a name that the user has not given to a remote."""
        args = ["remote"]
        out = run_git(args, cwd=self.home.common_dir, env=self.home.environment)
        known = out.decode(errors="replace").split()
        if self.name not in known:
            raise Refusal(
                "invalid-document",
                "",
                f"{self.home.path} has no remote {self.name!r}"
                + (f"; it has {', '.join(known)}" if known else ""),
                f"git -C {self.home.path} remote add NAME URL names one",
            )

    def tracking(self, place: Place) -> str:
        """Where a chat's ledger lies once it was fetched."""
        return f"{REMOTES}{escape(self.name)}/{place.ref.removeprefix('refs/intent/')}"

    def tip(self, place: Place) -> str:
        """The commit that the remote has of a chat; empty if it has none."""
        out = self._talk(["ls-remote", "--refs", "--", self.name, place.ref])
        for line in out.decode(errors="replace").splitlines():
            oid, _, ref = line.partition("\t")
            if ref == place.ref:
                return oid
        return ""

    def fetch(self, place: Place) -> str:
        """Bring the remote's ledger here, under its own name; gives that."""
        to = self.tracking(place)
        options = ["--no-tags", "--no-prune", "--no-auto-maintenance"]
        options += ["--no-write-fetch-head", "--no-recurse-submodules", "--refmap="]
        refspec = f"{place.ref}:{to}"
        self._talk([*_CAREFUL, "fetch", *options, "--", self.name, refspec])
        return to

    def push(self, place: Place, commit: str) -> None:
        """Give the remote a chat's ledger as one commit has it."""
        options = ["--quiet", "--no-follow-tags", "--recurse-submodules=no"]
        refspec = f"{commit}:{place.ref}"
        self._talk(["push", *options, "--", self.name, refspec])
        run_git(
            ["update-ref", self.tracking(place), commit],
            cwd=self.home.common_dir,
            env=self.home.environment,
        )

    def _talk(self, args: Sequence[str]) -> bytes:
        try:
            return git_in_time(
                args,
                cwd=self.home.path,  # where a URL that is a relative path begins
                env=self.home.environment,
                seconds=_SECONDS,
                terminal=self.terminal,
                network=True,
            )
        except GitError as error:
            if "[rejected]" in error.stderr:
                raise _rejected(self.name, error) from error
            raise Refusal(
                "remote-failed", "", f"{self.name}: {_words(error)}"
            ) from None
        except IntentError as error:
            raise Refusal("remote-failed", "", f"{self.name}: {error}") from error


def _rejected(name: str, error: GitError) -> Refusal:
    return Refusal(
        "not-forward",
        "",
        f"{name} and the ledger here went different ways: {_words(error)}",
    )


def _words(error: GitError) -> str:
    lines = error.stderr.strip().splitlines()
    told = [line.strip() for line in lines if not line.startswith("hint:")]
    return "; ".join(filter(None, told)) or f"git ended with code {error.code}"
