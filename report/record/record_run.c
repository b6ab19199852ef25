/* SPDX-License-Identifier: MIT */
/* record_run.c - see record_run.h. */
#define _GNU_SOURCE
#include "report/record/record_run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/core/base/lookup.h"
#include "report/core/base/memory.h"
#include "report/record/record_why.h"

static bool own_folder(struct str *folder)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
	if (n <= 0)
		return false;
	path[n] = 0;
	*strrchr(path, '/') = 0;
	str_add(folder, "%s", path);
	return true;
}

static bool usable_library(const struct str *path, struct str *err)
{
	if (access(path->text, R_OK))
		return false;
	if (!strpbrk(path->text, " :"))
		return true;
	/* The dynamic linker splits LD_PRELOAD at spaces and colons, and they cannot be quoted. */
	return str_fail(err,
			"cannot preload '%s': its path has a space or colon; make a link to it "
			"elsewhere and set ZPROF_LIB to that",
			path->text);
}

bool record_find_library(struct str *path, struct str *err)
{
	static const char *const places[] = {"", "../lib/", "../lib/zprof/"};
	const char *given = getenv("ZPROF_LIB");
	struct str folder = {0};
	str_clear(err);
	if (given && *given) {
		char *full = realpath(given, NULL);
		str_add(path, "%s", full ? full : given);
		free(full);
		if (usable_library(path, err))
			return true;
		return err->used ? false
				 : str_fail(err, "cannot read '%s', which ZPROF_LIB names: %s",
					    given, strerror(errno));
	}
	bool found = false;
	if (own_folder(&folder))
		for (size_t i = 0; !found && !err->used && i < sizeof places / sizeof *places;
		     i++) {
			str_clear(path);
			str_add(path, "%s/%slibzprof.so", folder.text, places[i]);
			found = usable_library(path, err);
		}
	if (!found && !err->used)
		str_fail(
		    err,
		    "cannot find libzprof.so in '%s' or in '../lib' from there; set ZPROF_LIB to "
		    "its path",
		    str_text(&folder));
	str_free(&folder);
	return found;
}

bool record_find_include(struct str *path)
{
	static const char *const places[] = {"include", "../include"};
	struct str folder = {0}, header = {0};
	bool found = false;
	if (own_folder(&folder))
		for (size_t i = 0; !found && i < sizeof places / sizeof *places; i++) {
			str_clear(&header);
			str_add(&header, "%s/%s/zprof.h", folder.text, places[i]);
			char *full = realpath(header.text, NULL);
			if (full) {
				*strrchr(full, '/') = 0;
				str_add(path, "%s", full);
				found = true;
			}
			free(full);
		}
	str_free(&header);
	str_free(&folder);
	return found;
}

static void set_joined(const char *name, const char *first, const char *between, const char *second)
{
	struct str value = {0};
	bool both = first && *first && second && *second;
	str_add(&value, "%s%s%s", first ? first : "", both ? between : "", second ? second : "");
	if (value.used)
		setenv(name, value.text, 1);
	str_free(&value);
}

/* Adds a variable's name and value to both halves of an id; false if the variable is not set. */
static bool add_variable(uint64_t half[2], const char *name)
{
	const char *value = getenv(name);
	if (!value || !*value)
		return false;
	half[0] = lookup_hash_text(value, lookup_hash_text(name, half[0]));
	half[1] = lookup_hash_text(value, lookup_hash_text(name, half[1] + 1));
	return true;
}

/* Adds the job and step of Slurm. Steps have numbers from 0. The script of the job itself is no
 * step; its number is larger than that of any step, and is not used. */
static bool add_slurm_step(uint64_t half[2])
{
	const char *step = getenv("SLURM_STEP_ID");
	return step && *step && strlen(step) == strspn(step, "0123456789") && strlen(step) < 9 &&
	       add_variable(half, "SLURM_JOB_ID") && add_variable(half, "SLURM_STEP_ID");
}

