/* SPDX-License-Identifier: MIT */
/*
 * firefox.c - the Firefox Profiler's processed profile, for https://profiler.firefox.com:
 * https://github.com/firefox-devtools/profiler/blob/main/docs-developer/CHANGELOG-formats.md
 *
 * Version 61 of the format shares functions, frames and stacks among all threads. Each zone is a
 * function with one frame. Each context is a stack with the context's number. A thread of the
 * profile is written twice. The first copy has times: a sample per context, weighted by its
 * milliseconds. The second copy has calls.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/export/export.h"

#define FORMAT_VERSION 61

struct firefox {
	const struct export *e;
	/* The array of strings has the names of functions, then of files, then of modules. */
	uint32_t files, modules; /* where files and modules begin */
	uint32_t *stack_of;      /* by node; TREE_NONE for a thread's root */
	uint32_t *node_of;       /* by stack */
	uint32_t stack_count;
	uint32_t thread; /* the thread being written; `calls`: its calls, else its times */
	bool calls;
};

typedef void put_item(struct firefox *f, uint32_t i);

/* Prints `"name":[...],` with COUNT items, each printed by PUT. */
static void put_column(struct firefox *f, const char *name, uint32_t count, put_item *put)
{
	fprintf(f->e->to, "\"%s\":[", name);
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			fputc(',', f->e->to);
		put(f, i);
	}
	fputs("],\n", f->e->to);
}

/* Prints a column in which each item is TEXT. */
static void put_same(struct firefox *f, const char *name, uint32_t count, const char *text)
{
	fprintf(f->e->to, "\"%s\":[", name);
	for (uint32_t i = 0; i < count; i++)
		fprintf(f->e->to, "%s%s", i ? "," : "", text);
	fputs("],\n", f->e->to);
}

static void put_index(struct firefox *f, uint32_t i)
{
	fprintf(f->e->to, "%u", i);
}

static void put_if(struct firefox *f, bool known, uint32_t number)
{
	if (known)
		put_index(f, number);
	else
		fputs("null", f->e->to);
}

static const struct zone *zone_of(const struct firefox *f, uint32_t i)
{
	return &f->e->zones->list[i];
}

static void put_address(struct firefox *f, uint32_t i)
{
	const struct zone *z = zone_of(f, i);
	/* The format's addresses are 32 bits wide, and relative to the module. */
	if (z->module == ZONE_NO_MODULE || z->address > INT32_MAX)
		fputs("-1", f->e->to);
	else
		fprintf(f->e->to, "%" PRIu64, z->address);
}

static void put_line(struct firefox *f, uint32_t i)
{
	put_if(f, zone_of(f, i)->line, zone_of(f, i)->line);
}

static void put_source(struct firefox *f, uint32_t i)
{
	put_if(f, *zone_of(f, i)->file, i);
}

static void put_resource(struct firefox *f, uint32_t i)
{
	uint32_t module = zone_of(f, i)->module;
	fprintf(f->e->to, "%d", module == ZONE_NO_MODULE ? -1 : (int)module);
}

static void put_file_name(struct firefox *f, uint32_t i)
{
	put_index(f, f->files + i);
}

static void put_module_name(struct firefox *f, uint32_t i)
{
	put_index(f, f->modules + i);
}

static void put_stack_frame(struct firefox *f, uint32_t i)
{
	put_index(f, f->e->tree->nodes[f->node_of[i]].zone);
}

static void put_stack_prefix(struct firefox *f, uint32_t i)
{
	uint32_t prefix = f->stack_of[f->e->tree->nodes[f->node_of[i]].parent];
	put_if(f, prefix != TREE_NONE, prefix);
}

static void number_stacks(struct firefox *f)
{
	const struct tree *t = f->e->tree;
	f->stack_of = memory_resize(NULL, t->count, sizeof *f->stack_of);
	f->node_of = memory_resize(NULL, t->count, sizeof *f->node_of);
	for (uint32_t i = 0; i < t->count; i++) {
		bool root = t->nodes[i].parent == i;
		f->stack_of[i] = root ? TREE_NONE : f->stack_count;
		if (!root)
			f->node_of[f->stack_count++] = i;
	}
}

