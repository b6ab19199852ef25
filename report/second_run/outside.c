/* SPDX-License-Identifier: MIT */
/* outside.c - see outside.h. */
#define _GNU_SOURCE
#include "report/second_run/outside.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report/core/base/clock.h"
#include "report/core/base/memory.h"

static struct outside_image *find_image(const struct outside *o, uint32_t pid)
{
	for (size_t i = o->image_count; i-- > 0;)
		if (o->images[i]->pid == pid && !o->images[i]->ended)
			return o->images[i];
	return NULL;
}

/* A process whose first thread has ended, while others of its threads go on. */
static struct outside_image *find_ended(const struct outside *o, uint32_t pid)
{
	for (size_t i = o->image_count; i-- > 0;)
		if (o->images[i]->pid == pid)
			return o->images[i];
	return NULL;
}

static struct outside_image *add_image(struct outside *o, uint32_t pid, uint32_t parent,
				       uint64_t ns)
{
	struct outside_image *image = memory_zeroed(1, sizeof *image);

	*memory_next(o->images, o->image_count, o->image_room) = image;
	image->pid = pid;
	image->parent_pid = parent;
	image->began_ns = ns;
	return image;
}

/* Reads what /proc knows of the process, while it is there. */
static void ask_who(struct outside_image *image)
{
	char path[64], text[PATH_MAX];
	ssize_t n;

	if (image->command)
		return;
	snprintf(path, sizeof path, "/proc/%u/exe", image->pid);
	n = readlink(path, text, sizeof text);
	if (n > 0)
		image->exe = memory_text(text, (size_t)n);
	snprintf(path, sizeof path, "/proc/%u/cmdline", image->pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
	if (fd >= 0)
		close(fd);
	if (n > 0) {
		image->command = memory_text(text, (size_t)n);
		image->command_bytes = (size_t)n;
	}
}

static void forget_who(struct outside_image *image)
{
	free(image->exe);
	free(image->command);
	image->exe = image->command = NULL;
}

static void add_map(struct outside_image *image, const char *path, uint64_t address,
		    uint64_t offset, uint64_t bytes)
{
	*memory_next(image->maps, image->map_count, image->map_room) =
	    (struct outside_map){memory_text(path, strlen(path)), address, offset, bytes};
	if (image->unwind)
		unwind_map(image->unwind, path, address, offset, bytes);
}

/* The mappings of code in a process that runs already. */
static void read_maps(struct outside_image *image)
{
	char name[64], line[PATH_MAX + 128], path[PATH_MAX], rights[8];
	unsigned long long start, end, offset;

	snprintf(name, sizeof name, "/proc/%u/maps", image->pid);
	FILE *f = fopen(name, "re");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %4095[^\n]", &start, &end, rights,
			   &offset, path) == 5 &&
		    rights[2] == 'x')
			add_map(image, path, start, offset, end - start);
	if (f)
		fclose(f);
}

static void read_thread_name(uint32_t pid, uint32_t tid, char name[16])
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%u/task/%u/comm", pid, tid);
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(name, 1, 15, f) : 0;
	name[n] = 0;
	name[strcspn(name, "\n")] = 0;
	if (f)
		fclose(f);
}

/* The record of a running thread; a new one, or that of an ended thread with its name. */
static struct outside_thread *thread_of(struct outside_image *image, uint32_t tid)
{
	char name[16];
	struct outside_thread *t;

	for (size_t i = image->thread_count; i-- > 0;)
		if (image->threads[i].tid == tid && !image->threads[i].ended)
			return &image->threads[i];
	read_thread_name(image->pid, tid, name);
	if (!name[0])
		memcpy(name, image->name, sizeof name);
	for (size_t i = 0; i < image->thread_count; i++) {
		t = &image->threads[i];
		if (t->ended && !strcmp(t->name, name)) {
			t->ended = false;
			t->tid = tid;
			t->count++;
			return t;
		}
	}
	t = memory_next(image->threads, image->thread_count, image->thread_room);
	*t = (struct outside_thread){.tid = tid, .count = 1};
	memcpy(t->name, name, sizeof t->name);
	*memory_next(t->nodes, t->node_count, t->node_room) =
	    (struct outside_node){.parent = OUTSIDE_NONE};
	return t;
}

