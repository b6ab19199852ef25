/* SPDX-License-Identifier: MIT */
/* forth-files: see the header. Positions and sizes are of 32 bits, as the guest's are. */
#define _GNU_SOURCE
#include "vm-6502/machine/forth-files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vm-6502/machine/forth-beneath.h"
#include "vm-6502/guest/forth-machine.h"

struct open_file {
	FILE *file;
	bool writing; /* the last access was a write: stdio needs a seek before a read */
};

struct files {
	struct open_file open[FILES_MOST];
	int folders;  /* how many */
	int folder[]; /* descriptors; files are written in the first */
};

struct files *files_new(const char *dir, const char *const *include, const char **bad)
{
	int n = 0;
	struct files *f;

	while (include && include[n])
		n++;
	f = calloc(1, sizeof *f + (n + 1) * sizeof *f->folder);
	*bad = dir;
	if (!f)
		return NULL;
	for (; f->folders <= n; f->folders++) {
		if (f->folders)
			*bad = include[f->folders - 1];
		f->folder[f->folders] = open(*bad, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (f->folder[f->folders] < 0) {
			int why = errno;
			files_free(f);
			errno = why;
			return NULL;
		}
	}
	return f;
}

void files_free(struct files *f)
{
	if (!f)
		return;
	for (int i = 0; i < FILES_MOST; i++) {
		if (f->open[i].file)
			fclose(f->open[i].file);
	}
	for (int i = 0; i < f->folders; i++)
		close(f->folder[i]);
	free(f);
}

/* Opens a name for reading, in the first folder that has it. */
static int open_anywhere(struct files *f, const char *name, int flags)
{
	int fd = -1;

	for (int i = 0; i < f->folders; i++) {
		fd = beneath_open(f->folder[i], name, flags);
		if (fd >= 0 || errno != ENOENT)
			break;
	}
	return fd;
}

static int only_regular(int fd, struct stat *stat)
{
	if (fstat(fd, stat) != 0)
		return errno;
	return S_ISREG(stat->st_mode) ? 0 : S_ISDIR(stat->st_mode) ? EISDIR : EINVAL;
}

int files_path(struct files *f, const char *name, char *path, size_t size)
{
	int fd = open_anywhere(f, name, O_PATH), why;
	struct stat stat;
	char link[32];
	ssize_t n;

	if (fd < 0)
		return errno;
	why = only_regular(fd, &stat);
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, size - 1);
	if (!why && n < 0)
		why = errno;
	path[n < 0 ? 0 : n] = 0;
	close(fd);
	return why;
}

int files_open(struct files *f, const char *name, int fam, bool create, int *number)
{
	static const int flags[] = {[FORTH_FAM_READ] = O_RDONLY,
				    [FORTH_FAM_WRITE] = O_WRONLY,
				    [FORTH_FAM_READ | FORTH_FAM_WRITE] = O_RDWR};
	static const char *const mode[] = {[FORTH_FAM_READ] = "r",
					   [FORTH_FAM_WRITE] = "w",
					   [FORTH_FAM_READ | FORTH_FAM_WRITE] = "r+"};
	struct stat stat;
	int i = 0, fd, why;

	if (fam < 1 || fam > 3)
		return EINVAL;
	while (i < FILES_MOST && f->open[i].file)
		i++;
	if (i == FILES_MOST)
		return EMFILE;
	if (create)
		fd = beneath_open(f->folder[0], name, flags[fam] | O_CREAT | O_TRUNC | O_NONBLOCK);
	else if (fam == FORTH_FAM_READ)
		fd = open_anywhere(f, name, flags[fam] | O_NONBLOCK);
	else
		fd = beneath_open(f->folder[0], name, flags[fam] | O_NONBLOCK);
	if (fd < 0)
		return errno;
	why = only_regular(fd, &stat);
	if (!why && !(f->open[i].file = fdopen(fd, mode[fam])))
		why = errno;
	if (why) {
		close(fd);
		return why;
	}
	f->open[i].writing = false;
	*number = i + 1;
	return 0;
}

