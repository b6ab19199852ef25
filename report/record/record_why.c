/* SPDX-License-Identifier: MIT */
/* record_why.c - see record_why.h. */
#define _GNU_SOURCE
#include "report/record/record_why.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/record/record_check.h"

/* Of a file that nobody may execute: adds what it is instead. False: it may be executed. */
static bool add_no_program(const char *path, struct str *err)
{
	struct stat st;
	if (stat(path, &st))
		return false;
	if (S_ISDIR(st.st_mode))
		str_add(err, "it is a folder; name a program in it");
	else if (access(path, X_OK))
		str_add(err,
			"it is not executable; name the program that is built of it, or make it "
			"executable with 'chmod +x %s'",
			path);
	else
		return false;
	return true;
}

/* Of a program that is there, and was not found: adds what is missing. False: nothing is. */
static bool add_missing(const char *path, struct str *err)
{
	char name[RECORD_INTERPRETER];
	bool script;
	if (!record_interpreter(path, name, &script) || !access(name, X_OK))
		return false;
	size_t length = strlen(name);
	if (length && name[length - 1] == '\r')
		str_add(err,
			"its first line ends with CR LF, so the interpreter '%.*s' is not found; "
			"end its lines with LF alone",
			(int)length - 1, name);
	else if (script)
		str_add(err, "its interpreter '%s' %s; name another in its first line, '#!...'",
			name, access(name, F_OK) ? "does not exist" : "is not executable");
	else
		str_add(err,
			"the loader that it asks for, '%s', %s; install the C library that it was "
			"linked with, or link it on this system",
			name, access(name, F_OK) ? "does not exist" : "is not executable");
	return true;
}

void record_why(const char *name, int error, struct str *err)
{
	struct str path = {0};
	bool found = record_find_program(&path, name), said = false;
	str_fail(err, "cannot run '%s': ", name);
	if (found)
		said = error == ENOENT && add_missing(path.text, err);
	else if (strchr(name, '/'))
		said = error == EACCES && add_no_program(name, err);
	else if (!access(name, F_OK)) {
		said = true;
		str_add(err, "no folder of PATH has a program of that name");
		if (access(name, X_OK))
			str_add(
			    err,
			    "; the file of that name in this folder is not executable: name the "
			    "program that is built of it");
		else
			str_add(err, "; the one in this folder is './%s'", name);
	}
	if (!said)
		str_add(err, "%s", strerror(error));
	str_free(&path);
}
