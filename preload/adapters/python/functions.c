/* SPDX-License-Identifier: MIT */
/* functions.c - see functions.h. */
#include "preload/adapters/python/functions.h"
#include "preload/zprof.h"

#include <stdlib.h>
#include <string.h>

/* ---- extras of code objects */

static long extra_index;
static int (*get_extra)(struct object *code, long index, void **extra);
static int (*set_extra)(struct object *code, long index, void *extra);
static int resume_opcode;

bool functions_init(int minor)
{
	resume_opcode = minor >= 13 ? 149 : 151;
	if (_PyEval_RequestCodeExtraIndex) {
		get_extra = _PyCode_GetExtra;
		set_extra = _PyCode_SetExtra;
		extra_index = _PyEval_RequestCodeExtraIndex(free);
	} else if (PyUnstable_Eval_RequestCodeExtraIndex) {
		get_extra = PyUnstable_Code_GetExtra;
		set_extra = PyUnstable_Code_SetExtra;
		extra_index = PyUnstable_Eval_RequestCodeExtraIndex(free);
	}
	return get_extra && set_extra && extra_index >= 0;
}

/* ---- zones by their texts */

/* The texts of a function as one run of bytes: name, zero, file, zero, line. */
struct texts {
	char *bytes;
	size_t used, room;
	bool failed;
};

struct known_zone {
	struct known_zone *next;
	uint64_t hash;
	uint32_t zone;
	size_t length;
	char texts[];
};

#define BUCKETS 16384u
static struct known_zone *buckets[BUCKETS];

static void add(struct texts *t, const void *bytes, size_t length)
{
	if (t->used + length > t->room) {
		size_t room = 2 * (t->used + length) + 256;
		char *more = realloc(t->bytes, room);

		if (!more) {
			t->failed = true;
			return;
		}
		t->bytes = more;
		t->room = room;
	}
	memcpy(t->bytes + t->used, bytes, length);
	t->used += length;
}

/* Adds `text`, or `otherwise` if that is no str. The new bytes keep the str itself as it was. */
static void add_text(struct texts *t, struct object *text, const char *otherwise)
{
	struct object *bytes =
	    text ? PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace") : NULL;

	if (bytes) {
		add(t, PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
		Py_DecRef(bytes);
	} else {
		PyErr_Clear();
		add(t, otherwise, strlen(otherwise));
	}
}

static void add_attribute(struct texts *t, struct object *of, const char *name)
{
	struct object *value = PyObject_GetAttrString(of, name);

	add_text(t, value, "?");
	if (value)
		Py_DecRef(value);
}

static long number(struct object *of, const char *name)
{
	struct object *value = PyObject_GetAttrString(of, name);
	long n = value ? PyLong_AsLong(value) : -1;

	if (value)
		Py_DecRef(value);
	PyErr_Clear();
	return n;
}

static uint64_t hash_of(const struct texts *t)
{
	uint64_t h = 14695981039346656037u; /* FNV-1a */
	size_t i;

	for (i = 0; i < t->used; i++)
		h = (h ^ (unsigned char)t->bytes[i]) * 1099511628211u;
	return h;
}

static uint32_t zone_of_texts(const struct texts *t, size_t file, uint32_t line)
{
	uint64_t hash = hash_of(t);
	struct known_zone **bucket = &buckets[hash % BUCKETS], *known;

	for (known = *bucket; known; known = known->next)
		if (known->hash == hash && known->length == t->used &&
		    !memcmp(known->texts, t->bytes, t->used))
			return known->zone;
	known = malloc(sizeof(*known) + t->used);
	if (!known)
		return 0;
	known->next = *bucket;
	known->hash = hash;
	known->length = t->used;
	memcpy(known->texts, t->bytes, t->used);
	known->zone = zprof_lent(t->bytes, "python", t->bytes + file, line);
	*bucket = known;
	return known->zone;
}

/* ---- functions */

static uint32_t make_zone(struct object *frame, struct object *code)
{
	struct texts t = {NULL, 0, 0, false};
	struct object *globals = frame ? PyObject_GetAttrString(frame, "f_globals") : NULL;
	long line = number(code, "co_firstlineno");
	uint32_t zone = 0;
	size_t file;

	PyErr_Clear();
	add_text(&t, globals ? PyDict_GetItemString(globals, "__name__") : NULL, "?");
	if (globals)
		Py_DecRef(globals);
	add(&t, ".", 1);
	add_attribute(&t, code, "co_qualname");
	add(&t, "", 1);
	file = t.used;
	add_attribute(&t, code, "co_filename");
	add(&t, "", 1);
	add(&t, &line, sizeof(line));
	if (!t.failed)
		zone = zone_of_texts(&t, file, line > 0 ? (uint32_t)line : 0);
	free(t.bytes);
	return zone;
}

/* Where the body of a generator or coroutine begins: at its first RESUME instruction. */
static int body_of(struct object *code)
{
	enum { CO_GENERATOR = 0x20, CO_COROUTINE = 0x80, CO_ASYNC_GENERATOR = 0x200 };
	struct object *bytes;
	const unsigned char *instructions;
	int begins = -1;
	long i, length;

	if (!(number(code, "co_flags") & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR)))
		return -1;
	bytes = PyCode_GetCode(code);
	if (!bytes) {
		PyErr_Clear();
		return -1;
	}
	instructions = (const unsigned char *)PyBytes_AsString(bytes);
	length = PyBytes_Size(bytes);
	for (i = 0; i + 1 < length && begins < 0; i += 2)
		if (instructions[i] == resume_opcode && (instructions[i + 1] & 3) == 0)
			begins = (int)i;
	Py_DecRef(bytes);
	return begins;
}

