/* SPDX-License-Identifier: MIT */
/* second_run.c - see second_run.h. */
#define _GNU_SOURCE
#include "report/second_run/second_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/record/record_flags.h"
#include "report/record/record_run.h"
#include "report/process/binary.h"

bool second_run_check(const struct after_run *self, const struct record_flags *flags,
		      struct str *err)
{
	if (after_run_is_given(&flags->after, &native_after_run) &&
	    after_run_is_given(&flags->after, &verify_after_run))
		return str_fail(err, "--native takes the times of which --verify tells how they "
				     "compare: give one of them");
	return !flags->start || strcmp(flags->start, "off") ||
	       str_fail(err, "--%s compares whole runs: leave out --start=off",
			self->options->name);
}

/* Whether recording begins with the program. A second run is sampled from its first instruction, so
 * the first run must be recorded from there. */
static bool begins_at_once(const struct record_flags *flags)
{
	char *elsewhere = flags->start ? NULL : record_flags_in_environment("start");
	bool at_once = !elsewhere || strcmp(elsewhere, "off");
	free(elsewhere);
	return at_once;
}

void *second_run_begin(const struct after_run *self, const struct record_flags *flags,
		       struct str *err)
{
	if (!begins_at_once(flags)) {
		str_fail(err, "--%s compares whole runs: take start=off out of ZPROF_OPTIONS",
			 self->options->name);
		return NULL;
	}
	struct second_run *r = memory_zeroed(1, sizeof *r);
	r->quiet = flags->quiet;
	r->any = flags->any;
	r->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
	return r;
}

/* Whether STATUS means the end by a signal. A larger status can only be the program's own. */
static bool is_by_signal(int status)
{
	return status > 128 && status <= 128 + SIGRTMAX;
}

bool second_run_ended_alike(const struct second_run *r, int status, struct str *err)
{
	if (r->status == status)
		return true;
	if (is_by_signal(r->status))
		return str_fail(err, "the second run was ended by signal %d", r->status - 128);
	return str_fail(err, "the second run ended with status %d, and the first with %d",
			r->status, status);
}

bool second_run_is_due(int status, struct str *err)
{
	return !is_by_signal(status) ||
	       str_fail(err, "the program was ended by a signal, so it is not run again");
}

static bool is_own(const char *file)
{
	struct profile p;
	struct str none = {0};
	bool own = false;
	if (profile_load_texts(&p, file, true, &none)) {
		own = p.header.parent_pid == (uint32_t)getpid();
		profile_free(&p);
	}
	str_free(&none);
	return own;
}

size_t second_run_own(char **files, size_t count)
{
	size_t own = 0;
	for (size_t i = 0; i < count; i++) {
		char *file = files[i];
		if (!is_own(file))
			continue;
		files[i] = files[own];
		files[own++] = file;
	}
	return own;
}

static void look_for_sites(struct second_run *r, const struct load *l, uint32_t module)
{
	struct binary b = {.path = l->zones.modules[module].path};
	struct str none = {0};
	struct scan_hooks hooks;
	bool has = l->zones.modules[module].entered && binary_open(&b, &none) &&
		   binary_find_sites(&b, &hooks);
	r->sites += has ? b.count : 0;
	for (size_t i = 0; has && i < b.count; i++)
		if (ZPROF_SITE_HOOK(&b.sites[i]) == ZPROF_SITE_ENTER)
			r->by_source[module] = r->any_by_source = true;
	binary_close(&b);
	str_free(&none);
}

bool second_run_find_hooks(struct second_run *r, const struct load *l, struct str *err)
{
	r->by_source = memory_zeroed(l->zones.module_count + 1, sizeof *r->by_source);
	for (uint32_t m = 0; m < l->zones.module_count; m++)
		look_for_sites(r, l, m);
	return r->sites || r->any ||
	       str_fail(err, "none of its hooks can be switched off: a second run would "
			     "tell nothing");
}

/* Rewinds standard input, and discards output. No further descriptor stays open: the program finds
 * the same numbers free as in the first run. */
static void read_again(const struct second_run *r)
{
	int nothing = open("/dev/null", O_RDWR);
	if (r->input < 0 || lseek(STDIN_FILENO, r->input, SEEK_SET) < 0)
		dup2(nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
	if (nothing > STDERR_FILENO)
		close(nothing);
}

static void prepare(const void *context)
{
	const struct second_run *r = context;
	struct str options = {0};
	record_restore_signals();
	str_add(&options, "start=off,sample=0,clock=count,output=%s/%%p", r->folder);
	setenv("ZPROF_OPTIONS", options.text, 1);
	unsetenv("ZPROF_RUN");
	read_again(r);
	str_free(&options);
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

bool second_run_sample(struct second_run *r, struct sampler *s, struct str *err)
{
	if (!r->quiet && isatty(STDERR_FILENO))
		say("now the second run, with all hooks off; its output is discarded");
	s->prepare = prepare;
	s->preparing = r;
	s->follow = record_hand_on_to;
	strcpy(r->folder, "/tmp/zprof-second-XXXXXX");
	if (!mkdtemp(r->folder))
		return str_fail(err, "cannot make '%s': %s", r->folder, strerror(errno));
	bool ok = sampler_run(s, err);
	remove_folder(r->folder);
	r->status = s->status;
	return ok;
}

void second_run_end(void *kept)
{
	struct second_run *r = kept;
	free(r->by_source);
	free(r);
}
