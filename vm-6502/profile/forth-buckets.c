/* SPDX-License-Identifier: MIT */
/* forth-buckets: see the header; the map from addresses to classes is in forth-classes.c. */
#include "vm-6502/profile/forth-buckets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "vm-6502/profile/grow.h"

/* How many records of a guest's list are followed, since the list may be a ring. */
enum { GUEST_MOST = 1024 };

struct forth_buckets *forth_buckets_new(struct m6502 *m, const struct forth_image *image,
					const struct forth_names *names)
{
	struct forth_buckets *b = calloc(1, sizeof *b);

	if (!b)
		return NULL;
	b->m = m;
	b->image = *image;
	b->names = names;
	if (!forth_classes_map(b)) {
		forth_buckets_free(b);
		return NULL;
	}
	return b;
}

void forth_buckets_free(struct forth_buckets *b)
{
	if (!b)
		return;
	for (uint32_t i = 0; i < b->classes; i++) {
		free(b->class[i].bucket);
		free(b->class[i].ask);
		free(b->class[i].name);
	}
	for (uint32_t i = 0; i < b->metrics; i++) {
		free(b->metric[i].bucket);
		free(b->metric[i].charge);
	}
	free(b->class);
	free(b->metric);
	free(b->bucket);
	free(b->rule);
	free(b);
}

uint32_t forth_buckets_add(struct forth_buckets *b, const char *name, uint32_t start, uint32_t end)
{
	struct forth_bucket bucket = {.start = start, .end = end};

	if (!grow(&b->bucket, b->buckets, &b->bucket_room, sizeof *b->bucket))
		return UINT32_MAX;
	snprintf(bucket.name, sizeof bucket.name, "%s", name);
	b->bucket[b->buckets] = bucket;
	return b->buckets++;
}

uint32_t forth_buckets_add_metric(struct forth_buckets *b, const char *name, const uint32_t *bucket,
				  uint32_t buckets)
{
	struct forth_metric metric = {.buckets = buckets};

	if (!grow(&b->metric, b->metrics, &b->metric_room, sizeof *b->metric))
		return UINT32_MAX;
	metric.bucket = calloc(buckets + 1, sizeof *metric.bucket);
	metric.charge = calloc(buckets + 1, sizeof *metric.charge);
	if (!metric.bucket || !metric.charge) {
		free(metric.bucket);
		free(metric.charge);
		return UINT32_MAX;
	}
	snprintf(metric.name, sizeof metric.name, "%s", name);
	if (buckets)
		memcpy(metric.bucket, bucket, buckets * sizeof *bucket);
	b->metric[b->metrics] = metric;
	return b->metrics++;
}

bool forth_buckets_add_rule(struct forth_buckets *b, struct forth_rule rule)
{
	if (!grow(&b->rule, b->rules, &b->rule_room, sizeof *b->rule))
		return false;
	b->rule[b->rules++] = rule;
	return true;
}

/* The host's bucket for a record of the guest; UINT32_MAX: none, or the record has changed. */
static uint32_t find_guest_bucket(const struct forth_buckets *b, uint16_t record)
{
	uint32_t start = m6502_peek16(b->m, record + 2), end = m6502_peek16(b->m, record + 4);

	for (uint32_t i = b->buckets; i-- > 0;) {
		const struct forth_bucket *k = &b->bucket[i];
		if (k->guest == record && k->start == start && k->end == end)
			return i;
	}
	return UINT32_MAX;
}

/* Adds the guest's buckets that are complete and new, the oldest first. */
static bool take_buckets(struct forth_buckets *b)
{
	uint16_t record[GUEST_MOST];
	int n = 0;
	bool changed = false;
	char name[32];

	for (uint16_t r = m6502_peek16(b->m, b->image.buckets); r && n < GUEST_MOST;
	     r = m6502_peek16(b->m, r))
		record[n++] = r;
	while (n-- > 0) {
		uint32_t i;
		if (m6502_peek16(b->m, record[n] + 4) == 0 ||
		    find_guest_bucket(b, record[n]) != UINT32_MAX)
			continue;
		forth_names_header(b->names, m6502_peek16(b->m, record[n] + 6), name);
		i = forth_buckets_add(b, name, m6502_peek16(b->m, record[n] + 2),
				      m6502_peek16(b->m, record[n] + 4));
		if (i == UINT32_MAX)
			break;
		b->bucket[i].guest = record[n];
		changed = true;
	}
	return changed;
}

static void take_metric(struct forth_buckets *b, uint16_t record)
{
	uint32_t bucket[256], buckets = m6502_peek16(b->m, record + 4), i;
	const struct forth_metric *known = forth_buckets_guest_metric(b, record);
	char name[32];

	if (buckets > 256)
		return;
	for (uint32_t k = 0; k < buckets; k++) {
		bucket[k] = find_guest_bucket(b, m6502_peek16(b->m, record + 6 + 2 * k));
		if (bucket[k] == UINT32_MAX)
			return;
	}
	if (known && known->buckets == buckets &&
	    memcmp(known->bucket, bucket, buckets * sizeof *bucket) == 0)
		return;
	forth_names_header(b->names, m6502_peek16(b->m, record + 2), name);
	i = forth_buckets_add_metric(b, name, bucket, buckets);
	if (i != UINT32_MAX)
		b->metric[i].guest = record;
}

