/* SPDX-License-Identifier: MIT */
/* monitored.c - see monitored.h. */
#include "preload/adapters/python/monitored.h"

#include "preload/adapters/python/open.h"

#include <stddef.h>

/* ---- events; the first argument is the code of the function, the second an offset in it */

static struct object *start(struct object *self, struct object *const *arguments, long count)
{
	const struct function *f;

	(void)self;
	(void)count;
	if (!open_in_pause() && (f = functions_of(arguments[0], NULL)))
		open_called(f, arguments[0]);
	return &_Py_NoneStruct; /* which is never freed from 3.12 on, so its references do not count */
}

static struct object *resume(struct object *self, struct object *const *arguments, long count)
{
	const struct function *f;

	(void)self;
	(void)count;
	if (!open_in_pause() && (f = functions_of(arguments[0], NULL)))
		open_resumed(f, arguments[0]);
	return &_Py_NoneStruct;
}

static struct object *end(struct object *self, struct object *const *arguments, long count)
{
	(void)self;
	(void)count;
	if (!open_in_pause())
		open_left(arguments[0]);
	return &_Py_NoneStruct;
}

/* ---- the tool */

static struct method on_start = {"zprof_start", start, METHOD_FAST_CALL, NULL};
static struct method on_resume = {"zprof_resume", resume, METHOD_FAST_CALL, NULL};
static struct method on_end = {"zprof_end", end, METHOD_FAST_CALL, NULL};

/* An exception that is thrown into a generator resumes it. */
static const struct {
	const char *event;
	struct method *method;
} events[] = {
    {"PY_START", &on_start}, {"PY_RESUME", &on_resume}, {"PY_THROW", &on_resume},
    {"PY_RETURN", &on_end},  {"PY_YIELD", &on_end},     {"PY_UNWIND", &on_end},
};

#define EVENTS (sizeof(events) / sizeof(events[0]))

/* Whether a call has succeeded; gives its result back. */
static bool done(struct object *result)
{
	if (!result) {
		PyErr_Clear();
		return false;
	}
	Py_DecRef(result);
	return true;
}

static int event_number(struct object *monitoring, const char *name)
{
	struct object *all = PyObject_GetAttrString(monitoring, "events");
	struct object *event = all ? PyObject_GetAttrString(all, name) : NULL;
	int number = event ? (int)PyLong_AsLong(event) : 0;

	if (event)
		Py_DecRef(event);
	if (all)
		Py_DecRef(all);
	PyErr_Clear();
	return number;
}

static bool use(struct object *monitoring, int tool)
{
	int all = 0;
	size_t i;

	for (i = 0; i < EVENTS; i++) {
		int number = event_number(monitoring, events[i].event);
		struct object *function = PyCFunction_NewEx(events[i].method, NULL, NULL);
		bool registered;

		if (!number || !function) {
			PyErr_Clear();
			return false;
		}
		registered = done(PyObject_CallMethod(monitoring, "register_callback", "iiO", tool,
						      number, function));
		Py_DecRef(function);
		if (!registered)
			return false;
		all |= number;
	}
	return done(PyObject_CallMethod(monitoring, "set_events", "ii", tool, all));
}

bool monitored_begin(void)
{
	static const int tools[] = {4, 3}; /* the two without a meaning */
	struct object *monitoring = PySys_GetObject("monitoring");
	size_t i;

	if (!monitoring)
		return false;
	for (i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (!done(PyObject_CallMethod(monitoring, "use_tool_id", "is", tools[i], "zprof")))
			continue;
		if (use(monitoring, tools[i]))
			return true;
		done(PyObject_CallMethod(monitoring, "free_tool_id", "i", tools[i]));
		return false;
	}
	return false;
}
