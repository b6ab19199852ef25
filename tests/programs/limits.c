/* SPDX-License-Identifier: MIT */
/*
 * limits.c - a program that limits its own resources, and then goes on as if nothing had happened.
 *
 *   limits [LIMIT=VALUE | ACTION]... then [LIMIT=VALUE | ACTION]...
 *
 * What stands before `then` is done before the first instrumented call, the rest in the middle.
 *
 *   fsize=BYTES nofile=N     the limit itself
 *   as=BYTES                 so many bytes of address space more than are in use
 *   space=BYTES              so many bytes in all
 *   handle                   SIGXFSZ has a handler
 *   write                    writes a file of 1 MiB, and prints how much was written
 *   fill=PATH                writes until that disk is full
 *   calls=DEPTH              makes more calls, in 3^DEPTH contexts and more
 *   blocks                   allocates blocks of 1 MiB until that fails, and prints how many it got
 *   size                     prints how much address space is in use, in kB
 *
 * It makes 20,000 calls in thousands of contexts, and each wants a node in the profile, so that its
 * file grows again and again. What it prints depends on its limits and on nothing else, and it ends
 * with 7. After each half it writes to descriptor 9, if that is open, how many calls it has made.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_instrument_function))

static volatile sig_atomic_t signals;
static unsigned long calls;

UNSEEN static void on_signal(int signal)
{
	(void)signal;
	signals++;
}

/* ---- what is instrumented */

#define CALL(f, depth) (calls++, f(depth))

int one(int depth);
int two(int depth);
int three(int depth);

__attribute__((noinline)) int one(int depth)
{
	return depth ? CALL(one, depth - 1) + CALL(two, depth - 1) + CALL(three, depth - 1) : 1;
}

__attribute__((noinline)) int two(int depth)
{
	return depth ? CALL(one, depth - 1) + CALL(three, depth - 1) + CALL(two, depth - 1) : 2;
}

__attribute__((noinline)) int three(int depth)
{
	return depth ? CALL(two, depth - 1) + CALL(one, depth - 1) + CALL(three, depth - 1) : 3;
}

/* ---- what is not */

UNSEEN static void limit(int resource, rlim_t value)
{
	struct rlimit r = {value, value};
	if (setrlimit(resource, &r))
		perror("limits: setrlimit");
}

UNSEEN static rlim_t address_space(void)
{
	char text[64] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	return n > 0 ? strtoul(text, NULL, 10) * 4096 : 0;
}

UNSEEN static void write_file(void)
{
	static char block[4096];
	int fd = open("own", O_WRONLY | O_CREAT | O_TRUNC, 0600), error = 0;
	long bytes = 0;
	while (bytes < 1 << 20) {
		ssize_t n = write(fd, block, sizeof block);
		if (n < 0) {
			error = errno;
			break;
		}
		bytes += n;
	}
	close(fd);
	printf("wrote %ld bytes, then %s; %d signals\n", bytes, strerror(error), (int)signals);
}

/* Only for a small disk: it gives up if the disk should have been full long ago. */
UNSEEN static void fill(const char *path)
{
	static char block[4096];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), blocks = 0;
	while (blocks < 4096 && write(fd, block, sizeof block) > 0)
		blocks++;
	close(fd);
	if (blocks == 4096)
		fprintf(stderr, "limits: '%s' is not on a small disk\n", path);
}

/* So large that malloc does not use its own pools. */
UNSEEN static void take_blocks(void)
{
	int n = 0;
	while (malloc(1 << 20))
		n++;
	printf("blocks %d\n", n);
}

UNSEEN static void some(int depth)
{
	printf("%d\n", CALL(one, depth) + CALL(two, depth) + CALL(three, 2));
	dprintf(9, "%lu\n", calls);
}

UNSEEN static void act(const char *word)
{
	const char *value = strchr(word, '=');
	rlim_t number = value ? strtoul(value + 1, NULL, 10) : 0;
	if (!strncmp(word, "fsize=", 6))
		limit(RLIMIT_FSIZE, number);
	else if (!strncmp(word, "nofile=", 7))
		limit(RLIMIT_NOFILE, number);
	else if (!strncmp(word, "as=", 3))
		limit(RLIMIT_AS, address_space() + number);
	else if (!strncmp(word, "space=", 6))
		limit(RLIMIT_AS, number);
	else if (!strncmp(word, "calls=", 6))
		some((int)number);
	else if (!strcmp(word, "blocks"))
		take_blocks();
	else if (!strcmp(word, "size"))
		printf("size %lu\n", (unsigned long)address_space() / 1024);
	else if (!strcmp(word, "handle"))
		signal(SIGXFSZ, on_signal);
	else if (!strcmp(word, "write"))
		write_file();
	else if (!strncmp(word, "fill=", 5))
		fill(value + 1);
	else
		fprintf(stderr, "limits: what is '%s'?\n", word);
}

UNSEEN int main(int argc, char **argv)
{
	int i = 1;
	for (; i < argc && strcmp(argv[i], "then"); i++)
		act(argv[i]);
	errno = 0;
	some(6);
	for (i++; i < argc; i++)
		act(argv[i]);
	some(8);
	fprintf(stderr, "limits: said on stderr, %d signals\n", (int)signals);
	return 7;
}
