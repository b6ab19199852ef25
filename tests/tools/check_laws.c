/* SPDX-License-Identifier: MIT */
/*
 * check_laws.c - asserts what must hold between the numbers of any profile, as integers, to the
 * tick.
 *
 *   zprof graph --json PROFILE | check_laws [--repairs] [--fake]
 *
 * In a call graph, for every function: over its callers, parent_self, parent_total and calls sum to
 * its own self, total and calls; over its callees, child_total sums to total - self. Self over all
 * functions sums to the ticks of the threads, less what they spent in no function. Nothing is
 * negative, and no self exceeds its total. An arc from a function to itself carries calls and no
 * ticks. Prints each breach and exits 1; exits 2 on what it cannot read.
 */
#define _GNU_SOURCE
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sums {
	const char *name;
	long long calls, self, total;
	long long parent_calls, parent_self, parent_total, child_total, calls_made;
};

static struct sums *functions; /* by id; name NULL: no such function */
static size_t functions_used;
static int breaches;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "check_laws: %s\n", what);
	exit(2);
}

static long long integer(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);
	if (!json_is_integer(value)) {
		fprintf(stderr, "check_laws: '%s' is not an integer\n", key);
		exit(2);
	}
	return json_integer_value(value);
}

static void same(const char *name, const char *what, long long sum, long long own)
{
	if (sum == own)
		return;
	printf("%s: %s: the sum is %lld, its own is %lld\n", name, what, sum, own);
	breaches++;
}

static void at_most(const char *name, const char *what, long long less, long long more)
{
	if (less <= more)
		return;
	printf("%s: %s: %lld is above %lld\n", name, what, less, more);
	breaches++;
}

static struct sums *function_of(json_t *id)
{
	size_t i = (size_t)json_integer_value(id);
	if (!json_is_integer(id) || i >= functions_used || !functions[i].name)
		die("an arc to a missing function");
	return &functions[i];
}

static void read_functions(json_t *array)
{
	size_t i;
	json_t *f;
	json_array_foreach(array, i, f)
	{
		size_t id = (size_t)integer(f, "id");
		if (id >= functions_used) {
			functions = realloc(functions, (id + 1) * sizeof *functions);
			memset(functions + functions_used, 0,
			       (id + 1 - functions_used) * sizeof *functions);
			functions_used = id + 1;
		}
		if (functions[id].name)
			die("two functions with one id");
		functions[id].name = json_string_value(json_object_get(f, "name"));
		functions[id].calls = integer(f, "calls");
		functions[id].self = integer(f, "self_ticks");
		functions[id].total = integer(f, "total_ticks");
	}
}

static void read_arc(json_t *arc)
{
	json_t *caller = json_object_get(arc, "caller");
	struct sums *callee = function_of(json_object_get(arc, "callee"));
	long long parent_self = integer(arc, "parent_self_ticks");
	long long parent_total = integer(arc, "parent_total_ticks");
	long long child_self = integer(arc, "child_self_ticks");
	long long child_total = integer(arc, "child_total_ticks");
	at_most(callee->name, "parent self within total", parent_self, parent_total);
	at_most(callee->name, "child self within total", child_self, child_total);
	at_most(callee->name, "not negative", 0, parent_self);
	at_most(callee->name, "not negative", 0, child_self);
	callee->parent_calls += integer(arc, "calls");
	callee->parent_self += parent_self;
	callee->parent_total += parent_total;
	if (json_is_null(caller))
		return;
	struct sums *above = function_of(caller);
	above->child_total += child_total;
	above->calls_made += integer(arc, "calls");
	if (above == callee) {
		same(callee->name, "ticks on its arc to itself", parent_total, 0);
		same(callee->name, "ticks on its arc to itself", child_total, 0);
	}
}

static void check_functions(bool fake)
{
	for (size_t i = 0; i < functions_used; i++) {
		const struct sums *f = &functions[i];
		if (!f->name)
			continue;
		same(f->name, "calls over its callers", f->parent_calls, f->calls);
		same(f->name, "self over its callers", f->parent_self, f->self);
		same(f->name, "total over its callers", f->parent_total, f->total);
		same(f->name, "total over its callees", f->child_total, f->total - f->self);
		at_most(f->name, "self within total", f->self, f->total);
		at_most(f->name, "not negative", 0, f->self);
		if (fake)
			same(f->name, "a tick for each call and return", f->calls + f->calls_made,
			     f->self);
	}
}

/* A thread's ticks are those of its functions; what it spent outside every function is given
 * apart. */
static void check_threads(json_t *threads)
{
	long long ticks = 0, self = 0;
	size_t i;
	json_t *t;
	json_array_foreach(threads, i, t)
	{
		ticks += integer(t, "ticks");
		self += integer(t, "outside_ticks");
	}
	for (i = 0; i < functions_used; i++)
		self += functions[i].name ? functions[i].self : 0;
	same("threads", "self of all functions, and outside of them", self, ticks);
}

/* Kinds are LOSS_..., REPAIR_..., in any case and with any prefix; a repair is not a loss, but a
 * program without jumps needs none. What check= has compared is none, unless it disagreed. */
static void check_losses(json_t *losses, bool repairs_allowed)
{
	const char *kind;
	json_t *count;
	json_object_foreach(losses, kind, count)
	{
		if (json_integer_value(count) == 0 || strcmp(kind, "checked") == 0 ||
		    (repairs_allowed && strcasestr(kind, "repair")))
			continue;
		printf("%s: %lld\n", kind, json_integer_value(count));
		breaches++;
	}
}

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *root = json_loadf(stdin, 0, &error), *arcs, *arc;
	bool repairs_allowed = false, fake = false;
	size_t i;
	for (int a = 1; a < argc; a++) {
		repairs_allowed |= strcmp(argv[a], "--repairs") == 0;
		fake |= strcmp(argv[a], "--fake") == 0;
	}
	if (!root)
		die(error.text);
	arcs = json_object_get(root, "arcs");
	if (!json_is_array(json_object_get(root, "functions")) || !json_is_array(arcs) ||
	    !json_is_array(json_object_get(root, "threads")))
		die("no functions, arcs and threads in the profile");
	read_functions(json_object_get(root, "functions"));
	json_array_foreach(arcs, i, arc) read_arc(arc);
	check_functions(fake);
	check_threads(json_object_get(root, "threads"));
	check_losses(json_object_get(root, "losses"), repairs_allowed);
	return breaches ? 1 : 0;
}
