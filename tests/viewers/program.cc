// SPDX-License-Identifier: MIT
// program.cc - what the viewers' tests profile: recursion of three kinds, threads, C++ names, names
// and a path that are not ASCII, and zones lent by an interpreter that counts cycles.
#include <pthread.h>

#include <functional>
#include <map>
#include <string>

#include "preload/zprof.h"

#define APART __attribute__((noinline))

namespace größe
{

static APART long work(long n)
{
	volatile long sum = 0;
	for (long i = 0; i < n; i++)
		sum = sum + i;
	return sum;
}

template <typename T> struct Grid {
	std::map<T, std::string> cells;
	APART long scan(long n) const
	{
		return work(n) + (long)cells.size();
	}
	APART bool operator<(const Grid &other) const
	{
		return scan(400) < other.scan(500);
	}
};

static APART long fibonacci(int n)
{
	work(60);
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static APART long odd(int n);

static APART long even(int n)
{
	work(300);
	return n ? odd(n - 1) : 1;
}

static APART long odd(int n)
{
	work(200);
	return n ? even(n - 1) : 0;
}

// It calls even() too, so that each has the other as a caller.
static APART long countdown(int n)
{
	return n ? countdown(n - 1) + even(n) : even(7);
}

// The formatter cuts a name that is not ASCII.
// clang-format off
} // namespace größe
// clang-format on

// Some 100 ms on a processor, so that samples hit what takes the time.
#define ROUNDS 2000

static thread_local uint64_t cycles;
static uint32_t fact, square;

static APART void run_square()
{
	zprof_lent_enter_at(square, 7, 3);
	cycles += 20;
	größe::work(100);
	zprof_lent_leave();
}

static APART void run_fact(int n)
{
	zprof_lent_enter_at(fact, 4, 1);
	cycles += 6502;
	if (n) {
		run_fact(n - 1);
		run_square();
	}
	zprof_lent_leave();
}

static void *thread(void *name)
{
	zprof_thread_name(static_cast<const char *>(name));
	zprof_lent_counter("6502 cycles", &cycles);
	größe::Grid<int> a, b;
	std::function<long(long)> lambda = [](long n) { return größe::work(n); };
	long sum = 0;
	for (int i = 0; i < ROUNDS; i++)
		sum += lambda(900) + größe::countdown(6) + größe::fibonacci(8) + (a < b);
	for (int i = 0; i < 10; i++)
		run_fact(5);
	zprof_lent_counter("6502 cycles", nullptr);
	return reinterpret_cast<void *>(sum);
}

int main()
{
	pthread_t threads[2];
	fact = zprof_lent("fact", "lisp", "fact.l", 1);
	square = zprof_lent("square; \"quoted\"", "lisp", "fact.l", 9);
	pthread_create(&threads[0], nullptr, thread, const_cast<char *>("wörker"));
	pthread_create(&threads[1], nullptr, thread, const_cast<char *>("second"));
	for (pthread_t t : threads)
		pthread_join(t, nullptr);
	thread(const_cast<char *>("main"));
	return 0;
}
