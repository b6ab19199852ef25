/* SPDX-License-Identifier: MIT */
/* record_verify.c - see record_verify.h. */
#define _GNU_SOURCE
#include "report/commands/record_verify.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/base/memory.h"
#include "report/base/say.h"
#include "report/base/table.h"
#include "report/base/units.h"
#include "report/base/visible.h"
#include "report/live/binary.h"
#include "report/model/native.h"
#include "report/model/short_name.h"
#include "report/sampler/sampler.h"

#define LEAST 1.0 /* points, of either share: smaller ones are summed up */

static const int terminals[] = {SIGINT, SIGQUIT};

enum { NATIVE, SHOWN, APART, NAME, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [NATIVE] = {.head = "% native", .right = true, .least = 8},
    [SHOWN] = {.head = "% shown", .right = true, .gap = 2, .least = 7},
    [APART] = {.head = "apart", .right = true, .gap = 2, .least = 6},
    [NAME] = {.head = "name", .gap = 2, .elastic = true, .shorten = short_name_fit},
};

struct verification {
	const struct verify *before;
	struct load load;
	struct native native;
	bool *by_source; /* by module */
	size_t sites;
	bool any_by_source;
	char folder[32]; /* for what the second run writes */
};

void verify_begin(struct verify *v)
{
	v->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
	for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++)
		sigaction(terminals[i], NULL, &v->terminal[i]);
}

/* ---- the first run */

/* The process that we started may have become one program after the other. */
static bool load_own(struct load *l, char *const *files, size_t count, struct str *err)
{
	char **own = memory_zeroed(count + 1, sizeof *own);
	struct load_set set = {.paths = own};
	for (size_t i = 0; i < count; i++) {
		struct profile p;
		struct str none = {0};
		if (profile_load(&p, files[i], true, &none)) {
			if (p.header.parent_pid == (uint32_t)getpid())
				own[set.count++] = files[i];
			profile_free(&p);
		}
		str_free(&none);
	}
	bool ok = set.count ? load_sets(l, &set, 1, LOAD_ANYONE, err)
			    : str_fail(err, "there is no profile of the process that was started");
	free(own);
	return ok;
}

static void look_for_sites(struct verification *v, uint32_t module)
{
	struct binary b = {.path = v->load.zones.modules[module].path};
	struct str none = {0};
	struct scan_hooks hooks;
	bool has = v->load.zones.modules[module].entered && binary_open(&b, &none) &&
		   binary_find_sites(&b, &hooks);
	v->sites += has ? b.count : 0;
	for (size_t i = 0; has && i < b.count; i++)
		if (ZPROF_SITE_HOOK(&b.sites[i]) == ZPROF_SITE_ENTER)
			v->by_source[module] = v->any_by_source = true;
	binary_close(&b);
	str_free(&none);
}

/* ---- the second */

static void read_again(const struct verify *before)
{
	int nothing = open("/dev/null", O_RDWR);
	if (before->input < 0 || lseek(STDIN_FILENO, before->input, SEEK_SET) < 0)
		dup2(nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
}

static void prepare(void *context)
{
	const struct verification *v = context;
	struct str options = {0};
	for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++)
		sigaction(terminals[i], &v->before->terminal[i], NULL);
	str_add(&options, "start=off,sample=0,clock=count,output=%s/%%p", v->folder);
	setenv("ZPROF_OPTIONS", options.text, 1);
	unsetenv("ZPROF_RUN");
	read_again(v->before);
	str_free(&options);
}

static bool take(void *context, const char *file, uint64_t address)
{
	return native_take(&((struct verification *)context)->native, file, address);
}

static void remove_folder(const char *folder)
{
	DIR *all = opendir(folder);
	for (struct dirent *e; all && (e = readdir(all));)
		unlinkat(dirfd(all), e->d_name, 0);
	if (all)
		closedir(all);
	rmdir(folder);
}

/* ---- both */