static bool is_node(const void *context, uint32_t item, const void *key)
{
	const struct outside_thread *t = context;
	const struct outside_node *n = key;

	return t->nodes[item].parent == n->parent && t->nodes[item].address == n->address;
}

static uint32_t child_of(struct outside_thread *t, uint32_t parent, uint64_t address)
{
	struct outside_node key = {.parent = parent, .address = address};
	uint64_t hash = lookup_hash(address, parent);
	uint32_t found = lookup_find(&t->by_caller, hash, is_node, t, &key);

	if (found != LOOKUP_NONE)
		return found;
	*memory_next(t->nodes, t->node_count, t->node_room) = key;
	lookup_add(&t->by_caller, hash, (uint32_t)(t->node_count - 1));
	return (uint32_t)(t->node_count - 1);
}

static bool is_kernel(const void *context, uint32_t item, const void *key)
{
	const struct outside_thread *t = context;
	const struct outside_kernel *k = key;

	return t->kernels[item].node == k->node && t->kernels[item].address == k->address;
}

/* Counts a sample of a place on the stacks at an address of the kernel. */
static void count_kernel(struct outside_thread *t, uint32_t node, uint64_t address)
{
	struct outside_kernel key = {.node = node, .address = address};
	uint64_t hash = lookup_hash(address, node);
	uint32_t found = lookup_find(&t->by_kernel, hash, is_kernel, t, &key);

	if (found == LOOKUP_NONE) {
		*memory_next(t->kernels, t->kernel_count, t->kernel_room) = key;
		found = (uint32_t)(t->kernel_count - 1);
		lookup_add(&t->by_kernel, hash, found);
	}
	t->kernels[found].samples++;
}

static bool keep_address(void *outside, uint64_t address)
{
	struct outside *o = outside;

	*memory_next(o->addresses, o->address_count, o->address_room) = address;
	return true;
}

/* Prepares the walk of the image's stacks. False: there is no memory. */
static bool can_walk(struct outside_image *image)
{
	if (image->unwind)
		return true;
	ask_who(image);
	image->unwind = unwind_new((pid_t)image->pid);
	for (size_t i = 0; image->unwind && i < image->map_count; i++)
		unwind_map(image->unwind, image->maps[i].path, image->maps[i].address,
			   image->maps[i].offset, image->maps[i].bytes);
	return image->unwind;
}

/* Collects the addresses on the sample's stack. False: its beginning was not reached. */
static bool walk(struct outside *o, struct outside_image *image, const struct rings_sample *sample)
{
	struct unwind_sample u;

	o->address_count = 0;
	if (!sample->abi || !can_walk(image))
		return false; /* without registers, the process is ending */
	u = unwind_read(sample);
	bool whole =
	    unwind_walk(image->unwind, &u, keep_address, o) && !unwind_was_cut(image->unwind);
	if (!o->address_count)
		keep_address(o, u.registers[registers.pc]);
	return whole;
}

