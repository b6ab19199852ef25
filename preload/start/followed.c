/* SPDX-License-Identifier: MIT */
/* followed.c - see followed.h. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "preload/start/followed.h"

#include "preload/base/sys.h"
#include "preload/code/image.h"
#include "preload/code/spawn.h"
#include "preload/displace/ask.h"
#include "preload/displace/plan_file.h"

#include <fcntl.h>
#include <link.h>
#include <linux/limits.h>
#include <sys/auxv.h>

/* A turn through the linker's list of files. */
struct turn {
	struct ask ask;
	const char *folder;
	uint32_t from, seen; /* files before number `from` have been looked at */
	bool full;           /* the question is */
	const char *library; /* the path of this one */
	char program[PATH_MAX];
};

static void look_at(struct turn *t, const char *path, const struct image *image)
{
	if (t->seen < t->from)
		return;
	if (!image->build_id_bytes)
		ask_without(t->folder, path, NULL);
	else if (!plan_file_answer(t->folder, image->build_id, image->build_id_bytes) &&
		 !ask_add(&t->ask, path, strlen(path)))
		t->full = true;
}

/* Not 0: the question is full. */
static int look(struct dl_phdr_info *info, size_t bytes, void *context)
{
	uintptr_t linker = getauxval(AT_BASE), own = (uintptr_t)&followed_ask;
	struct turn *t = context;
	const char *path = *info->dlpi_name ? info->dlpi_name : t->program;
	struct image image;
	int i;

	(void)bytes;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

		if (ph->p_type != PT_LOAD || ph->p_offset ||
		    !image_read(&image, info->dlpi_addr + ph->p_vaddr, ph->p_filesz))
			continue;
		if (own - image.start < image.end - image.start)
			t->library = path;
		else if (linker - image.start >= image.end - image.start && text_holds(path, "/"))
			look_at(t, path, &image);
	}
	t->seen += !t->full;
	return t->full;
}

void followed_ask(const char *folder)
{
	struct turn t = {.folder = folder};
	bool asked;
	long n;

	if (!ask_may(folder))
		return;
	n = sys4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", t.program, sizeof(t.program) - 1);
	t.program[n > 0 ? n : 0] = 0;
	do {
		t.from = t.seen;
		t.seen = 0;
		t.full = false;
		if (!ask_begin(&t.ask, folder))
			return;
		dl_iterate_phdr(look, &t);
		asked = t.ask.count && t.library &&
			spawn_zprof_of(t.library, strlen(t.library), t.ask.arguments, -1, -1);
		ask_end(&t.ask);
		if (t.ask.count && !asked)
			ask_without(folder, t.program,
				    "'zprof', which makes plans, did not run as it began");
	} while (t.full && asked);
}
