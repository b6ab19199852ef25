/* SPDX-License-Identifier: MIT */
/*
 * profile_builder.c - see profile_builder.h. Written for clarity and from preload/format.h alone:
 * it shares no code with the library that writes profiles, nor with the reader it is to test.
 */
#include "tests/unit/profile_builder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preload/format.h"

#define MAX_DEPTH 4096

struct bytes {
	char *data;
	size_t used, room;
};

struct spec_node {
	uint64_t zone;
	uint32_t module, parent; /* index, UINT32_MAX for a root */
	uint64_t calls;
	int64_t self;
	bool open;
	uint32_t flags; /* ZPROF_NODE_ */
	uint32_t thread;
};

struct spec_zone {
	char name[64];
	uint32_t id;
};

struct builder {
	struct zprof_header header;
	struct bytes modules, zones, texts, nodes, threads, turns, extras, estimates,
	    vias; /* records; nodes are struct spec_node, the last three name them by index */
	struct spec_zone *names;
	size_t name_count;
	uint64_t module_starts[64];
	uint32_t path[MAX_DEPTH]; /* by depth, the latest node: [0] the thread's root */
	uint32_t per_section;
	size_t line;
};

static void put(struct bytes *b, const void *data, size_t n)
{
	if (b->used + n > b->room) {
		b->room = (b->used + n) * 2;
		b->data = realloc(b->data, b->room);
	}
	memcpy(b->data + b->used, data, n);
	b->used += n;
}

static void pad(struct bytes *b, size_t multiple)
{
	static const char zeros[4096];
	put(b, zeros, (multiple - b->used % multiple) % multiple);
}

static void put_text(struct builder *b, uint32_t kind, const char *text, size_t n)
{
	struct zprof_text t = {.kind = kind, .text_bytes = (uint32_t)n};
	t.bytes = (uint32_t)ZPROF_RECORD_BYTES(sizeof t + n);
	put(&b->texts, &t, sizeof t);
	put(&b->texts, text, n);
	pad(&b->texts, 8);
}

static void put_command(struct builder *b, const char *words)
{
	char copy[512];
	size_t n = 0;
	for (; *words && n < sizeof copy - 1; words++)
		copy[n++] = *words == ' ' ? 0 : *words;
	copy[n++] = 0;
	put_text(b, ZPROF_TEXT_COMMAND, copy, n);
}

static void put_module(struct builder *b, const char *rest)
{
	char path[256];
	unsigned id;
	unsigned long long start, end, bias;
	if (sscanf(rest, "%u %255s %llx %llx %llx", &id, path, &start, &end, &bias) != 5 ||
	    id >= 64)
		return;
	struct zprof_module m = {.id = id, .start = start, .end = end, .bias = bias};
	m.path_bytes = (uint32_t)strlen(path);
	size_t fixed = offsetof(struct zprof_module, path);
	m.bytes = (uint32_t)ZPROF_RECORD_BYTES(sizeof m + m.path_bytes);
	b->module_starts[id] = start;
	size_t before = b->modules.used;
	put(&b->modules, &m, fixed);
	put(&b->modules, path, m.path_bytes);
	while (b->modules.used < before + m.bytes)
		put(&b->modules, "", 1);
}

