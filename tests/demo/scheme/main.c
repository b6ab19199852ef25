/* SPDX-License-Identifier: MIT */
/* main.c - runs a file, and prints the steps that it counted itself. See scheme.h. */
#include "tests/demo/scheme/scheme.h"

#include "preload/zprof.h"

#include <stdio.h>
#include <string.h>

static UNSEEN void print_counts(void)
{
	const struct procedure *p;

	for (p = machine.procedures; p; p = p->next)
		if (p->steps)
			fprintf(stderr, "%s:%u %llu\n", p->name, p->line,
				(unsigned long long)p->steps);
}

struct machine machine = {.tail = ZPROF_CALL};

/* Makes the file the first procedure. */
static UNSEEN struct value *make_program(const char *file)
{
	struct value *v = make(CLOSURE);

	v->code = allocate(sizeof(*v->code));
	v->code->name = "program";
	v->code->line = 1;
	v->code->parameters = v->scope = &nil;
	machine.procedures = v->code;
	machine.running = &machine.nobody;
	v->code->body = read_program(file);
	lend(v->code);
	return v->code->body ? v : NULL;
}

int main(int argc, char **argv)
{
	struct value *program;
	/* Read after longjmp(). */
	volatile bool counts = false;
	volatile int status = 1;
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		if (!strcmp(argv[i], "--continue"))
			machine.tail = ZPROF_CONTINUE;
		else if (!strcmp(argv[i], "--counts"))
			counts = true;
		else
			break;
	}
	if (i != argc - 1) {
		fprintf(stderr, "usage: scheme [--continue] [--counts] FILE.scm\n");
		return 2;
	}
	if (setjmp(machine.failed)) {
		fflush(stdout);
	} else {
		syntax_init();
		primitives_init();
		program = make_program(argv[i]);
		if (!program)
			fail("cannot read '%s'", argv[i]);
		zprof_lent_counter("steps", &machine.steps);
		call(program, &nil);
		status = 0;
	}
	if (counts)
		print_counts();
	return status;
}
