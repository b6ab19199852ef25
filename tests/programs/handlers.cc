/* SPDX-License-Identifier: MIT */
/*
 * handlers.cc - a function whose exceptions are handled in a part of it that begins with a handler:
 * gcc -O2 puts a nop before it that has no frame description.
 */
#include "tests/programs/truth.h"

#include <memory>
#include <stdexcept>
#include <string>

struct Error : std::runtime_error {
	using std::runtime_error::runtime_error;
};

struct Shape {
	virtual ~Shape() = default;
	virtual double area() const = 0;
};

template <int N> struct Polygon : Shape {
	double side[N];

	explicit Polygon(unsigned seed)
	{
		for (int i = 0; i < N; i++)
			side[i] = (seed = seed * 1103515245u + 12345u) % 97;
	}
	double area() const override
	{
		double sum = 0;
		for (double s : side)
			sum += s;
		return sum;
	}
};

int parse(const std::string &text, int depth)
{
	if (depth == 0) {
		if (text.size() % 7 == 0)
			throw Error("seven: " + text);
		return (int)text.size();
	}
	return parse(text, depth - 1) + 1;
}

APART double handle(unsigned job, int &errors)
{
	std::unique_ptr<Shape> shape;

	if (job % 3 == 0)
		shape = std::make_unique<Polygon<3>>(job);
	else
		shape = std::make_unique<Polygon<64>>(job);
	try {
		return shape->area() + parse(std::string(job % 29 + 1, 'x'), 5);
	} catch (const Error &) {
		errors++;
		return -1;
	}
}

int main()
{
	const char *const any[] = {"Error::Error",         "Error::runtime_error",
				   "Error::~Error",        "Shape::Shape",
				   "Shape::~Shape",        "Polygon<3>::Polygon",
				   "Polygon<64>::Polygon", "std::__is_constant_evaluated"};
	int errors = 0;

	for (unsigned i = 0; i < 30; i++)
		handle(i, errors);
	truth_add("-", "main", 1, 1);
	truth_add("main", "handle", 30, 30);
	truth_add("handle", "parse", 30, 30);
	truth_add("parse", "parse", 150, 150);
	truth_add("handle", "Polygon<3>::area", 10, 10);
	truth_add("handle", "Polygon<64>::area", 20, 20);
	truth_add("handle", "Polygon<3>::~Polygon", 10, 10);
	truth_add("handle", "Polygon<64>::~Polygon", 20, 20);
	truth_may("Polygon<3>::~Polygon", "Polygon<3>::~Polygon");
	truth_may("Polygon<64>::~Polygon", "Polygon<64>::~Polygon");
	for (const char *name : any)
		truth_may(nullptr, name);
	return errors != 4;
}
