/* SPDX-License-Identifier: MIT */
/*
 * files_killed.c - kills a command after each of its system calls that may change a file, or what
 * another process does, and looks at the files that it leaves: each must be the old file whole or
 * the new one whole.
 *
 *     files_killed WORK PRISTINE [RULE...] -- COMMAND ARGUMENT...
 *
 * For N = 1, 2, 3 ... the folder WORK is made a copy of PRISTINE, COMMAND runs in it and is killed
 * after its Nth such call; its children are not, and are waited for. Then the files in WORK are
 * compared with PRISTINE. It ends when COMMAND has come to its end before its Nth call. A RULE says
 * what may have become of a file; all others must be as they were:
 *
 *     new=FILE      as it was (or absent, as it was), or as COMMAND leaves it when nobody kills it
 *     gone=FILE     as it was, or absent
 *     run=FILE      FILE or FILE~ is as it was, or FILE is whole; if FILE is there and is not as it
 *                   was, it is whole (FILE~ may be there or not)
 *     whole=COMMAND for run=: the shell command, with the file in $FILE, that says whether it is whole
 *
 * Prints how many kills there were; exits with 1 after a line for each file that is neither. Files
 * whose names begin with a dot do not count: they are files that a command was writing.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define RULES_MOST 32
#define NAME_ROOM  512

struct content {
	char *bytes; /* NULL: there is no file */
	size_t count;
	mode_t mode;
};

struct rule {
	enum { NEW, GONE, RUN } kind;
	const char *file;
	struct content after; /* NEW: as the command leaves it */
};

static const char *work, *pristine, *whole;
static struct rule rules[RULES_MOST];
static size_t rule_count, wrong;

static void fail(const char *what, const char *name)
{
	fprintf(stderr, "files_killed: cannot %s '%s': %s\n", what, name, strerror(errno));
	exit(2);
}

static struct content read_file(const char *folder, const char *name)
{
	char path[2 * NAME_ROOM];
	struct stat st;
	struct content c = {0};
	snprintf(path, sizeof path, "%s/%s", folder, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return c;
	if (fstat(fd, &st) || !(c.bytes = malloc((size_t)st.st_size + 1)))
		fail("read", path);
	c.mode = st.st_mode;
	for (ssize_t n; (n = read(fd, c.bytes + c.count, (size_t)st.st_size + 1 - c.count)) > 0;)
		c.count += (size_t)n;
	close(fd);
	return c;
}

static bool same(const struct content *a, const struct content *b)
{
	if (!a->bytes || !b->bytes)
		return !a->bytes && !b->bytes;
	return a->count == b->count && a->mode == b->mode && !memcmp(a->bytes, b->bytes, a->count);
}

/* What was put aside has a flag in its header (preload/format.h). */
static bool same_but_flags(const struct content *a, const struct content *b)
{
	enum { FLAGS = 56, END = 60 };
	return a->bytes && b->bytes && a->count == b->count && a->count > END &&
	       !memcmp(a->bytes, b->bytes, FLAGS) &&
	       !memcmp(a->bytes + END, b->bytes + END, a->count - END);
}

/* Calls EACH for the name of each file in FOLDER whose name does not begin with a dot. */
static void for_files(const char *folder, void (*each)(const char *name))
{
	DIR *d = opendir(folder);
	if (!d)
		fail("open", folder);
	for (struct dirent *e; (e = readdir(d));)
		if (*e->d_name != '.')
			each(e->d_name);
	closedir(d);
}

static void remove_from_work(const char *name)
{
	char path[2 * NAME_ROOM];
	snprintf(path, sizeof path, "%s/%s", work, name);
	if (unlink(path))
		fail("remove", path);
}

static void copy_to_work(const char *name)
{
	char path[2 * NAME_ROOM];
	struct content c = read_file(pristine, name);
	snprintf(path, sizeof path, "%s/%s", work, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, c.mode & 07777);
	if (fd < 0 || write(fd, c.bytes, c.count) != (ssize_t)c.count ||
	    fchmod(fd, c.mode & 07777) || close(fd))
		fail("make", path);
	free(c.bytes);
}

static void reset(void)
{
	for_files(work, remove_from_work);
	for_files(pristine, copy_to_work);
}

/* ---- the command, killed after its Nth system call that may change anything; 0: not at all */

/*
 * Calls that leave every file as it was, and of which no other process hears. (The command stores
 * nothing in files that it maps.)
 */
static bool only_looks(long call)
{
	static const long calls[] = {SYS_read,         SYS_pread64,        SYS_lseek,
				     SYS_mmap,         SYS_mprotect,       SYS_munmap,
				     SYS_mremap,       SYS_madvise,        SYS_brk,
				     SYS_fstat,        SYS_stat,           SYS_lstat,
				     SYS_newfstatat,   SYS_statx,          SYS_statfs,
				     SYS_fstatfs,      SYS_access,         SYS_readlink,
				     SYS_getdents64,   SYS_getcwd,         SYS_chdir,
				     SYS_ioctl,        SYS_getpid,         SYS_geteuid,
				     SYS_getrandom,    SYS_prlimit64,      SYS_futex,
				     SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_nanosleep};
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (call == calls[i])
			return true;
	return false;
}

static long call_of(pid_t pid)
{
	return ptrace(PTRACE_PEEKUSER, pid, offsetof(struct user_regs_struct, orig_rax), NULL);
}

static pid_t start(char **command)
{
	pid_t pid = fork();
	if (pid)
		return pid;
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(nowhere, STDIN_FILENO);
	dup2(nowhere, STDOUT_FILENO);
	dup2(nowhere, STDERR_FILENO);
	if (chdir(work) || ptrace(PTRACE_TRACEME, 0, NULL, NULL) || raise(SIGSTOP))
		_exit(126);
	execvp(command[0], command);
	_exit(127);
}

/* Follows it from stop to stop: each system call has two, before and after. True: it was killed. */
static bool follow(pid_t pid, size_t kill_after)
{
	int status;
	size_t calls = 0;
	bool inside = false;
	waitpid(pid, &status, 0);
	if (!WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))
		fail("trace", "the command");
	for (long signal = 0;;) {
		if (ptrace(PTRACE_SYSCALL, pid, NULL, signal) || waitpid(pid, &status, 0) != pid)
			fail("trace", "the command");
		if (!WIFSTOPPED(status))
			return false;
		bool call = WSTOPSIG(status) == (SIGTRAP | 0x80);
		signal = call || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
		inside = call ? !inside : inside;
		if (call && !inside && !only_looks(call_of(pid)) && ++calls == kill_after) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			return true;
		}
	}
}

