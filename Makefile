# holdfast: two commands for a newcomer are `make prove` and `make test`.
#
#   make setup    install what is missing: Debian packages, and the pinned Z3 wheel into build/venv
#   make build    the command, at build/bin/holdfast
#   make test     format, tidy and all tests; then the unit and trace tests with sanitizers
#                 (LABEL=unit for those with one label)
#   make prove    every property proved, every historic fault refuted
#   make check    everything that the command can check, as one table
#   make nightly  what is too long for every landing: all presets, seeds, bounded model checking, an
#                 hour of hunting, diff, fuzzers; the table is build/nightly/result.md
#                 (STAGES="seeds hunt" HUNT_SECONDS=60 for less; tests/nightly.py tells the rest)
#   make bench    how fast exploration is, with assertions off; and the library's scheduler and gather
#                 plan (TRACES="A.txt B.txt": its cache too, on calls recorded from vLLM's manager;
#                 VLLM=DIR TESTBED=DIR, what vllm-testbed has set up, and itself: vLLM beside it)
#   make format   clang-format, in place
#   make clean    remove everything that was built, build/venv included
#
# PRESET chooses another build: `make test PRESET=tsan` (release, dev, asan, tsan, bench).
# CMAKE_FLAGS go to the configure step: `make build CMAKE_FLAGS=-DHOLDFAST_Z3=system`.

PRESET ?= release
JOBS ?= $(shell nproc)
LABEL ?=
TRACES ?=
VLLM ?=
TESTBED ?=
CMAKE_FLAGS ?=

build_dir = $(if $(filter release,$(PRESET)),build,build-$(PRESET))

.PHONY: help setup ready configure build test tests sanitized prove check nightly bench format clean
.DEFAULT_GOAL := help

help:
	@sed -n '/^$$/q; s/^# \{0,1\}//p' Makefile

setup:
	@verify/setup/install.sh

ready:
	@verify/setup/install.sh --quick

configure: ready
	@cmake --preset $(PRESET) --log-level=NOTICE $(CMAKE_FLAGS) >/dev/null

build: configure
	@cmake --build --preset $(PRESET) -j $(JOBS) --target holdfast

# One preset or one label is all that was asked for; else the sanitizers follow, and both counts.
ifeq ($(origin PRESET)$(LABEL),file)
test: tests
	@$(MAKE) --no-print-directory sanitized
	@grep -h 'tests passed' build/tests.log | sed 's/^/make test: release: /'
	@grep -h 'tests passed' build-asan/tests.log | sed 's/^/make test: asan and ubsan: /'
else
test: tests
endif

tests: configure
	@cmake --build --preset $(PRESET) -j $(JOBS) --target $(if $(LABEL),$(LABEL)_tests,all)
	@ctest --preset $(PRESET) -j $(JOBS) --output-log $(CURDIR)/$(build_dir)/tests.log $(if $(LABEL),-L '^$(LABEL)$$')

# Minutes there, each; `make nightly` runs them with sanitizers too.
slow_with_sanitizers = ^book_test|Counts\.(StandardSizes|WholeItems|TwoRequests)$$|Hunt\.(IsTheSameForASeed|TellsCausesOfARelease|FindsNothingInHoldfast)$$|IsFoundByItsOwnPropertyAndReplays/(retract_keeps_entry|stale_notice|waiting_keeps_references)$$

sanitized: PRESET = asan
sanitized: configure
	@cmake --build --preset asan -j $(JOBS) --target sanitized_tests
	@ctest --preset asan -j $(JOBS) --output-log $(CURDIR)/build-asan/tests.log -L '^(unit|trace)$$' \
	  -E '^(tidy|lint)|$(slow_with_sanitizers)'

prove: build
	@$(build_dir)/bin/holdfast prove
	@$(build_dir)/bin/holdfast refute all --scenarios $(build_dir)/scenarios

check: build
	@$(build_dir)/bin/holdfast check --traces tests/data/traces/vllm-0.33.0 --scenarios $(build_dir)/scenarios

nightly: ready
	@python3 tests/nightly.py $(STAGES)

bench: PRESET = bench
bench: build
	@cmake --build --preset bench -j $(JOBS) --target holdfast_memory_bench holdfast_scheduler_bench holdfast_gather_plan_bench holdfast_encoder_cache_bench
	@build-bench/bin/holdfast explore --requests 2 --features 2 --hashes 2
	@build-bench/bin/holdfast_memory_bench
	@build-bench/bin/holdfast_scheduler_bench
	@build-bench/bin/holdfast_gather_plan_bench
	@$(if $(TRACES),build-bench/bin/holdfast_encoder_cache_bench $(TRACES),echo 'make bench: TRACES="..." names calls of the manager to replay')
	@$(if $(VLLM),. $(VLLM)/env.sh && "$$PY" impl/bench/beside_vllm.py --benches build-bench/bin \
	  $(if $(TESTBED),--scheduler $(TESTBED)/bench_scheduler.py) $(TRACES),echo 'make bench: VLLM=DIR TESTBED=DIR runs vLLM beside it')

format:
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs -r build/venv/bin/clang-format -i

clean:
	@rm -rf build build-dev build-asan build-tsan build-fuzz build-bench
