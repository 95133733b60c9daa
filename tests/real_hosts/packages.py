"""The clients' packages: which, and where they are put."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(__file__).resolve().parents[2] / ".cache" / "real-hosts"
_PATIENCE = 900  # seconds for a package of 400 MB


@dataclass(frozen=True)
class Package:
    """A client on npm, pinned to the version that the adapters were written for."""

    host: str
    name: str
    version: str
    program: str

    @property
    def folder(self) -> Path:
        return CACHE / f"{self.host}-{self.version}"

    @property
    def executable(self) -> Path:
        return self.folder / "node_modules" / ".bin" / self.program

    def installed(self) -> str:
        """The version that is there; empty if there is none."""
        try:
            text = (
                self.folder / "node_modules" / self.name / "package.json"
            ).read_text()
        except FileNotFoundError:
            return ""
        return json.loads(text)["version"]

    def install(self) -> str:
        """Install it unless it is there; why it cannot be, or nothing."""
        if self.installed():
            return ""
        if shutil.which("npm") is None:
            return "there is no npm"
        partial = self.folder.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        (partial / "package.json").write_text('{"private": true}\n')
        words = ("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund")
        done = subprocess.run(
            [*words, f"{self.name}@{self.version}"],
            cwd=partial,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
        if done.returncode:
            return (done.stderr.strip() or "npm failed").splitlines()[-1]
        partial.rename(self.folder)
        return ""


PACKAGES = {
    package.host: package
    for package in (
        Package("codex", "@openai/codex", "0.171.0", "codex"),
        Package("copilot", "@github/copilot", "1.0.102", "copilot"),
        Package("gemini", "@google/gemini-cli", "0.61.0", "gemini"),
    )
}
