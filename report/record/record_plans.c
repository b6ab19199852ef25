/* SPDX-License-Identifier: MIT */
/* record_plans.c - see record_plans.h. */
#include "report/record/record_plans.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool record_plans_begin(struct record_plans *p, struct str *err)
{
	const char *parent = getenv("TMPDIR");
	if (!parent || parent[0] != '/' || strchr(parent, ',') || strchr(parent, '\\'))
		parent = "/tmp";
	if (snprintf(p->folder, sizeof p->folder, "%s/zprof-plans.XXXXXX", parent) >=
		(int)sizeof p->folder ||
	    !mkdtemp(p->folder)) {
		p->folder[0] = 0;
		return str_fail(err, "cannot make a folder for plans in '%s': %s", parent,
				strerror(errno));
	}
	return true;
}

bool record_plans_add(const struct record_plans *p, const char *path)
{
	struct str link = {0};
	str_add(&link, "%s/%s", p->folder, strrchr(path, '/') + 1);
	bool made = !strcmp(path, link.text) || symlink(path, link.text) == 0;
	int error = errno;
	str_free(&link);
	errno = error;
	return made;
}

void record_plans_tell(const struct record_plans *p, const char *option)
{
	const char *before = getenv("ZPROF_OPTIONS");
	struct str options = {0};
	str_add(&options, "%s%s%s=%s", before ? before : "", before && *before ? "," : "", option,
		p->folder);
	setenv("ZPROF_OPTIONS", options.text, 1);
	str_free(&options);
}

void record_plans_end(struct record_plans *p)
{
	DIR *list = p->folder[0] ? opendir(p->folder) : NULL;
	struct dirent *entry;
	while (list && (entry = readdir(list)))
		unlinkat(dirfd(list), entry->d_name, 0); /* `.` and `..` stay */
	if (list)
		closedir(list);
	if (p->folder[0])
		rmdir(p->folder);
	*p = (struct record_plans){0};
}

bool record_program_file(struct str *path, const char *name, char loader[RECORD_INTERPRETER],
			 bool *known)
{
	bool script = false;
	*known = false;
	if (!record_find_program(path, name))
		return false;
	*known = record_interpreter(path->text, loader, &script);
	if (!*known || !script)
		return true;
	bool by_env = record_env_program(path->text, loader);
	str_clear(path);
	if (!by_env || !record_find_program(path, loader))
		str_add(path, "%s", loader);
	*known = record_interpreter(path->text, loader, &script) && !script;
	return true;
}