/* The weight of a stack in the thread being written: nanoseconds, or calls. */
static int64_t weight(const struct firefox *f, uint32_t stack)
{
	const struct node *n = &f->e->tree->nodes[f->node_of[stack]];
	if (n->thread != f->thread)
		return 0;
	return f->calls ? (int64_t)n->calls : export_ns(&n->self);
}

static void put_samples(struct firefox *f)
{
	FILE *to = f->e->to;
	uint32_t count = 0;
	int64_t at = 0;
	fputs("\"samples\":{\"stack\":[", to);
	for (uint32_t i = 0; i < f->stack_count; i++)
		if (weight(f, i))
			fprintf(to, "%s%u", count++ ? "," : "", i);
	fputs("],\"time\":[", to);
	count = 0;
	for (uint32_t i = 0; i < f->stack_count; i++)
		if (weight(f, i)) {
			fprintf(to, "%s%.6f", count++ ? "," : "", (double)at / 1e6);
			at += f->calls ? 1 : weight(f, i);
		}
	fputs("],\"weight\":[", to);
	count = 0;
	for (uint32_t i = 0; i < f->stack_count; i++)
		if (weight(f, i)) {
			fputs(count++ ? "," : "", to);
			if (f->calls)
				fprintf(to, "%" PRId64, weight(f, i));
			else
				fprintf(to, "%.6f", (double)weight(f, i) / 1e6);
		}
	fprintf(to, "],\"weightType\":\"%s\",\"length\":%u}", f->calls ? "samples" : "tracing-ms",
		count);
}

static void put_thread(struct firefox *f)
{
	FILE *to = f->e->to;
	const struct tree_thread *t = &f->e->tree->threads[f->thread];
	struct str name = {0};
	export_thread_name(f->e, f->thread, &name);
	str_add(&name, f->calls ? ": calls" : ": time");
	fputs("{\"name\":", to);
	export_json_text(f->e, name.text);
	fprintf(
	    to,
	    ",\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,"
	    "\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],"
	    "\"isMainThread\":%s,\"pid\":\"%u\",\"tid\":\"%u%s\",",
	    t->tid == t->pid && !f->calls ? "true" : "false", t->pid, t->tid,
	    f->calls ? "-calls" : "");
	put_samples(f);
	fputs(",\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],"
	      "\"category\":[],\"length\":0}}",
	      to);
	str_free(&name);
}

/* Puts the tables. Functions and frames have the numbers of zones. */
static void put_tables(struct firefox *f)
{
	uint32_t zones = (uint32_t)f->e->zones->count;
	uint32_t modules = (uint32_t)f->e->zones->module_count;
	FILE *to = f->e->to;
	fputs("\"stackTable\":{", to);
	put_column(f, "frame", f->stack_count, put_stack_frame);
	put_column(f, "prefix", f->stack_count, put_stack_prefix);
	fprintf(to, "\"length\":%u},\n\"frameTable\":{", f->stack_count);
	put_column(f, "address", zones, put_address);
	put_same(f, "inlineDepth", zones, "0");
	put_same(f, "category", zones, "0");
	put_same(f, "subcategory", zones, "0");
	put_column(f, "func", zones, put_index);
	put_same(f, "nativeSymbol", zones, "null");
	put_same(f, "innerWindowID", zones, "0");
	put_column(f, "line", zones, put_line);
	put_same(f, "column", zones, "null");
	fprintf(to, "\"length\":%u},\n\"funcTable\":{", zones);
	put_column(f, "name", zones, put_index);
	put_same(f, "isJS", zones, "false");
	put_same(f, "relevantForJS", zones, "false");
	put_column(f, "resource", zones, put_resource);
	put_column(f, "source", zones, put_source);
	put_column(f, "lineNumber", zones, put_line);
	put_same(f, "columnNumber", zones, "null");
	fprintf(to, "\"length\":%u},\n\"resourceTable\":{", zones);
	put_column(f, "lib", modules, put_index);
	put_column(f, "name", modules, put_module_name);
	put_same(f, "host", modules, "null");
	put_same(f, "type", modules, "1");
	fprintf(to,
		"\"length\":%u},\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
		"\"functionSize\":[],\"length\":0},\n\"sources\":{",
		modules);
	put_same(f, "id", zones, "null");
	put_column(f, "filename", zones, put_file_name);
	put_same(f, "startLine", zones, "1");
	put_same(f, "startColumn", zones, "1");
	put_same(f, "sourceMapURL", zones, "null");
	fprintf(to, "\"length\":%u}", zones);
}

