/* SPDX-License-Identifier: MIT */
/*
 * below_kernel.c - a program whose zone in_kernel spends its time in the kernel, 0.3 s of processor time:
 * in system calls (`read`), or in page faults. report-below-kernel.sh divides it.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define NO_HOOKS __attribute__((no_instrument_function))
#define CPU_NS   300000000
#define BYTES    (1 << 20)

static char buffer[BYTES];

NO_HOOKS static long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

NO_HOOKS static long read_much(void)
{
	int fd = open("/dev/zero", O_RDONLY);
	long n = 0;

	for (long end = cpu_ns() + CPU_NS; fd >= 0 && cpu_ns() < end;)
		n += read(fd, buffer, sizeof(buffer));
	close(fd);
	return n;
}

NO_HOOKS static long touch_much(void)
{
	long n = 0;

	for (long end = cpu_ns() + CPU_NS; cpu_ns() < end; n++) {
		char *memory =
		    mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED)
			return 0;
		memset(memory, 1, BYTES);
		munmap(memory, BYTES);
	}
	return n;
}

__attribute__((noinline)) static long in_kernel(const char *how)
{
	return strcmp(how, "read") ? touch_much() : read_much();
}

int main(int argc, char **argv)
{
	return argc < 2 || !in_kernel(argv[1]);
}
