/* SPDX-License-Identifier: MIT */
/*
 * via_left.cc - a jump out of a signal handler at every single instruction of the library's
 * function that writes down what lies between two zones.
 *
 *   via_left OFFSET BYTES
 *
 * OFFSET and BYTES are the place of that function in libzprof.so, in hexadecimal (nm -S). Stepping
 * starts at a breakpoint at its beginning: stepping through the whole hook would take minutes. Each
 * time left<N>() is called through uninstrumented code, and left at the N-th instruction; then
 * after<N>() is called in the same way and not left. Prints how many instructions there were.
 */
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <utility>

#define UNSEEN __attribute__((no_instrument_function))

enum { MOST = 250, BREAKPOINT = 0xcc, TRAP_FLAG = 0x100 };

static uintptr_t low, bytes;
static unsigned char first;
static int place;
static volatile int seen;
static sigjmp_buf back;

template <int N> __attribute__((noinline)) static void left()
{
	__asm__ volatile("" : : "i"(N));
}

template <int N> __attribute__((noinline)) static void after()
{
	__asm__ volatile("" : : "i"(N + MOST));
}

template <int... N> UNSEEN static void choose(int n, bool leave, std::integer_sequence<int, N...>)
{
	static void (*const lefts[])() = {left<N>...}, (*const afters[])() = {after<N>...};
	(leave ? lefts : afters)[n]();
	__asm__ volatile("");
}

__attribute__((noinline)) UNSEEN static void between(int n, bool leave)
{
	choose(n, leave, std::make_integer_sequence<int, MOST>());
	__asm__ volatile("");
}

UNSEEN static void put(unsigned char byte)
{
	*reinterpret_cast<volatile unsigned char *>(low) = byte;
}

UNSEEN static void on_trap(int, siginfo_t *, void *context)
{
	greg_t *registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
	uintptr_t at = (uintptr_t)registers[REG_RIP];
	if (at == low + 1 && seen < 0) {
		put(first);
		at = (uintptr_t)(registers[REG_RIP] -= 1);
		registers[REG_EFL] |= TRAP_FLAG;
		seen = 0;
	}
	if (at - low < bytes && seen++ == place)
		siglongjmp(back, 1);
}

static void top()
{
	for (place = 0; place < MOST && seen >= place; place++) {
		seen = -1;
		put(BREAKPOINT);
		if (!sigsetjmp(back, 1)) {
			between(place, true);
			__asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "cc", "memory");
		}
		put(first);
		between(place, false);
	}
}

UNSEEN static int find_library(struct dl_phdr_info *info, size_t, void *)
{
	if (strstr(info->dlpi_name, "libzprof"))
		low += info->dlpi_addr;
	return 0;
}

UNSEEN int main(int argc, char **argv)
{
	struct sigaction action = {};
	if (argc != 3)
		return 2;
	low = strtoul(argv[1], nullptr, 16);
	bytes = strtoul(argv[2], nullptr, 16);
	dl_iterate_phdr(find_library, nullptr);
	action.sa_sigaction = on_trap;
	action.sa_flags = SA_SIGINFO;
	first = *reinterpret_cast<unsigned char *>(low);
	if (sigaction(SIGTRAP, &action, nullptr) ||
	    mprotect(reinterpret_cast<void *>(low & -4096ul), 8192,
		     PROT_READ | PROT_WRITE | PROT_EXEC))
		return 2;
	top();
	printf("%d\n", place);
	return place == MOST;
}
