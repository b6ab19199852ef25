// SPDX-License-Identifier: MIT
// work_cxx.cc - C++ as people write it: virtual calls, templates, containers. At -O2 most of its
// calls are inlined; -finstrument-functions reports those too.
#include <algorithm>
#include <memory>
#include <vector>

#include "tests/bench/work.h"

namespace
{

template <typename T, int N> struct vec {
	T part[N];

	T &operator[](int i)
	{
		return part[i];
	}
	const T &operator[](int i) const
	{
		return part[i];
	}
};

template <typename T, int N> T dot(const vec<T, N> &a, const vec<T, N> &b)
{
	T sum = 0;

	for (int i = 0; i < N; i++)
		sum += a[i] * b[i];
	return sum;
}

template <typename T, int N, typename F> vec<T, N> each(const vec<T, N> &a, F f)
{
	vec<T, N> to;

	for (int i = 0; i < N; i++)
		to[i] = f(a[i]);
	return to;
}

using point = vec<double, 3>;

struct shape {
	virtual ~shape() = default;
	virtual double distance(const point &from) const = 0;
};

struct ball : shape {
	double radius;

	explicit ball(double r) : radius(r)
	{
	}
	double distance(const point &from) const override
	{
		return dot(from, from) - radius * radius;
	}
};

struct plane : shape {
	point normal;

	explicit plane(point n) : normal(n)
	{
	}
	double distance(const point &from) const override
	{
		return dot(from, normal);
	}
};

struct scaled : shape {
	std::unique_ptr<shape> inner;

	explicit scaled(std::unique_ptr<shape> s) : inner(std::move(s))
	{
	}
	double distance(const point &from) const override
	{
		return 2 * inner->distance(each(from, [](double x) { return x / 2; }));
	}
};

std::vector<std::unique_ptr<shape>> scene()
{
	std::vector<std::unique_ptr<shape>> shapes;

	for (int i = 1; i <= 4; i++) {
		shapes.push_back(std::make_unique<ball>(i));
		shapes.push_back(std::make_unique<plane>(point{{1.0 * i, 2, 3}}));
		shapes.push_back(std::make_unique<scaled>(std::make_unique<ball>(i + 0.5)));
	}
	return shapes;
}

double nearest(const std::vector<std::unique_ptr<shape>> &shapes, const point &from)
{
	double least = 1e9;

	for (const auto &s : shapes)
		least = std::min(least, s->distance(from));
	return least;
}

} // namespace

void work(unsigned long pairs)
{
	static const auto shapes = scene();
	enum { CALLS = 333 }; // calls of nearest() and all below it, inlined ones included

	for (unsigned long i = 0; i < pairs; i += CALLS) {
		double d = nearest(shapes, point{{1.0 * i, 2, 3}});

		__asm__ volatile("" ::"x"(d));
	}
}
