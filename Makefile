# Every target first makes sure that .venv is what the pins say (scripts/environment.py), and says so when it has to act.
PYTHON ?= python3
JOBS   ?= 2
ONLY   ?=
RUN    := .venv/bin/python

export OPENBLAS_NUM_THREADS ?= 1
export PYTHONHASHSEED ?= 0
export PYDEVD_DISABLE_FILE_VALIDATION ?= 1
# Bytecode is written at the first import: otherwise each of many short processes compiles all packages again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help environment book test lint pytest nbval notebooks verify kernel kernel-check kernel-controls figures bench clean
.DEFAULT_GOAL := help

help:  ## this list
	@echo "make ..."
	@sed -n 's/^\([a-z-]*\):[^#]*##  *\(.*\)$$/  \1|\2/p' Makefile | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'
	@echo "  Options: PYTHON=python3.12 (for a new .venv), JOBS=2 (at a time), ONLY='stem stem' (with notebooks)"

environment:
	@$(PYTHON) scripts/environment.py

book: environment  ## execute every chapter anew and build the book into _build/html
	@$(RUN) scripts/build_book.py --jobs $(JOBS)

test: lint pytest nbval  ## lint, the tests, and every notebook against its stored outputs

lint: environment  ## ruff, its formatter, and mypy in strict mode
	@echo "lint: ruff, format, mypy"
	@$(RUN) -m ruff check --quiet .
	@$(RUN) -m ruff format --check --quiet .
	@$(RUN) -m mypy

pytest: lint
	@echo "test: tests"
	@$(RUN) -m pytest -q -n $(JOBS) --dist loadfile tests

nbval: pytest
	@echo "test: notebooks against their stored outputs"
	@$(RUN) -m pytest -q -n $(JOBS) --dist loadscope --nbval --nbval-current-env --nbval-cell-timeout 240 --ignore-glob="book/_*" book

notebooks: environment  ## execute notebooks and store their outputs (ONLY='stem stem' for some)
	@$(RUN) scripts/execute_notebooks.py --jobs $(JOBS) $(ONLY)

verify: environment  ## run every check in the ledger of claims
	@$(RUN) -m shbcore verify

kernel: environment  ## export the ledger to Coq and compile everything (needs coqc)
	@$(RUN) scripts/kernel.py build --export --jobs $(JOBS)

kernel-check: kernel  ## check the Coq development again with coqchk, its assumptions too, and record that
	@$(RUN) scripts/kernel.py check

kernel-controls: kernel  ## see that Coq refuses wrong constants
	@$(RUN) scripts/kernel.py controls

figures: environment  ## recompute the figures of the paper's experiments
	@$(RUN) -m shbcore figures

bench: environment  ## measure the fast paths
	@$(RUN) benchmarks/run.py

clean:  ## remove what was built (the environment stays; remove .venv by hand)
	@$(MAKE) -s -C kernel clean
	@rm -rf _build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
