/* SPDX-License-Identifier: MIT */
/* running.c - see running.h. */
#include "report/live/running.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/base/memory.h"
#include "report/live/binary.h"

#define LIBRARY    "libzprof.so"
#define AT(member) (offsetof(struct zprof_request, member))

/* ---- its memory */

static bool read_at(const struct running *r, uint64_t at, void *to, size_t bytes)
{
	return pread(r->mem, to, bytes, (off_t)at) == (ssize_t)bytes;
}

static bool write_at(const struct running *r, uint64_t at, const void *from, size_t bytes)
{
	return pwrite(r->mem, from, bytes, (off_t)at) == (ssize_t)bytes;
}

static bool write_number(const struct running *r, uint64_t at, uint32_t number)
{
	return write_at(r, at, &number, sizeof number);
}

static bool has_ended(const struct running *r, struct str *err)
{
	return str_fail(err, "process %d has ended", (int)r->pid);
}

static int tracing_scope(void)
{
	int scope = 0;
	FILE *f = fopen("/proc/sys/kernel/yama/ptrace_scope", "r");
	if (f && fscanf(f, "%d", &scope) != 1)
		scope = 0;
	if (f)
		fclose(f);
	return scope;
}

static bool open_memory(struct running *r, struct str *err)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/mem", (int)r->pid);
	r->mem = open(path, O_RDWR | O_CLOEXEC);
	if (r->mem >= 0)
		return true;
	int error = errno;
	if (error == ENOENT || error == ESRCH)
		return str_fail(err, "there is no process %d", (int)r->pid);
	if (!r->same_user && geteuid())
		return str_fail(err,
				"process %d is another user's: attach as that user, or as root",
				(int)r->pid);
	if (tracing_scope() > 0)
		return str_fail(
		    err,
		    "the system lets nobody reach into process %d: "
		    "kernel.yama.ptrace_scope is %d; attach as root, set it to 0, or let "
		    "the program call prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY)",
		    (int)r->pid, tracing_scope());
	return str_fail(err,
			"the system lets nobody reach into process %d: %s; in a container, this "
			"takes the capability SYS_PTRACE",
			(int)r->pid, strerror(error));
}

/* ---- what it has mapped */

/* The first mapping of each file is where the image begins. */
static void add_module(struct running *r, uint64_t start, const char *path)
{
	for (size_t i = 0; i < r->module_count; i++)
		if (!strcmp(r->modules[i].path, path))
			return;
	r->modules = memory_room(r->modules, r->module_count, &r->module_room, sizeof *r->modules);
	r->modules[r->module_count++] =
	    (struct running_module){memory_text(path, strlen(path)), start};
}

