/* SPDX-License-Identifier: MIT */
/* plan_file.c - see plan_file.h. */
#include "preload/displace/plan_file.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/format.h"
#include "preload/code/module.h"

#include <fcntl.h>
#include <linux/limits.h>
#include <unistd.h>

static bool path_of(char *path, size_t room, const char *folder, const unsigned char *build_id,
		    uint32_t bytes)
{
	static const char digits[] = "0123456789abcdef";
	struct text t;
	uint32_t i;

	text_init(&t, path, room);
	text_add(&t, folder);
	text_add(&t, "/");
	for (i = 0; i < bytes; i++) {
		text_char(&t, digits[build_id[i] >> 4]);
		text_char(&t, digits[build_id[i] & 15]);
	}
	text_char(&t, '.');
	text_number(&t, PLAN_VERSION);
	text_add(&t, ".plan");
	return bytes && !t.cut;
}

bool plan_file_is_there(const char *folder, const unsigned char *build_id, uint32_t bytes)
{
	char path[PATH_MAX];

	return path_of(path, sizeof(path), folder, build_id, bytes) &&
	       !sys3(SYS_faccessat, AT_FDCWD, path, R_OK);
}

char plan_file_answer(const char *folder, const unsigned char *build_id, uint32_t bytes)
{
	char path[PATH_MAX], first;

	if (!path_of(path, sizeof(path), folder, build_id, bytes))
		return 0;
	if (!sys3(SYS_faccessat, AT_FDCWD, path, R_OK))
		return '/';
	return sys4(SYS_readlinkat, AT_FDCWD, path, &first, 1) == 1 && first != '/' ? first : 0;
}

bool plan_file_open(struct plan_file *file, const char *folder, const struct module *m)
{
	const struct zprof_module *r = m->record;
	char path[PATH_MAX];

	return path_of(path, sizeof(path), folder, r->build_id, r->build_id_bytes) &&
	       plan_file_open_at(file, path, m);
}

bool plan_file_open_at(struct plan_file *file, const char *path, const struct module *m)
{
	const struct zprof_module *r = m->record;
	long bytes;

	bytes = sys_read_file(path, &file->memory, &file->mapped);
	if (bytes < 0)
		return false;
	file->base = m->start;
	if (plan_check(file->memory, (size_t)bytes, &file->plan) &&
	    plan_is_of(&file->plan, r->build_id, r->build_id_bytes) &&
	    file->plan.header->image_bytes <= m->end - m->start)
		return true;
	plan_file_close(file);
	return false;
}

void plan_file_close(struct plan_file *file)
{
	sys_memory_free(file->memory, file->mapped);
}

bool plan_file_function(const struct plan_file *file, uint32_t window, struct displaced *d)
{
	const struct plan_window *w = &file->plan.windows[window];

	d->base = file->base;
	d->window = w;
	d->moved = &file->plan.instructions[w->first_instruction];
	d->function = file->base + file->plan.codes[w->code].start;
	d->patch = file->base + w->patch;
	return !memcmp((const void *)d->patch, w->original, w->bytes);
}
