/* SPDX-License-Identifier: MIT */
/* profile_records.c - see profile_records.h. A record states its length; a field that reaches
 * beyond it is refused. */
#include "report/core/read/profile_records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

static char *text_at(const char **at, uint32_t n)
{
	char *copy = memory_text(*at, n);
	*at += n;
	return copy;
}

static bool read_module(struct profile *p, const void *record, size_t bytes, const char **wrong)
{
	struct zprof_module m;
	memcpy(&m, record, sizeof m);
	if (m.path_bytes > bytes - offsetof(struct zprof_module, path))
		return *wrong = "a module's path is longer than its record", false;
	if (m.build_id_bytes > sizeof m.build_id)
		return *wrong = "a module's build-id is longer than its field", false;
	if (!m.id || m.id > 0xffffff)
		return *wrong = "a module has an id out of range", false;
	p->modules = memory_room(p->modules, p->module_count, &p->module_room, sizeof *p->modules);
	struct profile_module *out = &p->modules[p->module_count++];
	*out = (struct profile_module){.id = m.id,
				       .start = m.start,
				       .end = m.end,
				       .bias = m.bias,
				       .unloaded = m.unloaded != 0,
				       .build_id_bytes = m.build_id_bytes};
	memcpy(out->build_id, m.build_id, sizeof out->build_id);
	out->path =
	    memory_text((const char *)record + offsetof(struct zprof_module, path), m.path_bytes);
	return true;
}

static bool read_zone(struct profile *p, const void *record, size_t bytes, const char **wrong)
{
	struct zprof_zone z;
	memcpy(&z, record, sizeof z);
	size_t room = bytes - offsetof(struct zprof_zone, text);
	if ((uint64_t)z.name_bytes + z.group_bytes + z.file_bytes > room)
		return *wrong = "a zone's texts are longer than its record", false;
	p->zones = memory_room(p->zones, p->zone_count, &p->zone_room, sizeof *p->zones);
	struct profile_zone *out = &p->zones[p->zone_count++];
	const char *text = (const char *)record + offsetof(struct zprof_zone, text);
	*out = (struct profile_zone){.id = z.id, .kind = z.kind, .line = z.line};
	out->name = text_at(&text, z.name_bytes);
	out->group = text_at(&text, z.group_bytes);
	out->file = text_at(&text, z.file_bytes);
	return true;
}

static void keep_text(char **slot, const char *text, size_t n)
{
	free(*slot);
	*slot = memory_text(text, n);
}

static void read_command(struct profile *p, const char *text, size_t n)
{
	for (const char *end = text + n; text < end;) {
		size_t length = strnlen(text, (size_t)(end - text));
		p->command =
		    memory_room(p->command, p->command_count, &p->command_room, sizeof *p->command);
		p->command[p->command_count++] = memory_text(text, length);
		text += length + 1;
	}
}

static bool read_text(struct profile *p, const void *record, size_t bytes, const char **wrong)
{
	struct zprof_text t;
	memcpy(&t, record, sizeof t);
	if (t.text_bytes > bytes - offsetof(struct zprof_text, text))
		return *wrong = "a text is longer than its record", false;
	const char *text = (const char *)record + offsetof(struct zprof_text, text);
	switch (t.kind) {
	case ZPROF_TEXT_COMMAND:
		if (!p->command_count)
			read_command(p, text, t.text_bytes);
		break;
	case ZPROF_TEXT_EXE:
		keep_text(&p->exe, text, t.text_bytes);
		break;
	case ZPROF_TEXT_HOST:
		keep_text(&p->host, text, t.text_bytes);
		break;
	case ZPROF_TEXT_RANK:
		keep_text(&p->rank, text, t.text_bytes);
		break;
	case ZPROF_TEXT_OPTIONS:
		keep_text(&p->options, text, t.text_bytes);
		break;
	case ZPROF_TEXT_COUNTER:
		if (p->counter_count < ZPROF_EXTRA_COUNTERS)
			p->counters[p->counter_count++] = memory_text(text, t.text_bytes);
		break;
	case ZPROF_TEXT_NOTE:
		p->notes = memory_room(p->notes, p->note_count, &p->note_room, sizeof *p->notes);
		p->notes[p->note_count++] = memory_text(text, t.text_bytes);
		break;
	}
	return true;
}

