/* SPDX-License-Identifier: MIT */
/* message.c - see message.h. */
#define _GNU_SOURCE
#include "report/fleet/message.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/view/view.h"
#include "report/export/pprof.h"

/* ---- labels */

/* A receiver's label names: letters, digits and underscores, no digit first. */
static size_t label_name_length(const char *label)
{
	size_t n = strspn(label, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	return n && !isdigit((unsigned char)*label) ? n : 0;
}

bool message_label_add(struct message_labels *l, const char *label, struct str *err)
{
	size_t n = label_name_length(label);
	if (!n || label[n] != '=' || !label[n + 1])
		return str_fail(err,
				"a label is NAME=VALUE, its name of letters, digits and '_', not "
				"'%s'",
				label);
	*memory_next(l->more, l->more_count, l->more_room) = label;
	return true;
}

void message_labels_from_environment(struct message_labels *l, struct str *text)
{
	struct str ignored = {0};
	const char *labels = getenv("ZPROF_LABELS");
	l->service = getenv("ZPROF_SERVICE");
	l->revision = getenv("ZPROF_REVISION");
	str_add(text, "%s", labels ? labels : "");
	for (char *rest = text->text, *label; (label = strsep(&rest, ",")) != NULL;)
		if (*label)
			message_label_add(l, label, &ignored);
	str_free(&ignored);
}

/* Adds VALUE without the characters that end a value or a name in the receiver's syntax. */
static void add_plain(struct str *to, const char *value)
{
	for (; *value; value++)
		str_add(to, "%c",
			strchr("{},=", *value) || iscntrl((unsigned char)*value) ? '_' : *value);
}

static void add_label(struct str *to, const char *name, const char *value)
{
	if (!value || !*value)
		return;
	if (to->text[to->used - 1] != '{')
		str_add(to, ",");
	str_add(to, "%s=", name);
	add_plain(to, value);
}

/* The value that all processes have; "" if they differ. */
static const char *common(const struct load *l, const char *(*of)(const struct process *p))
{
	const char *first = of(&l->processes[0]);
	for (size_t i = 1; i < l->process_count; i++)
		if (strcmp(first, of(&l->processes[i])))
			return "";
	return first;
}

static const char *host_of(const struct process *p)
{
	return p->host;
}

static const char *version_of(const struct process *p)
{
	return p->build_id;
}

/* `service{host=a,version=12ab}` */
static void add_name(struct str *to, const struct load *l, const struct message_labels *labels)
{
	size_t begun = to->used;
	const char *service = labels->service ? labels->service : load_program(&l->processes[0]);
	for (; *service; service++)
		str_add(to, "%c",
			isalnum((unsigned char)*service) || strchr("._-", *service) ? *service
										    : '_');
	if (to->used == begun)
		str_add(to, "unknown");
	str_add(to, "{");
	add_label(to, "host", common(l, host_of));
	add_label(to, "version", common(l, version_of));
	add_label(to, "service_git_ref", labels->revision);
	for (size_t i = 0; i < labels->more_count; i++) {
		size_t n = label_name_length(labels->more[i]);
		char *name = memory_text(labels->more[i], n);
		add_label(to, name, labels->more[i] + n + 1);
		free(name);
	}
	str_add(to, "}");
}

/* ---- the request */

static void add_escaped(struct str *to, const char *text)
{
	for (; *text; text++)
		if (isalnum((unsigned char)*text) || strchr("-._~", *text))
			str_add(to, "%c", *text);
		else
			str_add(to, "%%%02X", (unsigned char)*text);
}

/* When the profile, or its RECORDING, began and ended: seconds since 1970, the end later. */
static void add_times(struct str *to, const struct load *l)
{
	const struct process *p = &l->processes[0];
	const struct process_recording *r = p->recording && p->recording <= p->recording_count
						? &p->recordings[p->recording - 1]
						: NULL;
	double began = (double)(r ? r->began_realtime_ns : p->header.start_realtime_ns);
	double lasted = r ? r->lasted_ns : load_elapsed_ns(l);
	double from = floor(began / 1e9), until = ceil((began + lasted) / 1e9);
	str_add(to, "&from=%.0f&until=%.0f", from, until > from ? until : from + 1);
}

/* How a receiver adds each type of sample up. It knows no unit of time: `samples` is what it takes
 * processor time in. */
static char *sample_types(const struct view *v)
{
	json_t *all = json_object();
	const char *time = load_unknown_measure(&v->load, TIME_CPU) ? "time" : "cpu";
	const char *names[] = {v->sampled ? NULL : "calls", v->counts_only ? NULL : time,
			       v->knows_waits ? "wait" : NULL};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i])
			json_object_set_new(all, names[i],
					    json_pack("{s:s,s:s,s:s,s:b}", "units",
						      i ? "samples" : "objects", "aggregation",
						      "sum", "display-name", names[i], "sampled",
						      i > 0));
	for (size_t i = 0; i < v->load.column_count; i++) {
		json_t *name = view_json_text(v->load.columns[i]);
		json_object_set_new(all, json_string_value(name),
				    json_pack("{s:s,s:s,s:O,s:b}", "units", "objects",
					      "aggregation", "sum", "display-name", name, "sampled",
					      0));
		json_decref(name);
	}
	char *text = json_dumps(all, JSON_COMPACT);
	json_decref(all);
	return text;
}

