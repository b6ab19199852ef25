/* SPDX-License-Identifier: MIT */
/* file_rules.c - see file_rules.h. */
#include "report/core/disk/file_rules.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

const struct file_output file_output_merged = {.what = "a merged profile", .kind = FILE_MERGED};
const struct file_output file_output_copy = {.what = "an archived copy", .kind = FILE_COPY};
const struct file_output file_output_snapshot = {.what = "a snapshot", .kind = FILE_SNAPSHOT};
const struct file_output file_output_recorded = {.what = "a recorded profile",
						 .kind = FILE_RECORDED};

static bool is_input(const struct file_facts *f, char *const *inputs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct stat st;
		if (!stat(inputs[i], &st) && st.st_dev == f->device && st.st_ino == f->inode)
			return true;
	}
	return false;
}

/* Whether a file is of the kind of the output. An empty file is, too: mktemp makes such files, and
 * nothing can be lost. */
static bool is_of_kind(const struct file_output *output, const struct file_facts *f,
		       const char *path)
{
	char head[FILE_HEAD];
	if (f->kind != FILE_FOREIGN)
		return f->kind == output->kind;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);
	if (fd >= 0)
		close(fd);
	return !n || (n > 0 && output->is_one && output->is_one(head, (size_t)n, output->context));
}

bool file_may_write(const struct file_output *output, const char *path, char *const *inputs,
		    size_t count, bool force, struct str *err)
{
	struct file_facts f;
	file_look(&f, path);
	if (f.kind == FILE_ABSENT || f.kind == FILE_STREAM)
		return true;
	if (f.kind == FILE_FOLDER)
		return str_fail(err, "cannot write '%s': it is a folder", path);
	if (is_input(&f, inputs, count))
		return str_fail(err,
				"cannot write '%s': it is one of the files that are read; name "
				"another",
				path);
	if (f.live)
		return str_fail(err,
				"cannot write '%s': process %u is recorded into it; name another "
				"file",
				path, f.process.pid);
	if (force || is_of_kind(output, &f, path))
		return true;
	return str_fail(err,
			"cannot write '%s': it is there, and is %s, not %s; name another file, or "
			"replace it with --force",
			path, file_kind_name(f.kind), output->what);
}
