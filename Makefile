# Everything runs in .venv, which `make` sets up once from requirements/lock.txt.
PYTHON ?= python3
BIN := .venv/bin
.DEFAULT_GOAL := help

.PHONY: help
help:  ## Say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.PHONY: app dev
app:
	@$(PYTHON) scripts/setup.py app
dev:
	@$(PYTHON) scripts/setup.py dev

.PHONY: notebook
notebook:  ## Add data frames for Python: pandas and polars
	@$(PYTHON) scripts/setup.py notebook

.PHONY: inside inside-cuda
inside:  ## Add what `troupe worldtree inside` needs: PyTorch without CUDA
	@$(PYTHON) scripts/setup.py inside
inside-cuda:
	@$(PYTHON) scripts/setup.py inside-cuda

.PHONY: lora
lora:  ## Add what virtual game masters of kind lora need: PyTorch and peft
	@$(PYTHON) scripts/setup.py lora

.PHONY: gym inspect
gym:  ## Add Gymnasium and PettingZoo, whose environments seats can be
	@$(PYTHON) scripts/setup.py gym
inspect:  ## Add inspect_ai, whose tasks plans can be
	@$(PYTHON) scripts/setup.py inspect

.PHONY: trainers
trainers:  ## Add what tests that TRL's trainers take exported files: PyTorch and TRL
	@$(PYTHON) scripts/setup.py trainers

.PHONY: local
local:  ## Add a small language model on this machine: its runtime and weights
	@$(PYTHON) scripts/setup.py local
	@$(BIN)/troupe local fetch

.PHONY: demo
demo: app  ## Play, score, replay and fork some episodes, offline; a report
	@$(BIN)/troupe worldtree demo
	@$(BIN)/troupe town demo
	@$(BIN)/troupe tabletop demo
	@$(BIN)/troupe games demo
	@$(BIN)/troupe demo

# Bytecode is kept even where the shell says not to: workers and the processes that they start would
# each compile everything anew.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n 3
.PHONY: test test-long test-all
test: dev  ## Run all tests but the long ones, in minutes
	@$(PYTEST) --dist loadfile --no-loadscope-reorder -m "not long and not local" $(ARGS)
test-long: dev  ## Run the others: chaos, outages, properties on many examples
	@$(PYTEST) --dist worksteal --timeout 600 -m "long or hypothesis" --hypothesis-profile thorough $(ARGS)
test-all: test test-long  ## Run everything

.PHONY: test-local
test-local: dev local  ## Run those that ask a real language model, in minutes
	@$(BIN)/python -m pytest -q -s -p no:xdist -m local tests/local $(ARGS)

.PHONY: coverage
coverage: dev  ## Run the same tests and say which lines they reach; no threshold
	@$(PYTEST) --dist loadfile --no-loadscope-reorder -m "not long and not local" \
		--cov --cov-report=term:skip-covered --cov-report=html $(ARGS)

.PHONY: docs
docs:  ## Build the documentation into site/, with search; a dead link fails
	@$(PYTHON) scripts/setup.py docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "site/index.html is the first page; search needs a server: $(BIN)/python -m http.server -d site"

.PHONY: lint
lint: dev  ## Check style, types and import layers; JavaScript's where Node is
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@if ! command -v npm >/dev/null; then echo "JavaScript's types were not checked: there is no npm."; \
		elif ! $(MAKE) -s node_modules; then echo "They were not checked: npm ci failed (above)."; \
		else $(MAKE) -s javascript; fi

.PHONY: javascript
javascript: node_modules  ## Check the types of JavaScript; needs Node with npm
	@node_modules/.bin/tsc
node_modules: package.json package-lock.json
	@npm ci --silent --ignore-scripts --no-audit --no-fund
	@touch $@

.PHONY: format
format: dev  ## Put the code into the house style
	@$(BIN)/ruff check --fix-only -q .
	@$(BIN)/ruff format -q .

.PHONY: chaos
chaos: dev  ## Strike a fleet of real processes, ROUNDS times from SEED on
	@$(BIN)/python -m tests.faults.chaos --rounds $(or $(ROUNDS),20) --seed $(or $(SEED),0) $(ARGS)

.PHONY: soak
soak: dev  ## Feed a server small runs for MINUTES: does it grow?
	@$(BIN)/python -m tests.soak --minutes $(or $(MINUTES),10) --seed $(or $(SEED),0) $(ARGS)

.PHONY: fuzz
fuzz: dev  ## Let bad input of every kind in for MINUTES, from SEED on
	@$(BIN)/python -m tests.fuzz --minutes $(or $(MINUTES),10) --seed $(or $(SEED),0) $(ARGS)

.PHONY: prompts
prompts: dev  ## Print what a model makes of each prompt, by default the local one
	@$(BIN)/python -m tests.prompts $(ARGS)

.PHONY: bench
bench: dev  ## Print the benchmarks' figures, peers and limits beside them
	@$(BIN)/python -m tests.benchmarks $(ARGS)

.PHONY: budgets budgets-update
budgets: dev  ## Count what a turn, a read, a row, … takes, beside its budget
	@$(BIN)/python -m tests.budgets $(ONLY) $(ARGS)
budgets-update: dev  ## Make what is counted the budgets, of ONLY these figures
	@$(BIN)/python -m tests.budgets --update $(ONLY) $(ARGS)

.PHONY: house
house: dev  ## Count lines, folders, circles of imports, …, beside their limits
	@$(BIN)/python -m tests.house $(ARGS)

.PHONY: bench-compare
bench-compare: dev  ## Compare parts with another version, by turns: REF=main ARGS="turns live"
	@$(if $(REF),,$(error say with what and which parts: make bench-compare REF=main ARGS="turns live"))
	@$(BIN)/python -m tests.benchmarks.compare $(REF) $(ARGS)

.PHONY: bench-peers
bench-peers:  ## Install the peers that `make bench` compares with, apart
	@$(PYTHON) scripts/setup.py peers

.PHONY: chromium
chromium:  ## Install Chromium for the browser tests (Debian, Ubuntu; as root)
	apt-get update && apt-get install -y --no-install-recommends chromium

.PHONY: pgbouncer
pgbouncer:  ## Install PgBouncer for the tests of poolers (the same)
	apt-get update && apt-get install -y --no-install-recommends pgbouncer

.PHONY: prometheus
prometheus:  ## Install promtool for the tests of rules (the same)
	apt-get update && apt-get install -y --no-install-recommends prometheus

.PHONY: otel
otel:  ## Add what sends traces to an OpenTelemetry collector
	@$(PYTHON) scripts/setup.py otel

.PHONY: lock
lock:  ## Resolve requirements/*.txt again from pyproject.toml
	@$(PYTHON) scripts/lock.py
