/* SPDX-License-Identifier: MIT */
/* Looked at, not run: C++ with namespaces, templates, virtual functions and inlined calls. */
#include <cmath>
#include <cstdio>
#include <vector>

namespace sample
{
struct point {
	double x, y;
	double dot(const point &o) const
	{
		return x * o.x + y * o.y;
	}
	double length() const
	{
		return std::sqrt(dot(*this));
	}
};

struct shape {
	virtual ~shape()
	{
	}
	virtual double area() const = 0;
};

struct square : shape {
	explicit square(double side);
	double area() const override;
	double side;
};

square::square(double s) : side(s)
{
	if (s < 0)
		std::puts("negative");
}

double square::area() const
{
	return point{side, side}.length() * side;
}

template <class T> T total(const std::vector<T> &v)
{
	T sum{};

	for (const T &x : v)
		sum += x;
	return sum;
}

template int total(const std::vector<int> &);
template double total(const std::vector<double> &);

point operator+(const point &a, const point &b)
{
	return {a.x + b.x, a.y + b.y};
}
} // namespace sample

int main(int argc, char **)
{
	sample::square s(argc);
	std::vector<double> v(argc, s.area());

	v.push_back((sample::point{1, 2} + sample::point{3, 4}).length());
	return static_cast<int>(sample::total(v));
}
