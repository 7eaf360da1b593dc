# `make book` builds both languages and serves the site; `make test` passes everything.
# Windows, or no make? README.md gives the same as plain commands.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000

.PHONY: book test bench serve clean

book: .venv/ready
	$(BIN)/ffnbook serve --port $(PORT)

test: .venv/ready-dev
	$(BIN)/python -m pytest

bench: .venv/ready-dev
	$(BIN)/python tools/bench.py
	$(BIN)/python tools/bench_grading.py

.venv/ready: requirements.txt constraints.txt pyproject.toml tools/install.py
	$(PYTHON) tools/install.py requirements.txt
	@touch $@

.venv/ready-dev: requirements-dev.txt requirements.txt constraints.txt pyproject.toml tools/install.py
	$(PYTHON) tools/install.py requirements-dev.txt
	@touch $@ .venv/ready

clean:
	rm -rf _build .venv