bool record_make_run_id(uint8_t run_id[16], struct str *err)
{
	uint64_t half[2] = {0};
	bool job = add_variable(half, "PMIX_NAMESPACE") || add_slurm_step(half);
	if (job) {
		add_variable(half, "OMPI_MCA_orte_precondition_transports"); /* random */
		memcpy(run_id, half, sizeof half);
		return true;
	}
	if (getrandom(run_id, 16, 0) == 16)
		return true;
	return str_fail(err, "cannot make up a run id: %s", strerror(errno));
}

void record_set_environment(const char *library, const char *options, const uint8_t run_id[16])
{
	char hex[33];
	for (int i = 0; i < 16; i++)
		snprintf(hex + 2 * i, 3, "%02x", run_id[i]);
	set_joined("LD_PRELOAD", library, ":", getenv("LD_PRELOAD"));
	set_joined("ZPROF_OPTIONS", getenv("ZPROF_OPTIONS"), ",", options);
	setenv("ZPROF_RUN", hex, 1);
}

static volatile sig_atomic_t program; /* its pid, for the handler; 0: it does not run */
static volatile sig_atomic_t kept;    /* a signal that came while no program ran; 0: none */

static void hand_on(int signal)
{
	int saved = errno;
	if (program > 0)
		kill((pid_t)program, signal);
	else if (signal != SIGCONT)
		kept = signal;
	errno = saved;
}

void record_hand_on_to(pid_t pid)
{
	int signal = kept;
	program = pid;
	if (pid && signal) {
		kept = 0;
		kill(pid, signal);
	}
}

/*
 * Signals sent to this process are meant for the program, and are passed on. Signals from the
 * terminal reach the program directly, so this process ignores them. SIGCHLD gets its default
 * action: a process that ignores SIGCHLD, as our parent may have made us do, does not learn of a
 * child's end.
 */
static const struct {
	int signal;
	void (*handler)(int);
} changes[] = {{SIGTERM, hand_on}, {SIGHUP, hand_on}, {SIGUSR1, hand_on}, {SIGUSR2, hand_on},
	       {SIGCONT, hand_on}, {SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}, {SIGCHLD, SIG_DFL}};

#define CHANGES (sizeof changes / sizeof *changes)

static struct sigaction before[CHANGES];

void record_change_signals(void)
{
	for (size_t i = 0; i < CHANGES; i++) {
		struct sigaction act = {.sa_handler = changes[i].handler, .sa_flags = SA_RESTART};
		sigaction(changes[i].signal, NULL, &before[i]);
		if (act.sa_handler != hand_on || before[i].sa_handler != SIG_IGN)
			sigaction(changes[i].signal, &act, NULL);
	}
}

void record_restore_signals(void)
{
	for (size_t i = 0; i < CHANGES; i++)
		sigaction(changes[i].signal, &before[i], NULL);
}

