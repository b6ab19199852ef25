/* SPDX-License-Identifier: MIT */
/*
 * count_uprobes.c - how often each of many functions of a program is called, counted by the kernel.
 *
 *   count_uprobes FILE PLACES COUNTS PROGRAM [ARGUMENT...]
 *
 * FILE is the program or a library of it. PLACES has an offset in FILE's image per line, in
 * hexadecimal; what follows on a line is copied. COUNTS gets the lines of PLACES, each with the
 * number of times that the program ran the instruction there behind the offset; or `refused` if
 * the kernel sets no probe there. The program runs as it is installed; its status is this program's.
 *
 * Each place is an event of the kernel's PMU `uprobe` (perf_event_open(2); the format of config is
 * in /sys/bus/event_source/devices/uprobe/format), which only root may open. Threads and children
 * that the program starts are counted with it.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PLACES = 1 << 16, SEGMENTS = 64, FAILED = 99 };

static struct place {
	unsigned long offset;
	char *rest;
	int event; /* -1: refused */
} places[PLACES];
static size_t place_count;

static void refuse(const char *what)
{
	fprintf(stderr, "count_uprobes: %s: %s\n", what, strerror(errno));
	exit(FAILED);
}

static unsigned uprobe_type(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
	unsigned type;

	if (!f || fscanf(f, "%u", &type) != 1)
		refuse("the kernel has no PMU 'uprobe'");
	fclose(f);
	return type;
}

/* ---- places in the file */

static Elf64_Phdr segments[SEGMENTS];
static size_t segment_count;
static unsigned long image; /* the address of its begin */

static void read_segments(const char *file)
{
	Elf64_Ehdr head;
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, &head, sizeof(head)) != sizeof(head))
		refuse(file);
	segment_count = head.e_phnum < SEGMENTS ? head.e_phnum : SEGMENTS;
	if (pread(fd, segments, segment_count * sizeof(*segments), (off_t)head.e_phoff) < 0)
		refuse(file);
	close(fd);
	image = ULONG_MAX;
	for (const Elf64_Phdr *s = segments; s < segments + segment_count; s++)
		if (s->p_type == PT_LOAD && s->p_vaddr - s->p_offset < image)
			image = s->p_vaddr - s->p_offset;
}

/* Probes are set at offsets in the file, plans speak of offsets in its image. */
static unsigned long in_file(unsigned long offset)
{
	unsigned long address = image + offset;

	for (const Elf64_Phdr *s = segments; s < segments + segment_count; s++)
		if (s->p_type == PT_LOAD && address - s->p_vaddr < s->p_filesz)
			return address - s->p_vaddr + s->p_offset;
	errno = ERANGE;
	refuse("a place outside of the file");
	return 0;
}

static void read_places(const char *list)
{
	FILE *f = fopen(list, "r");
	char line[8192];

	if (!f)
		refuse(list);
	while (fgets(line, sizeof(line), f) && place_count < PLACES) {
		char *rest;

		line[strcspn(line, "\n")] = '\0';
		places[place_count].offset = strtoul(line, &rest, 16);
		places[place_count++].rest = strdup(rest);
	}
	fclose(f);
}

static void count_at(struct place *p, const char *file, unsigned type, pid_t pid)
{
	struct perf_event_attr attr = {.type = type,
				       .size = sizeof(attr),
				       .disabled = 1,
				       .enable_on_exec = 1,
				       .inherit = 1,
				       .uprobe_path = (unsigned long)file,
				       .probe_offset = in_file(p->offset)};

	p->event = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (p->event < 0 && (errno == EACCES || errno == EPERM || errno == EMFILE))
		refuse("perf_event_open");
}

/* ---- the program */

static pid_t start(char **program, int *begin)
{
	int ends[2];
	char go;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0)
		refuse("fork");
	if (pid) {
		close(ends[0]);
		*begin = ends[1];
		return pid;
	}
	close(ends[1]);
	if (read(ends[0], &go, 1) != 1)
		_exit(FAILED);
	execvp(*program, program);
	refuse(*program);
	return 0;
}

static void write_counts(const char *name)
{
	FILE *f = fopen(name, "w");
	unsigned long long count;

	if (!f)
		refuse(name);
	for (struct place *p = places; p < places + place_count; p++)
		if (p->event < 0)
			fprintf(f, "%lx refused%s\n", p->offset, p->rest);
		else if (read(p->event, &count, sizeof(count)) == sizeof(count))
			fprintf(f, "%lx %llu%s\n", p->offset, count, p->rest);
		else
			refuse("a count");
	if (fclose(f))
		refuse(name);
}

int main(int argc, char **argv)
{
	struct rlimit files;
	int begin, status;
	pid_t pid;

	if (argc < 5) {
		fprintf(stderr, "usage: count_uprobes FILE PLACES COUNTS PROGRAM [ARGUMENT...]\n");
		return FAILED;
	}
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &files))
		refuse("setrlimit");
	read_segments(argv[1]);
	read_places(argv[2]);
	pid = start(argv + 4, &begin);
	for (size_t i = 0; i < place_count; i++)
		count_at(&places[i], argv[1], uprobe_type(), pid);
	if (write(begin, "", 1) != 1 || waitpid(pid, &status, 0) != pid)
		refuse("the program");
	write_counts(argv[3]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
