/* SPDX-License-Identifier: MIT */
/*
 * finish.c - the end of a program by exit(): the profile is marked finished, and report= prints the
 * call graph.
 *
 * The process that the user started prints the call graph at its end, once per run, for all
 * processes of the run so far. Its forked children, and programs that it started, print nothing. If
 * the process has become another program by exec, the new program prints the call graph, because an
 * exec is no end.
 *
 * Destructors that run after this library's are still recorded: the file stays mapped, and only has
 * the mark.
 */
#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/timebase.h"
#include "preload/profile/zones.h"
#include "preload/code/module.h"
#include "preload/code/spawn.h"
#include "preload/track/charge.h"
#include "preload/threads/succession.h"
#include "preload/hooks/calibrate.h"
#include "preload/start/displacing.h"

#include <fcntl.h>

static void report(struct process *p)
{
	const char *argv[SPAWN_ARGUMENTS];
	bool on_stderr = text_same(p->options->report, "1");
	long out = 2;
	int n = 0;

	argv[n++] = "graph";
	argv[n++] = "--color=never";
	if (p->options->groups) {
		argv[n++] = "--groups";
		argv[n++] = p->options->groups;
	}
	if (p->options->metric) {
		argv[n++] = "--metric";
		argv[n++] = p->options->metric;
	}
	argv[n++] = "--run";
	argv[n++] = p->file->path;
	argv[n] = NULL;
	if (!on_stderr)
		out = sys4(SYS_openat, AT_FDCWD, p->options->report,
			   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (SYS_FAILED(out)) {
		text_complain("cannot create", p->options->report, (int)-out,
			      "the profile itself is complete");
		return;
	}
	if (!spawn_zprof(p, argv, -1, (int)out))
		text_complain("cannot print the report: no command zprof beside libzprof.so, or it "
			      "failed; see",
			      p->file->path, 0, NULL);
	if (!on_stderr)
		sys1(SYS_close, out);
}

static __attribute__((destructor)) void finish(void)
{
	struct process *p = process_now;

	if (!p || !*p->here)
		return;
	module_discover_all(p);
	zones_close(p);
	charge_look_now();
	if (!sys_forbidden) {
		displacing_finish(p);
		succession_close(p);
	}
	process_calibrate_again(p);
	timebase_refresh(p);
	__atomic_fetch_or(&p->header->flags, ZPROF_FINISHED, __ATOMIC_RELAXED);
	if (p->options->report && p->first && !sys_forbidden)
		report(p);
}