static void take_metrics(struct forth_buckets *b)
{
	uint16_t record[GUEST_MOST];
	int n = 0;

	for (uint16_t r = m6502_peek16(b->m, b->image.metrics); r && n < GUEST_MOST;
	     r = m6502_peek16(b->m, r))
		record[n++] = r;
	while (n-- > 0)
		take_metric(b, record[n]);
}

void forth_buckets_update(struct forth_buckets *b)
{
	bool changed = !b->image.other && take_buckets(b);

	if (!b->image.other)
		take_metrics(b);
	if (changed || b->core_end != forth_image_core_end(&b->image, b->m))
		forth_classes_map(b);
}

/* Opens or closes the rule's bucket at a definition that begins at `at`; returns whether it did. */
static bool apply_rule(struct forth_buckets *b, struct forth_rule *rule,
		       const struct forth_word *word, uint16_t at)
{
	struct forth_bucket *bucket = &b->bucket[rule->bucket];
	bool inside;

	if (rule->file[0])
		inside = strcmp(rule->file, word->file) == 0;
	else
		inside = !rule->closing && (rule->open || strcasecmp(rule->first, word->name) == 0);
	rule->closing = !rule->file[0] &&
			(rule->closing || (inside && strcasecmp(rule->last, word->name) == 0));
	if (inside == rule->open)
		return false;
	rule->open = inside;
	if (inside && !bucket->end)
		bucket->start = at;
	bucket->end = inside ? 0x10000 : at;
	return true;
}

/* Whether a bucket of the user's begins or ends with the definition of xt. */
static bool look_at_rules(struct forth_buckets *b, uint16_t xt)
{
	struct forth_word word;
	bool changed = false;
	uint16_t at;

	if (!b->rules)
		return false;
	forth_names_word(b->names, xt, &word);
	at = forth_names_start(b->names, xt);
	for (uint32_t i = 0; i < b->rules; i++)
		changed = apply_rule(b, &b->rule[i], &word, at) || changed;
	return changed;
}

void forth_buckets_defined(struct forth_buckets *b, uint16_t xt)
{
	if (look_at_rules(b, xt))
		forth_classes_map(b);
}

void forth_buckets_move(struct forth_buckets *b, uint32_t class, uint64_t nexts, uint64_t cycles)
{
	struct forth_charge *charge = &b->class[b->now].charge;

	charge->nexts += nexts - b->since.nexts;
	charge->as_run += cycles - b->since.as_run;
	b->since = (struct forth_charge){.nexts = nexts, .as_run = cycles};
	b->now = class;
}

bool forth_buckets_begin(struct forth_buckets *b)
{
	for (uint32_t xt = 0; xt < 0x10000; xt++) {
		if (forth_names_begins(b->names, xt))
			look_at_rules(b, xt);
	}
	return forth_classes_map(b);
}

uint32_t forth_buckets_find(const struct forth_buckets *b, const char *name)
{
	for (uint32_t i = b->buckets; i-- > 0;) {
		if (strcasecmp(b->bucket[i].name, name) == 0)
			return i;
	}
	return UINT32_MAX;
}

uint32_t forth_buckets_slot(const struct forth_buckets *b, const struct forth_metric *metric,
			    uint32_t class)
{
	for (uint32_t i = 0; i < metric->buckets; i++) {
		if (forth_class_has(&b->class[class], metric -> bucket[i]))
			return i + 1;
	}
	return 0;
}

struct forth_metric *forth_buckets_metric(const struct forth_buckets *b, const char *name)
{
	for (uint32_t i = b->metrics; i-- > 0;) {
		if (strcasecmp(b->metric[i].name, name) == 0)
			return &b->metric[i];
	}
	return NULL;
}

struct forth_metric *forth_buckets_guest_metric(const struct forth_buckets *b, uint16_t guest)
{
	for (uint32_t i = b->metrics; i-- > 0;) {
		if (guest && b->metric[i].guest == guest)
			return &b->metric[i];
	}
	return NULL;
}

struct forth_charge forth_buckets_charge(const struct forth_buckets *b,
					 const struct forth_metric *metric, uint32_t slot)
{
	struct forth_charge sum = {0};

	if (metric->started)
		return metric->charge[slot];
	for (uint32_t i = 0; i < b->classes; i++) {
		if (forth_buckets_slot(b, metric, i) == slot)
			forth_charge_add(&sum, &b->class[i].charge);
	}
	return sum;
}

void forth_bucket_group(const struct forth_bucket *bucket, char group[64])
{
	size_t length = strlen(bucket->name);
	bool brackets = length > 2 && bucket->name[0] == '[' && bucket->name[length - 1] == ']';

	snprintf(group, 64, "%.*s", (int)(brackets ? length - 2 : length), bucket->name + brackets);
}

void forth_charge_add(struct forth_charge *sum, const struct forth_charge *more)
{
	sum->nexts += more->nexts;
	sum->as_run += more->as_run;
	sum->as_next += more->as_next;
}

bool forth_buckets_add_class(struct forth_buckets *b, struct forth_class class)
{
	if (!grow(&b->class, b->classes, &b->class_room, sizeof *b->class))
		return false;
	b->class[b->classes++] = class;
	return true;
}