static uint32_t add_zone(struct builder *b, const char *name, const char *rest)
{
	char group[64] = "", file[128] = "", words[512], *word, *state;
	struct zprof_zone z = {.kind = ZPROF_ZONE_LENT, .id = (uint32_t)b->name_count + 2};
	snprintf(words, sizeof words, "%s", rest);
	for (word = strtok_r(words, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
		sscanf(word, "group=%63s", group);
		sscanf(word, "file=%127s", file);
		sscanf(word, "line=%u", &z.line);
		sscanf(word, "kind=%u", &z.kind);
	}
	unsigned same = 1;
	for (size_t i = 0; i < b->name_count; i++)
		same += !strcmp(b->names[i].name, name);
	b->names = realloc(b->names, (b->name_count + 1) * sizeof *b->names);
	struct spec_zone *spec = &b->names[b->name_count++];
	spec->id = strcmp(name, "[zprof]") ? z.id : ZPROF_ID_SELF;
	z.id = spec->id;
	snprintf(spec->name, sizeof spec->name, same > 1 ? "%.40s#%u" : "%.40s", name, same);
	z.name_bytes = (uint32_t)strlen(name);
	z.group_bytes = (uint32_t)strlen(group);
	z.file_bytes = (uint32_t)strlen(file);
	size_t before = b->zones.used;
	size_t n = offsetof(struct zprof_zone, text) + z.name_bytes + z.group_bytes + z.file_bytes;
	z.bytes = (uint32_t)ZPROF_RECORD_BYTES(n < sizeof z ? sizeof z : n);
	put(&b->zones, &z, offsetof(struct zprof_zone, text));
	put(&b->zones, name, z.name_bytes);
	put(&b->zones, group, z.group_bytes);
	put(&b->zones, file, z.file_bytes);
	while (b->zones.used < before + z.bytes)
		put(&b->zones, "", 1);
	return z.id;
}

static uint32_t zone_id(struct builder *b, const char *name)
{
	for (size_t i = 0; i < b->name_count; i++)
		if (!strcmp(b->names[i].name, name))
			return b->names[i].id;
	return add_zone(b, name, "");
}

static void put_thread(struct builder *b, const char *rest)
{
	struct zprof_thread t = {.id = (uint32_t)(b->threads.used / sizeof t) + 1, .count = 1};
	struct spec_node root = {.parent = UINT32_MAX, .thread = t.id};
	sscanf(rest, "%u %15s %u", &t.tid, t.name, &t.count);
	t.root = (uint32_t)(b->nodes.used / sizeof root); /* an index until the end */
	b->path[0] = t.root;
	put(&b->nodes, &root, sizeof root);
	put(&b->threads, &t, sizeof t);
}

/* What stands behind a node's numbers. */
static bool set_mark(struct spec_node *n, const char *word)
{
	static const char *const flags[] = {"retired", "folded", "spilled", "overflow",
					    "throttled"};
	n->open |= !strcmp(word, "open");
	for (int i = 0; i < 5; i++)
		n->flags |= !strcmp(word, flags[i]) ? 1u << i : 0;
	return !*word || n->open || n->flags;
}

/* `  NAME CALLS SELF [open|folded|...]`, DEPTH 1 for a thread's outermost. */
static bool put_node(struct builder *b, size_t depth, const char *rest)
{
	char name[128], mark[16] = "";
	struct spec_node n = {.parent = b->path[depth - 1]};
	unsigned long long calls;
	long long self;
	unsigned module, offset;
	struct spec_node *all = (struct spec_node *)b->nodes.data;
	if (!b->threads.used || depth >= MAX_DEPTH)
		return false;
	if (depth == 1 && sscanf(rest, "outside %lld", &self) == 1) {
		all[b->path[0]].self = self;
		return true;
	}
	if (sscanf(rest, "%127s %llu %lld %15s", name, &calls, &self, mark) < 3 ||
	    !set_mark(&n, mark))
		return false;
	n.calls = calls;
	n.self = self;
	n.thread = all[n.parent].thread;
	if (sscanf(name, "@%u+%x", &module, &offset) == 2 && module < 64) {
		n.zone = b->module_starts[module] + offset;
		n.module = module;
	} else if (strcmp(name, "(table)")) {
		n.zone = ZPROF_ZONE_OF_ID(zone_id(b, name));
	}
	b->path[depth] = (uint32_t)(b->nodes.used / sizeof n);
	put(&b->nodes, &n, sizeof n);
	return true;
}

static void set_flags(struct builder *b, const char *rest)
{
	b->header.flags |= strstr(rest, "finished") ? ZPROF_FINISHED : 0;
	b->header.flags |= strstr(rest, "forked") ? ZPROF_FORKED : 0;
	b->header.flags |= strstr(rest, "filtered") ? ZPROF_FILTERED : 0;
}

/* `@1+0x80` or `0x7000`; false when it is neither. */
static bool read_address(const struct builder *b, const char *word, uint64_t *address)
{
	unsigned module;
	unsigned long long offset;
	if (sscanf(word, "@%u+%llx", &module, &offset) == 2 && module < 64) {
		*address = b->module_starts[module] + offset;
		return true;
	}
	*address = strtoull(word, NULL, 16);
	return *address != 0;
}

static bool put_via(struct builder *b, const char *rest)
{
	struct zprof_via v = {.whole = 1};
	uint64_t addresses[16];
	char words[512], *word, *state;
	snprintf(words, sizeof words, "%s", rest);
	for (word = strtok_r(words, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
		if (!strcmp(word, "cut"))
			v.whole = 0;
		else if (v.count == 16 || !read_address(b, word, &addresses[v.count++]))
			return false;
	}
	v.node = (uint32_t)(b->nodes.used / sizeof(struct spec_node)) - 1;
	v.bytes = (uint32_t)(sizeof v + v.count * sizeof *addresses);
	put(&b->vias, &v, sizeof v);
	put(&b->vias, addresses, v.count * sizeof *addresses);
	return b->nodes.used > 0;
}

static bool put_extra(struct builder *b, const char *rest)
{
	struct zprof_extra e = {0};
	unsigned line = 0, column = 0;
	unsigned long long n[7] = {0};
	if (sscanf(rest, "%u:%u %llu %llu %llu %llu %llu %llu %llu", &line, &column, &n[0], &n[1],
		   &n[2], &n[3], &n[4], &n[5], &n[6]) < 5 ||
	    !b->nodes.used)
		return false;
	e.node = (uint32_t)(b->nodes.used / sizeof(struct spec_node)) - 1;
	e.site = line << 12 | column;
	e.returned = n[0];
	e.abandoned = n[1];
	e.reentered = n[2];
	for (int i = 0; i < ZPROF_EXTRA_COUNTERS; i++)
		e.counter[i] = n[3 + i];
	put(&b->extras, &e, sizeof e);
	return true;
}

static bool put_estimate(struct builder *b, const char *rest)
{
	struct zprof_estimate e = {0};
	unsigned long long timed, square;
	if (sscanf(rest, "%llu %u %llu", &timed, &e.period, &square) != 3 || !b->nodes.used)
		return false;
	e.node = (uint32_t)(b->nodes.used / sizeof(struct spec_node)) - 1;
	e.timed = timed;
	e.square[0] = square;
	put(&b->estimates, &e, sizeof e);
	return true;
}

/* The latest thread's. */
static bool set_lasted(struct builder *b, const char *rest)
{
	struct zprof_thread *t = (struct zprof_thread *)(b->threads.data + b->threads.used) - 1;
	if (!b->threads.used)
		return false;
	t->first_ticks = 1000;
	t->last_ticks = t->first_ticks + strtoull(rest, NULL, 10);
	return true;
}

static bool put_turns(struct builder *b, const char *rest)
{
	struct zprof_turns t = {0};
	unsigned long long count;
	if (sscanf(rest, "%63s %llu", t.name, &count) != 2)
		return false;
	t.count = count;
	put(&b->turns, &t, sizeof t);
	return true;
}

static bool set_clock(struct builder *b, const char *rest)
{
	unsigned long long hz;
	if (!strcmp(rest, "fake")) {
		b->header.clock = ZPROF_CLOCK_FAKE;
		b->header.ticks_hz = 1000000000;
		return true;
	}
	if (sscanf(rest, "tsc %llu", &hz) != 1)
		return false;
	b->header.clock = ZPROF_CLOCK_TSC;
	b->header.ticks_hz = hz;
	return true;
}

static bool set_run(struct builder *b, const char *rest)
{
	unsigned byte;
	for (int i = 0; i < 16; i++) {
		if (sscanf(rest + 2 * i, "%2x", &byte) != 1)
			return false;
		b->header.run_id[i] = (uint8_t)byte;
	}
	return true;
}

static bool set_counter(struct builder *b, const char *rest)
{
	unsigned kind;
	unsigned long long n;
	if (sscanf(rest, "%u %llu", &kind, &n) != 2 || kind >= ZPROF_COUNTERS_MAX)
		return false;
	b->header.counters[kind] = n;
	return true;
}

static bool zone_line(struct builder *b, const char *rest)
{
	char name[128];
	int n = 0;
	if (sscanf(rest, "%127s%n", name, &n) != 1)
		return false;
	add_zone(b, name, rest + n);
	return true;
}

static bool set_mode(struct zprof_header *h, const char *name)
{
	static const char *const modes[] = {"", "exact", "adaptive", "count"};
	for (uint32_t mode = ZPROF_MODE_EXACT; mode <= ZPROF_MODE_COUNT; mode++)
		if (!strcmp(name, modes[mode]))
			return h->mode = mode, true;
	return false;
}

/* A line at the margin: KEY and the REST of it. */
static bool setting(struct builder *b, const char *key, const char *rest)
{
	static const char *const texts[] = {"", "", "exe", "host", "rank", "options", "note"};
	struct zprof_header *h = &b->header;
	for (uint32_t kind = ZPROF_TEXT_EXE; kind <= ZPROF_TEXT_NOTE; kind++)
		if (!strcmp(key, texts[kind]))
			return put_text(b, kind, rest, strlen(rest)), true;
	if (!strcmp(key, "clock"))
		return set_clock(b, rest);
	if (!strcmp(key, "mode"))
		return set_mode(h, rest);
	if (!strcmp(key, "hooks"))
		return sscanf(rest, "%u %u %u %u", &h->hook_callee_milliticks,
			      &h->hook_caller_milliticks, &h->hook_error_milliticks,
			      &h->hook_untimed_milliticks) >= 3;
	if (!strcmp(key, "pid"))
		return sscanf(rest, "%u %u", &h->pid, &h->parent_pid) == 2;
	if (!strcmp(key, "started"))
		return h->start_realtime_ns = strtoull(rest, NULL, 10) * 1000000000, true;
	if (!strcmp(key, "section"))
		return b->per_section = (uint32_t)atoi(rest), b->per_section > 0;
	if (!strcmp(key, "run"))
		return set_run(b, rest);
	if (!strcmp(key, "flags"))
		return set_flags(b, rest), true;
	if (!strcmp(key, "counter"))
		return set_counter(b, rest);
	if (!strcmp(key, "command"))
		return put_command(b, rest), true;
	if (!strcmp(key, "module"))
		return put_module(b, rest), true;
	if (!strcmp(key, "zone"))
		return zone_line(b, rest);
	if (!strcmp(key, "thread"))
		return put_thread(b, rest), true;
	if (!strcmp(key, "counts"))
		return put_text(b, ZPROF_TEXT_COUNTER, rest, strlen(rest)), true;
	if (!strcmp(key, "turns"))
		return put_turns(b, rest);
	if (!strcmp(key, "extra"))
		return put_extra(b, rest);
	if (!strcmp(key, "estimate"))
		return put_estimate(b, rest);
	if (!strcmp(key, "lasted"))
		return set_lasted(b, rest);
	if (!strcmp(key, "via"))
		return put_via(b, rest);
	return false;
}

static bool build_line(struct builder *b, const char *line)
{
	char key[32];
	size_t spaces = strspn(line, " ");
	int n = 0;
	if (!line[spaces] || line[spaces] == '#')
		return true;
	if (spaces)
		return spaces % 2 == 0 && put_node(b, spaces / 2, line + spaces);
	if (sscanf(line, "%31s%n", key, &n) != 1)
		return false;
	return setting(b, key, line + n + (line[n] == ' '));
}

static void put_section(struct bytes *file, uint32_t type, uint32_t thread, const void *records,
			size_t n)
{
	struct zprof_section s = {.type = type, .thread = thread, .used = sizeof s + n};
	s.bytes = (s.used + ZPROF_GRANULE - 1) / ZPROF_GRANULE * ZPROF_GRANULE;
	put(file, &s, sizeof s);
	put(file, records, n);
	pad(file, ZPROF_GRANULE);
}

/* Where node I will be: sections of per_section nodes, one behind the other, from the file's offset
 * FIRST. */
static uint32_t reference(const struct builder *b, uint64_t first, size_t i)
{
	uint64_t section =
	    sizeof(struct zprof_section) + (uint64_t)b->per_section * ZPROF_NODE_BYTES;
	uint64_t stride = (section + ZPROF_GRANULE - 1) / ZPROF_GRANULE * ZPROF_GRANULE;
	uint64_t offset = first + i / b->per_section * stride + sizeof(struct zprof_section) +
			  i % b->per_section * ZPROF_NODE_BYTES;
	return (uint32_t)(offset / ZPROF_NODE_BYTES);
}

static void put_nodes(const struct builder *b, struct bytes *file)
{
	const struct spec_node *all = (const struct spec_node *)b->nodes.data;
	size_t count = b->nodes.used / sizeof *all;
	uint64_t first = file->used;
	for (size_t i = 0; i < count; i += b->per_section) {
		struct bytes nodes = {0};
		for (size_t k = i; k < count && k < i + b->per_section; k++) {
			struct zprof_node n = {.zone = all[k].zone,
					       .calls = all[k].calls,
					       .self_ticks = (uint64_t)all[k].self,
					       .module = all[k].module | all[k].flags << 24};
			if (all[k].parent != UINT32_MAX)
				n.parent = reference(b, first, all[k].parent);
			put(&nodes, &n, sizeof n);
		}
		put_section(file, ZPROF_SECTION_NODES, all[i].thread, nodes.data, nodes.used);
		free(nodes.data);
	}
}

/* Threads name nodes by reference from now on, and have their open nodes. */
static void finish_threads(struct builder *b, uint64_t first)
{
	const struct spec_node *all = (const struct spec_node *)b->nodes.data;
	struct zprof_thread *threads = (struct zprof_thread *)b->threads.data;
	for (size_t i = 0; i < b->threads.used / sizeof *threads; i++)
		threads[i].root = reference(b, first, threads[i].root);
	int levels[256] = {0};
	for (size_t i = 0; i < b->nodes.used / sizeof *all; i++)
		if (all[i].open && all[i].thread < 256 && levels[all[i].thread] < ZPROF_LEVELS)
			threads[all[i].thread - 1].current[levels[all[i].thread]++] =
			    reference(b, first, i);
}

/* The same for what lies between nodes. */
static void finish_vias(struct builder *b, uint64_t first)
{
	for (size_t at = 0; at < b->vias.used;) {
		struct zprof_via v;
		memcpy(&v, b->vias.data + at, sizeof v);
		v.node = reference(b, first, v.node);
		memcpy(b->vias.data + at, &v, sizeof v);
		at += v.bytes;
	}
}

static void finish_extras(struct builder *b, uint64_t first)
{
	struct zprof_extra *all = (struct zprof_extra *)b->extras.data;
	for (size_t i = 0; i < b->extras.used / sizeof *all; i++)
		all[i].node = reference(b, first, all[i].node);
}

static void finish_estimates(struct builder *b, uint64_t first)
{
	struct zprof_estimate *all = (struct zprof_estimate *)b->estimates.data;
	for (size_t i = 0; i < b->estimates.used / sizeof *all; i++)
		all[i].node = reference(b, first, all[i].node);
}

static void *build_file(struct builder *b, size_t *bytes)
{
	struct bytes file = {0};
	struct zprof_header *h = &b->header;
	put(&file, h, sizeof *h);
	put_section(&file, ZPROF_SECTION_TEXT, 0, b->texts.data ? b->texts.data : "",
		    b->texts.used);
	put_section(&file, ZPROF_SECTION_MODULES, 0, b->modules.data ? b->modules.data : "",
		    b->modules.used);
	put_section(&file, ZPROF_SECTION_ZONES, 0, b->zones.data ? b->zones.data : "",
		    b->zones.used);
	size_t thread_bytes = sizeof(struct zprof_section) + b->threads.used;
	uint64_t first =
	    file.used + (thread_bytes + ZPROF_GRANULE - 1) / ZPROF_GRANULE * ZPROF_GRANULE;
	finish_threads(b, first);
	put_section(&file, ZPROF_SECTION_THREADS, 0, b->threads.data ? b->threads.data : "",
		    b->threads.used);
	put_nodes(b, &file);
	finish_vias(b, first);
	finish_extras(b, first);
	finish_estimates(b, first);
	if (b->extras.used)
		put_section(&file, ZPROF_SECTION_EXTRAS, 0, b->extras.data, b->extras.used);
	if (b->estimates.used)
		put_section(&file, ZPROF_SECTION_ESTIMATES, 0, b->estimates.data,
			    b->estimates.used);
	if (b->turns.used)
		put_section(&file, ZPROF_SECTION_TURNS, 0, b->turns.data, b->turns.used);
	if (b->vias.used)
		put_section(&file, ZPROF_SECTION_VIA, 0, b->vias.data, b->vias.used);
	((struct zprof_header *)file.data)->mapped_bytes = file.used;
	*bytes = file.used;
	return file.data;
}

void *profile_build(const char *text, size_t *bytes)
{
	struct builder b = {.per_section = 1u << 20};
	b.header = (struct zprof_header){.version = ZPROF_VERSION,
					 .byte_order = ZPROF_BYTE_ORDER,
					 .header_bytes = ZPROF_GRANULE,
					 .node_bytes = ZPROF_NODE_BYTES,
					 .clock = ZPROF_CLOCK_FAKE,
					 .mode = ZPROF_MODE_EXACT,
					 .ticks_hz = 1000000000};
	memcpy(b.header.magic, ZPROF_MAGIC, sizeof b.header.magic);
	char *copy = strdup(text), *at = copy;
	void *file = NULL;
	bool ok = true;
	while (ok && at) {
		char *line = strsep(&at, "\n");
		b.line++;
		ok = build_line(&b, line);
		if (!ok)
			fprintf(stderr, "profile_builder: line %zu makes no sense: %s\n", b.line,
				line);
	}
	if (ok)
		file = build_file(&b, bytes);
	free(copy);
	free(b.modules.data);
	free(b.zones.data);
	free(b.texts.data);
	free(b.nodes.data);
	free(b.threads.data);
	free(b.turns.data);
	free(b.extras.data);
	free(b.estimates.data);
	free(b.vias.data);
	free(b.names);
	return file;
}
