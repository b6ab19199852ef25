/* SPDX-License-Identifier: MIT */
/*
 * forth-buckets-file: the user's own buckets and metrics, for programs whose source has none.
 *
 *	[bucket scanner]
 *	file = scanner.fth              what that source file defines, with the files it includes
 *	[bucket numbers]
 *	words = digit? number           from the first of these definitions to the second
 *	[bucket tables]
 *	addr = 3d9b-4000                from one address up to the other, hexadecimal
 *	[metric all]
 *	buckets = scanner tables        named earlier, in this file or one before it
 *
 * or the unchanged output of a program's BUCKET-SIZE-REPORT:
 *
 *	from  to   size  bucket
 *	4AE4 4BA8   196  [STRINGS]
 */
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/profile/forth-buckets.h"

enum { MOST_OF_METRIC = 1024 };

struct loading {
	struct forth_buckets *b;
	char metric[64]; /* the metric being read; "": none */
	uint32_t bucket[MOST_OF_METRIC], buckets;
	char err[256];
};

static int wrong(struct loading *l, const char *format, const char *text)
{
	snprintf(l->err, sizeof l->err, format, text);
	return 0;
}

static int add_words(struct loading *l, uint32_t bucket, const char *value)
{
	struct forth_rule rule = {.bucket = bucket};

	if (sscanf(value, "%31s %31s", rule.first, rule.last) != 2)
		return wrong(l, "words = '%s': give two words, the first and the last", value);
	return forth_buckets_add_rule(l->b, rule) || wrong(l, "%s", "out of memory");
}

static int add_file(struct loading *l, uint32_t bucket, const char *value)
{
	struct forth_rule rule = {.bucket = bucket};

	if (snprintf(rule.file, sizeof rule.file, "%s", value) >= (int)sizeof rule.file)
		return wrong(l, "file = '%s' is too long", value);
	return forth_buckets_add_rule(l->b, rule) || wrong(l, "%s", "out of memory");
}

static int add_range(struct loading *l, uint32_t bucket, const char *value)
{
	unsigned start, end;
	int used = 0;

	if (sscanf(value, "%x-%x%n", &start, &end, &used) != 2 || value[used] || start >= end ||
	    end > 0x10000)
		return wrong(l, "addr = '%s': give two addresses, like 3d9b-4000", value);
	l->b->bucket[bucket].start = start;
	l->b->bucket[bucket].end = end;
	return 1;
}

static int add_bucket(struct loading *l, const char *name, const char *key, const char *value)
{
	uint32_t bucket = forth_buckets_find(l->b, name);

	if (bucket != UINT32_MAX)
		return wrong(l, "bucket '%s' has more than one range", name);
	bucket = forth_buckets_add(l->b, name, 0, 0);
	if (bucket == UINT32_MAX)
		return wrong(l, "%s", "out of memory");
	if (strcmp(key, "words") == 0)
		return add_words(l, bucket, value);
	if (strcmp(key, "file") == 0)
		return add_file(l, bucket, value);
	if (strcmp(key, "addr") == 0)
		return add_range(l, bucket, value);
	return wrong(l, "a bucket has no '%s': file, words or addr", key);
}

/* The parser makes one call per line of a value, so a metric is made when the next section
 * begins. */
static int end_metric(struct loading *l)
{
	bool open = l->metric[0];

	if (open && forth_buckets_add_metric(l->b, l->metric, l->bucket, l->buckets) == UINT32_MAX)
		return wrong(l, "%s", "out of memory");
	l->metric[0] = 0;
	l->buckets = 0;
	return 1;
}

static int add_to_metric(struct loading *l, const char *name, const char *key, const char *value)
{
	char text[INI_MAX_LINE + 1], *rest = NULL;

	if (strcmp(key, "buckets") != 0)
		return wrong(l, "a metric has no '%s': buckets", key);
	snprintf(l->metric, sizeof l->metric, "%s", name);
	snprintf(text, sizeof text, "%s", value);
	for (char *word = strtok_r(text, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
		uint32_t bucket = forth_buckets_find(l->b, word);
		if (bucket == UINT32_MAX)
			return wrong(l, "there is no bucket '%s' before the metric", word);
		if (l->buckets == MOST_OF_METRIC)
			return wrong(l, "metric '%s' has too many buckets", name);
		l->bucket[l->buckets++] = bucket;
	}
	return 1;
}

static int on_line(void *context, const char *section, const char *key, const char *value)
{
	struct loading *l = context;
	bool metric = strncmp(section, "metric ", 7) == 0;

	if ((!metric || strcmp(l->metric, section + 7) != 0) && !end_metric(l))
		return 0;
	if (metric)
		return add_to_metric(l, section + 7, key, value);
	if (strncmp(section, "bucket ", 7) == 0)
		return add_bucket(l, section + 7, key, value);
	return wrong(l, "there is no section [%s]: [bucket NAME] and [metric NAME]", section);
}

static bool is_size_head(const char *line)
{
	char word[4][8];

	return sscanf(line, "%7s %7s %7s %7s", word[0], word[1], word[2], word[3]) == 4 &&
	       strcmp(word[0], "from") == 0 && strcmp(word[1], "to") == 0 &&
	       strcmp(word[2], "size") == 0 && strcmp(word[3], "bucket") == 0;
}

/* Adds a line of a size report, whose three numbers must agree. */
static bool add_size(struct forth_buckets *b, const char *line)
{
	unsigned start, end, size;
	char name[64], more[2];

	return sscanf(line, "%x %x %u %63s %1s", &start, &end, &size, name, more) == 4 &&
	       end <= 0x10000 && start + size == end &&
	       forth_buckets_add(b, name, start, end) != UINT32_MAX;
}

/* Reads the rest of a size report. Returns the number of a line that is wrong; 0: none is. */
static int load_sizes(struct forth_buckets *b, FILE *file, int line)
{
	char text[256];

	while (fgets(text, sizeof text, file)) {
		line++;
		if (text[strspn(text, " \t\r\n")] && !add_size(b, text))
			return line;
	}
	return 0;
}

enum loaded { NO_REPORT, GOOD_REPORT, BAD_REPORT };

static enum loaded load_report(struct forth_buckets *b, const char *path, char *err, size_t size)
{
	FILE *file = fopen(path, "r");
	char text[256];
	int line = 0, wrong = -1;

	while (file && wrong < 0 && fgets(text, sizeof text, file)) {
		line++;
		if (is_size_head(text))
			wrong = load_sizes(b, file, line);
		else if (text[strspn(text, " \t\r\n")])
			break;
	}
	if (file)
		fclose(file);
	if (wrong > 0)
		snprintf(err, size, "%s:%d: not a line of a bucket-size-report", path, wrong);
	return wrong < 0 ? NO_REPORT : wrong ? BAD_REPORT : GOOD_REPORT;
}

bool forth_buckets_load(struct forth_buckets *b, const char *path, char *err, size_t size)
{
	struct loading l = {.b = b};
	enum loaded loaded = load_report(b, path, err, size);
	int line;

	if (loaded != NO_REPORT)
		return loaded == GOOD_REPORT;
	line = ini_parse(path, on_line, &l);
	if (line < 0)
		snprintf(err, size, "cannot open '%s': %s", path, strerror(errno));
	else if (line > 0)
		snprintf(err, size, "%s:%d: %s", path, line,
			 l.err[0] ? l.err : "neither a section nor `key = value`");
	else if (!end_metric(&l))
		snprintf(err, size, "out of memory");
	else
		return true;
	return false;
}
