/* SPDX-License-Identifier: MIT */
/* files: a program of cl65 -t sim6502: arguments, files, standard input, exit status. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char bytes[200];

/* What an open says: o, or - for an error. */
static char opens(const char *name, int flags)
{
	int fd = open(name, flags, 0666);

	if (fd < 0)
		return '-';
	close(fd);
	return 'o';
}

int main(int argc, char **argv)
{
	int i, fd, n;

	for (i = 1; i < argc; i++)
		printf("%d %s\n", i, argv[i]);
	fd = open("made.txt", O_WRONLY | O_CREAT | O_TRUNC);
	write(fd, "one\n", 4);
	close(fd);
	fd = open("made.txt", O_WRONLY | O_APPEND);
	write(fd, "two\n", 4);
	close(fd);
	fd = open("made.txt", O_RDONLY);
	n = read(fd, bytes, sizeof bytes);
	close(fd);
	printf("%d %d %.*s", fd, n, n, bytes);
	n = read(0, bytes, sizeof bytes);
	printf("%d %.*s", n, n, bytes);
	printf("%c%c%c\n", opens("none", O_RDONLY), opens("made.txt", O_RDONLY),
	       opens("made.txt", O_WRONLY | O_CREAT | O_EXCL));
	printf("%c%c%c%c\n", opens("../outside", O_RDONLY), opens("/etc/passwd", O_RDONLY),
	       opens("way/outside", O_RDONLY), opens("../new", O_WRONLY | O_CREAT));
	write(2, "told\n", 5);
	exit(argc + 40);
}
