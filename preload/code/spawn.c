/* SPDX-License-Identifier: MIT */
/* spawn.c - see spawn.h. */
#include "preload/code/spawn.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/environment.h"
#include "preload/process/process.h"
#include "preload/code/module.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_BYTES (64 * 1024)
#define PATH_BYTES  4352 /* at the low end of the stack */

struct order {
	const char *path;
	char **argv, **envp;
	int in, out;
	uint64_t signals; /* blocked by the program */
	char *stack;      /* of STACK_BYTES: one half for each of the two processes */
};

/* ---- where zprof is */

static bool try_path(char *path, unsigned long bytes, const char *folder, size_t folder_bytes,
		     const char *name)
{
	struct text t;

	text_init(&t, path, bytes);
	text_bytes(&t, folder, folder_bytes);
	text_add(&t, name);
	return !t.cut && sys3(SYS_faccessat, AT_FDCWD, path, X_OK) == 0;
}

/* Where the `zprof` of the library is: beside it, or in ../bin. False: nowhere. */
static bool find_zprof(const char *library, size_t n, char *path, unsigned long bytes)
{
	while (n > 0 && library[n - 1] != '/')
		n--;
	return try_path(path, bytes, library, n, "zprof") ||
	       try_path(path, bytes, library, n, "../zprof") ||
	       try_path(path, bytes, library, n, "../bin/zprof");
}

/* ---- running it */

static bool is_ours(const char *variable)
{
	static const char *const ours[] = {"LD_PRELOAD=", "ZPROF_OPTIONS=", "ZPROF_RUN="};
	size_t i;

	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (!memcmp(variable, ours[i], strlen(ours[i])))
			return true;
	return false;
}

/* The environment without the variables by which this program is profiled. */
static char **environment_without_us(size_t *bytes)
{
	char **all = environment_variables(), **copy;
	size_t n = 0, kept = 0, i;

	while (all[n])
		n++;
	*bytes = (n + 1) * sizeof(*copy);
	copy = sys_memory(*bytes);
	for (i = 0; copy && i < n; i++)
		if (!is_ours(all[i]))
			copy[kept++] = all[i];
	return copy;
}

static void put_descriptor(int fd, int as)
{
	if (fd < 0)
		fd = (int)sys4(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);
	sys3(SYS_dup3, fd, as, 0);
}

/* The kernel's layout, which differs from libc's struct sigaction. */
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

/*
 * The child begins with signals blocked (sys_maskable_signals), because no handler of the program may
 * run in a child that borrows the program's memory. zprof is to get the program's signal mask and
 * ignored signals.
 * Handlers do not outlive an exec, and are reset here, so that none runs once the signals are
 * unblocked.
 */
static void give_signals_back(const struct order *o)
{
	static const struct kernel_action standard;
	struct kernel_action action;
	int i;

	for (i = 1; i <= 64; i++)
		if (!SYS_FAILED(sys4(SYS_rt_sigaction, i, NULL, &action, 8)) &&
		    action.handler != SIG_IGN)
			sys4(SYS_rt_sigaction, i, &standard, NULL, 8);
	sys4(SYS_rt_sigprocmask, SIG_SETMASK, &o->signals, NULL, 8);
}

static int execute(void *order)
{
	struct order *o = order;

	give_signals_back(o);
	put_descriptor(o->in, 0);
	put_descriptor(o->out, 1);
	sys3(SYS_execve, o->path, o->argv, o->envp);
	return 127;
}

/* The child borrows our memory, on a stack of its own, until it execs or exits. */
static long run_in_child(long flags, int (*entry)(void *), struct order *o, char *stack_top)
{
	return cpu_clone(flags | CLONE_VM | CLONE_VFORK, stack_top, entry, o);
}

static int wait_for(long pid, int options)
{
	int status = -1;

	if (pid > 0)
		while (sys4(SYS_wait4, pid, &status, options, NULL) == -EINTR)
			;
	return status;
}

/*
 * The go-between, the program's own child. An exec would set its exit signal back to SIGCHLD, which
 * the program would notice. So the go-between does not exec, but starts another child that does.
 */
static int go_between(void *order)
{
	struct order *o = order;

	return wait_for(run_in_child(SIGCHLD, execute, o, o->stack + STACK_BYTES / 2), 0) == 0 ? 0
											       : 1;
}

bool spawn_zprof_of(const char *library, unsigned long bytes, const char *const *arguments, int in,
		    int out)
{
	char *argv[SPAWN_ARGUMENTS + 2], *stack = sys_memory(STACK_BYTES), *path = stack;
	struct order order = {.path = path, .argv = argv, .in = in, .out = out, .stack = stack};
	size_t environment_bytes = 0;
	int n = 0, status = -1;

	argv[n++] = (char *)"zprof";
	while (*arguments && n <= SPAWN_ARGUMENTS)
		argv[n++] = (char *)*arguments++;
	argv[n] = NULL;
	order.envp = environment_without_us(&environment_bytes);
	if (stack && order.envp && find_zprof(library, bytes, path, PATH_BYTES)) {
		order.signals = sys_block_signals();
		status =
		    wait_for(run_in_child(0, go_between, &order, stack + STACK_BYTES), __WCLONE);
		sys_restore_signals(order.signals);
	}
	sys_memory_free(stack, STACK_BYTES);
	sys_memory_free(order.envp, environment_bytes);
	return status == 0;
}

bool spawn_zprof(struct process *p, const char *const *arguments, int in, int out)
{
	const struct module *self = module_find(p, (uintptr_t)&spawn_zprof);

	return self && self->record &&
	       spawn_zprof_of(self->record->path, self->record->path_bytes, arguments, in, out);
}

char *spawn_answer(int out, unsigned long *mapped)
{
	long bytes = sys3(SYS_lseek, out, 0, 2), got = 0;
	char *text;

	if (bytes < 0 || !(text = sys_memory((size_t)bytes + 1)))
		return NULL;
	*mapped = (size_t)bytes + 1;
	while (got < bytes) {
		long n = sys4(SYS_pread64, out, text + got, bytes - got, got);

		if (n <= 0)
			break;
		got += n;
	}
	if (got == bytes)
		return text;
	sys_memory_free(text, *mapped);
	return NULL;
}
