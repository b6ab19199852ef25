/* SPDX-License-Identifier: MIT */
/* running.c - see running.h. */
#include "report/process/running.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/core/base/processor.h"
#include "report/core/disk/file_kind.h"
#include "report/core/names/zones.h"
#include "report/record/record_language.h"

#define LIBRARY "libzprof.so"

/* ---- its memory */

bool running_read(const struct running *r, uint64_t at, void *to, size_t bytes)
{
	return reach_read(&r->reach, at, to, bytes);
}

bool running_has_ended(const struct running *r, struct str *err)
{
	return str_fail(err, "process %d has ended", (int)r->pid);
}

/* ---- what it has mapped */

/* Adds a module. The first mapping of a file is where its image begins. */
static void add_module(struct running *r, uint64_t start, const char *path)
{
	for (size_t i = 0; i < r->module_count; i++)
		if (!strcmp(r->modules[i].path, path))
			return;
	*memory_next(r->modules, r->module_count, r->module_room) =
	    (struct running_module){memory_text(path, strlen(path)), start};
}

static bool read_modules(struct running *r, struct str *err)
{
	char path[80], line[PATH_MAX + 128];
	snprintf(path, sizeof path, "%s/maps", r->proc);
	FILE *f = fopen(path, "r");
	if (!f)
		return str_fail(err, "cannot read '%s': %s", path, strerror(errno));
	while (fgets(line, sizeof line, f)) {
		uint64_t start, offset;
		int name = 0;
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "%lx-%*x %*s %lx %*s %*u %n", &start, &offset, &name) == 2 &&
		    name && line[name] == '/' && !offset)
			add_module(r, start, line + name);
	}
	fclose(f);
	return true;
}

static const struct running_module *library_of(const struct running *r)
{
	for (size_t i = 0; i < r->module_count; i++)
		if (!strncmp(zones_base_name(r->modules[i].path), LIBRARY, strlen(LIBRARY)))
			return &r->modules[i];
	return NULL;
}

/* The program's file may have been replaced; /proc/PID/exe still leads to the old one. */
void running_path(const struct running *r, const char *path, struct str *here)
{
	static const char deleted[] = " (deleted)";
	char link[80], exe[PATH_MAX];
	snprintf(link, sizeof link, "%s/exe", r->proc);
	ssize_t n = readlink(link, exe, sizeof exe - 1);
	exe[n > 0 ? n : 0] = 0;
	str_clear(here);
	if (!strcmp(exe, path))
		str_add(here, "%s", link);
	else
		str_add(here, "%s/root%.*s", r->proc,
			(int)(strlen(path) - (strstr(path, deleted) ? strlen(deleted) : 0)), path);
}

/* The address of a symbol that a library exports, relative to the library's start; 0: none. */
static uint64_t exported(const char *path, const char *name)
{
	uint64_t found = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	elf_version(EV_CURRENT);
	Elf *elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
	Elf_Scn *section = NULL;
	while (elf && !found && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		Elf_Data *data = elf_getdata(section, NULL);
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM || !data ||
		    !header.sh_entsize)
			continue;
		for (size_t i = 0; !found && i < header.sh_size / header.sh_entsize; i++) {
			GElf_Sym symbol;
			const char *its = gelf_getsym(data, (int)i, &symbol)
					      ? elf_strptr(elf, header.sh_link, symbol.st_name)
					      : NULL;
			if (its && !strcmp(its, name))
				found = symbol.st_value;
		}
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return found;
}

static bool without_library(const struct running *r, struct str *err)
{
	char exe[PATH_MAX];
	snprintf(exe, sizeof exe, "%s/exe", r->proc);
	const char *language = record_language(exe);
	if (language)
		return str_fail(err, "process %d does not run with libzprof.so: %s", (int)r->pid,
				language);
	return str_fail(err,
			"process %d does not run with libzprof.so: build the program with the "
			"flags of 'zprof cflags --release'",
			(int)r->pid);
}

static bool find_request(struct running *r, struct str *err)
{
	const struct running_module *library = library_of(r);
	struct str path = {0};
	uint64_t magic = 0, offset = 0;
	if (!library)
		return without_library(r, err);
	running_path(r, library->path, &path);
	offset = exported(str_text(&path), "zprof_request");
	str_free(&path);
	r->request = library->start + offset;
	if (!offset || !running_read(r, r->request, &magic, sizeof magic) || magic != REQUEST_MAGIC)
		return str_fail(err, "process %d runs with another version of libzprof.so: '%s'",
				(int)r->pid, library->path);
	return true;
}

/* ---- which process */

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

static bool has_name(const char *pid, const char *name)
{
	char path[320], text[PATH_MAX];
	snprintf(path, sizeof path, "/proc/%s/exe", pid);
	ssize_t n = readlink(path, text, sizeof text - 1);
	if (n <= 0)
		return false;
	text[n] = 0;
	return !strcmp(zones_base_name(text), name);
}

static bool has_library(pid_t pid)
{
	struct running r = {.pid = pid, .reach.mem = -1};
	struct str err = {0};
	snprintf(r.proc, sizeof r.proc, "/proc/%d", (int)pid);
	bool has = read_modules(&r, &err) && library_of(&r);
	running_close(&r);
	str_free(&err);
	return has;
}

