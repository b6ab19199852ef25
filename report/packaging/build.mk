# SPDX-License-Identifier: MIT
# Installing and packaging. zprof itself makes the manual pages and completions, from the tables that --help comes from.

LIBDIR  ?= $(PREFIX)/lib
VERSION := $(shell sed -n 's/^.define ZPROF_RELEASE[[:space:]]*"\([^"]*\)".*/\1/p' preload/release.h)
DATE    := $(shell sed -n 's/^.define ZPROF_RELEASE_DATE[[:space:]]*"\([^"]*\)".*/\1/p' preload/release.h)

# One stamp file for all pages: their names are not known before zprof is built.
MANUAL := $(B)/man/.made
$(MANUAL): $(B)/zprof $(B)/vm-6502 report/packaging/help_page.sh preload/zprof.h report/packaging/header_page.sh report/packaging/build.mk
	@rm -rf $(@D) $(B)/completion && mkdir -p $(@D) $(B)/completion
	@for page in $$($(B)/zprof manual); do $(B)/zprof manual $$page >$(@D)/$$page || exit 1; done
	@for shell in bash zsh fish; do $(B)/zprof manual $$shell >$(B)/completion/$$shell || exit 1; done
	@report/packaging/header_page.sh preload/zprof.h $(VERSION) $(DATE) >$(@D)/zprof.h.3
	@$(B)/vm-6502 --help | report/packaging/help_page.sh vm-6502 'a 6502, its debugger, and a Forth' $(VERSION) $(DATE) >$(@D)/vm-6502.1
	@touch $@
ALL += $(MANUAL)

INSTALL := DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' VERSION='$(VERSION)' report/packaging/install.sh

.PHONY: install uninstall list-installed dist deb
install: $(ALL) ## install into $(DESTDIR)$(PREFIX)
	@$(INSTALL) install $(B)

uninstall: $(ALL) ## remove exactly what make install put there
	@$(INSTALL) uninstall $(B)

list-installed: $(ALL) ## name the files that make install makes
	@$(INSTALL) list $(B)

dist: ## the sources of the last commit, as build/zprof-VERSION.tar.gz
	@mkdir -p $(B)
	@report/packaging/sources.sh zprof-$(VERSION) | gzip -9n >$(B)/zprof-$(VERSION).tar.gz

deb: ## a Debian package, in build/deb (needs debhelper; DEBFULLNAME and DEBEMAIL are its maintainer)
	@VERSION=$(VERSION) DATE=$(DATE) report/packaging/deb.sh $(B)