/* Puts the names of functions, then of files, then of modules. */
static void put_strings(struct firefox *f)
{
	const struct zones *z = f->e->zones;
	FILE *to = f->e->to;
	f->files = (uint32_t)z->count;
	f->modules = 2 * f->files;
	fputs("\"stringArray\":[", to);
	for (uint32_t i = 0; i < z->count; i++) {
		fputs(i ? ",\n" : "", to);
		export_json_text(f->e, export_zone_name(f->e, i));
	}
	for (uint32_t i = 0; i < z->count; i++) {
		fputs(",\n", to);
		export_json_text(f->e, zone_of(f, i)->file);
	}
	for (size_t i = 0; i < z->module_count; i++) {
		fputs(",\n", to);
		export_json_text(f->e, zones_base_name(z->modules[i].path));
	}
	fputs("],\n", to);
}

static void put_libraries(struct firefox *f)
{
	FILE *to = f->e->to;
	fputs("\"libs\":[", to);
	for (size_t i = 0; i < f->e->zones->module_count; i++) {
		const struct zone_module *m = &f->e->zones->modules[i];
		const char *keys[] = {"name", "path", "debugName", "debugPath"};
		fputs(i ? ",\n{\"arch\":\"\"" : "{\"arch\":\"\"", to);
		for (int k = 0; k < 4; k++) {
			fprintf(to, ",\"%s\":", keys[k]);
			export_json_text(f->e, k % 2 ? m->path : zones_base_name(m->path));
		}
		fputs(",\"breakpadId\":\"\",\"codeId\":\"", to);
		for (uint32_t k = 0; k < m->build_id_bytes; k++)
			fprintf(to, "%02x", m->build_id[k]);
		fputs("\"}", to);
	}
	fputs("],\n", to);
}

static void put_meta(struct firefox *f)
{
	const struct export *e = f->e;
	fprintf(
	    e->to,
	    "{\"meta\":{\"interval\":1,\"startTime\":%.3f,\"processType\":0,\"product\":\"zprof\","
	    "\"stackwalk\":1,\"version\":33,\"preprocessedProfileVersion\":%d,\"symbolicated\":true,"
	    "\"markerSchema\":[],\"categories\":[{\"name\":\"Other\",\"color\":\"grey\","
	    "\"subcategories\":[\"Other\"]}],\"importedFrom\":\"zprof\",\"arguments\":",
	    (double)e->view->load.processes[0].header.start_realtime_ns / 1e6, FORMAT_VERSION);
	export_json_text(e, export_title(e));
	fputs(",\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
	      "\"keepProfileThreadOrder\":true},\n",
	      e->to);
}

static bool write_profile(const struct export *e, struct str *err)
{
	struct firefox f = {.e = e};
	uint32_t first = e->view->counts_only, kinds = e->view->sampled ? 1 : 2;
	uint32_t threads = (uint32_t)e->tree->thread_count;
	(void)err;
	number_stacks(&f);
	put_meta(&f);
	put_libraries(&f);
	fputs("\"pages\":[],\n\"shared\":{", e->to);
	put_strings(&f);
	put_tables(&f);
	fputs("},\n\"threads\":[", e->to);
	for (uint32_t i = 0; i < threads; i++)
		for (uint32_t calls = first; calls < kinds; calls++) {
			f.thread = i;
			f.calls = calls;
			fputs(i || calls > first ? ",\n" : "", e->to);
			put_thread(&f);
		}
	fputs("]}\n", e->to);
	free(f.stack_of);
	free(f.node_of);
	return true;
}

const struct export_format firefox_format = {
    .name = "firefox",
    .begins = "{\"meta\":{\"interval\":1,\"startTime\":",
    .summary = "Firefox Profiler",
    .adds_up = true,
    .write = write_profile,
};