static struct open_file *find(struct files *f, int number)
{
	if (number < 1 || number > FILES_MOST || !f->open[number - 1].file)
		return NULL;
	return &f->open[number - 1];
}

/* The file, ready to be read or written; NULL: no such number. */
static FILE *turn(struct files *f, int number, bool writing)
{
	struct open_file *o = find(f, number);
	if (!o)
		return NULL;
	if (o->writing != writing)
		fseeko(o->file, 0, SEEK_CUR);
	o->writing = writing;
	clearerr(o->file);
	return o->file;
}

int files_close(struct files *f, int number)
{
	struct open_file *o = find(f, number);
	FILE *file;

	if (!o)
		return EBADF;
	file = o->file;
	o->file = NULL;
	return fclose(file) == 0 ? 0 : errno;
}

int files_read(struct files *f, int number, void *to, size_t *length)
{
	FILE *file = turn(f, number, false);
	if (!file)
		return EBADF;
	*length = fread(to, 1, *length, file);
	return ferror(file) ? errno : 0;
}

int files_write(struct files *f, int number, const void *from, size_t length)
{
	FILE *file = turn(f, number, true);
	if (!file)
		return EBADF;
	return fwrite(from, 1, length, file) == length ? 0 : errno;
}

int files_read_line(struct files *f, int number, char *to, size_t *length, bool *more)
{
	FILE *file = turn(f, number, false);
	size_t room = *length, n = 0;
	int c = EOF;

	if (!file)
		return EBADF;
	while (n < room && (c = getc(file)) != EOF && c != '\n')
		to[n++] = c;
	if (n && c == '\n' && to[n - 1] == '\r')
		n--;
	*more = n || c != EOF || !room;
	*length = n;
	return ferror(file) ? errno : 0;
}

int files_position(struct files *f, int number, uint32_t *position)
{
	struct open_file *o = find(f, number);
	off_t at = o ? ftello(o->file) : 0;
	if (!o)
		return EBADF;
	if (at < 0)
		return errno;
	*position = at;
	return 0;
}

int files_reposition(struct files *f, int number, uint32_t position)
{
	struct open_file *o = find(f, number);
	if (!o)
		return EBADF;
	return fseeko(o->file, position, SEEK_SET) == 0 ? 0 : errno;
}

int files_size(struct files *f, int number, uint32_t *size)
{
	struct open_file *o = find(f, number);
	struct stat stat;

	if (!o)
		return EBADF;
	if ((o->writing && fflush(o->file) != 0) || fstat(fileno(o->file), &stat) != 0)
		return errno;
	*size = stat.st_size;
	return 0;
}

int files_resize(struct files *f, int number, uint32_t size)
{
	struct open_file *o = find(f, number);

	if (!o)
		return EBADF;
	if (o->writing && fflush(o->file) != 0)
		return errno;
	return ftruncate(fileno(o->file), size) == 0 ? 0 : errno;
}

int files_flush(struct files *f, int number)
{
	struct open_file *o = find(f, number);
	if (!o)
		return EBADF;
	return !o->writing || fflush(o->file) == 0 ? 0 : errno;
}

int files_delete(struct files *f, const char *name)
{
	const char *last;
	int parent = beneath_parent(f->folder[0], name, &last), why = 0;

	if (parent < 0)
		return errno;
	if (unlinkat(parent, last, 0) != 0)
		why = errno;
	close(parent);
	return why;
}

int files_rename(struct files *f, const char *from, const char *to)
{
	const char *last, *new_last;
	int parent = beneath_parent(f->folder[0], from, &last), new_parent, why = 0;

	if (parent < 0)
		return errno;
	new_parent = beneath_parent(f->folder[0], to, &new_last);
	if (new_parent < 0 || renameat(parent, last, new_parent, new_last) != 0)
		why = errno;
	if (new_parent >= 0)
		close(new_parent);
	close(parent);
	return why;
}

int files_status(struct files *f, const char *name, uint32_t *size)
{
	struct stat stat;
	int fd = open_anywhere(f, name, O_PATH), why;

	if (fd < 0)
		return errno;
	why = only_regular(fd, &stat);
	close(fd);
	*size = why ? 0 : stat.st_size;
	return why;
}
