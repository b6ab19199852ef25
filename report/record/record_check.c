/* SPDX-License-Identifier: MIT */
/* record_check.c - see record_check.h. Reads only headers of ELF files, by the structs of
 * <elf.h>. */
#define _GNU_SOURCE
#include "report/record/record_check.h"

#include "report/core/base/processor.h"
#include "report/record/record_language.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static bool is_program(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

bool record_find_program(struct str *path, const char *name)
{
	const char *folders = getenv("PATH");
	str_clear(path);
	if (strchr(name, '/')) {
		str_add(path, "%s", name);
		return is_program(name);
	}
	folders = folders ? folders : "/bin:/usr/bin";
	for (;;) {
		int n = (int)strcspn(folders, ":");
		str_clear(path);
		str_add(path, "%.*s/%s", n ? n : 1, n ? folders : ".", name);
		if (is_program(path->text))
			return true;
		if (!folders[n])
			return false;
		folders += n + 1;
	}
}

/* The dynamic linker that the program asks for; "" if it asks for none. */
static bool read_interpreter(int fd, const Elf64_Ehdr *head, char *name, size_t room)
{
	name[0] = 0;
	for (unsigned i = 0; i < head->e_phnum; i++) {
		Elf64_Phdr p;
		off_t at = (off_t)(head->e_phoff + (Elf64_Off)i * head->e_phentsize);
		if (pread(fd, &p, sizeof p, at) != sizeof p)
			return false;
		if (p.p_type != PT_INTERP)
			continue;
		size_t n = p.p_filesz < room ? p.p_filesz : room - 1;
		ssize_t got = pread(fd, name, n, (off_t)p.p_offset);
		name[got > 0 ? got : 0] = 0;
		return got > 0;
	}
	return true;
}

static bool check_elf(int fd, const char *path, struct str *err)
{
	Elf64_Ehdr head;
	char interpreter[RECORD_INTERPRETER];
	const char *how =
	    "zprof profiles 64-bit programs of this machine that are linked dynamically with glibc";
	if (pread(fd, &head, sizeof head, 0) != sizeof head)
		return true;
	if (head.e_ident[EI_CLASS] != ELFCLASS64)
		return str_fail(err, "cannot profile '%s': it is a 32-bit program; %s", path, how);
	if (head.e_machine != processor_machine)
		return str_fail(err, "cannot profile '%s': it is for another processor; %s", path,
				how);
	if (!read_interpreter(fd, &head, interpreter, sizeof interpreter))
		return true;
	const char *language = *interpreter ? NULL : record_language(path);
	if (language)
		return str_fail(err, "cannot profile '%s': %s", path, language);
	if (!*interpreter)
		return str_fail(err,
				"cannot profile '%s': it is linked statically, so nothing can be "
				"preloaded; link it without -static, or sample it from outside "
				"('zprof record --sampled')",
				path);
	if (strstr(interpreter, "ld-musl"))
		return str_fail(err,
				"cannot profile '%s': it uses musl (%s); %s, or sample it from "
				"outside ('zprof record --sampled')",
				path, interpreter, how);
	return true;
}

/* Refuses programs with rights of their own, for which the dynamic linker ignores LD_PRELOAD. */
static bool check_rights(const char *path, const struct stat *st, struct str *err)
{
	const char *what = NULL;
	if ((st->st_mode & S_ISUID) && st->st_uid != getuid())
		what = "setuid";
	else if ((st->st_mode & S_ISGID) && (st->st_mode & S_IXGRP) && st->st_gid != getgid())
		what = "setgid";
	else if (getuid() && getxattr(path, "security.capability", NULL, 0) > 0)
		what = "given capabilities";
	if (!what)
		return true;
	return str_fail(
	    err,
	    "cannot profile '%s': it is %s, and then the system ignores LD_PRELOAD; run it "
	    "as the user it belongs to, or a copy without these rights",
	    path, what);
}

enum file_start { START_ELF, START_SCRIPT, START_OTHER };

/* What the file begins as. NAME: the interpreter that a script names, as the kernel reads it. */
static enum file_start read_start(int fd, char name[RECORD_INTERPRETER])
{
	char start[RECORD_INTERPRETER] = "";
	ssize_t n = pread(fd, start, sizeof start - 1, 0);
	if (n >= SELFMAG && !memcmp(start, ELFMAG, SELFMAG))
		return START_ELF;
	if (n <= 2 || memcmp(start, "#!", 2))
		return START_OTHER;
	char *word = start + 2 + strspn(start + 2, " \t");
	word[strcspn(word, " \t\n")] = 0;
	strcpy(name, word);
	return START_SCRIPT;
}

static bool check(const char *path, int scripts, struct str *err)
{
	struct stat st;
	char name[RECORD_INTERPRETER];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	bool ok = true;
	enum file_start start = read_start(fd, name);
	if (start == START_ELF)
		ok = check_elf(fd, path, err) && (fstat(fd, &st) || check_rights(path, &st, err));
	else if (start == START_SCRIPT && scripts < 5)
		ok = check(name, scripts + 1, err);
	close(fd);
	return ok;
}

bool record_interpreter(const char *path, char name[RECORD_INTERPRETER], bool *script)
{
	Elf64_Ehdr head;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	enum file_start start = read_start(fd, name);
	*script = start == START_SCRIPT;
	bool known = *script;
	if (start == START_ELF)
		known = pread(fd, &head, sizeof head, 0) == sizeof head &&
			head.e_ident[EI_CLASS] == ELFCLASS64 &&
			read_interpreter(fd, &head, name, RECORD_INTERPRETER) && *name;
	close(fd);
	return known;
}

bool record_env_program(const char *path, char name[RECORD_INTERPRETER])
{
	static const char blanks[] = " \t";
	char line[RECORD_INTERPRETER] = "", *rest = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, line, sizeof line - 1, 0);
	if (fd >= 0)
		close(fd);
	if (n <= 2 || memcmp(line, "#!", 2))
		return false;
	line[strcspn(line, "\n")] = 0;
	const char *word = strtok_r(line + 2, blanks, &rest);
	const char *slash = word ? strrchr(word, '/') : NULL;
	if (!slash || strcmp(slash, "/env"))
		return false;
	do
		word = strtok_r(NULL, blanks, &rest);
	while (word && (*word == '-' || strchr(word, '=')));
	if (word)
		strcpy(name, word);
	return word;
}

bool record_is_instrumented(const char *path)
{
	static const char *const hooks[] = {"__cyg_profile_func_enter", "__fentry__"};
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool found = false;
	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && st.st_size > 0) {
		void *all = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		for (size_t i = 0; all != MAP_FAILED && i < sizeof hooks / sizeof *hooks; i++)
			found = found ||
				memmem(all, (size_t)st.st_size, hooks[i], strlen(hooks[i]) + 1);
		if (all != MAP_FAILED)
			munmap(all, (size_t)st.st_size);
	}
	close(fd);
	return found;
}

bool record_check_program(const char *path, struct str *err)
{
	return check(path, 0, err);
}
