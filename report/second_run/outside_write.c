/* SPDX-License-Identifier: MIT */
/* outside_write.c - makes profiles of samples: addresses become functions, chains become contexts. */
#define _GNU_SOURCE
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "report/core/base/clock.h"
#include "report/core/base/memory.h"
#include "report/core/read/profile_write.h"
#include "report/second_run/outside.h"
#include "symbolize/symbolize.h"

enum { ZONE_NO_FILE = 2, ZONE_CUT = 3 }; /* ids of zones with names */

#define KERNEL_ID 0xffffffu /* of its module: the last one; modules of files have 1, 2, ... */

struct module {
	struct unwind_file file;
	struct symbolize_module *symbols;
	uint8_t build_id[32];
	uint32_t build_id_bytes;
};

/* A profile while it is put together. */
struct making {
	const struct outside *o;
	struct outside_image *image;
	struct symbolizer *symbolizer;
	struct module *modules;
	size_t module_count, module_room;
	struct zprof_node *nodes; /* of one thread */
	size_t node_count, node_room;
	struct lookup by_caller;
	struct zprof_samples *samples; /* by node of the thread */
	size_t sample_count, sample_room;
	struct zprof_call *places;
	size_t place_count, place_room;
	struct lookup by_place;
	struct zprof_inside *kernels;
	size_t kernel_count, kernel_room;
	uint64_t kernel_bias; /* 0: no sample was in the kernel yet */
	struct zprof_thread *threads;
	size_t thread_count, thread_room;
	struct profile_writer writer;
};