static int status_of(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int wait_for(pid_t child)
{
	int status;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return RECORD_FAILED;
	return status_of(status);
}

/* Stops passing signals on. Once the program has been waited for, another process may get its
 * number. */
static void forget_program(void)
{
	program = 0;
}

int record_run(char **argv, struct record_end *end, struct str *err)
{
	int ends[2], why = 0;
	sigset_t all, old;
	if (pipe2(ends, O_CLOEXEC)) {
		str_fail(err, "cannot make a pipe: %s", strerror(errno));
		return RECORD_FAILED;
	}
	/* No signal may arrive before the process is known to which it is passed on. So signals are
	 * blocked until then. The program gets the old mask. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	record_change_signals();
	pid_t child = fork();
	if (child == 0) {
		record_restore_signals();
		sigprocmask(SIG_SETMASK, &old, NULL);
		execvp(argv[0], argv);
		why = errno;
		if (write(ends[1], &why, sizeof why) < 0)
			_exit(RECORD_FAILED);
		_exit(why == ENOENT ? RECORD_NOT_FOUND : RECORD_CANNOT_RUN);
	}
	int failed = errno;
	if (child > 0)
		program = child;
	sigprocmask(SIG_SETMASK, &old, NULL);
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		str_fail(err, "cannot start a process: %s", strerror(failed));
		return RECORD_FAILED;
	}
	ssize_t got;
	while ((got = read(ends[0], &why, sizeof why)) < 0 && errno == EINTR)
		continue;
	close(ends[0]);
	int status =
	    record_end_wait(end, child, forget_program) ? status_of(end->status) : RECORD_FAILED;
	if (got == sizeof why)
		record_why(argv[0], why, err);
	return status;
}

static char *copy_of(const char *text)
{
	return memory_text(text, strlen(text));
}

/* Becomes this zprof's COMMAND for the files. TO is the descriptor for its output (-1: stderr). */
static void exec_view(const char *command, const char *output, char *const *files, size_t count,
		      const char *groups, const char *metric, int to)
{
	const char *options[] = {"--groups", groups, "--metric", metric, "--output", output};
	char **argv = memory_zeroed(count + 11, sizeof *argv), **at = argv;
	*at++ = copy_of("zprof");
	*at++ = copy_of(command);
	*at++ = copy_of("--force"); /* processes of this run may have changed their user */
	for (size_t i = 0; i < sizeof options / sizeof *options; i += 2)
		if (options[i + 1]) {
			*at++ = copy_of(options[i]);
			*at++ = copy_of(options[i + 1]);
		}
	*at++ = copy_of("--");
	memcpy(at, files, count * sizeof *files);
	if (to >= 0) {
		dup2(to, STDOUT_FILENO);
	} else {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		setenv("ZPROF_PAGER", "", 1);
	}
	execv("/proc/self/exe", argv);
	_exit(1);
}

bool record_make_report(struct replacement *report, const char *path, struct str *err)
{
	struct stat st;
	if (!lstat(path, &st))
		return str_fail(err,
				"--report: the file '%s' exists and is not overwritten: name "
				"another, or remove it",
				path);
	struct str why = {0};
	if (replace_begin(report, path, 0600, &why))
		return true;
	*report = (struct replacement){0};
	str_fail(err, "--report: %s", why.text);
	str_free(&why);
	return false;
}

/* Forks a child without LD_PRELOAD in its environment, which is meant for the program alone. */
static pid_t fork_unpreloaded(void)
{
	pid_t child = fork();
	if (child == 0)
		unsetenv("LD_PRELOAD");
	return child;
}

bool record_print_graph(char *const *files, size_t count, const char *groups, const char *metric,
			struct replacement *report, struct str *err)
{
	pid_t child = fork_unpreloaded();
	if (child < 0)
		return str_fail(err, "cannot start a process: %s", strerror(errno));
	if (child == 0)
		exec_view("graph", NULL, files, count, groups, metric,
			  report->to ? fileno(report->to) : -1);
	if (wait_for(child))
		return str_fail(err, "cannot write the report");
	return !report->to || replace_end(report, err);
}

/* Becomes a browser that shows FILE: the first that can be run of $BROWSER, a list with colons, or
 * the desktop's default. */
static void exec_browser(const char *file)
{
	const char *list = getenv("BROWSER");
	dup2(STDERR_FILENO, STDOUT_FILENO);
	while (list && *list) {
		size_t n = strcspn(list, ":");
		char *name = memory_text(list, n);
		execlp(name, name, file, (char *)NULL);
		free(name);
		list += n + (list[n] == ':');
	}
	execlp("xdg-open", "xdg-open", file, (char *)NULL);
	_exit(RECORD_NOT_FOUND);
}

bool record_open_page(const char *page, char *const *files, size_t count, const char *groups,
		      const char *metric, struct str *err)
{
	pid_t child = fork_unpreloaded();
	if (child == 0)
		exec_view("html", page, files, count, groups, metric, -1);
	if (child < 0 || wait_for(child))
		return str_fail(err, "cannot make the page '%s'", page);
	child = fork_unpreloaded();
	if (child == 0)
		exec_browser(page);
	int status = child < 0 ? RECORD_FAILED : wait_for(child);
	if (!status)
		return true;
	if (status == RECORD_NOT_FOUND)
		return str_fail(
		    err,
		    "cannot show '%s': neither $BROWSER nor xdg-open can be run; open it "
		    "in a browser",
		    page);
	return str_fail(err, "cannot show '%s': the browser failed with status %d", page, status);
}
