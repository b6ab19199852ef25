# SPDX-License-Identifier: MIT
# zprof: an exact call-graph profiler for native code on Linux.
#
#   make demo        builds, profiles the demo program, prints its call graph
#   make test        builds and runs the tests
#   make help        lists every target
#
# Can be set: CC, CXX, OPT (-O2), WERROR (-Werror), SAN (address,undefined: build/san instead of build), PREFIX, LIBDIR, DESTDIR.

.SUFFIXES:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all

CC      ?= gcc
CXX     ?= g++
ifeq ($(origin CC),default)
CC      := gcc
endif
ifeq ($(origin CXX),default)
CXX     := g++
endif
OPT     ?= -O2
SAN     ?=
PREFIX  ?= /usr/local
DESTDIR ?=
B       := build$(if $(SAN),/san)

WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings $(WERROR)
CSTD    := -std=gnu11
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
CFLAGS  ?= -g
ALL_CFLAGS = $(CSTD) $(OPT) $(CFLAGS) $(WARN) $(SANFLAGS) -I. -MMD -MP

# Files named NAME_PROCESSOR.c are compiled for that processor alone.
PROCESSOR        := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
OTHER_PROCESSORS := $(filter-out $(PROCESSOR),x86_64 aarch64)

# For arguments of $(call ...).
comma := ,

# Packages that this machine lacks: `make` names them; `make demo`, `make test` and others install them, once.
NEED_BUILD := $(B)/.packages-build
NEED_TEST  := $(B)/.packages-test
ONLY_NAME  := $(if $(filter-out all install uninstall list-installed dist deb clean,$(MAKECMDGOALS)),,--only-name)

$(B)/.packages-%: tests/install.sh
	@mkdir -p $(@D)
	@tests/install.sh $(ONLY_NAME) $*
	@touch $@

# Each part of the tree says what it builds: libraries and commands into ALL, what the tests need into TEST_DEPS.
include preload/build.mk symbolize/build.mk report/build.mk vm-6502/build.mk report/packaging/build.mk tests/build.mk tests/bench/build.mk

.PHONY: all test quick test-deps clean help format check-format analyze coverage

all: $(ALL) ## build everything (build/libzprof.so, build/zprof, build/vm-6502)

test-deps: $(NEED_TEST) $(ALL) $(TEST_DEPS) ## build all that tests/run needs

test: test-deps ## build and pass the tests (installs what they need)
	@tests/run $(B)

QUICK_TABLE = $(B)/tests/table-quick
quick: test-deps ## before each commit: unit tests, goldens, a program for each front end (under a minute)
	@awk 'NR == FNR { if ($$1 !~ /^#/) quick[$$1]; next } $$1 in quick' tests/quick tests/table >$(QUICK_TABLE)
	@TEST_TABLE=$(QUICK_TABLE) tests/run $(B)

C_FILES = $(shell git ls-files '*.c' '*.h' '*.cc')

format: ## format the C code (clang-format; it leaves comments alone)
	@clang-format -i $(C_FILES)

check-format: ## name the lines that make format would change
	@clang-format --dry-run -Werror $(C_FILES)

ANALYZED = $(patsubst %.c,$(B)/analyzed/%.o,$(shell git ls-files 'report/*.c' 'symbolize/*.c'))
$(B)/analyzed/%.o: %.c | $(B)/report/export/pprof.pb-c.c
	@mkdir -p $(@D)
	@$(CC) $(CSTD) -O1 $(WARN) -Werror -fanalyzer -I. -I$(B)/report/export -MMD -MP -c $< -o $@

analyze: $(ANALYZED) ## look for faults in report/ and symbolize/ by gcc's -fanalyzer

compile_commands.json: ## for clangd and clang-tidy
	@$(MAKE) -nB --no-print-directory all | tests/tools/compile_commands.sh >$@

coverage: ## which lines of report/ and symbolize/ the tests reach
	@$(MAKE) -s --no-print-directory B=build/coverage SANFLAGS=--coverage test-report
	@tests/tools/coverage.sh build/coverage

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-zA-Z0-9_.-]*\):.*## \(.*\)/  \1|\2/p' $(filter-out %.d,$(MAKEFILE_LIST)) | column -t -s'|'

# Without the .d files of other programs' sources, of the systems for test-packaging and of the copies for test-mutants.
-include $(shell find $(B) \( -path $(B)/real -o -path $(B)/bench/source -o -path $(B)/mutants -o -path $(B)/packaging -o -path $(B)/deb \) -prune -o -name '*.d' -type f -print 2>/dev/null)