static void take_sample(struct outside *o, const struct rings_sample *sample)
{
	struct outside_image *image = find_image(o, sample->pid);
	bool in_kernel =
	    (sample->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;

	if (!image)
		image = find_ended(o, sample->pid) ?: add_image(o, sample->pid, 0, sample->time);
	image->ended = false;
	struct outside_thread *t = thread_of(image, sample->tid);
	bool whole = walk(o, image, sample);
	uint32_t node = 0;
	if (!whole && sample->abi)
		node = child_of(t, 0, OUTSIDE_CUT);
	for (size_t i = o->address_count; i-- > 0;)
		node = child_of(t, node, o->addresses[i]);
	*(in_kernel ? &t->nodes[node].kernel : &t->nodes[node].user) += 1;
	if (in_kernel)
		count_kernel(t, node, sample->ip);
	image->samples++;
	image->cut += !whole && sample->abi;
}

static void take_fork(struct outside *o, const struct rings_task *task)
{
	struct outside_image *parent = find_image(o, task->parent_pid);

	if (task->pid == task->parent_pid || find_image(o, task->pid))
		return;
	struct outside_image *image = add_image(o, task->pid, task->parent_pid, task->time);
	if (!parent)
		return;
	memcpy(image->name, parent->name, sizeof image->name);
	for (size_t i = 0; i < parent->map_count; i++)
		add_map(image, parent->maps[i].path, parent->maps[i].address,
			parent->maps[i].offset, parent->maps[i].bytes);
}

static void take_exit(struct outside *o, const struct rings_task *task)
{
	struct outside_image *image = find_image(o, task->pid);

	for (size_t i = 0; image && i < image->thread_count; i++)
		if (image->threads[i].tid == task->tid)
			image->threads[i].ended = true;
	if (image && task->tid == task->pid) {
		image->ended = true;
		image->ended_ns = task->time;
	}
}

/*
 * A process has become another program, which has an image of its own. Sampling of a program that the user
 * named begins as it is started, within that very call: a sample from there is the program's. A program
 * without samples that starts another in its place, as env does, leaves the user's interest to that one.
 */
static struct outside_image *take_exec(struct outside *o, struct outside_image *before,
				       uint32_t pid, uint64_t ns)
{
	bool first = before && before->first;
	struct outside_image *image = before;

	if (first && !before->map_count) {
		forget_who(before);
		before->began_ns = ns;
	} else {
		image = add_image(o, pid, before ? before->parent_pid : 0, ns);
		image->first = first && !before->samples;
	}
	if (before && image != before) {
		before->ended = true;
		before->ended_ns = ns;
		before->first = first && !image->first;
	}
	ask_who(image);
	return image;
}

/* The kernel gave a thread a name: by prctl(), or as it became another program. */
static void take_name(struct outside *o, const struct rings_name *n)
{
	uint64_t ns = rings_time(&n->header);
	struct outside_image *image = find_image(o, n->pid);

	if (n->header.misc & PERF_RECORD_MISC_COMM_EXEC)
		image = take_exec(o, image, n->pid, ns);
	if (!image)
		return;
	if (n->tid == n->pid)
		snprintf(image->name, sizeof image->name, "%s", n->name);
	for (size_t i = 0; i < image->thread_count; i++)
		if (image->threads[i].tid == n->tid && !image->threads[i].ended)
			snprintf(image->threads[i].name, sizeof image->threads[i].name, "%s",
				 n->name);
}

static void take_map(struct outside *o, const struct rings_map *m)
{
	struct outside_image *image = find_image(o, m->pid);

	if (image)
		add_map(image, m->path, m->address, m->offset, m->bytes);
}

void outside_take(void *outside, const struct perf_event_header *record)
{
	const void *r = record;

	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		take_sample(outside, r);
		break;
	case PERF_RECORD_FORK:
		take_fork(outside, r);
		break;
	case PERF_RECORD_EXIT:
		take_exit(outside, r);
		break;
	case PERF_RECORD_COMM:
		take_name(outside, r);
		break;
	case PERF_RECORD_MMAP:
		take_map(outside, r);
		break;
	case PERF_RECORD_LOST:
		((struct outside *)outside)->lost += ((const struct rings_lost *)r)->lost;
		break;
	default:
		break;
	}
}

void outside_init(struct outside *o, pid_t pid, bool runs, uint64_t period_ns)
{
	*o = (struct outside){.period_ns = period_ns};
	struct outside_image *image =
	    add_image(o, (uint32_t)pid, 0, (uint64_t)clock_ns(CLOCK_MONOTONIC));
	image->first = true;
	read_thread_name(image->pid, image->pid, image->name);
	if (!runs)
		return;
	ask_who(image);
	read_maps(image);
}

static void free_thread(struct outside_thread *t)
{
	free(t->nodes);
	free(t->kernels);
	lookup_free(&t->by_caller);
	lookup_free(&t->by_kernel);
}

void outside_free(struct outside *o)
{
	for (size_t i = 0; i < o->image_count; i++) {
		struct outside_image *image = o->images[i];

		for (size_t k = 0; k < image->map_count; k++)
			free(image->maps[k].path);
		for (size_t k = 0; k < image->thread_count; k++)
			free_thread(&image->threads[k]);
		unwind_free(image->unwind);
		free(image->maps);
		free(image->threads);
		forget_who(image);
		free(image);
	}
	free(o->images);
	free(o->addresses);
}