/* The vDSO has no file: this process has the same. */
static void read_build_id(struct module *m, bool vdso)
{
	char *here = vdso ? (char *)getauxval(AT_SYSINFO_EHDR) : NULL;
	int fd = vdso ? -1 : open(m->file.path, O_RDONLY | O_CLOEXEC);
	Elf *elf = here      ? elf_memory(here, 2 * (size_t)getpagesize())
		   : fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL)
			     : NULL;
	const void *id = NULL;
	ssize_t n = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;

	if (n > 0) {
		m->build_id_bytes = n < (ssize_t)sizeof m->build_id ? (uint32_t)n : 32;
		memcpy(m->build_id, id, m->build_id_bytes);
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

/* The number of the module that ADDRESS lies in, from 1; 0: code of no file. */
static uint32_t module_at(struct making *m, uint64_t address)
{
	struct unwind_file file;

	for (size_t i = 0; i < m->module_count; i++)
		if (address >= m->modules[i].file.start && address < m->modules[i].file.end)
			return (uint32_t)i + 1;
	if (!m->image->unwind || !unwind_file_at(m->image->unwind, address, &file))
		return 0;
	struct module *new = memory_next(m->modules, m->module_count, m->module_room);
	new->file = file;
	bool vdso = !strcmp(file.path, "[vdso]");
	read_build_id(new, vdso);
	new->symbols = symbolize_add(m->symbolizer, file.path, new->build_id, new->build_id_bytes,
				     vdso ? SYMBOLIZE_VDSO : SYMBOLIZE_FILE);
	return (uint32_t)m->module_count;
}

/*
 * Symbols come first: to unpack the debug information of libraries would take longer than all the rest. But of a
 * part that gcc has split off a function (`.cold`), that information alone knows which function it is a part of.
 */
static void look_up(struct symbolize_module *symbols, uint64_t address, struct symbolize_result *r)
{
	symbolize_name(symbols, address, r);
	if (strstr(r->linkage, ".cold"))
		symbolize_lookup(symbols, address, r);
}

/* The function that ADDRESS lies in, as a zone; *MODULE becomes its module's number. */
static uint64_t zone_at(struct making *m, uint64_t address, uint32_t *module)
{
	struct symbolize_result r;

	*module = 0;
	if (address == OUTSIDE_CUT)
		return ZPROF_ZONE_OF_ID(ZONE_CUT);
	*module = module_at(m, address);
	if (!*module)
		return ZPROF_ZONE_OF_ID(ZONE_NO_FILE);
	uint64_t bias = m->modules[*module - 1].file.bias;
	look_up(m->modules[*module - 1].symbols, address - bias, &r);
	if (r.quality != SYMBOLIZE_NONE && r.start)
		return r.start + bias;
	uint64_t start = unwind_function(m->image->unwind, address);
	return start ? start : address;
}

static bool is_node(const void *context, uint32_t item, const void *key)
{
	const struct making *m = context;
	const struct zprof_node *n = key;

	return m->nodes[item].parent == n->parent && m->nodes[item].zone == n->zone;
}

/* The context ZONE below PARENT, which is an index plus 1; 0: it is the root. */
static uint32_t context_of(struct making *m, uint32_t parent, uint64_t zone, uint32_t module)
{
	struct zprof_node key = {.zone = zone, .parent = parent, .module = module};
	uint64_t hash = lookup_hash(zone, parent);
	uint32_t found = lookup_find(&m->by_caller, hash, is_node, m, &key);

	if (found != LOOKUP_NONE)
		return found + 1;
	*memory_next(m->nodes, m->node_count, m->node_room) = key;
	*memory_next(m->samples, m->sample_count, m->sample_room) = (struct zprof_samples){0};
	lookup_add(&m->by_caller, hash, (uint32_t)(m->node_count - 1));
	return (uint32_t)m->node_count;
}

static bool is_place(const void *context, uint32_t item, const void *key)
{
	const struct making *m = context;
	const struct zprof_call *p = key;

	return m->places[item].node == p->node && m->places[item].site == p->site &&
	       ZPROF_CALL_FLAGS(&m->places[item]) == ZPROF_CALL_FLAGS(p);
}

/* Adds samples that found the thread at an instruction of the context NODE, or in the kernel for it. */
static void add_place(struct making *m, uint32_t node, uint64_t address, bool kernel,
		      uint64_t samples)
{
	uint32_t flags = ZPROF_CALL_SAMPLED | (kernel ? ZPROF_CALL_KERNEL : 0);
	struct zprof_call key = {.node = node, .site = address, .module = flags << 24};
	uint64_t hash = lookup_hash(address, node);
	uint32_t found = lookup_find(&m->by_place, hash, is_place, m, &key);

	if (found == LOOKUP_NONE) {
		key.module |= module_at(m, address);
		*memory_next(m->places, m->place_count, m->place_room) = key;
		found = (uint32_t)(m->place_count - 1);
		lookup_add(&m->by_place, hash, found);
	}
	m->places[found].calls += samples;
	m->places[found].self_ns += (int64_t)(samples * m->o->period_ns);
}

static void add_samples(struct making *m, uint32_t context, const struct outside_node *from)
{
	struct zprof_samples *to = &m->samples[context - 1];

	to->node = context;
	to->user_samples += (uint32_t)from->user;
	to->kernel_samples += (uint32_t)from->kernel;
	to->user_ns += from->user * m->o->period_ns;
	to->kernel_ns += from->kernel * m->o->period_ns;
	if (!from->address || from->address == OUTSIDE_CUT)
		return;
	if (from->user)
		add_place(m, context, from->address, false, from->user);
	if (from->kernel)
		add_place(m, context, from->address, true, from->kernel);
}

/* Adds samples that found the thread at an address of the kernel. */
static void add_kernel(struct making *m, uint32_t context, const struct outside_kernel *from)
{
	if (!m->kernel_bias)
		m->kernel_bias = from->address & ~(ZPROF_KERNEL_BYTES - 1);
	if (from->address - m->kernel_bias < ZPROF_KERNEL_BYTES)
		*memory_next(m->kernels, m->kernel_count, m->kernel_room) =
		    (struct zprof_inside){.node = context,
					  .module = KERNEL_ID,
					  .address = from->address,
					  .samples = from->samples,
					  .ns = from->samples * m->o->period_ns};
}

/* Turns indices (plus 1) into references, now that the place of the nodes in the file is known. */
static void place_nodes(struct making *m, uint32_t first)
{
	size_t count = 0;

	for (size_t i = 0; i < m->node_count; i++) {
		if (m->nodes[i].parent)
			m->nodes[i].parent += first - 1;
		if (m->samples[i].node)
			m->samples[count++] = m->samples[i];
	}
	m->sample_count = count;
	for (size_t i = 0; i < count; i++)
		m->samples[i].node += first - 1;
	for (size_t i = 0; i < m->place_count; i++)
		m->places[i].node += first - 1;
	for (size_t i = 0; i < m->kernel_count; i++)
		m->kernels[i].node += first - 1;
}

static void write_thread(struct making *m, const struct outside_thread *t, uint32_t id)
{
	uint32_t *contexts = memory_zeroed(t->node_count, sizeof *contexts), module;
	uint64_t samples = 0;

	m->node_count = m->sample_count = m->place_count = m->kernel_count = 0;
	contexts[0] = context_of(m, 0, 0, 0);
	for (size_t i = 0; i < t->node_count; i++) {
		if (i) {
			uint64_t zone = zone_at(m, t->nodes[i].address, &module);
			contexts[i] = context_of(m, contexts[t->nodes[i].parent], zone, module);
		}
		if (t->nodes[i].user + t->nodes[i].kernel)
			add_samples(m, contexts[i], &t->nodes[i]);
		samples += t->nodes[i].user + t->nodes[i].kernel;
	}
	for (size_t i = 0; i < t->kernel_count; i++)
		add_kernel(m, contexts[t->kernels[i].node], &t->kernels[i]);
	free(contexts);
	uint32_t first = (uint32_t)profile_write_reference(&m->writer);
	place_nodes(m, first);
	profile_write_section(&m->writer, ZPROF_SECTION_NODES, m->nodes,
			      m->node_count * sizeof *m->nodes);
	profile_write_section(&m->writer, ZPROF_SECTION_SAMPLES, m->samples,
			      m->sample_count * sizeof *m->samples);
	profile_write_section(&m->writer, ZPROF_SECTION_CALLS, m->places,
			      m->place_count * sizeof *m->places);
	profile_write_section(&m->writer, ZPROF_SECTION_KERNEL, m->kernels,
			      m->kernel_count * sizeof *m->kernels);
	struct zprof_thread *to = memory_next(m->threads, m->thread_count, m->thread_room);
	*to = (struct zprof_thread){.id = id,
				    .root = first,
				    .current = {first},
				    .tid = t->tid,
				    .count = t->count,
				    .sampled_ns = samples * m->o->period_ns,
				    .looked_ns = samples * m->o->period_ns};
	memcpy(to->name, t->name, sizeof to->name);
	lookup_free(&m->by_caller);
	lookup_free(&m->by_place);
	m->by_caller = m->by_place = (struct lookup){0};
}

/* Without a boot id, nobody could tell later what the kernel's addresses mean. */
static void add_kernel_module(const struct making *m, struct profile_records *to)
{
	struct zprof_module fixed = {.id = KERNEL_ID,
				     .start = m->kernel_bias,
				     .end = m->kernel_bias + (ZPROF_KERNEL_BYTES - 1),
				     .bias = m->kernel_bias,
				     .build_id_bytes = SYMBOLIZE_BOOT_ID_BYTES};
	const void *pieces[] = {ZPROF_KERNEL_PATH};

	if (m->kernel_bias && symbolize_boot_id(fixed.build_id))
		profile_records_add(to, ZPROF_SECTION_MODULES, &fixed, pieces);
}

static void write_modules(struct making *m)
{
	struct profile_records r = {0};

	for (size_t i = 0; i < m->module_count; i++) {
		const struct module *from = &m->modules[i];
		struct zprof_module fixed = {.id = (uint32_t)i + 1,
					     .start = from->file.start,
					     .end = from->file.end,
					     .bias = from->file.bias,
					     .build_id_bytes = from->build_id_bytes};
		memcpy(fixed.build_id, from->build_id, sizeof fixed.build_id);
		const void *pieces[] = {from->file.path};
		profile_records_add(&r, ZPROF_SECTION_MODULES, &fixed, pieces);
	}
	add_kernel_module(m, &r);
	profile_write_section(&m->writer, ZPROF_SECTION_MODULES, r.bytes, r.used);
	profile_records_free(&r);
}

static void write_zones(struct making *m)
{
	static const char *const names[] = {
	    [ZONE_NO_FILE] = "[code of no file]", [ZONE_CUT] = "[stack cut]"};
	struct profile_records r = {0};

	for (uint32_t id = ZONE_NO_FILE; id <= ZONE_CUT; id++) {
		struct zprof_zone fixed = {.id = id, .kind = ZPROF_ZONE_PUBLIC};
		const void *pieces[] = {names[id], "", ""};
		profile_records_add(&r, ZPROF_SECTION_ZONES, &fixed, pieces);
	}
	profile_write_section(&m->writer, ZPROF_SECTION_ZONES, r.bytes, r.used);
	profile_records_free(&r);
}

static void add_text(struct profile_records *r, uint32_t kind, const char *text, size_t bytes)
{
	struct zprof_text fixed = {.kind = kind, .text_bytes = (uint32_t)bytes};
	const void *pieces[] = {text};

	if (text)
		profile_records_add(r, ZPROF_SECTION_TEXT, &fixed, pieces);
}

static void write_texts(struct making *m)
{
	struct outside_image *image = m->image;
	struct profile_records r = {0};
	char host[65] = "";

	if (image->command)
		add_text(&r, ZPROF_TEXT_COMMAND, image->command, image->command_bytes);
	else
		add_text(&r, ZPROF_TEXT_COMMAND, image->name, strlen(image->name) + 1);
	add_text(&r, ZPROF_TEXT_EXE, image->exe, image->exe ? strlen(image->exe) : 0);
	if (!gethostname(host, sizeof host - 1))
		add_text(&r, ZPROF_TEXT_HOST, host, strlen(host));
	profile_write_section(&m->writer, ZPROF_SECTION_TEXT, r.bytes, r.used);
	profile_records_free(&r);
}

static struct zprof_header make_header(const struct making *m, const uint8_t run_id[16])
{
	const struct outside_image *image = m->image;
	uint64_t now = (uint64_t)clock_ns(CLOCK_MONOTONIC);
	uint64_t end = image->ended_ns ? image->ended_ns : now;
	struct zprof_header h = {
	    .magic = ZPROF_MAGIC,
	    .version = ZPROF_VERSION,
	    .byte_order = ZPROF_BYTE_ORDER,
	    .header_bytes = ZPROF_GRANULE,
	    .node_bytes = ZPROF_NODE_BYTES,
	    .clock = ZPROF_CLOCK_MONOTONIC,
	    .mode = ZPROF_MODE_COUNT,
	    .pid = image->pid,
	    .parent_pid = image->parent_pid,
	    .flags = ZPROF_SAMPLED | ZPROF_FINISHED | ZPROF_END_SEEN,
	    .ticks_hz = 1000000000,
	    .start_ticks = image->began_ns,
	    .start_ns = image->began_ns,
	    .start_realtime_ns = (uint64_t)clock_ns(CLOCK_REALTIME) - (now - image->began_ns),
	    .now_ticks = end,
	    .now_ns = end,
	    .sampler = m->o->sees_kernel ? ZPROF_SAMPLER_KERNEL : ZPROF_SAMPLER_USER,
	    .sample_period_ns = (uint32_t)m->o->period_ns,
	};

	memcpy(h.run_id, run_id, sizeof h.run_id);
	h.counters[ZPROF_LOSS_STACKS] = image->cut;
	h.counters[ZPROF_LOSS_LATE] = image->first ? m->o->lost : 0;
	return h;
}

/* A name for the profile that no file has. */
static void choose_name(struct str *name, const char *pattern, uint32_t pid)
{
	for (unsigned n = 1; n == 1 || !access(name->text, F_OK); n++) {
		str_clear(name);
		for (const char *at = pattern; *at; at++) {
			if (at[0] == '%' && at[1] == 'p') {
				str_add(name, "%u", pid);
				at++;
			} else {
				str_add_bytes(name, at, 1);
			}
		}
		if (n > 1)
			str_add(name, ".%u", n);
	}
}

static bool write_image(const struct outside *o, struct outside_image *image, const char *pattern,
			const uint8_t run_id[16], struct str *err)
{
	struct making m = {.o = o, .image = image, .symbolizer = symbolize_new()};
	struct str name = {0};
	bool ok = m.symbolizer || str_fail(err, "no memory for symbols");

	choose_name(&name, pattern, image->pid);
	ok = ok && profile_write_begin(&m.writer, name.text, err);
	if (ok) {
		struct zprof_header header = make_header(&m, run_id);

		for (size_t i = 0; i < image->thread_count; i++)
			write_thread(&m, &image->threads[i], (uint32_t)i + 1);
		profile_write_section(&m.writer, ZPROF_SECTION_THREADS, m.threads,
				      m.thread_count * sizeof *m.threads);
		write_modules(&m);
		write_zones(&m);
		write_texts(&m);
		ok = profile_write_end(&m.writer, &header, err);
	}
	symbolize_free(m.symbolizer);
	str_free(&name);
	free(m.modules);
	free(m.nodes);
	free(m.samples);
	free(m.places);
	free(m.kernels);
	free(m.threads);
	return ok;
}

bool outside_write(struct outside *o, const char *pattern, const uint8_t run_id[16],
		   uint64_t *samples, uint64_t *cut, struct str *err)
{
	bool ok = true;

	*samples = *cut = 0;
	for (size_t i = 0; ok && i < o->image_count; i++) {
		struct outside_image *image = o->images[i];

		*samples += image->samples;
		*cut += image->cut;
		if (image->samples || image->first)
			ok = write_image(o, image, pattern, run_id, err);
	}
	return ok;
}