static void add_row(struct table *t, double native, double shown, const char *name)
{
	struct str visible = {0};
	table_row(t, TABLE_PLAIN);
	table_cell(t, NATIVE, "%.1f", native);
	table_cell(t, SHOWN, "%.1f", shown);
	table_cell(t, APART, "%+.1f", shown - native);
	visible_add(&visible, name);
	table_tail(t, NAME, str_text(&visible));
	str_free(&visible);
}

static void print_rows(const struct verification *v)
{
	struct table t;
	struct terminal terminal;
	struct native_function others = {0};
	char count[UNITS_TEXT], name[UNITS_TEXT + 16];
	size_t left = 0;
	table_init(&t, columns, COLUMNS);
	for (size_t i = 0; i < v->native.count; i++) {
		const struct native_function *f = &v->native.functions[i];
		if (f->share >= LEAST || f->shown_share >= LEAST) {
			add_row(&t, f->share, f->shown_share, v->load.zones.list[f->zone].name);
		} else {
			others.share += f->share;
			others.shown_share += f->shown_share;
			left++;
		}
	}
	snprintf(name, sizeof name, "(%s others)", units_count(count, left));
	if (left)
		add_row(&t, others.share, others.shown_share, name);
	terminal_open(&terminal, TERMINAL_AUTO, -1, false);
	table_print(&t, &terminal);
	table_free(&t);
}

static void print(const struct verification *v, const struct sampler *s,
		  const struct native_distance *d)
{
	char samples[UNITS_TEXT], none[UNITS_TEXT];
	printf(
	    "\nNative: %s samples of a second run, with all hooks off.  Its shares of self time\n"
	    "and those of the profile are %.1f points of 100 apart, of which chance makes %.1f.\n",
	    units_count(samples, s->samples), d->apart, d->chance);
	if (v->any_by_source)
		puts(
		    "With -finstrument-functions that is not quite native: the program goes on preparing\n"
		    "the arguments of its hooks. Build it with the flags of 'zprof cflags --fentry'.");
	if (!s->sees_kernel)
		puts(
		    "Time in the kernel is in the profile alone: the system lets nobody look there.");
	if (s->lost + s->broken + s->elsewhere)
		printf("%s samples were of no function that was recorded.\n",
		       units_count(none, s->lost + s->broken + s->elsewhere));
	puts("");
	print_rows(v);
}

/* On stderr, as all that `zprof record` says: stdout is the program's. */
static void print_to_stderr(const struct verification *v, const struct sampler *s,
			    const struct native_distance *d)
{
	int out = dup(STDOUT_FILENO);
	fflush(stdout);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	print(v, s, d);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
}

static bool sample(struct verification *v, char **program, struct str *err)
{
	struct sampler s = {.command = program,
			    .period_ns = SAMPLER_PERIOD_NS,
			    .prepare = prepare,
			    .takes = take,
			    .context = v};
	strcpy(v->folder, "/tmp/zprof-verify-XXXXXX");
	if (!mkdtemp(v->folder))
		return str_fail(err, "cannot make '%s': %s", v->folder, strerror(errno));
	bool ok = sampler_run(&s, err);
	remove_folder(v->folder);
	if (!ok)
		return false;
	if (s.status)
		say("the second run ended with status %d", s.status);
	struct native_distance d = native_compare(&v->native);
	if (!(s.samples > s.lost + s.broken + s.elsewhere))
		return str_fail(err,
				"no sample of the second run found a function that was recorded");
	print_to_stderr(v, &s, &d);
	return true;
}

bool verify_run(const struct verify *before, char **program, char *const *files, size_t count,
		struct str *err)
{
	struct verification v = {.before = before};
	if (!load_own(&v.load, files, count, err))
		return false;
	v.by_source = memory_zeroed(v.load.zones.module_count + 1, sizeof *v.by_source);
	for (uint32_t m = 0; m < v.load.zones.module_count; m++)
		look_for_sites(&v, m);
	native_init(&v.native, &v.load, v.by_source);
	bool ok = v.sites
		      ? sample(&v, program, err)
		      : str_fail(err, "none of its hooks can be switched off: a second run would "
				      "tell nothing");
	native_free(&v.native);
	free(v.by_source);
	load_free(&v.load);
	return ok;
}