static bool read_choice(struct profile *p, const void *record, size_t bytes, const char **wrong)
{
	struct zprof_choice c;
	memcpy(&c, record, sizeof c);
	if (c.text_bytes > bytes - sizeof c)
		return *wrong = "the text of a choice is longer than its record", false;
	p->choices = memory_room(p->choices, p->choice_count, &p->choice_room, sizeof *p->choices);
	p->choices[p->choice_count++] = (struct profile_choice){
	    c.what, c.functions, c.ns, memory_text((const char *)record + sizeof c, c.text_bytes)};
	return true;
}

static bool read_via(struct profile *p, const void *record, size_t bytes, const char **wrong)
{
	struct zprof_via v;
	memcpy(&v, record, sizeof v);
	if (v.count > (bytes - sizeof v) / sizeof(uint64_t))
		return *wrong = "addresses of callers are more than their record holds", false;
	if (!v.node || !v.count || p->via_address_count > UINT32_MAX - v.count)
		return true;
	p->vias = memory_room(p->vias, p->via_count, &p->via_room, sizeof *p->vias);
	p->vias[p->via_count++] =
	    (struct profile_via){v.node, (uint32_t)p->via_address_count, v.count, v.whole != 0};
	const char *addresses = (const char *)record + sizeof v;
	for (uint32_t i = 0; i < v.count; i++) {
		p->via_addresses = memory_room(p->via_addresses, p->via_address_count,
					       &p->via_address_room, sizeof *p->via_addresses);
		memcpy(&p->via_addresses[p->via_address_count++], addresses + i * sizeof(uint64_t),
		       sizeof(uint64_t));
	}
	return true;
}

static bool read_part(struct profile *p, const void *record, size_t bytes, const char **wrong)
{
	struct zprof_part f;
	memcpy(&f, record, sizeof f);
	size_t room = bytes - offsetof(struct zprof_part, text);
	if ((uint64_t)f.rank_bytes + f.host_bytes + f.command_bytes > room)
		return *wrong = "a part's texts are longer than its record", false;
	p->parts = memory_room(p->parts, p->part_count, &p->part_room, sizeof *p->parts);
	struct profile_part *out = &p->parts[p->part_count++];
	const char *text = (const char *)record + offsetof(struct zprof_part, text);
	*out = (struct profile_part){.id = f.id, .fixed = f};
	if (!isfinite(out->fixed.hook_ns))
		out->fixed.hook_ns = 0;
	out->rank = text_at(&text, f.rank_bytes);
	out->host = text_at(&text, f.host_bytes);
	out->command = text_at(&text, f.command_bytes);
	return true;
}

static bool read_name(struct profile *p, const void *record, size_t bytes, const char **wrong)
{
	struct zprof_name n;
	memcpy(&n, record, sizeof n);
	size_t room = bytes - offsetof(struct zprof_name, text);
	if ((uint64_t)n.name_bytes + n.linkage_bytes + n.file_bytes + n.compiler_bytes > room)
		return *wrong = "a function's texts are longer than its record", false;
	p->names = memory_room(p->names, p->name_count, &p->name_room, sizeof *p->names);
	struct profile_name *out = &p->names[p->name_count++];
	const char *text = (const char *)record + offsetof(struct zprof_name, text);
	*out = (struct profile_name){.module = n.module,
				     .start = n.start,
				     .size = n.size,
				     .code = n.code,
				     .line = n.line,
				     .last_line = n.last_line};
	out->name = text_at(&text, n.name_bytes);
	out->linkage = text_at(&text, n.linkage_bytes);
	out->file = text_at(&text, n.file_bytes);
	out->compiler = text_at(&text, n.compiler_bytes);
	return true;
}

static bool read_place(struct profile *p, const void *record, size_t bytes, const char **wrong)
{
	struct zprof_place place;
	memcpy(&place, record, sizeof place);
	if (place.file_bytes > bytes - offsetof(struct zprof_place, text))
		return *wrong = "a place's file is longer than its record", false;
	p->places = memory_room(p->places, p->place_count, &p->place_room, sizeof *p->places);
	const char *text = (const char *)record + offsetof(struct zprof_place, text);
	p->places[p->place_count++] =
	    (struct profile_place){.module = place.module,
				   .flags = place.flags,
				   .address = place.address,
				   .line = place.line,
				   .column = place.column,
				   .file = memory_text(text, place.file_bytes)};
	return true;
}

