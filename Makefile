# holdfast: two commands for a newcomer are `make prove` and `make test`.
#
#   make setup    install what is missing: Debian packages, and the pinned Z3 wheel into build/venv
#   make build    the command, at build/bin/holdfast
#   make test     all tests (LABEL=unit for those with one label)
#   make prove    every property proved, every historic fault refuted
#   make check    everything that the command can check, as one table
#   make bench    how fast exploration is, with assertions off
#   make format   clang-format, in place
#   make clean    remove everything that was built, build/venv included
#
# PRESET chooses another build: `make test PRESET=asan` (release, dev, asan, ubsan, tsan, bench).
# CMAKE_FLAGS go to the configure step: `make build CMAKE_FLAGS=-DHOLDFAST_Z3=system`.

PRESET ?= release
JOBS ?= $(shell nproc)
LABEL ?=
CMAKE_FLAGS ?=

build_dir = $(if $(filter release,$(PRESET)),build,build-$(PRESET))

.PHONY: help setup ready build test prove check bench format clean
.DEFAULT_GOAL := help

help:
	@sed -n '/^$$/q; s/^# \{0,1\}//p' Makefile

setup:
	@verify/setup/install.sh

ready:
	@verify/setup/install.sh --quick

build: ready
	@cmake --preset $(PRESET) --log-level=NOTICE $(CMAKE_FLAGS) >/dev/null
	@cmake --build --preset $(PRESET) -j $(JOBS) --target holdfast

test: build
	@cmake --build --preset $(PRESET) -j $(JOBS)
	@ctest --preset $(PRESET) -j $(JOBS) $(if $(LABEL),-L '^$(LABEL)$$')

prove: build
	@$(build_dir)/bin/holdfast prove
	@$(build_dir)/bin/holdfast refute all --scenarios $(build_dir)/scenarios

check: build
	@$(build_dir)/bin/holdfast check --traces tests/data/traces/vllm-0.33.0 --scenarios $(build_dir)/scenarios

bench: PRESET = bench
bench: build
	@build-bench/bin/holdfast explore --requests 2 --features 2 --hashes 2

format:
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs -r clang-format -i

clean:
	@rm -rf build build-dev build-asan build-ubsan build-tsan build-bench
