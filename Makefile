# `make test` and `make demo` set up everything they need: an environment in .venv, the pinned tools, torch, the build.
# PYTHON=/path/to/python uses that interpreter instead, and keeps its torch if that is 2.11 to 2.13.
#   QUICK=1       a shorter demo            PYTEST="-k gelu"  further arguments for pytest
#   MAX_JOBS=2    parallel compilers        PHI_CUDA=0|1, PHI_CPU=avx2,avx512  what is built

TORCH ?= 2.13.0
PADDLE ?= 3.3.1
PYTEST ?=
BENCH ?=

ifdef PYTHON
  PY := $(shell command -v $(PYTHON))
  ifeq ($(PY),)
    $(error PYTHON=$(PYTHON): no such interpreter)
  endif
else
  PY := .venv/bin/python
endif
STAMPS := build/stamps/$(subst /,_,$(PY))
CLANG_FORMAT = find csrc examples tests -name '*.h' -o -name '*.hpp' -o -name '*.cuh' -o -name '*.cc' -o -name '*.cu' \
  | xargs $(PY) -c 'import clang_format; clang_format.clang_format()'

.PHONY: help build demo test lint format docs bench oracle-env parity wheel wheel-check cuda-check clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

demo: build ## train a network with phi operators beside the same network in ATen
	$(PY) examples/train_digits.py $(if $(QUICK),--quick)

test: build ## build, and run all tests
	$(PY) -m pytest tests -n auto $(PYTEST)

docs: build/docs/bin/mkdocs ## the documentation as a site in build/site, with a page for each operator
	$(PY) setup.py --quiet generate
	NO_MKDOCS_2_WARNING=1 build/docs/bin/mkdocs build --strict -f docs/site/mkdocs.yml

build/docs/bin/mkdocs: docs/requirements.txt $(STAMPS)/tools | $(PY)
	$(PY) -m venv build/docs
	build/docs/bin/python -m pip install --quiet -r docs/requirements.txt
	@touch $@

bench: build ## measure against ATen, and Paddle after `make oracle-env`; BENCH="--quick" and other arguments
	$(PY) -m phi_torch bench $(BENCH)

oracle-env: build/oracle/bin/paddle ## PaddlePaddle in an environment of its own, for the benchmark and tests/oracle

build/oracle/bin/paddle: | $(PY)
	$(PY) -m venv build/oracle
	build/oracle/bin/python -m pip install --quiet paddlepaddle==$(PADDLE) setuptools
	build/oracle/bin/python -c "import paddle; print('PaddlePaddle', paddle.__version__)"

parity: build oracle-env ## write docs/parity.md: every operator beside PaddlePaddle's and torch's
	PYTHONPATH=tests $(PY) -m oracle.report

build: $(STAMPS)/installed ## compile what changed, into the checkout
	$(PY) setup.py --quiet build_ext --inplace

lint: $(STAMPS)/tools ## ruff, clang-format, mypy
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(CLANG_FORMAT) --dry-run -Werror
	$(PY) setup.py --quiet generate
	$(PY) -m mypy codegen phi_torch

format: $(STAMPS)/tools ## ruff and clang-format, in place
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .
	$(CLANG_FORMAT) -i

cuda-check: $(STAMPS)/tools ## compile the device code; needs nvcc, but no GPU
	$(PY) setup.py --quiet cuda_check

wheel: $(STAMPS)/tools ## a wheel in dist/, for all CPU capabilities
	$(PY) -W ignore setup.py --quiet bdist_wheel

wheel-check: wheel ## install the wheel in a fresh environment and run an operator
	$(PY) tests/wheel_check.py dist

clean: ## remove what was built, but not .venv
	rm -rf build dist *.egg-info phi_torch/lib phi_torch/_C*.so phi_torch/_build_info.py phi_torch/_op_table.py phi_torch/ops.py*

# ---- set-up: each stamp is made once, and again when what it depends on changes ----

.venv/bin/python:
	@python3 -c 'import sys; sys.version_info >= (3, 10) or sys.exit("phi_torch needs Python 3.10 or newer: make PYTHON=...")'
	python3 -m venv .venv

$(STAMPS)/tools: .ci/requirements.txt | $(PY)
	$(PY) -m pip install --quiet -r .ci/requirements.txt
	$(PY) .ci/install_torch.py $(TORCH)
	@mkdir -p $(@D) && touch $@

# The libraries are compiled first, since pip would hide the compiler's progress; pip then only registers the checkout.
$(STAMPS)/installed: $(STAMPS)/tools setup.py pyproject.toml
	$(PY) setup.py --quiet build_ext --inplace
	$(PY) -m pip install --quiet --no-build-isolation --no-deps -e .
	@mkdir -p $(@D) && touch $@
