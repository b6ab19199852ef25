# SPDX-License-Identifier: MIT
# The page with its style and its script inside. The page allows only this script, by its hash. The parts of the script share
# one scope, and each stands behind those that it uses as it is loaded.
PAGE         := $(B)/report/html/page.html
PAGE_SCRIPTS := $(foreach part,data text counters table functions graph frames chart flame source shell details page,report/html/script/$(part).js)
$(PAGE): report/html/page.html report/html/page.css $(PAGE_SCRIPTS) report/html/join.sh report/html/build.mk | $(NEED_BUILD)
	@mkdir -p $(@D)
	report/html/join.sh $< report/html/page.css $(PAGE_SCRIPTS) >$@

$(B)/report/html/html.o: $(PAGE)
	cd $(@D) && $(LD) -r -b binary -z noexecstack page.html -o html.o
REPORT_OBJS += $(B)/report/html/html.o
