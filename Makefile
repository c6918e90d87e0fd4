# Every target first makes sure that .venv is what the pins say (scripts/environment.py), and says so when it has to act.
PYTHON ?= python3
# A PYTHON that was asked for has to be the one of .venv; without it any .venv that works is kept.
ifneq ($(origin PYTHON),file)
EXACTLY := --exactly
endif
JOBS   ?= 2
ONLY   ?=
FRESH  ?=
CALLS  ?= 20000
SEED   ?= 0
ROOM   ?= kernel
SAMPLE ?=
RUN    := .venv/bin/python

export OPENBLAS_NUM_THREADS ?= 1
export PYTHONHASHSEED ?= 0
export PYDEVD_DISABLE_FILE_VALIDATION ?= 1
# Bytecode is written at the first import: otherwise each of many short processes compiles all packages again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help environment pins book pdf bundle lab test lint pytest nbval coverage notebooks verify falsify adversary fuzz mutation referee kernel kernel-check kernel-controls figures study bench licences clean
.DEFAULT_GOAL := help

help:  ## this list
	@echo "make ..."
	@sed -n 's/^\([a-z-]*\):[^#]*##  *\(.*\)$$/  \1|\2/p' Makefile | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'
	@echo "  Options: PYTHON=python3.12 (for .venv), JOBS=2 (at a time), FRESH=1 (with book), ONLY='stem stem' (with notebooks)"

environment:
	@$(PYTHON) -c "" 2> /dev/null || { echo "environment: $(PYTHON) does not start here: install Python 3.11 or newer, or name one with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) scripts/environment.py $(EXACTLY)

pins:  ## write requirements.lock, the hashes of what constraints.txt names
	@$(PYTHON) scripts/pins.py

book: environment  ## execute what changed and build the book into _build/html (FRESH=1: execute everything)
	@$(RUN) scripts/build_book.py --jobs $(JOBS) $(if $(FRESH),--fresh)

pdf: book  ## the book as one file for paper, _build/heavy-ball-verified.pdf (needs chromium)
	@$(RUN) scripts/make_pdf.py

bundle: environment  ## a zip of all notebooks, data and the library, which runs after three lines
	@$(RUN) scripts/bundle.py

lab: environment  ## open the notebooks in JupyterLab (installed when first asked for)
	@$(RUN) scripts/lab.py

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

coverage: environment  ## the tests once more, counting which lines they reach; fails below the floor in pyproject.toml
	@$(RUN) -m pytest -q -n $(JOBS) --dist loadfile --cov --cov-report=term:skip-covered tests

notebooks: environment  ## execute notebooks and store their outputs (ONLY='stem stem' for some)
	@$(RUN) scripts/execute_notebooks.py --jobs $(JOBS) $(ONLY)

verify: environment  ## run every check in the ledger of claims
	@$(RUN) -m shbcore verify

falsify: environment  ## change every formal statement in turn, and see that the kernel notices
	@$(RUN) -m shbcore falsify --jobs $(JOBS) --keep _build/falsify.json

adversary: environment  ## a thousand random valid proofs and ten thousand random damages to them
	@$(RUN) tests/adversary.py --valid 1000 --damages 10000 --keep _build/adversary.json

mutation: environment  ## change the code of ROOM=kernel, proof, model or numerics, one place at a time: the tests must notice
	@$(RUN) scripts/mutation.py $(ROOM) $(if $(SAMPLE),--sample $(SAMPLE)) --seed $(SEED)

referee: environment  ## the worst cases of one step by PEPit and by the project, side by side
	@$(RUN) scripts/referee_pepit.py

kernel: environment  ## export the ledger to Coq and compile everything (needs coqc)
	@$(RUN) scripts/kernel.py build --export --jobs $(JOBS)

kernel-check: kernel  ## check the Coq development again with coqchk, its assumptions too, and record that
	@$(RUN) scripts/kernel.py check

kernel-controls: kernel  ## see that Coq refuses wrong constants
	@$(RUN) scripts/kernel_controls.py

figures: environment  ## recompute the figures of the paper's experiments
	@$(RUN) -m shbcore figures

study: environment  ## run the study behind the chapters on experiments, and pack its tables into book/data
	@$(RUN) scripts/study.py --workers $(JOBS)

bench: environment  ## measure the fast paths
	@$(RUN) benchmarks/run.py

licences: environment  ## list the work of others that the book ships, in THIRD_PARTY.md
	@$(RUN) scripts/licences.py

fuzz: environment  ## call everything with nonsense, 20,000 times; goes on where it stopped (CALLS=, SEED=)
	@$(RUN) scripts/fuzz.py --calls $(CALLS) --seed $(SEED)

clean:  ## remove what was built (the environment stays; remove .venv by hand)
	@$(PYTHON) scripts/clean.py
	@if [ -d kernel ]; then $(MAKE) -s -C kernel clean; fi
