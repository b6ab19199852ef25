/* SPDX-License-Identifier: MIT */
/* plan_print.c - `plan_print FILE`: makes the plan of an ELF file, and prints for each piece of code its address, its class, and
 * the address of its owner or the reason. The last line has the share that can be displaced. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "preload/displace/plan_read.h"
#include "symbolize/plan/planner.h"

static const char *const class_words[] = {
#define PLAN_CLASS(name, word, sentence) word,
#include "preload/displace/plan.def"
};
static const char *const refusal_words[] = {
#define PLAN_REFUSAL(name, word, sentence) word,
#include "preload/displace/plan.def"
};

int main(int argc, char **argv)
{
	void *bytes;
	size_t size;
	struct plan plan;
	struct module m;
	bool absent;
	const char *error = argc == 2 ? planner_make(argv[1], &bytes, &size) : "which file?";
	if (!error && !plan_check(bytes, size, &plan))
		error = "the plan contradicts itself";
	if (error) {
		fprintf(stderr, "plan_print: %s\n", error);
		return 1;
	}
	module_open(&m, argv[1], &absent);
	for (uint32_t n = 0; n < plan.header->codes; n++) {
		const struct plan_code *c = &plan.codes[n];
		printf("%" PRIx64 " %s", m.low + c->start, class_words[c->class]);
		if (c->class == PLAN_CLASS_FUNCTION)
			printf(" %s", refusal_words[c->refusal]);
		else if (c->owner != PLAN_NOBODY)
			printf(" of %" PRIx64, m.low + plan.codes[c->owner].start);
		putchar('\n');
	}
	module_close(&m);
	free(bytes);
	return 0;
}
