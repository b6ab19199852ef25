/* SPDX-License-Identifier: MIT */
/*
 * cpython.h - the part of CPython's C interface that the adapter uses.
 *
 * It is declared here so that zprof builds on machines without Python's headers. The adapter uses no
 * struct of CPython's: objects are passed as pointers, and everything is asked by functions. Names
 * that some supported version lacks are weak.
 */
#ifndef ZPROF_PYTHON_CPYTHON_H
#define ZPROF_PYTHON_CPYTHON_H

#include <stddef.h>
#include <stdint.h>

struct object; /* any Python object; a frame and a code object are such */
struct thread_state;
struct interpreter;

/* The values of `what` that a profile function is called with. */
enum {
	PROFILE_CALL = 0,
	PROFILE_RETURN = 3,
	PROFILE_C_CALL = 4,
	PROFILE_C_EXCEPTION = 5, /* a C function returns with an exception */
	PROFILE_C_RETURN = 6,
};

typedef int profile_function(struct object *self, struct object *frame, int what,
			     struct object *argument);

#define WEAK __attribute__((weak))

const char *Py_GetVersion(void);
int PySys_AddAuditHook(int (*hook)(const char *event, struct object *arguments, void *data),
		       void *data) WEAK;
int _PyEval_SetProfile(struct thread_state *state, profile_function *function,
		       struct object *self) WEAK;

/* The allocators of memory, by domain; the raw one is number 0. The struct is a public one. */
struct allocator {
	void *context;
	void *(*malloc)(void *context, size_t bytes);
	void *(*calloc)(void *context, size_t count, size_t bytes);
	void *(*realloc)(void *context, void *memory, size_t bytes);
	void (*free)(void *context, void *memory);
};
void PyMem_GetAllocator(int domain, struct allocator *allocator);
void PyMem_SetAllocator(int domain, struct allocator *allocator);

int Py_AddPendingCall(int (*function)(void *), void *data);

struct thread_state *PyThreadState_Get(void);
struct thread_state *PyThreadState_New(struct interpreter *interpreter);
void PyThreadState_Clear(struct thread_state *state);
void PyThreadState_Delete(struct thread_state *state);
struct thread_state *PyThreadState_Next(struct thread_state *state);
uint64_t PyThreadState_GetID(struct thread_state *state) WEAK;
struct interpreter *PyInterpreterState_Main(void);
int64_t PyInterpreterState_GetID(struct interpreter *interpreter);
struct interpreter *PyThreadState_GetInterpreter(struct thread_state *state) WEAK;
struct thread_state *PyInterpreterState_ThreadHead(struct interpreter *interpreter);
/* NULL: the calling thread has no state, or does not hold the lock of the interpreter. */
struct thread_state *_PyThreadState_UncheckedGet(void) WEAK;
struct thread_state *PyThreadState_GetUnchecked(void) WEAK; /* its name from 3.13 on */
struct object *PyEval_GetFrame(void);                       /* borrowed; NULL: none */

/* Each returns a new reference; PyFrame_GetBack() also NULL, without an error. */
struct object *PyFrame_GetCode(struct object *frame) WEAK;
struct object *PyFrame_GetBack(struct object *frame) WEAK;
int PyFrame_GetLineNumber(struct object *frame);
int PyFrame_GetLasti(struct object *frame) WEAK;
struct object *PyCode_GetCode(struct object *code) WEAK;

/* 3.11 has the first three, later versions the others. */
long _PyEval_RequestCodeExtraIndex(void (*release)(void *)) WEAK;
int _PyCode_GetExtra(struct object *code, long index, void **extra) WEAK;
int _PyCode_SetExtra(struct object *code, long index, void *extra) WEAK;
long PyUnstable_Eval_RequestCodeExtraIndex(void (*release)(void *)) WEAK;
int PyUnstable_Code_GetExtra(struct object *code, long index, void **extra) WEAK;
int PyUnstable_Code_SetExtra(struct object *code, long index, void *extra) WEAK;

void Py_IncRef(struct object *o);
void Py_DecRef(struct object *o);
extern struct object _Py_NoneStruct;
struct object *PyObject_GetAttrString(struct object *o, const char *name);
struct object *PyObject_CallMethod(struct object *o, const char *name, const char *format, ...);
struct object *PyObject_CallObject(struct object *callable, struct object *arguments);
struct object *PySys_GetObject(const char *name);                           /* borrowed */
struct object *PyDict_GetItemString(struct object *dict, const char *name); /* borrowed */
struct object *PyUnicode_AsEncodedString(struct object *text, const char *encoding,
					 const char *errors);
char *PyBytes_AsString(struct object *bytes);
long PyBytes_Size(struct object *bytes);
long PyLong_AsLong(struct object *number);
void *
PyCFunction_GetFunction(struct object *callable); /* NULL, with an error: it is another kind */

/* A function in C that Python code can call. The struct is a public one. */
struct method {
	const char *name;
	struct object *(*function)(struct object *self, struct object *const *arguments,
				   long count);
	int flags;
	const char *help;
};
#define METHOD_FAST_CALL 0x80
struct object *PyCFunction_NewEx(struct method *method, struct object *self, struct object *module);

void PyErr_Clear(void);
void PyErr_Fetch(struct object **type, struct object **value, struct object **traceback);
void PyErr_Restore(struct object *type, struct object *value, struct object *traceback);

#endif
