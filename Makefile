# Every target makes the environment it needs, once: the stamp is remade only when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PRISM := $(VENV)/prism/node_modules/.bin/prism
EVERYTHING := $(VENV)/everything/node_modules/.bin/mcp-server-everything
GRAPHS := $(filter-out __init__,$(basename $(notdir $(wildcard graphs/*.py))))
QUESTION ?= What is the capital of Australia, and how many kilometres is it from Sydney airport (SYD) to Perth airport (PER)?

CORES := $(shell getconf _NPROCESSORS_ONLN)
# Tests, for some of them wait for a process or a server.
AT_A_TIME := $(shell echo $$(($(CORES) + 1)))

# These targets wait for the local model and do little else, so it may have every core.
export TOOLQUIVER_LOCAL_THREADS ?= $(CORES)

.PHONY: demo test lint installed typecheck docs floors bench-papers bench-search bench-scale bench-openapi bench-overhead bench-easytool bench-quiver document-demo prism everything pictures notebooks clean

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable ".[local,demo,dense,mcp]" --group dev --group docs
	touch $(READY)

demo: $(READY)  ## answer a question with the demo's APIs and the local model
	$(BIN)/toolquiver ask "$(QUESTION)"

# Both are programs of Node.js: where npm is not there, or cannot fetch one, its tests are skipped and say so.
test: $(READY)  ## all tests, those with the local model too
	-@! command -v npm > /dev/null || $(MAKE) --keep-going prism everything
	$(BIN)/python -m pytest -rs -m "not e2e" --numprocesses $(AT_A_TIME) --dist loadfile
	$(BIN)/python -m pytest -rs -m e2e --numprocesses 2 --dist worksteal --durations 5

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Checkers do not follow the folder mapping of an editable install, so the package is installed plainly beside it.
installed: $(READY)
	rm -rf $(VENV)/typecheck build
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --target $(VENV)/typecheck .

typecheck: installed
	MYPYPATH=$(VENV)/typecheck $(BIN)/mypy -p toolquiver

docs: installed  ## the documentation as a static site in site/; every warning is an error
	$(BIN)/zensical build --clean --strict
	@! grep -rnoE '(src|href)="(https?:)?//[^"]*\.(js|css|woff2?)"|@import url|url\((https?:)?//' site --include=*.html --include=*.css || { echo "The site loads something from elsewhere."; exit 1; }

# Pages, benchmarks and property tests call nothing of other packages that the other tests do not.
floors: $(READY)  ## the fast tests with the oldest versions that pyproject.toml allows
	$(PYTHON) -m venv $(VENV)/floors
	$(BIN)/python tests/floors.py > $(VENV)/floors/constraints.txt
	$(VENV)/floors/bin/python -m pip install --quiet --constraint $(VENV)/floors/constraints.txt --editable . pytest pytest-xdist hypothesis
	$(VENV)/floors/bin/python -m pytest tests/unit tests/graphs --ignore tests/unit/test_demo.py \
		--ignore-glob 'tests/unit/test_docs_*' --ignore-glob 'tests/unit/test_bench_*' --ignore-glob '*_property.py' \
		--numprocesses $(AT_A_TIME) --dist loadfile

# A larger LIMIT goes on with further questions. MORE="--sets hotpotqa --systems smurfs" asks only these.
LIMIT ?= 20
bench-papers: $(READY)  ## each paper's graph on the paper's sets, with the local model; goes on where it was stopped
	$(BIN)/python -m tests.bench.bench_papers --limit $(LIMIT) $(MORE) --report docs/results/papers.md

bench-search: $(READY)  ## search over ToolBench's catalogue, which TOOLQUIVER_DATA leads to
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python -m tests.bench.bench_search --report docs/results/search.md

bench-openapi: $(READY)  ## import the OpenAPI documents in the folder TOOLQUIVER_OPENAPI; goes on where it was stopped
	$(BIN)/python -m tests.bench.bench_openapi --report docs/results/openapi.md

prism: $(PRISM)  ## install Prism, with which the tests judge requests

$(PRISM): | $(READY)
	npm install --no-audit --no-fund --fetch-retries 1 --prefix $(VENV)/prism @stoplight/prism-cli@5.14.2

everything: $(EVERYTHING)  ## install the MCP reference server, which the tests import and call

$(EVERYTHING): | $(READY)
	npm install --no-audit --no-fund --fetch-retries 1 --prefix $(VENV)/everything @modelcontextprotocol/server-everything@2026.8.31

bench-scale: $(READY)  ## import and search from 16,463 to 1,000,000 APIs; goes on where it was stopped
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python -m tests.bench.bench_scale --folder $(VENV)/scale --report docs/results/scale.md

bench-overhead: $(READY)  ## CPU time of an agent's turn, against a loop by hand and create_agent
	$(BIN)/python -m tests.bench.bench_overhead --report docs/results/overhead.md

# The package is not used: it carries tiktoken's tables, which are else fetched from the internet.
bench-quiver: $(READY)  ## what quiver costs beside a native agent, with a known right policy
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(VENV)/tables llama-index-core
	TIKTOKEN_CACHE_DIR=$(VENV)/tables/llama_index/core/_static/tiktoken_cache \
		$(BIN)/python -m tests.bench.bench_quiver --report docs/results/quiver.md

bench-easytool: $(READY)  ## how many tokens instructions by rule save, and that no parameter is lost
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(VENV)/tables llama-index-core
	TIKTOKEN_CACHE_DIR=$(VENV)/tables/llama_index/core/_static/tiktoken_cache \
		$(BIN)/python -m tests.bench.bench_easytool --report docs/results/easytool.md

document-demo: $(READY)  ## write the instructions that the demo comes with; goes on where it was stopped
	$(BIN)/toolquiver catalog import toolquiver.catalog.demo:tools --into $(VENV)/demo.db
	$(BIN)/toolquiver document $(VENV)/demo.db --examples all
	$(BIN)/toolquiver document export $(VENV)/demo.db toolquiver/catalog/demo/instructions.jsonl

pictures: $(READY)  ## draw every graph into docs/pictures
	mkdir -p docs/pictures
	for graph in $(GRAPHS); do $(BIN)/toolquiver draw $$graph --png docs/pictures/$$graph.png || exit 1; done

notebooks: $(READY)  ## run every notebook, quiver's with the local model, and keep what it shows
	$(BIN)/python -m tests.e2e.notebooks

clean:
	rm -rf $(VENV) build dist *.egg-info
