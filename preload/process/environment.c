/* SPDX-License-Identifier: MIT */
/* environment.c - see environment.h. */
#include "preload/process/environment.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"

#include <sys/utsname.h>

extern char **environ;

/*
 * Points at the number of the program's arguments; then follow the arguments, NULL, the
 * environment, NULL. The dynamic linker defines this variable, which is weak here, since the
 * library is linked with libc alone.
 */
extern long *__libc_stack_end __attribute__((weak));

char **environment_variables(void)
{
	static char *none;

	if (environ)
		return environ;
	if (!&__libc_stack_end)
		return &none;
	return (char **)__libc_stack_end + 1 + *__libc_stack_end + 1;
}

/* What stands behind `name`, with which `s` begins; NULL: it does not. */
static const char *behind(const char *s, const char *name)
{
	while (*name && *s == *name) {
		s++;
		name++;
	}
	return *name ? NULL : s;
}

const char *environment_value(const char *name)
{
	char **e;

	for (e = environment_variables(); *e; e++) {
		const char *rest = behind(*e, name);

		if (rest && *rest == '=')
			return rest + 1;
	}
	return NULL;
}

/* A value ends at a comma without a backslash before it. */
bool environment_option(const char *name, char *value, size_t bytes)
{
	const char *s = environment_value("ZPROF_OPTIONS"), *found = NULL;
	bool begins = true;
	struct text t;

	for (; s && *s && !(begins && (found = behind(s, name))); s++)
		begins = *s == ',';
	if (!found)
		return false;
	text_init(&t, value, bytes);
	for (s = found; *s && *s != ','; s++)
		text_char(&t, *s == '\\' && s[1] == ',' ? *++s : *s);
	return !t.cut;
}

void environment_host(char *host)
{
	struct utsname names;

	host[0] = 0;
	if (!SYS_FAILED(sys1(SYS_uname, &names)))
		memcpy(host, names.nodename, 65);
}

const char *environment_rank(void)
{
	static const char *const launchers[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
						"SLURM_PROCID"};
	const char *rank = NULL;
	size_t i;

	for (i = 0; !rank && i < sizeof(launchers) / sizeof(launchers[0]); i++)
		rank = environment_value(launchers[i]);
	return rank ? rank : "0";
}
