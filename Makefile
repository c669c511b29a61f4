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

.PHONY: demo test lint installed typecheck docs floors bench-smurfs bench-search bench-scale bench-openapi bench-ecoact bench-ecoact-local bench-overhead bench-reverse-chain bench-easytool bench-quiver bench-systems document-demo eval-small prism everything pictures notebooks clean

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

bench-smurfs: $(READY)  ## the demo questions: Smurfs against create_agent; goes on where it was stopped
	$(BIN)/python -m tests.bench.bench_smurfs --questions tuned
	$(BIN)/python -m tests.bench.bench_smurfs --questions fresh --report docs/results/smurfs.md

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

# The package is not used: it carries tiktoken's tables, which are else fetched from the internet.
bench-ecoact: $(READY)  ## what registration on demand saves in tokens, with a scripted policy
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(VENV)/tables llama-index-core
	TIKTOKEN_CACHE_DIR=$(VENV)/tables/llama_index/core/_static/tiktoken_cache \
		$(BIN)/python -m tests.bench.bench_ecoact --report docs/results/ecoact.md

bench-ecoact-local: $(READY)  ## the same with the local model on the demo; goes on where it was stopped
	$(BIN)/python -m tests.bench.bench_ecoact_local --report docs/results/ecoact_local.md

bench-overhead: $(READY)  ## CPU time of an agent's turn, against a loop by hand and create_agent
	$(BIN)/python -m tests.bench.bench_overhead --report docs/results/overhead.md

bench-quiver: $(READY)  ## what quiver costs beside a native agent, with a known right policy
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(VENV)/tables llama-index-core
	TIKTOKEN_CACHE_DIR=$(VENV)/tables/llama_index/core/_static/tiktoken_cache \
		$(BIN)/python -m tests.bench.bench_quiver --report docs/results/quiver.md

bench-reverse-chain: $(READY)  ## nested plans: Reverse Chain, its ablations, one-call planning, ReAct; goes on where it was stopped
	$(BIN)/python -m tests.bench.bench_reverse_chain $(PARTS) --report docs/results/reverse_chain.md

# Random questions, the same ones for every system; LIMIT=1000 asks all that are there. They are dealt into four random
# quarters: what is improved by looking at traces is improved on the first and the third, and the others say what that is
# worth. Journals hold no text of the data, so that they stay in the repository and another machine goes on with them.
LIMIT ?= 60
SMALL_LIMIT ?= $$(test $$set = hotpotqa && echo 60 || echo 1000)
SMALL_SETS ?= funcqa-one funcqa-multi restbench-tmdb hotpotqa
SMALL_SYSTEMS ?= smurfs create_agent react dfsdt
SMALL_QUARTERS ?= 1 3 2 4
SMALL := tests/bench/figures/small
# TMDB's answers are a document's examples, which content no verifier: one step a subtask, and less time than else. DFSDT
# has less of FuncQA too.
eval-small: $(READY)  ## Smurfs, ReAct, DFSDT, create_agent with the local model on three data sets; goes on where it was stopped
	mkdir -p $(SMALL)
	set -e; for quarter in $(SMALL_QUARTERS); do for set in $(SMALL_SETS); do for system in $(SMALL_SYSTEMS); do \
		more=; test $$set != restbench-tmdb || more="--timeout 150 --set ask=false"; \
		case $$set-$$system in funcqa-*-dfsdt) more="--timeout 120";; esac; \
		test $$set-$$system != restbench-tmdb-smurfs || more="$$more --set max_steps=1"; \
		$(BIN)/toolquiver eval run $$set --system $$system --seed 1 --limit $(SMALL_LIMIT) --shard $$quarter/4 $$more \
			--figures-only --journal $(SMALL)/$$set-$$system-$$quarter.jsonl; \
	done; done; done
	mkdir -p .bench
	$(BIN)/toolquiver eval report $(SMALL)/*.jsonl --markdown .bench/small.md --html .bench/small.html
	$(BIN)/python -m tests.bench.pages eval-small .bench/small.md docs/results/small.md

# Each system alone. ecoact is ReAct with registration on demand.
# ToolBench: what nobody has recorded the local model makes up, and all have the tokens that are aimed at. Of TMDB the
# first quarter is asked, whatever LIMIT; who was asked it for the smaller table is not asked again, and stands here too:
# one question at a time, so that the seconds are others.
SETS ?= toolbench funcqa-one funcqa-multi restbench-tmdb hotpotqa tests.bench.whole_sets:compositions tests.bench.whole_sets:demo
SYSTEMS ?= quiver smurfs reverse_chain anytool easytool_pipeline ecoact react dfsdt create_agent
AT_ONCE ?= 4
WHOLE := tests/bench/figures/whole
TOOLBENCH := --with pool=catalogue --with subset=recorded --with replay=nearest --simulate local
TOOLBENCH += --set call_timeout=300 --set token_budget=10000
bench-systems: $(READY)  ## each system alone, with the local model on seven sets; goes on where it was stopped
	mkdir -p .bench $(WHOLE)
	set -e; for set in $(SETS); do for system in $(SYSTEMS); do \
		over="--limit $(LIMIT)"; test $$set != toolbench || over="$$over $(TOOLBENCH)"; \
		if test $$set = restbench-tmdb; then \
			test ! -e $(SMALL)/$$set-$$system-1.jsonl || continue; over="--limit 1000 --shard 1/4"; \
		fi; \
		as="--system $$system --set ask=false"; test $$system != ecoact || as="--system react --set registration=on_demand"; \
		$(BIN)/toolquiver eval run $$set $$over $$as --seed 1 --timeout 1200 --concurrency $(AT_ONCE) \
			--figures-only --any-code --journal $(WHOLE)/$${set##*:}-$$system.jsonl; \
	done; done
	$(BIN)/toolquiver eval report $(WHOLE)/*.jsonl $(SMALL)/restbench-tmdb-*-1.jsonl --markdown .bench/systems.md --html .bench/systems.html
	$(BIN)/python -m tests.bench.pages bench-systems .bench/systems.md docs/results/systems.md

bench-easytool: $(READY)  ## instructions: tokens saved, parameters kept, search and selection; goes on where it was stopped
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(VENV)/tables llama-index-core
	TIKTOKEN_CACHE_DIR=$(VENV)/tables/llama_index/core/_static/tiktoken_cache \
		$(BIN)/python -m tests.bench.bench_easytool $(PARTS) --at-once $(AT_ONCE) --report docs/results/easytool.md

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
