# zprof: an exact call-graph profiler for native code on Linux.
#
#   make demo        builds, profiles the demo program, prints its call graph
#   make test        builds and runs the tests
#   make help        lists every target
#
# Can be set: CC, CXX, OPT (-O2), SAN (address,undefined: build/san instead of build), PREFIX, DESTDIR.

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

WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings
CSTD    := -std=gnu11
SANFLAGS := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
CFLAGS  ?= -g
ALL_CFLAGS = $(CSTD) $(OPT) $(CFLAGS) $(WARN) $(SANFLAGS) -I. -MMD -MP

# What a fresh Debian or Ubuntu misses is installed by name, once, before the first compilation.
NEED_BUILD := $(B)/.packages-build
NEED_TEST  := $(B)/.packages-test

$(B)/.packages-%: tests/install.sh
	@mkdir -p $(@D)
	@tests/install.sh $*
	@touch $@

# ---------------------------------------------------------------- preload: libzprof.so
# ---------------------------------------------------------------- symbolize

# Linked into the command: $(SYMBOLIZE_LIB) with $(SYMBOLIZE_LIBS) after it.
SYMBOLIZE_OBJS := $(addprefix $(B)/symbolize/,symbolize.o image.o vdso.o elfsym.o elfplt.o dwunit.o dwfunc.o dwline.o demangle.o intern.o)
SYMBOLIZE_LIB  := $(B)/libsymbolize.a
SYMBOLIZE_LIBS := -ldw -lelf -liberty

$(B)/symbolize/%.o: symbolize/%.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c $< -o $@

$(SYMBOLIZE_LIB): $(SYMBOLIZE_OBJS)
	rm -f $@
	$(AR) rcs $@ $^

SYMBOLIZE_PRINT := $(B)/tests/symbolize_print
$(SYMBOLIZE_PRINT): tests/tools/symbolize_print.c $(SYMBOLIZE_LIB) | $(NEED_TEST)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $< -o $@ $(SYMBOLIZE_LIB) $(SYMBOLIZE_LIBS)

# ---------------------------------------------------------------- report: zprof
# ---------------------------------------------------------------- vm-6502
# ---------------------------------------------------------------- tests

DEMO := $(B)/demo/sim

$(DEMO): tests/demo/sim.c | $(NEED_BUILD)
	@mkdir -p $(@D)
	$(CC) -O2 -g -finstrument-functions $< -o $@ -lm

.PHONY: demo demo-gprof
demo: $(NEED_BUILD) $(B)/libzprof.so $(B)/zprof $(DEMO) ## profile the demo program and print its call graph
	@rm -f $(B)/demo/zprof.out*
	@ZPROF_OPTIONS=output=$(CURDIR)/$(B)/demo/zprof.out LD_PRELOAD=$(CURDIR)/$(B)/libzprof.so $(DEMO)
	@$(B)/zprof graph --min 1 $(B)/demo/zprof.out

demo-gprof: $(NEED_BUILD) ## the same program under gprof: what it says of the function that two share
	@CC="$(CC)" tests/demo/gprof.sh $(B)

# ---------------------------------------------------------------- everyday targets

.PHONY: all test clean help

all: $(ALL) ## build everything (build/libzprof.so, build/zprof, build/vm-6502)

test: $(NEED_TEST) $(ALL) $(TEST_DEPS) ## build and pass the tests (installs what they need)
	@tests/run $(B)

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-zA-Z0-9_-]*\):.*## \(.*\)/  \1|\2/p' Makefile | column -t -s'|'

-include $(shell find $(B) -name '*.d' 2>/dev/null)
