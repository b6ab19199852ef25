/* SPDX-License-Identifier: MIT */
/*
 * profile_builder.c - see profile_builder.h. Written for clarity and from preload/format.h alone:
 * it shares no code with the library that writes profiles, nor with the reader it is to test.
 */
#include "tests/core/profile_builder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/profile_layout.h"

static void put_text(struct builder *b, uint32_t kind, const char *text, size_t n)
{
	struct zprof_text t = {.kind = kind, .text_bytes = (uint32_t)n};
	t.bytes = (uint32_t)ZPROF_RECORD_BYTES(sizeof t + n);
	layout_put(&b->texts, &t, sizeof t);
	layout_put(&b->texts, text, n);
	layout_pad(&b->texts, 8);
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
	layout_put(&b->modules, &m, fixed);
	layout_put(&b->modules, path, m.path_bytes);
	while (b->modules.used < before + m.bytes)
		layout_put(&b->modules, "", 1);
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
	layout_put(&b->zones, &z, offsetof(struct zprof_zone, text));
	layout_put(&b->zones, name, z.name_bytes);
	layout_put(&b->zones, group, z.group_bytes);
	layout_put(&b->zones, file, z.file_bytes);
	while (b->zones.used < before + z.bytes)
		layout_put(&b->zones, "", 1);
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
	t.root = (uint32_t)(b->nodes.used / sizeof root); /* an index for now */
	b->path[0] = t.root;
	layout_put(&b->nodes, &root, sizeof root);
	layout_put(&b->threads, &t, sizeof t);
}

/* Sets the flag that a word behind a node's numbers names. */
static bool set_mark(struct spec_node *n, const char *word)
{
	static const char *const flags[] = {"retired", "folded", "spilled", "overflow"};
	n->open |= !strcmp(word, "open");
	for (int i = 0; i < 4; i++)
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
	layout_put(&b->nodes, &n, sizeof n);
	return true;
}

static void set_flags(struct builder *b, const char *rest)
{
	b->header.flags |= strstr(rest, "finished") ? ZPROF_FINISHED : 0;
	b->header.flags |= strstr(rest, "forked") ? ZPROF_FORKED : 0;
	b->header.flags |= strstr(rest, "filtered") ? ZPROF_FILTERED : 0;
	b->header.flags |= strstr(rest, "fentry") ? ZPROF_FENTRY : 0;
	b->header.flags |= strstr(rest, "offcpu") ? ZPROF_OFFCPU : 0;
	b->header.flags |= strstr(rest, "entries") ? ZPROF_ENTRIES : 0;
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
	layout_put(&b->vias, &v, sizeof v);
	layout_put(&b->vias, addresses, v.count * sizeof *addresses);
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
	layout_put(&b->extras, &e, sizeof e);
	return true;
}

static bool put_seen(struct builder *b, const char *rest)
{
	struct zprof_samples s = {0};
	unsigned long long period, untold = 0;
	if (sscanf(rest, "%u %u %u %llu %llu", &s.user_samples, &s.kernel_samples, &s.hook_samples,
		   &period, &untold) < 4 ||
	    !b->nodes.used)
		return false;
	s.node = (uint32_t)(b->nodes.used / sizeof(struct spec_node)) - 1;
	s.user_ns = s.user_samples * period + untold;
	s.kernel_ns = s.kernel_samples * period;
	s.hook_ns = s.hook_samples * period;
	layout_put(&b->samples, &s, sizeof s);
	return true;
}

static bool put_unsure(struct builder *b, const char *rest)
{
	struct zprof_unsure u = {0};
	unsigned long long ns, callees_ns = 0;
	if (sscanf(rest, "%u %llu %llu", &u.samples, &ns, &callees_ns) < 2 || !b->nodes.used)
		return false;
	u.node = (uint32_t)(b->nodes.used / sizeof(struct spec_node)) - 1;
	u.ns = ns;
	u.callees_ns = callees_ns;
	layout_put(&b->unsures, &u, sizeof u);
	return true;
}

static bool put_inside(struct builder *b, struct bytes *to, const char *rest)
{
	struct zprof_inside in = {0};
	unsigned module, offset;
	unsigned long long samples, ns;
	char in_kernel[8] = "";
	if (sscanf(rest, "@%u+%x %llu %llu %7s", &module, &offset, &samples, &ns, in_kernel) < 4 ||
	    module >= 64 || !b->nodes.used)
		return false;
	in.node = (uint32_t)(b->nodes.used / sizeof(struct spec_node)) - 1;
	in.module = module | (uint32_t)(*in_kernel ? ZPROF_INSIDE_KERNEL : 0) << 24;
	in.address = b->module_starts[module] + offset;
	in.samples = samples;
	in.ns = ns;
	layout_put(to, &in, sizeof in);
	return true;
}

/* Steps behind the last that a chain has room for are damage, which is left to the reader. */
static bool put_chain(struct builder *b, const char *rest)
{
	struct zprof_chain c = {0};
	unsigned module, offset;
	unsigned long long samples, ns;
	uint32_t flags = strncmp(rest, "kernel ", 7) ? 0 : ZPROF_INSIDE_KERNEL << 24;
	int used;
	rest += flags ? 7 : 0;
	if (sscanf(rest, "%llu %llu%n", &samples, &ns, &used) < 2 || !b->nodes.used)
		return false;
	for (rest += used; *rest; rest += used, c.count++) {
		if (sscanf(rest, " @%u+%x%n", &module, &offset, &used) < 2 || module >= 64)
			return false;
		if (c.count >= ZPROF_CHAIN_STEPS)
			continue;
		c.module[c.count] = module | (c.count ? 0 : flags);
		c.address[c.count] = module ? b->module_starts[module] + offset : 0;
	}
	c.node = (uint32_t)(b->nodes.used / sizeof(struct spec_node)) - 1;
	c.samples = samples;
	c.ns = ns;
	layout_put(&b->chains, &c, sizeof c);
	return true;
}

