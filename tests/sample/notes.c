/* SPDX-License-Identifier: MIT */
/*
 * notes.c - plays each row of the tables (notes.h), as a test of its name.
 *
 *   notes [WORD]    only rows whose names contain it
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sample/notes.h"

static const struct rows *const tables[] = {
    &notes_rows_samples, &notes_rows_gaps,     &notes_rows_absences,
    &notes_rows_met,     &notes_rows_rings,    &notes_rows_timer,
    &notes_rows_ends,    &notes_rows_recorded, &notes_rows_places,
};
#define TABLES (sizeof(tables) / sizeof(*tables))

static void play(void **state)
{
	const struct row *row = *state;
	const char *why;

	if (!notes_play(row, &why))
		fail_msg("%s\n  %s: %s\n  must be: %s\n  %s", row->name, row->setting, row->story,
			 row->charged, why);
}

/* Timers that a row starts must not send anything into another. */
static void block_timers(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

int main(int argc, char **argv)
{
	struct CMUnitTest *tests;
	size_t count = 0, all = 0, t, i;

	block_timers();
	for (t = 0; t < TABLES; t++)
		all += tables[t]->count;
	tests = calloc(all, sizeof(*tests));
	if (!tests)
		return 1;
	for (t = 0; t < TABLES; t++)
		for (i = 0; i < tables[t]->count; i++) {
			const struct row *row = &tables[t]->row[i];

			if (argc < 2 || strstr(row->name, argv[1]))
				tests[count++] = (struct CMUnitTest){row->name, play, NULL, NULL,
								     (void *)(uintptr_t)row};
		}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return _cmocka_run_group_tests("notes", tests, count, NULL, NULL);
}
