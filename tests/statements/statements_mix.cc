/* SPDX-License-Identifier: MIT */
/* statements_mix.cc - C++ whose statements are counted: templates, lambdas, virtual functions, exceptions, and every kind of loop. */
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>
template <typename T> static T biggest(const std::vector<T> &v)
{
	T best = v[0];
	for (const T &x : v)
		if (best < x)
			best = x;
	return best;
}
struct shape {
	virtual ~shape()
	{
	}
	virtual int area() const = 0;
};
struct square : shape {
	int n;
	explicit square(int n) : n(n)
	{
	}
	int area() const override
	{
		return n * n;
	}
};
struct nothing : shape {
	int area() const override
	{
		return 0;
	}
};
static int classify(int n)
{
	switch (n % 4) {
	case 0:
		return 1;
	case 1:
	case 2:
		n++;
		break;
	default:
		n--;
	}
	while (n > 10) {
		if (n == 12)
			break;
		n -= 3;
		if (n & 1)
			continue;
		n--;
	}
	return n > 3 && n < 9 ? n : -n;
}
int main()
{
	std::vector<int> v;
	std::map<std::string, int> seen;
	for (int i = 0; i < 100; i++)
		v.push_back(i * 37 % 101);
	std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
	int all = 0;
	std::for_each(v.begin(), v.end(), [&](int x) {
		if (x % 3)
			all += classify(x);
		else
			seen[std::to_string(x % 7)]++;
	});
	std::vector<double> d = {1, 3, 2};
	square s(3);
	const shape *p = &s;
	try {
		if (p->area() == 9)
			throw std::string("nine");
		all = 0;
	} catch (const std::string &what) {
		all += (int)what.size();
	}
	do
		all += biggest(v) > 3 ? 1 : 0;
	while (all % 5);
	printf("%d %d %g\n", all, (int)seen.size(), biggest(d));
	return 0;
}
