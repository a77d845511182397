# `make test` and `make demo` set up everything they need: an environment in .venv, the pinned tools, torch, the build.
# PYTHON=/path/to/python uses that interpreter instead, and its torch: 2.11 to 2.15, a newer one with a warning.
#   QUICK=1       a shorter demo, check     PYTEST="-k gelu"  further arguments for pytest
#   MAX_JOBS=2    parallel compilers        PHI_CUDA=0|1, PHI_CPU=avx2,avx512  what is built

TORCH ?= 2.13.0
PADDLE ?= 3.3.1
CLANG_TIDY ?= 23.1.4
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
# a checkout that was moved is installed again, which compiles nothing
STAMPS := build/stamps/$(subst /,_,$(CURDIR)/$(PY))
# a None in the wrong place fails the test by itself, and torch's signatures of variadic calls are loose
TESTS_ARE_LOOSE = --allow-untyped-defs --allow-incomplete-defs --allow-untyped-calls --allow-untyped-decorators \
  --allow-any-generics --no-strict-optional --no-strict-equality --disable-error-code=misc
CLANG_FORMAT = find csrc examples tests -name '*.h' -o -name '*.hpp' -o -name '*.cuh' -o -name '*.cc' -o -name '*.cu' \
  | xargs $(PY) -c 'import clang_format; clang_format.clang_format()'

# what is built for other targets has no sanitizers
unexport PHI_SANITIZE
SANITIZED = LD_PRELOAD="$(foreach library,libasan libubsan libstdc++,$(shell $(or $(CXX),c++) -print-file-name=$(library).so))" \
  ASAN_OPTIONS=detect_leaks=0,allocator_may_return_null=1

COMMA := ,
SANITIZERS := address,undefined

.PHONY: help build demo test lint tidy format docs bench oracle-env parity wheel wheel-check cuda-check gpu-emulated gpu-mutants sanitize compat-check clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

demo: build ## train a network with phi operators beside the same network in ATen
	$(PY) examples/train_digits.py $(if $(QUICK),--quick)

test: gpu-emulated ## build, and run all tests, those of the code for GPUs too
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

# PADDLE=2.6.2 for the one that wrote programs, which tests/legacy runs beside ours
ORACLE := build/oracle$(addprefix -,$(filter-out 3.3.1,$(PADDLE)))

oracle-env: $(ORACLE)/bin/paddle ## PaddlePaddle in an environment of its own, for the benchmark and tests/oracle

# ORACLE_PYTHON: an interpreter that PaddlePaddle has a wheel for, up to Python 3.13
$(ORACLE)/bin/paddle: | $(PY)
	$(or $(ORACLE_PYTHON),$(PY)) -m venv $(ORACLE)
	$(ORACLE)/bin/python -m pip install --quiet paddlepaddle==$(PADDLE) setuptools $(if $(filter 2.%,$(PADDLE)),'numpy<2')
	$(ORACLE)/bin/python -c "import paddle; print('PaddlePaddle', paddle.__version__)"

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
	$(PY) -m mypy $(TESTS_ARE_LOOSE) tests

tidy: $(STAMPS)/tools ## clang-tidy over csrc/, a quarter of an hour; FILES="csrc/core/*.cc" for some
	$(PY) -m pip install --quiet clang-tidy==$(CLANG_TIDY)
	$(PY) setup.py --quiet tidy --files="$(FILES)"

format: $(STAMPS)/tools ## ruff and clang-format, in place
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .
	$(CLANG_FORMAT) -i

cuda-check: $(STAMPS)/tools ## compile the device code; needs nvcc, but no GPU; QUICK=1 to PTX alone
	$(PY) setup.py --quiet cuda_check $(if $(QUICK),--quick)

gpu-emulated: build ## compile the code for GPUs with g++, to run it on an emulated GPU in the tests
	PHI_SANITIZE=$(SANITIZE) $(PY) setup.py --quiet gpu_emulated
ifdef SANITIZE
	PHI_SANITIZE=$(SANITIZE) $(SANITIZED) $(PY) -m pytest tests/emulated tests/ops/test_ops.py -m emulated -n auto $(PYTEST)
endif

sanitize: build ## random calls of libraries with sanitizers; OPS=relu,add for some operators, CALLS=1000 of each
	(export PHI_SANITIZE=$(or $(SANITIZE),$(SANITIZERS)) PHI_OPS=$(OPS) PHI_CUDA=0 PHI_CPU=default; \
	$(PY) setup.py --quiet build_ext --inplace && \
	$(SANITIZED) $(PY) -m phi_torch fuzz $(subst $(COMMA), ,$(OPS)) $(addprefix --calls=,$(CALLS))); \
	status=$$?; $(MAKE) build && exit $$status

gpu-mutants: gpu-emulated ## leave out each barrier and each bound of the code for GPUs in turn: does a test fail?
	PYTHONPATH=tests $(PY) -m emulated.mutants $(MUTANTS)

# TORCH=2.15.0 for one version; RUN=1 builds for that one, in an environment of its own, and runs all tests
compat-check: $(if $(RUN),build/compat/$(TORCH)/bin/python,$(STAMPS)/tools) ## compile against the headers of each version of torch
ifdef RUN
	PHI_CUDA=$${PHI_CUDA:-0} $(MAKE) test PYTHON=$(CURDIR)/$< TORCH=$(TORCH); status=$$?; $(MAKE) build && exit $$status
else
	$(PY) setup.py --quiet compat_check $(if $(filter file,$(origin TORCH)),,--torch=$(TORCH))
endif

build/compat/$(TORCH)/bin/python: | $(PY)
	$(PY) -m venv build/compat/$(TORCH)

# PHI_TORCH=2.12.1,2.14.1: one that runs with these versions of torch as well
wheel: $(STAMPS)/tools ## a wheel in dist/, for all CPU capabilities
	$(PY) -W ignore setup.py --quiet bdist_wheel

wheel-check: wheel ## install the wheel in a fresh environment and run an operator
	$(PY) tests/wheel_check.py dist

clean: ## remove what was built, but not .venv
	rm -rf build dist *.egg-info phi_torch/lib phi_torch/_C*.so phi_torch/_build_info.py phi_torch/_aten_table.py phi_torch/_op_table.py phi_torch/ops.py*

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
