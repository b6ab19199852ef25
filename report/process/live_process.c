/* SPDX-License-Identifier: MIT */
/* live_process.c - see live_process.h. */
#define _GNU_SOURCE
#include "report/process/live_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/record/record_run.h"
#include "report/record/record_why.h"
#include "report/process/processes.h"
#include "report/core/disk/find_files.h"

static bool take_name(struct live_process *p, const char *name, struct str *err)
{
	struct processes all;
	processes_find(&all, name);
	p->name = name;
	p->candidates = all.count;
	if (all.count == 1)
		p->path = memory_text(all.list[0].path, strlen(all.list[0].path));
	processes_free(&all);
	if (p->candidates)
		return true;
	if (name)
		return str_fail(
		    err,
		    "'%s' is not a file, and no process of that name is being recorded; "
		    "'zprof top' lists those that are",
		    name);
	return str_fail(err, "no process is being recorded; 'zprof record PROGRAM' records one, "
			     "'zprof top -- PROGRAM' shows it meanwhile");
}

bool live_process_find(struct live_process *p, const char *word, struct str *err)
{
	*p = (struct live_process){0};
	if (word && *word && word[strspn(word, "0123456789")] == 0) {
		p->path = processes_profile((pid_t)strtol(word, NULL, 10), err);
		p->candidates = 1;
		return p->path;
	}
	if (word && !access(word, F_OK)) {
		p->path = memory_text(word, strlen(word));
		p->candidates = 1;
		return true;
	}
	return take_name(p, word, err);
}

bool live_process_one(struct live_process *p, const char *word, struct str *err)
{
	struct processes all;
	if (!live_process_find(p, word, err))
		return false;
	if (p->path)
		return true;
	str_fail(err, "%zu processes are being recorded; name one by its number:", p->candidates);
	processes_find(&all, p->name);
	for (size_t i = 0; i < all.count; i++)
		str_add(err, "%s %d (%s)", i ? "," : "", (int)all.list[i].pid, all.list[i].name);
	processes_free(&all);
	return false;
}

void live_process_free(struct live_process *p)
{
	free(p->path);
	*p = (struct live_process){0};
}

/* ---- a program of its own */

static void run(const struct live_program *g, const char *library, const uint8_t run_id[16],
		int failed)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	record_set_environment(library, "output=zprof.out.%p", run_id);
	dup2(nothing, STDIN_FILENO);
	dup2(g->output, STDOUT_FILENO);
	dup2(g->output, STDERR_FILENO);
	setpgid(0, 0);
	execvp(g->argv[0], g->argv);
	int why = errno;
	if (write(failed, &why, sizeof why) < 0)
		_exit(RECORD_FAILED);
	_exit(RECORD_NOT_FOUND);
}

/*
 * The profile of the first process of the run that has one. A running process is found by its
 * mapped profile. Once all have ended, the profile is searched for among the files of this folder.
 */
static char *find_profile(const uint8_t run_id[16], bool ended)
{
	struct find_files files = {0};
	struct processes all;
	char *path = NULL;
	processes_find(&all, NULL);
	for (size_t i = all.count; i-- > 0 && !path;)
		if (!memcmp(all.list[i].run_id, run_id, sizeof all.list[i].run_id))
			path = memory_text(all.list[i].path, strlen(all.list[i].path));
	processes_free(&all);
	if (!path && ended)
		find_files_of_run(&files, ".", "zprof.out", run_id);
	if (files.count)
		path = memory_text(files.paths[0], strlen(files.paths[0]));
	find_files_free(&files);
	return path;
}

static bool has_ended(const struct live_program *g)
{
	siginfo_t info = {0};
	return waitid(P_PID, (id_t)g->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

static bool wait_for_profile(const struct live_program *g, const uint8_t run_id[16], char **profile,
			     struct str *err)
{
	struct timespec pause = {0, 20000000};
	for (;;) {
		bool ended = has_ended(g);
		*profile = find_profile(run_id, ended);
		if (*profile)
			return true;
		if (ended)
			return str_fail(err,
					"'%s' ended, and entered no function with hooks; 'zprof "
					"record' says why nothing is recorded",
					g->argv[0]);
		nanosleep(&pause, NULL);
	}
}

bool live_program_start(struct live_program *g, char **argv, char **profile, struct str *err)
{
	int ends[2], why;
	uint8_t run_id[16];
	struct str library = {0};
	*g = (struct live_program){.argv = argv, .output = -1};
	*profile = NULL;
	if (!record_find_library(&library, err) || !record_make_run_id(run_id, err))
		return false;
	g->output = memfd_create("output", MFD_CLOEXEC);
	if (g->output < 0 || pipe2(ends, O_CLOEXEC))
		return str_fail(err, "cannot keep the program's output: %s", strerror(errno));
	g->pid = fork();
	if (g->pid < 0)
		return str_fail(err, "cannot start a process: %s", strerror(errno));
	if (!g->pid)
		run(g, library.text, run_id, ends[1]);
	close(ends[1]);
	bool failed = read(ends[0], &why, sizeof why) == sizeof why;
	close(ends[0]);
	str_free(&library);
	if (failed) {
		record_why(argv[0], why, err);
		return false;
	}
	return wait_for_profile(g, run_id, profile, err);
}

void live_program_end(struct live_program *g)
{
	char block[1 << 16];
	ssize_t n;
	if (g->pid > 0 && !has_ended(g)) {
		say("'%s' (%d) is ended", g->argv[0], (int)g->pid);
		kill(-g->pid, SIGTERM);
		kill(-g->pid, SIGCONT);
	}
	if (g->pid > 0)
		while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	if (g->output < 0)
		return;
	lseek(g->output, 0, SEEK_SET);
	while ((n = read(g->output, block, sizeof block)) > 0)
		if (write(STDOUT_FILENO, block, (size_t)n) < 0)
			break;
	close(g->output);
}
