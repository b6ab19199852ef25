# SPDX-License-Identifier: MIT
# The page with its style and its script inside. The page allows only this script, by its hash.
PAGE := $(B)/report/html/page.html
$(PAGE): report/html/page.html report/html/page.css report/html/page.js report/html/join.sh | $(NEED_BUILD)
	@mkdir -p $(@D)
	report/html/join.sh report/html >$@

$(B)/report/html/html.o: $(PAGE)
	cd $(@D) && $(LD) -r -b binary -z noexecstack page.html -o html.o
REPORT_OBJS += $(B)/report/html/html.o
