/* SPDX-License-Identifier: MIT */
/* record_sampled.c - `zprof record --sampled`: runs a program that has no hooks, or watches one that
 * runs, and takes samples of it from outside (outside.h). */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/record/after_run.h"
#include "report/record/record_flags.h"
#include "report/record/record_run.h"
#include "report/record/record_why.h"
#include "report/second_run/outside.h"

/* STACK_BYTES: of each sample; the kernel allows nearly 64 KiB in a record. */
enum { SAMPLES_A_SECOND = 1000, STACK_BYTES = 32768, WAIT_MS = 50 };

extern const struct after_run sampled_after_run;

struct sampled {
	uint64_t period_ns;
	bool quiet;
	pid_t pid; /* that runs already; 0: a program is run */
	int end;   /* a descriptor that can be read once PID has ended; -1: there is none */
};

static volatile sig_atomic_t stopped; /* the user has ended the recording of a running process */

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* Options of the library that mean something without it. Each is `KEY=`. */
static bool is_understood(const char *item)
{
	static const char *const keys[] = {"output=", "sample=", "groups=", "metric="};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (!strncmp(item, keys[i], strlen(keys[i])))
			return true;
	return false;
}

static bool check(const struct after_run *self, const struct record_flags *flags, struct str *err)
{
	(void)self;
	if (flags->after.count > 1)
		return str_fail(err, "--sampled does not go with --any, --native, --verify or "
				     "--push: it loads nothing into the program and makes one run");
	for (const char *at = str_text(&flags->options); *at;) {
		if (!is_understood(at))
			return str_fail(err,
					"--%.*s does not go with --sampled, which counts no calls",
					(int)strcspn(at, "="), at);
		while (*at && *at != ',')
			at += at[0] == '\\' && at[1] ? 2 : 1;
		at += *at == ',';
	}
	return true;
}

static uint64_t period_of(const struct record_flags *flags)
{
	const char *at = strstr(str_text(&flags->options), "sample=");
	unsigned long long rate = at ? strtoull(at + strlen("sample="), NULL, 10) : 0;

	/* no multiple of a round number, so that samples keep no step with the program */
	return 1000000000 / (rate ? rate : SAMPLES_A_SECOND) + 3;
}

static void *begin(const struct after_run *self, const struct record_flags *flags, struct str *err)
{
	struct sampled *s = memory_zeroed(1, sizeof *s);

	(void)self, (void)err;
	s->period_ns = period_of(flags);
	s->quiet = flags->quiet;
	s->pid = flags->pid;
	return s;
}

/* Each thread takes a descriptor for each processor. */
static void raise_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Gives false, with a message that names the process. */
static bool fail_to_attach(pid_t pid, struct str *err)
{
	int error = errno;

	if (error == ESRCH)
		return str_fail(err, "there is no process %d", (int)pid);
	struct str why = {0};
	rings_why(pid, error, &why);
	str_fail(err, "cannot sample process %d: %s", (int)pid, str_text(&why));
	str_free(&why);
	return false;
}

/* Samples the threads that process PID has. Those that they start later are sampled, too. So the
 * list is read again until it has nothing new. */
static bool add_threads(const struct sampled *s, struct rings **rings, bool *kernel,
			struct str *err)
{
	char path[64];
	pid_t *known = NULL;
	size_t count = 0, room = 0, before = 1;
	bool ok = true;

	snprintf(path, sizeof path, "/proc/%d/task", (int)s->pid);
	while (ok && before != count) {
		DIR *folder = opendir(path);
		before = count;
		for (struct dirent *e; ok && folder && (e = readdir(folder));) {
			pid_t tid = (pid_t)atoi(e->d_name);
			size_t i = 0;
			while (i < count && known[i] != tid)
				i++;
			if (!tid || i < count)
				continue;
			*memory_next(known, count, room) = tid;
			/* a thread that has ended meanwhile is no failure */
			ok = rings_add(rings, tid, false, s->period_ns, STACK_BYTES, kernel, err) ||
			     (errno == ESRCH && tid != s->pid);
		}
		int error = errno;
		if (folder)
			closedir(folder);
		errno = error;
	}
	free(known);
	if (!count)
		errno = ESRCH;
	return (ok && *rings) || fail_to_attach(s->pid, err);
}

/* Whether the child has ended; it stays a zombie. */
static bool child_ended(pid_t pid)
{
	siginfo_t info = {.si_pid = 0};

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | WNOHANG) && info.si_pid;
}

/* A process of which only the zombie is left has ended, too. */
static bool has_ended(const struct sampled *s, pid_t pid)
{
	struct pollfd end = {.fd = s->end, .events = POLLIN};

	if (!s->pid)
		return child_ended(pid);
	return stopped || (s->end >= 0 ? poll(&end, 1, 0) > 0 : kill(pid, 0) && errno == ESRCH);
}

static void watch(const struct sampled *s, pid_t pid, struct rings *rings, struct outside *o)
{
	bool ended;

	do {
		rings_wait(rings, WAIT_MS);
		ended = has_ended(s, pid);
		rings_drain_ordered(rings, ended, outside_take, o);
	} while (!ended);
}

