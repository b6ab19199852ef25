/* SPDX-License-Identifier: MIT */
/*
 * lengthened.cc - waits that hooks lengthen, and waits that they do not. For program-lengthened.sh.
 *
 *   lengthened locks    four threads make many small calls under one lock, until each has used 0.1 s of a processor and the first
 *                       thread, which sleeps and then joins them, has been seen to wait for that
 *   lengthened alone    one thread makes such calls, sleeps, and reads from a pipe that a program without hooks writes to
 */
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

static std::mutex queue_lock;
static std::vector<long> queue(64);
static std::atomic<bool> joins;

static long step(long value)
{
	return value * 31 + 7;
}

static void take()
{
	std::lock_guard<std::mutex> lock(queue_lock);
	for (auto &value : queue)
		value = step(value);
}

static double ran()
{
	timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

/* Whether the first thread waits for an end of others: the kernel says that it is asleep. */
static bool is_awaited()
{
	FILE *stat = joins ? fopen("/proc/self/stat", "r") : nullptr;
	char state = 0;
	if (stat) {
		if (fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
			state = 0;
		fclose(stat);
	}
	return state == 'S';
}

static void work(bool until_awaited)
{
	while (ran() < 0.1 || (until_awaited && !is_awaited()))
		for (int i = 0; i < 100; i++)
			take();
}

static void nap()
{
	std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

static void locks()
{
	std::vector<std::thread> threads;
	for (int i = 0; i < 4; i++)
		threads.emplace_back(work, true);
	nap();
	joins = true;
	for (auto &thread : threads)
		thread.join();
}

static void alone()
{
	FILE *input = popen("sleep 0.2; echo 1", "r");
	char line[16];
	work(false);
	nap();
	while (fgets(line, sizeof line, input))
		take();
	pclose(input);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "locks"))
		locks();
	else
		alone();
	printf("%ld\n", std::accumulate(queue.begin(), queue.end(), 0L));
}