pid_t *running_named(const char *name, size_t *count)
{
	pid_t *list = NULL;
	size_t room = 0;
	*count = 0;
	DIR *folder = opendir("/proc");
	for (struct dirent *e; folder && (e = readdir(folder));)
		if (is_number(e->d_name) && has_name(e->d_name, name) &&
		    has_library((pid_t)atol(e->d_name)))
			*memory_next(list, *count, room) = (pid_t)atol(e->d_name);
	if (folder)
		closedir(folder);
	return list;
}

static bool find_named(const char *name, pid_t *pid, struct str *err)
{
	struct str all = {0};
	size_t found;
	pid_t *list = running_named(name, &found);
	for (size_t i = 0; i < found; i++)
		str_add(&all, " %d", (int)list[i]);
	if (!found)
		str_fail(err, "no program '%s' of yours runs with libzprof.so", name);
	else if (found > 1)
		str_fail(err, "%zu processes are called '%s', name one by its number:%s", found,
			 name, str_text(&all));
	else
		*pid = list[0];
	str_free(&all);
	free(list);
	return found == 1;
}

static bool same_namespace(const char *proc)
{
	char path[80];
	struct stat its, ours;
	snprintf(path, sizeof path, "%s/ns/mnt", proc);
	return !stat(path, &its) && !stat("/proc/self/ns/mnt", &ours) && its.st_ino == ours.st_ino;
}

/* The first living thread of a process: the first thread may have ended before the others. */
static pid_t living_thread(pid_t pid)
{
	char path[80];
	pid_t found = 0;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *folder = opendir(path);
	for (struct dirent *e; folder && !found && (e = readdir(folder));) {
		struct stat exe; /* the link is broken once the thread has ended */
		snprintf(path, sizeof path, "/proc/%d/task/%.20s/exe", (int)pid, e->d_name);
		if (is_number(e->d_name) && !stat(path, &exe))
			found = (pid_t)strtol(e->d_name, NULL, 10);
	}
	if (folder)
		closedir(folder);
	return found ? found : pid;
}

void running_close(struct running *r)
{
	for (size_t i = 0; i < r->module_count; i++)
		free(r->modules[i].path);
	free(r->modules);
	free(r->entries);
	reach_close(&r->reach);
}

static bool look(struct running *r, struct str *err)
{
	struct stat st;
	snprintf(r->proc, sizeof r->proc, "/proc/%d/task/%d", (int)r->pid,
		 (int)living_thread(r->pid));
	if (stat(r->proc, &st))
		return str_fail(err, "there is no process %d", (int)r->pid);
	r->same_user = st.st_uid == geteuid();
	r->same_files = same_namespace(r->proc);
	return reach_open(&r->reach, r->pid, r->proc, r->same_user, err) && read_modules(r, err) &&
	       find_request(r, err);
}

/* A shell may have begun the process just now (`prog & zprof attach $!`). Then the process may not
 * have become the program yet, or not have loaded the library. */
#define STARTING_S 2
#define LOOK_NS    10000000

bool running_open(struct running *r, const char *name, struct str *err)
{
	static const struct timespec pause = {.tv_nsec = LOOK_NS};
	const char *why = processor_lacks(PROCESSOR_SWITCHES);
	*r = (struct running){.reach.mem = -1};
	if (why)
		return str_fail(err, "%s", why);
	if (is_number(name) && strlen(name) < 10)
		r->pid = (pid_t)strtol(name, NULL, 10);
	else if (is_number(name))
		return str_fail(err, "there is no process %s", name);
	else if (!find_named(name, &r->pid, err))
		return false;
	while (!look(r, err)) {
		double age = file_process_age((uint32_t)r->pid);
		if (age < 0 || age > STARTING_S)
			return false;
		str_clear(err);
		running_close(r);
		*r = (struct running){.pid = r->pid, .reach.mem = -1};
		nanosleep(&pause, NULL);
	}
	return true;
}

/* ---- whether it is recorded */

uint64_t running_word(const struct running *r)
{
	uint64_t pointer = 0, word = 0;
	if (!running_read(r, r->request + offsetof(struct zprof_request, word), &pointer,
			  sizeof pointer) ||
	    !pointer || !running_read(r, pointer, &word, sizeof word))
		return 0;
	return word;
}

bool running_state(struct running *r, enum process_state *state, struct str *err)
{
	uint32_t told;
	if (!running_read(r, r->request + offsetof(struct zprof_request, state), &told,
			  sizeof told))
		return running_has_ended(r, err);
	*state = told == REQUEST_STATE_RECORDS ? PROCESS_RECORDING
		 : running_word(r)             ? PROCESS_NOT_RECORDED
					       : PROCESS_UNBEGUN;
	return true;
}

bool running_is_paused(const struct running *r)
{
	uint64_t at = running_word(r);
	uint32_t word = 0;
	return at && running_read(r, at, &word, sizeof word) && word == REQUEST_WORD_OVER;
}