static void add_part(FILE *to, const char *boundary, const char *name, const char *file,
		     const char *type, const void *bytes, size_t count)
{
	fprintf(to,
		"--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\n"
		"Content-Type: %s\r\n\r\n",
		boundary, name, file, type);
	fwrite(bytes, 1, count, to);
	fputs("\r\n", to);
}

/* Chooses a boundary that does not occur in the profile. */
static char *choose_boundary(const void *bytes, size_t count)
{
	char text[32];
	for (unsigned i = 0;; i++) {
		int n = snprintf(text, sizeof text, "zprof-%08x", i);
		if (!memmem(bytes, count, text, (size_t)n))
			return memory_text(text, (size_t)n);
	}
}

static void put_together(struct message *m, const struct view *v, const char *profile, size_t bytes)
{
	char *types = sample_types(v);
	m->boundary = choose_boundary(profile, bytes);
	FILE *to = memory_stream(&m->body, &m->bytes);
	add_part(to, m->boundary, "profile", "profile.pprof", "application/octet-stream", profile,
		 bytes);
	add_part(to, m->boundary, "sample_type_config", "sample_type_config.json",
		 "application/json", types, strlen(types));
	fprintf(to, "--%s--\r\n", m->boundary);
	memory_stream_end(to, &m->body);
	free(types);
}

static bool make_of(struct message *m, struct view *v, const struct message_labels *l,
		    struct str *err)
{
	char *profile = NULL;
	size_t bytes = 0;
	struct str name = {0}, query = {0};
	if (!load_calls(&v->load))
		return str_fail(err, "there are no calls in '%s'", v->load.processes[0].path);
	add_name(&name, &v->load, l);
	str_add(&query, "name=");
	add_escaped(&query, name.text);
	add_times(&query, &v->load);
	str_add(&query, "&spyName=zprof");
	m->query = memory_text(query.text, query.used);
	str_free(&name);
	str_free(&query);
	if (!load_unknown_measure(&v->load, TIME_CPU))
		v->measure = TIME_CPU;
	FILE *to = memory_stream(&profile, &bytes);
	bool ok = export_make(to, &pprof_store_format, v, err);
	memory_stream_end(to, &profile);
	if (ok)
		put_together(m, v, profile, bytes);
	free(profile);
	return ok;
}

bool message_make(struct message *m, char *path, uint32_t recording, const struct message_labels *l,
		  bool anyone, struct str *err)
{
	struct load_set set = {.paths = &path, .count = 1};
	struct options o = {.paths = &path,
			    .path_count = 1,
			    .sets = &set,
			    .set_count = 1,
			    .width = -1,
			    .sums = true,
			    .cpu_first = true,
			    .no_pager = true,
			    .force = anyone,
			    .filters.recording = recording};
	struct view v;
	*m = (struct message){0};
	bool ok = view_open(&v, &o, err);
	if (ok) {
		ok = make_of(m, &v, l, err);
		view_close(&v);
	}
	options_free(&o);
	if (!ok)
		message_free(m);
	return ok;
}

void message_free(struct message *m)
{
	free(m->query);
	free(m->boundary);
	free(m->body);
	*m = (struct message){0};
}