/* Its children become ours when it is dead. */
static bool run(char **command, size_t kill_after)
{
	bool killed = follow(start(command), kill_after);
	while (wait(NULL) > 0 || errno == EINTR)
		continue;
	return killed;
}

/* ---- what is left */

static size_t round_number;

static void complain(const char *name, const char *what)
{
	printf("killed after call %zu: '%s' %s\n", round_number, name, what);
	wrong++;
}

static bool is_whole(const char *name)
{
	setenv("FILE", name, 1);
	char line[4 * NAME_ROOM];
	snprintf(line, sizeof line, "cd '%s' && { %s; } >/dev/null 2>&1", work, whole);
	return system(line) == 0;
}

static bool as_it_was(const char *name, const struct content *now)
{
	struct content before = read_file(pristine, name);
	bool yes = same(&before, now);
	free(before.bytes);
	return yes;
}

static void check_run(const char *file)
{
	char aside[NAME_ROOM];
	snprintf(aside, sizeof aside, "%s~", file);
	struct content now = read_file(work, file), put = read_file(work, aside),
		       before = read_file(pristine, file);
	bool old = same(&now, &before), kept = same_but_flags(&put, &before);
	if (!old && now.bytes && !is_whole(file))
		complain(file, "is neither the old profile nor a new one");
	if (!old && !kept && !now.bytes)
		complain(file, "and the file kept of it are both gone");
	free(now.bytes);
	free(put.bytes);
	free(before.bytes);
}

static void check(const struct rule *r)
{
	struct content now = read_file(work, r->file);
	if (r->kind == RUN)
		check_run(r->file);
	else if (r->kind == GONE && now.bytes && !as_it_was(r->file, &now))
		complain(r->file, "is there, but is not what it was");
	else if (r->kind == NEW && !same(&now, &r->after) && !as_it_was(r->file, &now))
		complain(r->file, "is neither the old file nor the new one");
	free(now.bytes);
}

/* Whether a rule is about the file, or about the file that it was kept of. */
static bool has_rule(const char *name)
{
	for (size_t i = 0; i < rule_count; i++) {
		size_t n = strlen(rules[i].file);
		if (!strncmp(rules[i].file, name, n) &&
		    (!name[n] || (rules[i].kind == RUN && !strcmp(name + n, "~"))))
			return true;
	}
	return false;
}

static void check_unruled(const char *name)
{
	struct content now = read_file(work, name);
	if (!has_rule(name) && !as_it_was(name, &now))
		complain(name, now.bytes ? "is not what it was" : "is gone");
	free(now.bytes);
}

static void check_all(void)
{
	for (size_t i = 0; i < rule_count; i++)
		check(&rules[i]);
	for_files(pristine, check_unruled);
	for_files(work, check_unruled);
}

static bool take_rule(const char *word)
{
	static const char *const kinds[] = {[NEW] = "new=", [GONE] = "gone=", [RUN] = "run="};
	for (int i = NEW; i <= RUN; i++)
		if (!strncmp(word, kinds[i], strlen(kinds[i])) && rule_count < RULES_MOST) {
			rules[rule_count++] =
			    (struct rule){.kind = i, .file = word + strlen(kinds[i])};
			return true;
		}
	if (!strncmp(word, "whole=", strlen("whole=")))
		whole = word + strlen("whole=");
	return whole;
}

int main(int argc, char **argv)
{
	int at = 3;
	while (at < argc && strcmp(argv[at], "--") && take_rule(argv[at]))
		at++;
	if (at + 1 >= argc || strcmp(argv[at], "--")) {
		fputs("usage: files_killed WORK PRISTINE [RULE...] -- COMMAND...\n", stderr);
		return 2;
	}
	work = argv[1];
	pristine = argv[2];
	char **command = argv + at + 1;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	reset();
	run(command, 0);
	for (size_t i = 0; i < rule_count; i++)
		rules[i].after = read_file(work, rules[i].file);
	for (round_number = 1;; round_number++) {
		reset();
		if (!run(command, round_number))
			break;
		check_all();
	}
	reset();
	printf("%zu kills, %zu wrong\n", round_number - 1, wrong);
	for (size_t i = 0; i < rule_count; i++)
		free(rules[i].after.bytes);
	return wrong != 0;
}