static struct function *make_function(struct object *frame, struct object *code)
{
	struct function *f = malloc(sizeof(*f));
	struct object *type, *value, *traceback;

	if (!f)
		return NULL;
	PyErr_Fetch(&type, &value, &traceback);
	f->begins = body_of(code);
	f->zone = make_zone(frame, code);
	if (!f->zone || set_extra(code, extra_index, f)) {
		PyErr_Clear();
		free(f);
		f = NULL;
	}
	PyErr_Restore(type, value, traceback);
	return f;
}

const struct function *functions_of(struct object *code, struct object *frame)
{
	void *extra = NULL;

	if (get_extra(code, extra_index, &extra) || !extra)
		extra = make_function(frame ? frame : PyEval_GetFrame(), code);
	return extra;
}

/* ---- functions in C */

/*
 * A method is bound to an object in a new Python object for each call, so such functions are known by
 * their machine code's address.
 */
struct c_function {
	struct function function;
	struct c_function *next;
	void *code;
};

#define C_BUCKETS 1024u
static struct c_function *c_buckets[C_BUCKETS];

/* `module.name` of a function, `type.name` of a method. */
static uint32_t make_c_zone(struct object *callable)
{
	struct texts t = {NULL, 0, 0, false};
	struct object *module = PyObject_GetAttrString(callable, "__module__");
	long line = 0;
	uint32_t zone = 0;
	size_t file;

	PyErr_Clear();
	if (module && module != &_Py_NoneStruct) {
		add_text(&t, module, "?");
		add(&t, ".", 1);
	}
	if (module)
		Py_DecRef(module);
	add_attribute(&t, callable, "__qualname__");
	add(&t, "", 1);
	file = t.used;
	add(&t, "", 1);
	add(&t, &line, sizeof(line));
	if (!t.failed)
		zone = zone_of_texts(&t, file, 0);
	free(t.bytes);
	return zone;
}

static struct c_function *make_c_function(struct object *callable, void *code)
{
	struct c_function *f = malloc(sizeof(*f));
	struct object *type, *value, *traceback;

	if (!f)
		return NULL;
	PyErr_Fetch(&type, &value, &traceback);
	f->function.zone = make_c_zone(callable);
	f->function.begins = -1;
	f->code = code;
	PyErr_Restore(type, value, traceback);
	f->next = c_buckets[(uintptr_t)code / 16 % C_BUCKETS];
	c_buckets[(uintptr_t)code / 16 % C_BUCKETS] = f;
	return f;
}

const struct function *functions_of_c(struct object *callable)
{
	struct object *type, *value, *traceback;
	struct c_function *f;
	void *code;

	PyErr_Fetch(&type, &value, &traceback);
	code = PyCFunction_GetFunction(callable);
	PyErr_Clear();
	PyErr_Restore(type, value, traceback);
	if (!code)
		return NULL;
	for (f = c_buckets[(uintptr_t)code / 16 % C_BUCKETS]; f; f = f->next)
		if (f->code == code)
			break;
	if (!f)
		f = make_c_function(callable, code);
	return f && f->function.zone ? &f->function : NULL;
}
