# Everything a person runs here. Each target installs what it needs (as root on Debian 12) or says in one line what is missing.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
FILES ?=
DRIVERS ?=
STEPS ?=
SECONDS ?= 60
PYTHON := target/venv/bin/python

.PHONY: help test check cases bench fuzz gen header install demo

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## a C++ server and a Python client hold a real conversation over HTTP
	@scripts/demo.sh

test: ## everything there is (STEPS="a b": only these of scripts/steps)
	@scripts/test.sh full $(STEPS)

check: ## the fast tier, under 5 minutes
	@scripts/test.sh fast $(STEPS)

cases: ## case files through every driver: FILES="a.json b.json" DRIVERS=rust,python
	@scripts/setup/rust.sh && scripts/setup/python.sh
	@$(PYTHON) tests/cases/run.py --drivers "$(DRIVERS)" $(FILES)

bench: ## benchmarks (figures in benches/README.md)
	@scripts/setup/rust.sh
	cargo bench

fuzz: ## each fuzz target for SECONDS=60
	@scripts/fuzz.sh $(SECONDS)

gen header: ## writes the generated files that are checked in (header, error codes …)
	@scripts/setup/rust.sh
	MRTR_WRITE_GENERATED=1 cargo build --lib

install: ## header, libraries, pkg-config and CMake files into PREFIX=/usr/local (DESTDIR is honoured)
	@scripts/setup/rust.sh
	@scripts/install.sh "$(PREFIX)" "$(DESTDIR)"
