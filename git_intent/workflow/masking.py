"""A stream of output with its secrets taken out, passed on as it comes.

Output arrives in pieces that end anywhere, and a secret may be cut in two by them. So
what is passed on are whole lines, all but the last one, which the next may complete; in
a moment of silence the last whole line follows. The line that was passed on last is
kept to judge the next by. A private key that has begun is held until it ends. What has
no line break for long is passed on in parts, each cut where no secret stands.
"""

from collections.abc import Callable

from git_intent.secrets import REMOVED, find

#: More than this is never held back.
BOUND = 1 << 16
#: No secret is longer than this, or almost none.
_MARGIN = 22_000
_CONTEXT = 2_000  # characters of the line before that are looked at again
_KEY, _KEY_ENDS = "-----BEGIN ", "-----END "


class Masked:
    """Hands to `write` what it is fed, less the secrets."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._before = ""
        self._held = ""

    def feed(self, data: bytes) -> None:
        self._held += data.decode("utf-8", "surrogateescape")
        if len(self._held) > BOUND:
            self._pass_on(len(self._held) - _MARGIN, anywhere=True)
        elif "\n" in self._held:
            self._pass_on(self._held.rfind("\n", 0, self._held.rfind("\n")) + 1)

    def idle(self) -> None:
        """Nothing has come for a while: the last whole line is not waited with."""
        self._pass_on(self._held.rfind("\n") + 1)

    def close(self) -> None:
        """Pass on all that is left."""
        self._pass_on(len(self._held), anywhere=True)

    def _pass_on(self, cut: int, anywhere: bool = False) -> None:
        """Pass on the first `cut` characters, or less where a secret may be going on;
        with `anywhere`, so many even if a private key has no end yet."""
        if not anywhere:
            begun = self._held.rfind(_KEY, 0, cut)
            if begun >= 0 and _KEY_ENDS not in self._held[begun:]:
                cut = self._held.rfind("\n", 0, begun) + 1
        if cut <= 0:
            return
        text = self._before + self._held
        start, end = len(self._before), len(self._before) + cut
        parts = []
        for secret in find(text):
            if secret.end <= start or secret.start >= end:
                continue
            if secret.end > end:
                if secret.start > start:  # the rest of it is yet to come
                    end = secret.start
                    break
                end = secret.end
            parts += [text[start : max(start, secret.start)], REMOVED]
            start = secret.end
        parts.append(text[start:end])
        line = text.rfind("\n", 0, end - 1) + 1
        self._before = text[max(line, end - _CONTEXT) : end]
        self._held = text[end:]
        self._write("".join(parts).encode("utf-8", "surrogateescape"))
