# `make scan` runs the main job, `make test` the tests; each sets everything up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
REPO ?= .
DATA ?= ../shared/data
JOBS ?= 2

.PHONY: scan test test-hosts lint soak cv bench docs clean

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q -e '.[dev]'
	touch $@

scan: $(VENV)/.ready ## scan a temporary clone of REPO and show what would be committed
	$(BIN)/python tools/try_scan.py $(REPO)

test: lint ## everything that must hold, faults and fuzz in a small fixed-seed share
	$(BIN)/python -m pytest -q -n $(JOBS) -m 'not soak and not real_hosts'

lint: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

soak: $(VENV)/.ready ## every fault and fuzz trial in full
	$(BIN)/python -m pytest -q -n $(JOBS) -m soak

test-hosts: $(VENV)/.ready ## drive real clients of coding agents (npm once, then offline): HOSTS="codex gemini"
	$(BIN)/python -m tests.real_hosts $(HOSTS)

cv: $(VENV)/.ready ## extraction quality, cross-validated by repository (needs DATA)
	$(BIN)/python benchmarks/extraction.py --data $(DATA)

bench: $(VENV)/.ready ## every benchmark, each against a floor in the same run
	$(BIN)/python -m benchmarks

docs: $(VENV)/.ready ## regenerate docs/cli.md, the man page and the examples of injection
	$(BIN)/python tools/gen_docs.py
	$(BIN)/python -m tools.gen_stages

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis out
