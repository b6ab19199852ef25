/* SPDX-License-Identifier: MIT */
/* bounds.c - see bounds.h. */
#include "preload/stacks/bounds.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/code/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>

/*
 * Since Linux 6.11 the kernel tells the mapping of one address (<linux/fs.h>, PROCMAP_QUERY). On
 * older kernels all mappings have to be read. With thousands of threads that takes long, since each
 * thread has a few mappings.
 */
struct query {
	uint64_t size, flags, address;
	uint64_t low, end, protection, page_bytes, offset, inode;
	uint32_t major, minor, name_bytes, build_id_bytes;
	uint64_t name, build_id;
};

#define QUERY _IOWR('f', 17, struct query)

/* The main thread's stack grows down to the mapping below it. */
static bool grows(const char *path)
{
	return text_same(path, "[stack]");
}

static bool ask(uintptr_t address, uintptr_t *low, uintptr_t *bytes)
{
	char name[16] = "";
	struct query q = {.size = sizeof(q),
			  .address = address,
			  .name = (uintptr_t)name,
			  .name_bytes = sizeof(name)};
	long maps = sys4(SYS_openat, AT_FDCWD, SYS_SELF "maps", O_RDONLY | O_CLOEXEC, 0), r;

	if (SYS_FAILED(maps))
		return false;
	r = sys3(SYS_ioctl, maps, QUERY, &q);
	if (r == -ENAMETOOLONG) { /* any other name than [stack] will do */
		q.name = q.name_bytes = 0;
		r = sys3(SYS_ioctl, maps, QUERY, &q);
	}
	sys1(SYS_close, maps);
	if (SYS_FAILED(r) || grows(name))
		return false;
	*low = q.low;
	*bytes = q.end - q.low;
	return true;
}

static void read_maps(uintptr_t address, uintptr_t *low, uintptr_t *bytes)
{
	char *text, *s;
	size_t mapped;
	struct mapping m;
	uintptr_t before = 0;

	*low = 0;
	*bytes = BOUNDS_UNKNOWN;
	if (sys_read_file(SYS_SELF "maps", &text, &mapped) <= 0)
		return;
	for (s = text; maps_next(&s, &m); before = m.end)
		if (address >= m.start && address < m.end) {
			*low = grows(m.path) ? before : m.start;
			*bytes = m.end - *low;
			break;
		}
	sys_memory_free(text, mapped);
}

void bounds_of_mapping(uintptr_t address, uintptr_t *low, uintptr_t *bytes)
{
	if (!ask(address, low, bytes))
		read_maps(address, low, bytes);
}

bool bounds_of_own(uintptr_t sp, uintptr_t *low, uintptr_t *bytes)
{
	uintptr_t self = sys_thread_pointer();

	bounds_of_mapping(sp, low, bytes);
	if (sp >= self || self - *low >= *bytes || *bytes == BOUNDS_UNKNOWN)
		return false;
	*bytes = self + sizeof(uintptr_t) - *low;
	return true;
}

bool bounds_of_signal_stack(uintptr_t sp, uintptr_t *low, uintptr_t *bytes)
{
	stack_t alternate = {0};

	if (sys_forbidden)
		return false;
	sys2(SYS_sigaltstack, 0, &alternate);
	if (alternate.ss_flags & SS_DISABLE)
		return false;
	*low = (uintptr_t)alternate.ss_sp;
	*bytes = alternate.ss_size;
	return sp - *low < *bytes;
}
