/* SPDX-License-Identifier: MIT */
/* report: see the header. */
#include "vm-6502/command/report.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs zprof with these words, whose first is its path. Its exit status; 1: it could not run. */
static int run_zprof(const char *const *words)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		execv(words[0], (char *const *)words);
		fprintf(stderr, "vm-6502: cannot run '%s': %s\n", words[0], strerror(errno));
		_exit(1);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child < 0)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Records the command line without --report. */
static int record(const char *zprof, const char *profile, int argc, char **argv)
{
	const char **words = calloc(argc + 7, sizeof *words);
	static char own[PATH_MAX + 64];
	const char *const before[] = {zprof, "record", "--quiet", "--output", profile, "--", own};
	int n = sizeof before / sizeof *before, status;
	bool files = true;

	if (!words)
		return 1;
	preset_beside("vm-6502", own, sizeof own);
	memcpy(words, before, sizeof before);
	for (int i = 1; i < argc; i++) {
		files = files && strcmp(argv[i], "--") != 0;
		if (!files || strcmp(argv[i], "--report") != 0)
			words[n++] = argv[i];
	}
	status = run_zprof(words);
	free(words);
	return status;
}

/* Shows the reports: for cells, the listing with their counts; else a table and a call graph. */
static bool show(const struct options *o, const char *zprof, const char *profile)
{
	bool forth = strcmp(o->kind->name, "forth") == 0 || o->other.other;
	const char *group = o->zones != ZONES_SUBROUTINES && forth ? "forth" : "6502";
	const char *rows =
	    forth ? "%,cycles,total,nexts,calls,name,place" : "%,cycles,total,calls,name,place";
	const char *blocks =
	    forth ? "index,%,cycles,nexts,called,name,place" : "index,%,cycles,called,name,place";

	if (o->zones == ZONES_CELLS)
		return run_zprof((const char *[]){zprof, "annotate", "--no-pager", "--file",
						  o->listing, profile, NULL}) == 0;
	puts("");
	fflush(stdout);
	return run_zprof((const char *[]){zprof, "report", "--no-pager", "--group", group,
					  "--format", rows, profile, NULL}) == 0 &&
	       puts("") >= 0 && fflush(stdout) == 0 &&
	       run_zprof((const char *[]){zprof, "graph", "--no-pager", "--group", group,
					  "--format", blocks, profile, NULL}) == 0;
}

int report(const struct options *o, int argc, char **argv)
{
	const char *where = getenv("TMPDIR");
	char folder[PATH_MAX], profile[PATH_MAX + 16];
	static char zprof[PATH_MAX + 64];
	int status;

	preset_beside("zprof", zprof, sizeof zprof);
	snprintf(folder, sizeof folder, "%s/vm-6502.XXXXXX", where ? where : "/tmp");
	if (!mkdtemp(folder)) {
		fprintf(stderr, "vm-6502: cannot make '%s': %s\n", folder, strerror(errno));
		return 1;
	}
	snprintf(profile, sizeof profile, "%s/profile", folder);
	signal(SIGINT, SIG_IGN); /* the guest's */
	status = record(zprof, profile, argc, argv);
	if (access(profile, R_OK) == 0 && !show(o, zprof, profile))
		status = 1;
	unlink(profile);
	rmdir(folder);
	return status;
}
