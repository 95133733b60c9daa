"""Where work on a topic happens: patterns that `discover` tries beside the topic's own.

One line per topic in `_TABLE`: its name, then patterns as `store.globs` reads them.
"""

from collections.abc import Mapping

_TABLE = """
testing          __tests__/ e2e/ conftest.py *_test.go *.test.ts *.test.tsx *.test.js
testing          *.spec.ts *.spec.js
documentation    /README* mkdocs.yml *.mdx
ci               .circleci/** .buildkite/** Jenkinsfile azure-pipelines.yml .travis.yml
ci               .pre-commit-config.yaml
build            /Makefile CMakeLists.txt /pyproject.toml /package.json /Cargo.toml
build            /go.mod /setup.py /pom.xml /build.gradle* Dockerfile* docker-compose*
build            /justfile /flake.nix
release          scripts/*release* .github/workflows/*release* /RELEASE* .releaserc*
release          .goreleaser.y*ml
versioning       /VERSION* **/version.py **/version.go **/version.ts
dependencies     /requirements*.txt poetry.lock uv.lock Cargo.lock go.sum yarn.lock
dependencies     package-lock.json pnpm-lock.yaml Gemfile.lock .github/dependabot.yml
dependencies     renovate.json
database         **/migrations/** *.sql prisma/**
security         /SECURITY*
community        /CODE_OF_CONDUCT* /LICENSE* /GOVERNANCE* /MAINTAINERS*
ai-agents        CLAUDE.md AGENTS.md GEMINI.md .cloche/** .claude/** .cursor/**
ai-agents        .cursorrules .github/copilot-instructions.md
user-interface   **/components/** **/locales/** *.css *.scss
api-design       api/** **/openapi.* *.proto *.graphql
pull-requests    .github/pull_request_template.md
code-review      CODEOWNERS
issues           .github/ISSUE_TEMPLATE/**
commits          commitlint.config.* .gitmessage
code-style       .editorconfig ruff.toml .eslintrc* .prettierrc* .clang-format
code-style       rustfmt.toml .rubocop.yml
"""


def _read() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _TABLE.split("\n"):
        name, *patterns = line.split() or [""]
        found[name] = (*found.get(name, ()), *patterns)
    return found


#: Topic → patterns.
PLACES: Mapping[str, tuple[str, ...]] = _read()
