/* SPDX-License-Identifier: MIT */
/* See demangle.h. */
#define _GNU_SOURCE
#include "symbolize/demangle.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

/*
 * The suffixes of gcc's and clang's copies of a function, which are removed. Suffixes of
 * multi-versioning (`.avx2`) stay: the code of such copies differs, so they are worth telling
 * apart.
 */
static const char *const clone_suffixes[] = {
    "clone", "cold", "constprop", "isra", "llvm", "localalias", "lto_priv", "part", "__uniq",
};

static bool is_clone_suffix(const char *word, size_t bytes)
{
	if (bytes > 0 && strspn(word, "0123456789") >= bytes)
		return true;
	for (size_t i = 0; i < sizeof(clone_suffixes) / sizeof(*clone_suffixes); i++)
		if (strlen(clone_suffixes[i]) == bytes &&
		    memcmp(word, clone_suffixes[i], bytes) == 0)
			return true;
	return false;
}

/* The length of NAME without its version and suffixes; 0 only if NAME is empty. */
static size_t bare_bytes(const char *name)
{
	size_t bytes = strcspn(name, "@");
	const char *dot;

	if (bytes == 0)
		return strlen(name);
	while ((dot = memrchr(name, '.', bytes)) && dot > name &&
	       is_clone_suffix(dot + 1, name + bytes - dot - 1))
		bytes = dot - name;
	return bytes;
}

bool demangle_applies(const char *linkage)
{
	return strncmp(linkage, "_Z", 2) == 0 || strncmp(linkage, "_R", 2) == 0;
}

const char *demangle_name(struct intern *in, const char *linkage)
{
	const int options = DMGL_PARAMS | DMGL_ANSI;
	const char *bare = linkage;
	size_t bytes = bare_bytes(linkage);
	const char *kept;
	char *name;

	if (linkage[bytes] != '\0')
		bare = intern_text(in, linkage, bytes);
	if (!bare)
		return linkage;
	if (!demangle_applies(bare))
		return bare;
	/* Not cplus_demangle(): it may end the process when memory runs out. */
	name = rust_demangle(bare, options);
	if (!name)
		name = cplus_demangle_v3(bare, options);
	if (!name)
		return bare;
	kept = intern_text(in, name, strlen(name));
	free(name);
	return kept ? kept : bare;
}
