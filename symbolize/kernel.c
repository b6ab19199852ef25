/* SPDX-License-Identifier: MIT */
/* See kernel.h. */
#define _GNU_SOURCE
#include "symbolize/kernel.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "symbolize/symbolize.h"

#define LIST_MOST ((size_t)256 << 20) /* bytes; today's lists have some 10 MB */

/* The whole file, ended by a zero byte; NULL: no memory, or it is too long. */
static char *read_all(FILE *from)
{
	size_t room = 1 << 16, used = 0, n;
	char *text = malloc(room), *larger;

	while (text && (n = fread(text + used, 1, room - used - 1, from)) > 0) {
		used += n;
		if (used < room - 1)
			continue;
		room *= 2;
		larger = room <= LIST_MOST ? realloc(text, room) : NULL;
		if (!larger)
			free(text);
		text = larger;
	}
	if (text)
		text[used] = 0;
	return text;
}

/*
 * How good a name is among several of one address, the lower the better. A weak symbol is a fallback,
 * and underscores are in front of names that are for the linker or for other spellings of a function.
 */
static uint64_t rank_of(char type, const char *name)
{
	uint64_t weak = strchr("wW", type) != NULL, is_static = type == 't';

	return weak << 32 | is_static << 16 | strspn(name, "_");
}

/*
 * Takes the symbol of a line, if it is of code, and its address is told. Until sizes are known, `size`
 * has the symbol's rank.
 */
static bool take(char *line, struct kernel_symbol *to)
{
	char *at;
	uint64_t address = strtoull(line, &at, 16);

	if (at == line || at[0] != ' ' || !at[1] || !strchr("tTwW", at[1]) || at[2] != ' ' ||
	    !(address >> 63))
		return false;
	to->start = address & (SYMBOLIZE_KERNEL_BYTES - 1);
	to->name = at + 3;
	to->size = rank_of(at[1], to->name);
	at += 3 + strcspn(at + 3, " \t");
	*at = 0; /* behind the name, there may be the name of a loaded module */
	return *to->name;
}

/* By start, the best name of each first. */
static int by_start(const void *left, const void *right)
{
	const struct kernel_symbol *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Keeps one symbol of each start, and sets sizes. */
static void settle(struct kernel_symbols *k)
{
	size_t count = 0;

	for (size_t i = 0; i < k->count; i++)
		if (!count || k->list[count - 1].start != k->list[i].start)
			k->list[count++] = k->list[i];
	k->count = count;
	for (size_t i = 0; i < count; i++) {
		uint64_t size =
		    i + 1 < count ? k->list[i + 1].start - k->list[i].start : KERNEL_FUNCTION_MOST;

		k->list[i].size = size < KERNEL_FUNCTION_MOST ? size : KERNEL_FUNCTION_MOST;
	}
}

void kernel_read(struct kernel_symbols *k, FILE *from)
{
	size_t lines = 0;

	*k = (struct kernel_symbols){.text = read_all(from)};
	for (const char *at = k->text; at && (at = strchr(at, '\n')); at++)
		lines++;
	k->list = malloc((lines + 1) * sizeof(*k->list));
	if (!k->text || !k->list) {
		kernel_fini(k);
		return;
	}
	for (char *line = k->text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = 0;
		k->count += take(line, &k->list[k->count]);
	}
	qsort(k->list, k->count, sizeof(*k->list), by_start);
	settle(k);
}

/* Hexadecimal digits in pairs, with hyphens between some of them. False: they are not right. */
static bool parse_boot_id(const char *text, unsigned char id[SYMBOLIZE_BOOT_ID_BYTES])
{
	for (int i = 0; i < SYMBOLIZE_BOOT_ID_BYTES; i++) {
		int used = 0;

		text += *text == '-';
		if (sscanf(text, "%2hhx%n", &id[i], &used) != 1 || used != 2)
			return false;
		text += used;
	}
	return true;
}

bool symbolize_boot_id(unsigned char id[SYMBOLIZE_BOOT_ID_BYTES])
{
	char text[64];
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	bool known = f && fgets(text, sizeof(text), f) && parse_boot_id(text, id);

	if (f)
		fclose(f);
	return known;
}

void kernel_load(struct kernel_symbols *k, const unsigned char *boot_id, size_t boot_id_bytes)
{
	unsigned char now[SYMBOLIZE_BOOT_ID_BYTES];
	FILE *f = NULL;

	*k = (struct kernel_symbols){0};
	if (boot_id_bytes == sizeof(now) && symbolize_boot_id(now) &&
	    !memcmp(now, boot_id, sizeof(now)))
		f = fopen("/proc/kallsyms", "re");
	if (!f)
		return;
	kernel_read(k, f);
	fclose(f);
}

const struct kernel_symbol *kernel_find(const struct kernel_symbols *k, uint64_t address)
{
	size_t low = 0, high = k->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (k->list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address - k->list[low - 1].start < k->list[low - 1].size ? &k->list[low - 1]
									       : NULL;
}

void kernel_fini(struct kernel_symbols *k)
{
	free(k->list);
	free(k->text);
	*k = (struct kernel_symbols){0};
}
