/* SPDX-License-Identifier: MIT */
/*
 * python.c - tells zprof of the calls of a Python program, by the interpreter's own interface.
 *
 * libzprof.so loads this library when it finds CPython in a process that is recorded
 * (preload/start/adapters.c). Nothing is done then but to add an audit hook, which CPython allows
 * before it is initialized. The hook waits for the program to begin, and chooses where events of calls
 * come from: sys.monitoring where it is there (monitored.h), or a profile function (profiled.h), which
 * alone tells of functions in C.
 *
 * The adapter must never raise an exception, print, or run Python code of the program's.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "preload/adapters/python/audit.h"
#include "preload/adapters/python/cpython.h"
#include "preload/adapters/python/functions.h"
#include "preload/adapters/python/monitored.h"
#include "preload/adapters/python/open.h"
#include "preload/adapters/python/profiled.h"
#include "preload/zprof.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* These are protected by the interpreter's lock. */
static bool installed;                  /* the program has begun, and is recorded */
static bool by_profile_function;        /* and this is where events come from */
static struct interpreter *interpreter; /* the main one */

static bool begins(const char *event)
{
	static const char run[] = "cpython.run_";

	/* A program that has Python inside begins with code that no Python code has called. */
	return !strncmp(event, run, sizeof(run) - 1) ||
	       (!strcmp(event, "exec") && !PyEval_GetFrame());
}

static struct thread_state *current_state(void)
{
	if (PyThreadState_GetUnchecked)
		return PyThreadState_GetUnchecked();
	return _PyThreadState_UncheckedGet ? _PyThreadState_UncheckedGet() : NULL;
}

static void begin(struct thread_state *state, int minor)
{
	const char *options = getenv("ZPROF_OPTIONS");
	bool builtins = options && strstr(options, "builtins=1");

	if (PyThreadState_GetInterpreter(state) != PyInterpreterState_Main() ||
	    !(zprof_recording() || (options && strstr(options, "start=off"))) ||
	    !functions_init(minor))
		return;
	zprof_lent_runner(dlsym(RTLD_DEFAULT, "_PyEval_EvalFrameDefault"));
	interpreter = PyInterpreterState_Main();
	open_init(options && strstr(options, "callsites=1"));
	by_profile_function = builtins || !monitored_begin();
	installed = !by_profile_function || profiled_begin(interpreter, builtins);
}

/*
 * Counts an interpreter within the process at its first event. Such an interpreter may have a lock of
 * its own.
 */
static void refuse(struct interpreter *other)
{
	static int64_t refused; /* the highest number of an interpreter that was counted */
	int64_t number = PyInterpreterState_GetID(other), before = refused;

	while (before < number)
		if (__atomic_compare_exchange_n(&refused, &before, number, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED)) {
			zprof_lent_missed(ZPROF_MISSED_INTERPRETER, 1);
			return;
		}
}

static int audit(const char *event, struct object *arguments, void *data)
{
	struct thread_state *state = current_state();

	(void)arguments;
	if (!strcmp(event, "cpython._PySys_ClearAuditHooks")) {
		if (installed && state && by_profile_function)
			profiled_end();
		installed = false;
		audit_end();
	}
	if (!state)
		return 0;
	if (!installed) {
		if (begins(event))
			begin(state, (int)(intptr_t)data);
	} else if (PyThreadState_GetInterpreter(state) != interpreter) {
		refuse(PyThreadState_GetInterpreter(state));
	} else if (by_profile_function) {
		profiled_audit(event, state);
	}
	return 0;
}

/* The y of Python 3.y; 0: a version that the adapter does not know. */
static int known_version(void)
{
	const char *version = Py_GetVersion();
	int minor = strncmp(version, "3.", 2) ? 0 : atoi(version + 2);

	/* Without the interpreter's lock nothing would protect what is kept here. */
	if (minor < 11 || minor > 13 || strstr(version, "free-threading"))
		return 0;
	return minor;
}

static __attribute__((constructor)) void add_hook(void)
{
	int minor = known_version();

	if (!minor)
		zprof_lent_missed(ZPROF_MISSED_INTERPRETER, 1);
	else if (PySys_AddAuditHook)
		audit_begin(audit, (void *)(intptr_t)minor);
}
