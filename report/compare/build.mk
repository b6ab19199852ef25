# SPDX-License-Identifier: MIT
# The page of a comparison: its own data, table and flames, and around them what it shares with the page of `zprof html`, as there.
DIFF_PAGE    := $(B)/report/compare/diff.html
DIFF_STYLES  := report/html/page.css report/compare/page/diff.css
DIFF_SCRIPTS := report/compare/page/data.js $(foreach part,text table chart shell,report/html/script/$(part).js) \
                $(foreach part,functions flame page,report/compare/page/$(part).js)
$(DIFF_PAGE): report/compare/page/diff.html $(DIFF_STYLES) $(DIFF_SCRIPTS) report/html/join.sh report/compare/build.mk | $(NEED_BUILD)
	@mkdir -p $(@D)
	report/html/join.sh $< "$(DIFF_STYLES)" $(DIFF_SCRIPTS) >$@

$(B)/report/compare/diff_html.o: $(DIFF_PAGE)
	cd $(@D) && $(LD) -r -b binary -z noexecstack diff.html -o diff_html.o
REPORT_OBJS += $(B)/report/compare/diff_html.o