static bool read_statements(struct profile *p, const void *record, size_t bytes, const char **wrong)
{
	struct zprof_statements s;
	memcpy(&s, record, sizeof s);
	size_t room = bytes - sizeof s;
	if (s.count > room / sizeof *s.list || s.file_bytes > room - s.count * sizeof *s.list)
		return *wrong = "a function's statements are more than their record holds", false;
	p->statements = memory_room(p->statements, p->statements_count, &p->statements_room,
				    sizeof *p->statements);
	const char *at = (const char *)record + sizeof s;
	struct profile_statements *out = &p->statements[p->statements_count++];
	*out = (struct profile_statements){
	    .module = s.module,
	    .start = s.start,
	    .list = memory_resize(NULL, s.count, sizeof *out->list),
	    .count = s.count,
	    .file = memory_text(at + s.count * sizeof *s.list, s.file_bytes)};
	memcpy(out->list, at, s.count * sizeof *s.list);
	return true;
}

static bool read_source(struct profile *p, const void *record, size_t bytes, const char **wrong)
{
	struct zprof_source s;
	memcpy(&s, record, sizeof s);
	const char *data = (const char *)record + offsetof(struct zprof_source, data);
	if ((uint64_t)s.path_bytes + s.packed_bytes > bytes - offsetof(struct zprof_source, data))
		return *wrong = "a source is longer than its record", false;
	p->sources = memory_room(p->sources, p->source_count, &p->source_room, sizeof *p->sources);
	struct profile_source *out = &p->sources[p->source_count++];
	*out = (struct profile_source){.path = text_at(&data, s.path_bytes),
				       .packed_bytes = s.packed_bytes,
				       .text_bytes = s.text_bytes};
	out->packed = memory_resize(NULL, s.packed_bytes, 1);
	memcpy(out->packed, data, s.packed_bytes);
	return true;
}

/* A kind of variable-length record: the bytes before its text, and the function that reads it. */
struct varying_kind {
	size_t fixed;
	bool (*take)(struct profile *p, const void *record, size_t bytes, const char **wrong);
};

static const struct varying_kind varying_kinds[] = {
    [ZPROF_SECTION_MODULES] = {sizeof(struct zprof_module), read_module},
    [ZPROF_SECTION_ZONES] = {sizeof(struct zprof_zone), read_zone},
    [ZPROF_SECTION_TEXT] = {sizeof(struct zprof_text), read_text},
    [ZPROF_SECTION_CHOICES] = {sizeof(struct zprof_choice), read_choice},
    [ZPROF_SECTION_VIA] = {sizeof(struct zprof_via), read_via},
    [ZPROF_SECTION_PARTS] = {sizeof(struct zprof_part), read_part},
    [ZPROF_SECTION_NAMES] = {sizeof(struct zprof_name), read_name},
    [ZPROF_SECTION_PLACES] = {sizeof(struct zprof_place), read_place},
    [ZPROF_SECTION_STATEMENTS] = {sizeof(struct zprof_statements), read_statements},
    [ZPROF_SECTION_SOURCES] = {offsetof(struct zprof_source, data), read_source},
};

bool profile_records_read(struct profile *p, uint32_t type, const void *records, size_t n,
			  uint64_t offset, struct str *err)
{
	const struct varying_kind *kind = &varying_kinds[type];
	const uint8_t *all = records;
	const char *wrong = NULL;
	size_t at = 0;
	while (!wrong && at < n) {
		uint32_t bytes = 0;
		if (n - at >= sizeof bytes)
			memcpy(&bytes, all + at, sizeof bytes);
		if (bytes < kind->fixed || bytes % 8)
			wrong = "a record's size makes no sense";
		else if (bytes > n - at)
			wrong = "a record goes beyond the end of its section";
		else if (kind->take(p, all + at, bytes, &wrong))
			at += bytes;
	}
	/* In a file that is cut short, the last record is cut too; p->damage says so already. */
	if (wrong && !p->damage.used)
		return profile_bad(p, err, offset + at, wrong);
	return true;
}
