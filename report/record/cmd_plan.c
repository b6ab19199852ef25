/* SPDX-License-Identifier: MIT */
/*
 * cmd_plan.c - `zprof plan`: makes the plans of files (preload/displace/plan.h), or gets those that
 * are kept, and prints them. Tests compare what it prints; users are shown what is refused.
 *
 *     OFFSET NAME CLASS [of OWNER | REASON] [OFFSET+BYTES of the window, and how each instruction moves]
 */
#include <stdio.h>
#include <string.h>

#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/command/command.h"
#include "report/record/any_plans.h"
#include "symbolize/plan/plans.h"
#include "symbolize/symbolize.h"

static const char *const class_words[] = {
#define PLAN_CLASS(name, word, sentence) word,
#include "preload/displace/plan.def"
};
static const char *const refusal_words[] = {
#define PLAN_REFUSAL(name, word, sentence) word,
#include "preload/displace/plan.def"
};
static const char *const kind_words[] = {
#define PLAN_KIND(name, word, ends) word,
#include "preload/displace/plan.def"
};

struct plan_options {
	bool functions, refused, anew, paths;
	const char *run;
};

/* What is printed of: a plan, and names for it. */
struct printing {
	const struct plan *plan;
	uint64_t low; /* an offset plus this is an address */
	struct symbolize_module *names;
};

/* Prints the name of a code; its offset if there is no symbol. */
static void print_name(const struct printing *p, uint32_t code)
{
	struct symbolize_result found;
	symbolize_lookup(p->names, p->low + p->plan->codes[code].start, &found);
	printf(" %s", found.name);
}

static void print_window(const struct plan *plan, const struct plan_window *w)
{
	printf(" %x+%u", w->patch, w->bytes);
	for (uint32_t k = 0; k < w->instructions; k++) {
		const struct plan_instruction *i = &plan->instructions[w->first_instruction + k];
		printf(" %s", kind_words[i->kind]);
		if (i->kind > PLAN_KIND_END && i->target)
			printf(":%x", i->target);
	}
}

static void print_code(const struct printing *p, uint32_t n)
{
	const struct plan_code *c = &p->plan->codes[n];
	printf("%x", c->start);
	print_name(p, n);
	printf(" %s", class_words[c->class]);
	if (c->class == PLAN_CLASS_FUNCTION)
		printf(" %s", refusal_words[c->refusal]);
	else if (c->owner != PLAN_NOBODY && printf(" of"))
		print_name(p, c->owner);
	if (c->window != PLAN_NOBODY)
		print_window(p->plan, &p->plan->windows[c->window]);
	putchar('\n');
}

static void print_codes(const struct plans_held *held, const char *path, bool all)
{
	const struct plan *plan = &held->plan;
	struct symbolizer *symbolizer = symbolize_new();
	struct printing p = {.plan = plan,
			     .low = held->low,
			     .names = symbolize_add(symbolizer, path, plan->header->build_id,
						    plan->header->build_id_bytes, SYMBOLIZE_FILE)};
	for (uint32_t n = 0; n < plan->header->codes; n++)
		if (all || plan->codes[n].window == PLAN_NOBODY)
			print_code(&p, n);
	symbolize_free(symbolizer);
}

static void print_summary(const struct plan *plan, const char *path)
{
	const struct plan_header *h = plan->header;
	uint32_t classes[PLAN_CLASSES] = {0}, refusals[PLAN_REFUSALS] = {0};
	if (h->module != PLAN_MODULE_NONE) {
		printf("%s: no plan: %s\n", path, plans_why_none(h->module));
		return;
	}
	for (uint32_t n = 0; n < h->codes; n++) {
		classes[plan->codes[n].class]++;
		refusals[plan->codes[n].refusal]++;
	}
	printf("%s: %u functions, %u (%.2f %%) can be displaced\n", path, h->functions, h->windows,
	       h->functions ? 100.0 * h->windows / h->functions : 0.0);
	for (unsigned r = PLAN_REFUSAL_NONE + 1; r < PLAN_REFUSALS; r++)
		if (refusals[r])
			printf("%8u %s: %s\n", refusals[r], refusal_words[r], plans_why_refused(r));
	for (unsigned k = PLAN_CLASS_FUNCTION + 1; k < PLAN_CLASSES; k++)
		if (classes[k])
			printf("%8u no functions: %s\n", classes[k], class_words[k]);
}

/* The answers to the library, about files that it has found in the program. */
static void print_paths(const struct options *o, const char *folder)
{
	struct any_plans plans;
	struct str answer = {0};
	any_plans_open(&plans, folder);
	for (size_t k = 0; k < o->path_count; k++) {
		str_clear(&answer);
		any_plans_add(&plans, o->paths[k], &answer);
		puts(answer.text);
	}
	str_free(&answer);
	any_plans_close(&plans);
}

static int run(struct options *o, struct str *err)
{
	const struct plan_options *own = o->own;
	if (!o->path_count) {
		str_add(err, "plan needs a file: a program or a library");
		return EXIT_USAGE;
	}
	if (own->paths)
		print_paths(o, own->run);
	for (size_t k = 0; k < o->path_count && !own->paths; k++) {
		struct plans_held held;
		const char *error = plans_get(&held, o->paths[k], own->anew, NULL);
		if (error) {
			str_add(err, "cannot plan '%s': %s", o->paths[k], error);
			return EXIT_FAILED;
		}
		if (held.notice)
			say("the plan of '%s' is not kept: %s", o->paths[k], held.notice);
		print_summary(&held.plan, o->paths[k]);
		if (own->functions || own->refused)
			print_codes(&held, o->paths[k], own->functions);
		plans_free(&held);
	}
	return command_end();
}

static const struct option_spec table[] = {
    {0, "functions", NULL, "What to print", OPTION_OWN_FLAG(plan_options, functions),
     "print all pieces of code, too"},
    {0, "refused", NULL, NULL, OPTION_OWN_FLAG(plan_options, refused),
     "print those that are left alone, too"},
    {0, "anew", NULL, NULL, OPTION_OWN_FLAG(plan_options, anew),
     "make the plans, even if they are kept"},
    {0, "paths", NULL, NULL, OPTION_OWN_FLAG(plan_options, paths),
     "print where the plan of each file is kept, and nothing else; '-' for a file that '--any' leaves as it "
     "is, '?' for one without a plan"},
    {0, "run", "FOLDER", NULL, OPTION_OWN_TEXT(plan_options, run),
     "with --paths: the folder of a run of 'zprof record --any': its --libs hold, and the answers are put "
     "there, too"},
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_plan = {
    .name = "plan",
    .options = table,
    .own_size = sizeof(struct plan_options),
    .run = run,
};
