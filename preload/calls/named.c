/* SPDX-License-Identifier: MIT */
/* named.c - see named.h. */
#include "preload/calls/named.h"

#include "preload/format.h"
#include "preload/profile/zones.h"

#include <string.h>

struct part {
	const char *text;
	size_t bytes;
};

/* A `*` stands for any text. At a mismatch, the last `*` met takes one more byte of the name. */
static bool glob(struct part pattern, struct part name)
{
	size_t p = 0, n = 0, star = SIZE_MAX, from = 0;

	while (n < name.bytes) {
		if (p < pattern.bytes && pattern.text[p] == '*') {
			star = p++;
			from = n;
		} else if (p < pattern.bytes &&
			   (pattern.text[p] == '?' || pattern.text[p] == name.text[n])) {
			p++;
			n++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			n = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.bytes && pattern.text[p] == '*')
		p++;
	return p == pattern.bytes;
}

bool named_matches(const char *patterns, uint64_t zone)
{
	const struct zprof_zone *z = zones_record(ZPROF_ZONE_ID(zone));

	while (patterns && z && *patterns) {
		struct part word = {patterns, strcspn(patterns, " ")};

		if (word.bytes && glob(word, (struct part){z->text, z->name_bytes}))
			return true;
		patterns += word.bytes + (patterns[word.bytes] == ' ');
	}
	return false;
}
