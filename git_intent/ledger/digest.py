"""sha256 for paths that must start fast.

`hashlib` loads OpenSSL, which takes longer than all the rest of a hook. The module of
the interpreter itself has another name in each version.
"""

try:
    # until 3.11
    from _sha256 import sha256 as _sha256  # type: ignore[import-not-found]
except ImportError:
    try:
        from _sha2 import sha256 as _sha256  # type: ignore[import-not-found]
    except ImportError:
        from hashlib import sha256 as _sha256


#: From here on the time to load OpenSSL is won back.
_LARGE = 1 << 20


def sha256(data: bytes) -> str:
    """The lower-case hex digest, as `files.sha256`."""
    if len(data) >= _LARGE:
        from hashlib import sha256 as faster

        return faster(data).hexdigest()
    digest: str = _sha256(data).hexdigest()
    return digest
