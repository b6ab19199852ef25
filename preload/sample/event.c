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

/*
 * Opens an event that writes where the event of descriptor `first` does. Returns its descriptor, or
 * -errno.
 */
static long open_beside(const struct perf_event_attr *attr, struct event_beside *beside, int first)
{
	long fd = open_event(attr), r;

	if (SYS_FAILED(fd))
		return fd;
	r = sys3(SYS_ioctl, fd, PERF_EVENT_IOC_SET_OUTPUT, first);
	if (!r)
		r = sys3(SYS_ioctl, fd, PERF_EVENT_IOC_ID, &beside->id);
	if (!r)
		return fd;
	sys1(SYS_close, fd);
	return r;
}

static void open_besides(struct perf_event_attr *attr, struct event_besides *besides, int first)
{
	long fds[EVENT_BESIDES];
	uint32_t i;

	attr->sample_stack_user = besides->stack_bytes;
	attr->context_switch = 0;
	for (i = 0; i < besides->count; i++) {
		struct event_beside *beside = &besides->each[i];

		attr->type = beside->type;
		attr->config = beside->config;
		attr->sample_period = beside->period;
		attr->read_format = beside->read_format;
		fds[i] = open_beside(attr, beside, first);
	}
	besides->page = kept_hold(besides->kept, fds, besides->count);
	for (i = 0; i < besides->count; i++) {
		besides->each[i].result = fds[i] < 0 ? fds[i] : 0;
		besides->each[i].id = fds[i] < 0 ? 0 : besides->each[i].id;
	}
}

/* As event_map(). The descriptor stays open, and is *fd; -1: there is none. */
static long map_open(const struct perf_event_attr *attr, uint32_t room, uint32_t most,
		     char **memory, int *fd)
{
	long opened = open_event(attr), at;

	*fd = -1;
	if (SYS_FAILED(opened))
		return opened;
	*fd = (int)opened;
	at = sys6(SYS_mmap, *memory, sys_page_bytes() + room, PROT_READ | PROT_WRITE,
		  *memory ? MAP_SHARED | MAP_FIXED : MAP_SHARED, opened, 0);
	if (most)
		sys3(SYS_ioctl, opened, PERF_EVENT_IOC_REFRESH, most);
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

long event_map_besides(struct perf_event_attr *attr, uint32_t room, uint32_t most, char **memory,
		       struct event_besides *besides)
{
	int fd;
	long r = map_open(attr, room, most, memory, &fd);

	if (!r)
		open_besides(attr, besides, fd);
	if (fd >= 0)
		sys1(SYS_close, fd);
	return r;
}

long event_map(const struct perf_event_attr *attr, uint32_t room, uint32_t most, char **memory)
{
	int fd;
	long r = map_open(attr, room, most, memory, &fd);

	if (fd >= 0)
		sys1(SYS_close, fd);
	return r;
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
