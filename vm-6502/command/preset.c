/* SPDX-License-Identifier: MIT */
/* preset: see the header. */
#include "vm-6502/command/preset.h"

#include <errno.h>
#include <ini.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm-6502/machine/machine.h"
#include "vm-6502/command/sha256.h"

struct loading {
	struct preset *p;
	bool (*take)(void *context, const char *option, const char *value);
	void *context;
	char err[256];
};

void preset_beside(const char *name, char *path, size_t size)
{
	static const char *const folders[] = {"../share/zprof/", ""};
	char own[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
	char *slash;

	own[n < 0 ? 0 : n] = 0;
	slash = strrchr(own, '/');
	if (slash)
		slash[1] = 0;
	for (int i = 0; i < 2; i++) {
		snprintf(path, size, "%s%s%s", own, folders[i], name);
		if (access(path, R_OK) == 0)
			break;
	}
}

/* Copies a value: options point to their values, and the parser frees its own. */
static char *keep(struct preset *p, const char *value)
{
	char **text = realloc(p->text, (p->texts + 1) * sizeof *text);

	if (!text)
		return NULL;
	p->text = text;
	text[p->texts] = strdup(value);
	return text[p->texts] ? text[p->texts++] : NULL;
}

static int on_line(void *context, const char *section, const char *key, const char *value)
{
	struct loading *l = context;
	char *kept;

	(void)section;
	if (strcmp(key, "size") == 0) {
		l->p->size = strtoul(value, NULL, 10);
		return 1;
	}
	if (strcmp(key, "sha256") == 0) {
		snprintf(l->p->sha256, sizeof l->p->sha256, "%s", value);
		return 1;
	}
	kept = keep(l->p, value);
	return kept && l->take(l->context, key, kept);
}

bool preset_load(struct preset *p, const char *name,
		 bool (*take)(void *context, const char *option, const char *value), void *context,
		 char *err, size_t size)
{
	struct loading l = {.p = p, .take = take, .context = context};
	char path[PATH_MAX + 128], file[128];
	int line;

	snprintf(p->name, sizeof p->name, "%s", name);
	snprintf(file, sizeof file, "presets/%s", name);
	if (strchr(name, '/'))
		snprintf(path, sizeof path, "%s", name);
	else
		preset_beside(file, path, sizeof path);
	line = ini_parse(path, on_line, &l);
	if (line < 0)
		snprintf(err, size, "there is no preset '%s': cannot open '%s': %s", name, path,
			 strerror(errno));
	else if (line > 0 && !err[0])
		snprintf(err, size, "%s:%d: not `option = value`", path, line);
	return line == 0;
}

void preset_free(struct preset *p)
{
	while (p->texts)
		free(p->text[--p->texts]);
	free(p->text);
	p->text = NULL;
}

bool preset_fits(const struct preset *p, const char *path)
{
	char err[256], digest[65];
	size_t size;
	uint8_t *bytes = machine_read_file(path, &size, err, sizeof err);
	bool fits;

	if (!bytes)
		return true;
	sha256(bytes, size, digest);
	free(bytes);
	fits = (!p->size || p->size == size) && (!p->sha256[0] || strcmp(p->sha256, digest) == 0);
	return fits;
}
