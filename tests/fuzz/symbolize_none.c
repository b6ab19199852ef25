/* SPDX-License-Identifier: MIT */
/* symbolize_none.c - symbolize.h for programs that must not open files: it knows no names. */
#include <stdlib.h>

#include "symbolize/symbolize.h"

struct symbolizer {
	int nothing;
};

struct symbolizer *symbolize_new(void)
{
	return calloc(1, sizeof(struct symbolizer));
}

void symbolize_free(struct symbolizer *s)
{
	free(s);
}

struct symbolize_module *symbolize_add(struct symbolizer *s, const char *path, const void *build_id,
				       size_t build_id_bytes, enum symbolize_kind kind)
{
	(void)s;
	(void)path;
	(void)build_id;
	(void)build_id_bytes;
	(void)kind;
	return NULL;
}

const char *symbolize_notice(struct symbolize_module *m)
{
	(void)m;
	return NULL;
}

void symbolize_lookup(struct symbolize_module *m, uint64_t address, struct symbolize_result *result)
{
	static const struct symbolize_frame unknown = {.name = "?", .linkage = "?"};
	(void)m;
	*result = (struct symbolize_result){.quality = SYMBOLIZE_NONE,
					    .name = unknown.name,
					    .linkage = unknown.linkage,
					    .start = address,
					    .frames = &unknown,
					    .frame_count = 1};
}

void symbolize_name(struct symbolize_module *m, uint64_t address, struct symbolize_result *result)
{
	symbolize_lookup(m, address, result);
}

void symbolize_variable(struct symbolize_module *m, uint64_t address,
			struct symbolize_result *result)
{
	symbolize_lookup(m, address, result);
}

size_t symbolize_lines(struct symbolize_module *m, uint64_t start, uint64_t size,
		       symbolize_line_fn *each, void *context)
{
	(void)m;
	(void)start;
	(void)size;
	(void)each;
	(void)context;
	return 0;
}

const char *symbolize_producer(struct symbolize_module *m, uint64_t address)
{
	(void)m;
	(void)address;
	return NULL;
}

const char *symbolize_folder(struct symbolize_module *m, uint64_t address)
{
	(void)m;
	(void)address;
	return NULL;
}

bool symbolize_code(struct symbolize_module *m, uint64_t start, uint64_t size, uint64_t *print)
{
	(void)m;
	(void)start;
	(void)size;
	(void)print;
	return false;
}

const char *symbolize_after(struct symbolize_module *m, uint64_t address)
{
	(void)m;
	(void)address;
	return NULL;
}

const unsigned char *symbolize_bytes(struct symbolize_module *m, uint64_t start, uint64_t size,
				     unsigned *machine)
{
	(void)m;
	(void)start;
	(void)size;
	(void)machine;
	return NULL;
}

size_t symbolize_inlined(struct symbolize_module *m, uint64_t address, symbolize_inlined_fn *each,
			 void *context)
{
	(void)m;
	(void)address;
	(void)each;
	(void)context;
	return 0;
}