static bool read_modules(struct running *r, struct str *err)
{
	char path[64], line[PATH_MAX + 128];
	snprintf(path, sizeof path, "/proc/%d/maps", (int)r->pid);
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

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static const struct running_module *library_of(const struct running *r)
{
	for (size_t i = 0; i < r->module_count; i++)
		if (!strncmp(last_part(r->modules[i].path), LIBRARY, strlen(LIBRARY)))
			return &r->modules[i];
	return NULL;
}

/* How we reach a file that the process has mapped. (The program itself may have been replaced.) */
static void path_here(const struct running *r, const char *path, struct str *here)
{
	static const char deleted[] = " (deleted)";
	char link[64], exe[PATH_MAX];
	snprintf(link, sizeof link, "/proc/%d/exe", (int)r->pid);
	ssize_t n = readlink(link, exe, sizeof exe - 1);
	exe[n > 0 ? n : 0] = 0;
	str_clear(here);
	if (!strcmp(exe, path))
		str_add(here, "%s", link);
	else
		str_add(here, "/proc/%d/root%.*s", (int)r->pid,
			(int)(strlen(path) - (strstr(path, deleted) ? strlen(deleted) : 0)), path);
}

/* The address of a symbol that a library exports, in its own terms; 0: none. */
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

static bool find_request(struct running *r, struct str *err)
{
	const struct running_module *library = library_of(r);
	struct str path = {0};
	uint64_t magic = 0, offset = 0;
	if (!library)
		return str_fail(err,
				"process %d does not run with libzprof.so: build the program with "
				"the flags of 'zprof cflags --release'",
				(int)r->pid);
	path_here(r, library->path, &path);
	offset = exported(str_text(&path), "zprof_request");
	str_free(&path);
	r->request = library->start + offset;
	if (!offset || !read_at(r, r->request, &magic, sizeof magic) || magic != REQUEST_MAGIC)
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
	return !strcmp(last_part(text), name);
}

static bool has_library(pid_t pid)
{
	struct running r = {.pid = pid, .mem = -1};
	struct str err = {0};
	bool has = read_modules(&r, &err) && library_of(&r);
	running_close(&r);
	str_free(&err);
	return has;
}

static bool find_named(const char *name, pid_t *pid, struct str *err)
{
	struct str all = {0};
	size_t found = 0;
	DIR *folder = opendir("/proc");
	for (struct dirent *e; folder && (e = readdir(folder));) {
		if (!is_number(e->d_name) || !has_name(e->d_name, name) ||
		    !has_library((pid_t)atol(e->d_name)))
			continue;
		*pid = (pid_t)atol(e->d_name);
		str_add(&all, " %s", e->d_name);
		found++;
	}
	if (folder)
		closedir(folder);
	if (!found)
		str_fail(err, "no program '%s' of yours runs with libzprof.so", name);
	else if (found > 1)
		str_fail(err, "%zu processes are called '%s', name one by its number:%s", found,
			 name, str_text(&all));
	str_free(&all);
	return found == 1;
}

static bool same_namespace(pid_t pid)
{
	char path[64];
	struct stat its, ours;
	snprintf(path, sizeof path, "/proc/%d/ns/mnt", (int)pid);
	return !stat(path, &its) && !stat("/proc/self/ns/mnt", &ours) && its.st_ino == ours.st_ino;
}

bool running_open(struct running *r, const char *name, struct str *err)
{
	char path[64];
	struct stat st;
	*r = (struct running){.mem = -1};
	if (is_number(name))
		r->pid = (pid_t)strtol(name, NULL, 10);
	else if (!find_named(name, &r->pid, err))
		return false;
	snprintf(path, sizeof path, "/proc/%d", (int)r->pid);
	if (stat(path, &st))
		return str_fail(err, "there is no process %d", (int)r->pid);
	r->same_user = st.st_uid == geteuid();
	r->same_files = same_namespace(r->pid);
	return open_memory(r, err) && read_modules(r, err) && find_request(r, err);
}

void running_close(struct running *r)
{
	for (size_t i = 0; i < r->module_count; i++)
		free(r->modules[i].path);
	free(r->modules);
	free(r->knocked);
	free(r->was);
	if (r->mem >= 0)
		close(r->mem);
}

/* ---- asking */

/* Where the word is that the hooks look at; 0: nothing has begun. */
static uint64_t word_of(const struct running *r)
{
	uint64_t pointer = 0, word = 0;
	if (!read_at(r, r->request + AT(word), &pointer, sizeof pointer) || !pointer ||
	    !read_at(r, pointer, &word, sizeof word))
		return 0;
	return word;
}

bool running_state(struct running *r, enum running_state *state, struct str *err)
{
	uint64_t at = word_of(r);
	uint32_t word = 0;
	*state = RUNNING_UNBEGUN;
	if (!at)
		return true;
	if (!read_at(r, at, &word, sizeof word))
		return has_ended(r, err);
	*state = word == REQUEST_WORD_OVER ? RUNNING_PAUSED : RUNNING_RECORDING;
	return true;
}

static void open_doors(const struct running *r)
{
	uint64_t doors[REQUEST_DOORS];
	if (!read_at(r, r->request + AT(doors), doors, sizeof doors))
		return;
	for (int i = 0; i < REQUEST_DOORS; i++) {
		uint64_t asks = REQUEST_DOOR_ASKS, now = asks;
		if (read_at(r, doors[i], &now, sizeof now) && now == REQUEST_DOOR_SHUT)
			write_at(r, doors[i], &asks, sizeof asks);
	}
}

static void note_knock(struct running *r, uint64_t at, uint8_t was)
{
	r->was = memory_room(r->was, r->knocked_count, &r->was_room, sizeof *r->was);
	r->was[r->knocked_count] = was;
	r->knocked =
	    memory_room(r->knocked, r->knocked_count, &r->knocked_room, sizeof *r->knocked);
	r->knocked[r->knocked_count++] = at;
}

#define HEARD_EVERY 64 /* sites, until it is looked whether the process has answered */

/* Switches on the entries of one module. What is there already, or is something else, stays. */
static bool knock_at(struct running *r, const struct running_module *m, struct str *err)
{
	struct str path = {0}, no_program = {0};
	struct scan_hooks hooks;
	bool ok = true;
	path_here(r, m->path, &path);
	struct binary b = {.path = str_text(&path)};
	bool has = binary_open(&b, &no_program) && binary_find_sites(&b, &hooks);
	for (size_t i = 0; has && ok && i < b.count; i++) {
		bool heard = false;
		if (i % HEARD_EVERY == 0 && running_answered(r, &heard, err) && heard)
			break;
		uint64_t at = b.sites[i].address - b.image.start + m->start;
		uint8_t off = scan_byte(&b.sites[i], true), on = scan_byte(&b.sites[i], false), now;
		if (!scan_enters(&b.sites[i]) || !read_at(r, at, &now, 1) || now != off)
			continue;
		ok = write_at(r, at, &on, 1);
		if (ok)
			note_knock(r, at, off);
		else
			str_fail(err, "the system lets nobody write to the code of process %d: %s",
				 (int)r->pid, strerror(errno));
	}
	binary_close(&b);
	str_free(&path);
	str_free(&no_program);
	return ok;
}

bool running_knock(struct running *r, struct str *err)
{
	for (size_t i = 0; i < r->module_count; i++)
		if (!knock_at(r, &r->modules[i], err))
			return false;
	return true;
}

bool running_ask(struct running *r, enum request_what what, const char *options, struct str *err)
{
	uint32_t asked = 0;
	size_t bytes = strlen(options) + 1;
	r->knocked_count = 0;
	if (bytes > REQUEST_TEXT_BYTES)
		return str_fail(err, "the options are too long: %d bytes at most",
				REQUEST_TEXT_BYTES - 1);
	if (!read_at(r, r->request + AT(claimed), &asked, sizeof asked))
		return has_ended(r, err);
	if (!write_at(r, r->request + AT(options), options, bytes) ||
	    !write_number(r, r->request + AT(what), what) ||
	    !write_number(r, r->request + AT(asked), asked + 1))
		return str_fail(err, "the system lets nobody write to the memory of process %d: %s",
				(int)r->pid, strerror(errno));
	if (what != REQUEST_BEGIN) {
		uint64_t word = word_of(r);
		return !word || write_number(r, word, REQUEST_WORD_OVER) || has_ended(r, err);
	}
	open_doors(r);
	return running_knock(r, err);
}

bool running_answered(struct running *r, bool *answered, struct str *err)
{
	uint32_t asked, done;
	if (!read_at(r, r->request + AT(asked), &asked, sizeof asked) ||
	    !read_at(r, r->request + AT(answered), &done, sizeof done))
		return has_ended(r, err);
	*answered = asked == done;
	return true;
}

bool running_answer(struct running *r, struct str *profile, struct str *err)
{
	struct zprof_request *q = memory_zeroed(1, sizeof *q);
	bool ok = read_at(r, r->request, q, sizeof *q) || has_ended(r, err);
	if (ok && q->result == REQUEST_FAILED)
		ok = str_fail(err, "process %d cannot do that, and says why on its stderr",
			      (int)r->pid);
	r->matched = q->matched;
	r->switched = q->switched;
	q->profile[sizeof q->profile - 1] = 0;
	str_clear(profile);
	str_add(profile, "%s", q->profile);
	free(q);
	return ok;
}

void running_withdraw(struct running *r)
{
	uint32_t claimed;
	if (!read_at(r, r->request + AT(claimed), &claimed, sizeof claimed))
		return;
	write_number(r, r->request + AT(asked), claimed);
	for (size_t i = 0; i < r->knocked_count; i++)
		write_at(r, r->knocked[i], &r->was[i], 1);
}