static bool put_refused(struct builder *b, const char *rest)
{
	struct zprof_refused r = {0};
	unsigned module, offset;
	char part[8] = "";
	if (sscanf(rest, "@%u+%x %x %7s", &module, &offset, &r.bytes, part) < 3 || module >= 64)
		return false;
	r.module = module | (uint32_t)(*part ? ZPROF_REFUSED_PART : 0) << 24;
	r.address = b->module_starts[module] + offset;
	layout_put(&b->refused, &r, sizeof r);
	return true;
}

static bool put_away(struct builder *b, const char *rest)
{
	struct zprof_samples s = {0};
	unsigned long long waited, preempted;
	if (sscanf(rest, "%llu %u %llu %u", &waited, &s.waits, &preempted, &s.preemptions) != 4 ||
	    !b->nodes.used)
		return false;
	s.node = (uint32_t)(b->nodes.used / sizeof(struct spec_node)) - 1;
	s.waited_ns = waited;
	s.preempted_ns = preempted;
	layout_put(&b->samples, &s, sizeof s);
	return true;
}

static bool put_wait(struct builder *b, const char *rest)
{
	struct zprof_wait w = {.place = 1};
	unsigned long long object, waited, waits;
	if (sscanf(rest, "%d %llx %u %llu %llu", &w.call, &object, &w.flags, &waited, &waits) !=
		5 ||
	    !b->nodes.used)
		return false;
	w.node = (uint32_t)(b->nodes.used / sizeof(struct spec_node)) - 1;
	w.object = object;
	w.waited_ns = waited;
	w.waits = waits;
	layout_put(&b->waits, &w, sizeof w);
	return true;
}

static bool put_turns(struct builder *b, const char *rest)
{
	struct zprof_turns t = {0};
	unsigned long long count;
	if (sscanf(rest, "%63s %llu", t.name, &count) != 2)
		return false;
	t.count = count;
	layout_put(&b->turns, &t, sizeof t);
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
	if (sscanf(rest, "tsc %llu", &hz) == 1)
		b->header.clock = ZPROF_CLOCK_TSC;
	else if (sscanf(rest, "monotonic %llu", &hz) == 1)
		b->header.clock = ZPROF_CLOCK_MONOTONIC;
	else
		return false;
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
	if (strcmp(name, "exact") && strcmp(name, "count"))
		return false;
	h->mode = *name == 'c' ? ZPROF_MODE_COUNT : ZPROF_MODE_EXACT;
	return true;
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
			      &h->hook_count_milliticks) >= 3;
	if (!strcmp(key, "entry"))
		return sscanf(rest, "%u %u", &h->hook_entry_milliticks,
			      &h->hook_entry_call_milliticks) >= 1;
	if (!strcmp(key, "sampler"))
		return sscanf(rest, "%u %u %u", &h->sampler, &h->sample_price_ns,
			      &h->sampler_error) >= 1;
	if (!strcmp(key, "pid"))
		return sscanf(rest, "%u %u", &h->pid, &h->parent_pid) == 2;
	if (!strcmp(key, "started"))
		return h->start_realtime_ns = strtoull(rest, NULL, 10) * 1000000000, true;
	if (!strcmp(key, "began"))
		return h->start_ns = strtoull(rest, NULL, 10), true;
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
	if (!strcmp(key, "away"))
		return put_away(b, rest);
	if (!strcmp(key, "for"))
		return put_wait(b, rest);
	if (!strcmp(key, "seen"))
		return put_seen(b, rest);
	if (!strcmp(key, "at"))
		return put_inside(b, &b->insides, rest);
	if (!strcmp(key, "kernel"))
		return put_inside(b, &b->kernels, rest);
	if (!strcmp(key, "chain"))
		return put_chain(b, rest);
	if (!strcmp(key, "refused"))
		return put_refused(b, rest);
	if (!strcmp(key, "unsure"))
		return put_unsure(b, rest);
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

/* Profiles of two recipes are of two processes, which began at different moments, unless they say so. */
static uint64_t moment_of(const char *recipe)
{
	uint64_t hash = 14695981039346656037u;
	for (; *recipe; recipe++)
		hash = (hash ^ (unsigned char)*recipe) * 1099511628211u;
	return hash % 1000000000 + 1;
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
	b.header.start_ns = moment_of(text);
	while (ok && at) {
		char *line = strsep(&at, "\n");
		b.line++;
		ok = build_line(&b, line);
		if (!ok)
			fprintf(stderr, "profile_builder: line %zu makes no sense: %s\n", b.line,
				line);
	}
	if (ok)
		file = layout_file(&b, bytes);
	free(copy);
	free(b.modules.data);
	free(b.zones.data);
	free(b.texts.data);
	free(b.nodes.data);
	free(b.threads.data);
	free(b.turns.data);
	free(b.extras.data);
	free(b.samples.data);
	free(b.unsures.data);
	free(b.insides.data);
	free(b.kernels.data);
	free(b.chains.data);
	free(b.waits.data);
	free(b.vias.data);
	free(b.names);
	return file;
}