/* Writes what was recorded, and says how many samples there are. */
static bool finish(struct sampled *s, struct outside *o, const uint8_t run_id[16],
		   const char *output, struct str *err)
{
	char text[UNITS_TEXT];
	uint64_t samples, cut;

	if (!outside_write(o, output ? output : "zprof.out.%p", run_id, &samples, &cut, err))
		return false;
	if (!s->quiet && !samples)
		say("no sample was taken: the program used less processor time than there is from "
		    "one sample to the next");
	else if (!s->quiet)
		say("%s from outside; no call is counted. " RECORD_HOOKS_ADD,
		    units_of(text, samples, "sample"));
	return true;
}

static int watch_running(struct sampled *s, const uint8_t run_id[16], const char *output,
			 struct str *err)
{
	struct sigaction act = {.sa_handler = stop};
	struct rings *rings = NULL;
	struct outside o;
	bool ok;

	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGHUP, &act, NULL);
	s->end = (int)syscall(SYS_pidfd_open, s->pid, 0);
	outside_init(&o, s->pid, true, s->period_ns);
	ok = add_threads(s, &rings, &o.sees_kernel, err);
	if (ok) {
		if (!s->quiet)
			say("sampling process %d until it ends, or until Ctrl-C", (int)s->pid);
		watch(s, s->pid, rings, &o);
		ok = finish(s, &o, run_id, output, err);
	}
	if (s->end >= 0)
		close(s->end);
	if (rings)
		rings_close(rings);
	outside_free(&o);
	return ok ? 0 : RECORD_FAILED;
}

/* In the child: waits until it is sampled, then becomes the program. */
static void become(char **argv, int gate, int why, const sigset_t *mask)
{
	char byte;
	int error;

	if (read(gate, &byte, 1) != 1)
		_exit(RECORD_FAILED);
	record_restore_signals();
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	error = errno;
	if (write(why, &error, sizeof error) < 0)
		_exit(RECORD_FAILED);
	_exit(error == ENOENT ? RECORD_NOT_FOUND : RECORD_CANNOT_RUN);
}

static int reap(pid_t pid)
{
	int status = 0;

	record_hand_on_to(0);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return RECORD_FAILED;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_program(struct sampled *s, char **argv, const uint8_t run_id[16], const char *output,
		       struct str *err)
{
	int gate[2], why[2], error = 0, status;
	struct rings *rings = NULL;
	struct outside o;
	sigset_t all, old;

	if (pipe2(gate, O_CLOEXEC) || pipe2(why, O_CLOEXEC)) {
		str_fail(err, "cannot make a pipe: %s", strerror(errno));
		return RECORD_FAILED;
	}
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	record_change_signals();
	pid_t child = fork();
	if (!child) {
		close(gate[1]);
		become(argv, gate[0], why[1], &old);
	}
	close(why[1]);
	close(gate[0]);
	if (child < 0) {
		str_fail(err, "cannot start a process: %s", strerror(errno));
		return RECORD_FAILED;
	}
	record_hand_on_to(child);
	sigprocmask(SIG_SETMASK, &old, NULL);
	outside_init(&o, child, false, s->period_ns);
	bool ok = rings_add(&rings, child, true, s->period_ns, STACK_BYTES, &o.sees_kernel, err);
	signal(SIGPIPE, SIG_IGN); /* the child may have been killed */
	if (ok && write(gate[1], "", 1) != 1 && errno != EPIPE)
		ok = str_fail(err, "cannot start '%s': %s", argv[0], strerror(errno));
	if (ok)
		watch(s, child, rings, &o);
	close(gate[1]); /* a process that still waits ends now */
	signal(SIGPIPE, SIG_DFL);
	status = reap(child);
	if (ok && read(why[0], &error, sizeof error) == sizeof error)
		record_why(argv[0], error, err);
	else if (!ok || !finish(s, &o, run_id, output, err))
		status = RECORD_FAILED;
	close(why[0]);
	if (rings)
		rings_close(rings);
	outside_free(&o);
	return status;
}

static int run(void *kept, char **argv, const uint8_t run_id[16], const char *output,
	       struct str *err)
{
	struct sampled *s = kept;

	raise_descriptors();
	return s->pid ? watch_running(s, run_id, output, err)
		      : run_program(s, argv, run_id, output, err);
}

static bool take_sampled(struct options *o, const char *value, struct str *err)
{
	struct record_flags *flags = o->own;

	(void)value, (void)err;
	flags->sampled = true;
	return after_run_give(o, &sampled_after_run);
}

static bool take_pid(struct options *o, const char *value, struct str *err)
{
	struct record_flags *flags = o->own;
	char *end;
	long pid = strtol(value, &end, 10);

	if (!isdigit((unsigned char)*value) || *end || pid <= 0 || pid > 1 << 22)
		return str_fail(err, "'--pid' takes the number of a process, not '%s'", value);
	flags->pid = (pid_t)pid;
	return true;
}

static const struct option_spec options[] = {
    {0, "sampled", NULL, NULL, OPTION_TAKE(take_sampled),
     "sample a program without hooks from outside; nothing is loaded into it, and no call is counted"},
    {'p', "pid", "PID", NULL, OPTION_TAKE(take_pid),
     "with --sampled: sample process PID, which runs already, until it ends or until Ctrl-C"},
    OPTIONS_END,
};

const struct after_run sampled_after_run = {
    .options = options,
    .check = check,
    .begin = begin,
    .run = run,
    .end = free,
};
