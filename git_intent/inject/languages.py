"""The language of a file by its name, for `scope.languages`.

Names are those of GitHub's list in lower case, with the usual short forms. A file whose
language is not known is of none; a folder may hold files of any.
"""

ANY = "*"

_BY_SUFFIX = {
    "bash": "shell",
    "bat": "batch",
    "c": "c",
    "cc": "cpp",
    "clj": "clojure",
    "cob": "cobol",
    "cpp": "cpp",
    "cs": "csharp",
    "css": "css",
    "cxx": "cpp",
    "dart": "dart",
    "erl": "erlang",
    "ex": "elixir",
    "exs": "elixir",
    "fs": "fsharp",
    "gd": "gdscript",
    "go": "go",
    "groovy": "groovy",
    "h": "c",
    "hh": "cpp",
    "hpp": "cpp",
    "hs": "haskell",
    "html": "html",
    "ipynb": "python",
    "java": "java",
    "jl": "julia",
    "js": "javascript",
    "json": "json",
    "jsx": "javascript",
    "kt": "kotlin",
    "kts": "kotlin",
    "less": "less",
    "lua": "lua",
    "m": "objective-c",
    "md": "markdown",
    "mjs": "javascript",
    "mk": "make",
    "ml": "ocaml",
    "nix": "nix",
    "php": "php",
    "pl": "perl",
    "proto": "protobuf",
    "ps1": "powershell",
    "py": "python",
    "pyi": "python",
    "r": "r",
    "rb": "ruby",
    "rs": "rust",
    "rst": "restructuredtext",
    "sass": "sass",
    "scala": "scala",
    "scss": "scss",
    "sh": "shell",
    "sql": "sql",
    "svelte": "svelte",
    "swift": "swift",
    "tex": "latex",
    "tf": "terraform",
    "toml": "toml",
    "ts": "typescript",
    "tsx": "typescript",
    "vue": "vue",
    "xml": "xml",
    "yaml": "yaml",
    "yml": "yaml",
    "zig": "zig",
    "zsh": "shell",
}
_BY_NAME = {
    "cmakelists.txt": "cmake",
    "containerfile": "dockerfile",
    "dockerfile": "dockerfile",
    "gemfile": "ruby",
    "gnumakefile": "make",
    "jenkinsfile": "groovy",
    "makefile": "make",
    "rakefile": "ruby",
}
_ALIASES = {
    "bash": "shell",
    "c#": "csharp",
    "c++": "cpp",
    "docker": "dockerfile",
    "golang": "go",
    "hcl": "terraform",
    "js": "javascript",
    "makefile": "make",
    "objc": "objective-c",
    "py": "python",
    "rb": "ruby",
    "rs": "rust",
    "sh": "shell",
    "tex": "latex",
    "ts": "typescript",
    "yml": "yaml",
}


def language_of(path: str) -> str:
    """The language of a file, empty if its name tells none; of a folder any."""
    name = path.rpartition("/")[2].casefold()
    if not name:
        return ANY
    if name in _BY_NAME:
        return _BY_NAME[name]
    stem, dot, suffix = name.rpartition(".")
    return _BY_SUFFIX.get(suffix, "") if dot and stem else ""


def same_language(wanted: str, found: str) -> bool:
    """Whether what is of language `found` concerns who writes `wanted`."""
    name = wanted.strip().casefold()
    return found == ANY or (bool(found) and _ALIASES.get(name, name) == found)
