/* SPDX-License-Identifier: MIT */
/* refused.c - see refused.h. */
#include "report/files/refused.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/units.h"
#include "report/core/base/visible.h"
#include "report/core/base/wrap.h"
#include "symbolize/plan/plans.h"
#include "symbolize/symbolize.h"

bool refused_is_code(const char *path)
{
	char start[SELFMAG];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && read(fd, start, sizeof start) == (ssize_t)sizeof start &&
		  !memcmp(start, ELFMAG, SELFMAG);
	if (fd >= 0)
		close(fd);
	return is;
}

/* `FILE: 24 of 3,615 functions are left alone`, or why all are. */
static void print_head(const struct terminal *t, const struct plan_header *h, const char *path)
{
	char count[UNITS_TEXT], all[UNITS_TEXT];
	uint32_t refused = h->functions - h->windows;
	struct str text = {0};
	visible_add(&text, path);
	if (h->module != PLAN_MODULE_NONE)
		str_add(&text, ": no function can be recorded without hooks: %s\n",
			plans_why_none(h->module));
	else
		str_add(&text, ": %s of %s %s left alone\n", units_count(count, refused),
			units_of(all, h->functions, "function"), refused == 1 ? "is" : "are");
	wrap_print(t, text.text);
	str_free(&text);
}

/* What is printed of: a plan, and names for its functions. */
struct printing {
	const struct terminal *t;
	const struct plan *plan;
	uint64_t low; /* an offset plus this is an address */
	struct symbolize_module *names;
};

static void print_function(const struct printing *p, const struct plan_code *code)
{
	struct symbolize_result found;
	const char *after = NULL;
	struct str text = {0};
	symbolize_lookup(p->names, p->low + code->start, &found);
	str_add(&text, "    %8x  ", code->start);
	visible_add(&text, found.name);
	if (found.quality == SYMBOLIZE_NONE)
		after = symbolize_after(p->names, found.start);
	if (after) {
		str_add(&text, ", after ");
		visible_add(&text, after);
	}
	str_add(&text, "\n");
	wrap_print_indented(p->t, text.text, 14);
	str_free(&text);
}

static void print_reason(const struct printing *p, unsigned reason)
{
	const struct plan *plan = p->plan;
	bool first = true;
	for (uint32_t n = 0; n < plan->header->codes; n++) {
		const struct plan_code *code = &plan->codes[n];
		if (code->class != PLAN_CLASS_FUNCTION || code->refusal != reason)
			continue;
		if (first) {
			struct str text = {0};
			str_add(&text, "  %s\n", plans_why_refused(reason));
			wrap_print_indented(p->t, text.text, 2);
			str_free(&text);
		}
		first = false;
		print_function(p, code);
	}
}

static bool is_same_file(const struct plan_header *h, const uint8_t *build_id, uint32_t bytes)
{
	return !bytes || (h->build_id_bytes == bytes && !memcmp(h->build_id, build_id, bytes));
}

bool refused_print(const struct terminal *t, const char *path, const uint8_t *build_id,
		   uint32_t bytes, struct str *err)
{
	struct plans_held held;
	const char *error = plans_get(&held, path, false, NULL);
	if (error)
		return str_fail(err, "cannot read the functions of '%s': %s", path, error);
	const struct plan_header *h = held.plan.header;
	if (!is_same_file(h, build_id, bytes)) {
		plans_free(&held);
		return str_fail(err, "'%s' is not the file that was recorded, by its build-id",
				path);
	}
	struct symbolizer *symbolizer = symbolize_new();
	struct printing p = {.t = t,
			     .plan = &held.plan,
			     .low = held.low,
			     .names = symbolize_add(symbolizer, path, h->build_id,
						    h->build_id_bytes, SYMBOLIZE_FILE)};
	print_head(t, h, path);
	for (unsigned r = PLAN_REFUSAL_NONE + 1; r < PLAN_REFUSALS; r++)
		print_reason(&p, r);
	symbolize_free(symbolizer);
	plans_free(&held);
	return true;
}
