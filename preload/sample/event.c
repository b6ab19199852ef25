/* SPDX-License-Identifier: MIT */
/* event.c - see event.h. */
#define _GNU_SOURCE
#include "preload/sample/event.h"

#include "preload/base/sys.h"
#include "preload/sample/kept.h"

#include <errno.h>
#include <sys/mman.h>

static void map_nothing(char *at, uint32_t room, int how)
{
	sys6(SYS_mmap, at, sys_page_bytes() + room, PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | how, -1, 0);
}

static long open_event(const struct perf_event_attr *attr)
{
	return sys6(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
}

/* The second event writes where the event of descriptor `first` does. */
static long open_beside(struct event_beside *beside, int first)
{
	long fd = open_event(&beside->attr), r;

	if (SYS_FAILED(fd))
		return fd;
	r = sys3(SYS_ioctl, fd, PERF_EVENT_IOC_SET_OUTPUT, first);
	if (!r)
		r = sys3(SYS_ioctl, fd, PERF_EVENT_IOC_ID, &beside->id);
	if (!r)
		r = kept_hold(beside->kept, (int)fd, &beside->page);
	sys1(SYS_close, fd);
	return r;
}

long event_map_beside(const struct perf_event_attr *attr, uint32_t room, uint32_t most,
		      char **memory, struct event_beside *beside)
{
	long fd = open_event(attr), at;

	if (SYS_FAILED(fd))
		return fd;
	at = sys6(SYS_mmap, *memory, sys_page_bytes() + room, PROT_READ | PROT_WRITE,
		  *memory ? MAP_SHARED | MAP_FIXED : MAP_SHARED, fd, 0);
	if (most)
		sys3(SYS_ioctl, fd, PERF_EVENT_IOC_REFRESH, most);
	if (beside && !SYS_FAILED(at))
		beside->result = open_beside(beside, (int)fd);
	sys1(SYS_close, fd);
	if (at == -EPERM) /* (from mmap: perf_event_open(2) has succeeded) */
		at = -ENOBUFS;
	if (SYS_FAILED(at)) {
		if (*memory) /* the mapping that was there may be gone */
			map_nothing(*memory, room, MAP_FIXED_NOREPLACE);
		return at;
	}
	*memory = (char *)at;
	return 0;
}

long event_map(const struct perf_event_attr *attr, uint32_t room, uint32_t most, char **memory)
{
	return event_map_beside(attr, room, most, memory, NULL);
}

void event_unmap(char *memory, uint32_t room)
{
	sys2(SYS_munmap, memory, sys_page_bytes() + room);
}

void event_silence(char *memory, uint32_t room)
{
	map_nothing(memory, room, MAP_FIXED);
}

void event_copy(const char *memory, uint32_t room, uint64_t at, void *to, uint64_t bytes)
{
	const char *notes = event_notes(memory);
	uint64_t *words = to, i;

	for (i = 0; i < bytes / sizeof(*words); i++)
		words[i] = *(const uint64_t *)(notes + (at + i * sizeof(*words)) % room);
}
