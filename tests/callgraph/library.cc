/* SPDX-License-Identifier: MIT */
/* library.cc - a function is called back by a C++ library, whose internal functions are folded. */
#define APART __attribute__((noinline))
static volatile int sum;

void add(int n);

namespace __gnu_cxx
{
APART void each(void (*f)(int), int n)
{
	f(n);
	sum = sum + 1;
}
} // namespace __gnu_cxx

namespace std
{
struct _Walk {
	APART void _M_run(void (*f)(int), int n)
	{
		for (int i = 0; i < n; i++)
			__gnu_cxx::each(f, i);
		sum = sum + 1;
	}
};
struct walker {
	APART void run(void (*f)(int), int n)
	{
		_Walk()._M_run(f, n);
		sum = sum + 1;
	}
};
} // namespace std

APART void add(int n)
{
	sum = sum + n;
}

int main()
{
	std::walker().run(add, 3);
	return sum != 8;
}

/*
 * What this program must give:
 *
 * $ ./library
 * $ zprof graph --no-via
 * ./library
 * 17 ticks in 1 thread; 9 calls
 * times: ticks of a fake clock, one a reading; calls are exact
 *
 * index  % time       self  children          called  name
 *                        2        15         1/1          <spontaneous>
 * [1]     100.0          2        15         1        main [1]                                        library.cc:41
 *                        2        13         1/1          std::walker::run(void (*)(int), int) [2]
 * ----------------------------------------------------------------------------------------------------
 *                        2        13         1/1          main [1]
 * [2]      88.2          2        13         1        std::walker::run(void (*)(int), int) [2]        library.cc:28
 *                        4         9         1/1          std::_Walk::_M_run(void (*)(int), int) [3]
 * ----------------------------------------------------------------------------------------------------
 *                        4         9         1/1          std::walker::run(void (*)(int), int) [2]
 * [3]      76.5          4         9         1        std::_Walk::_M_run(void (*)(int), int) [3]      library.cc:20
 *                        6         3         3/3          __gnu_cxx::each(void (*)(int), int) [4]
 * ----------------------------------------------------------------------------------------------------
 *                        6         3         3/3          std::_Walk::_M_run(void (*)(int), int) [3]
 * [4]      52.9          6         3         3        __gnu_cxx::each(void (*)(int), int) [4]         library.cc:10
 *                        3         0         3/3          add(int) [5]
 * ----------------------------------------------------------------------------------------------------
 *                        3         0         3/3          __gnu_cxx::each(void (*)(int), int) [4]
 * [5]      17.6          3         0         3        add(int) [5]                                    library.cc:36
 * $ zprof graph --no-via --fold-library
 * ./library
 * 17 ticks in 1 thread; 5 calls
 * times: ticks of a fake clock, one a reading; calls are exact
 * The C++ library's internal functions count as their callers.
 *
 * index  % time       self  children          called  name
 *                        2        15         1/1          <spontaneous>
 * [1]     100.0          2        15         1        main [1]                                      library.cc:41
 *                       12         3         1/1          std::walker::run(void (*)(int), int) [2]
 * ----------------------------------------------------------------------------------------------------
 *                       12         3         1/1          main [1]
 * [2]      88.2         12         3         1        std::walker::run(void (*)(int), int) [2]      library.cc:28
 *                        3         0         3/3          add(int) [3]
 * ----------------------------------------------------------------------------------------------------
 *                        3         0         3/3          std::walker::run(void (*)(int), int) [2]
 * [3]      17.6          3         0         3        add(int) [3]                                  library.cc:36
 */
