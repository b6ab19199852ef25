/* SPDX-License-Identifier: MIT */
/*
 * virtual.cc - C++: virtual calls, a template, an operator, a namespace, constructors and
 * destructors.
 *
 * Names are those a demangler gives, without parameters.
 */
#include "tests/programs/truth.h"

namespace shapes
{
struct Shape {
	Shape()
	{
	}
	virtual ~Shape()
	{
	}
	virtual int area() const = 0;
};

struct Square : Shape {
	int side;
	explicit Square(int s)
	    : side((TRUTH_COUNT("shapes::Square::Square", "shapes::Shape::Shape"), s))
	{
	}
	~Square() override
	{
		TRUTH_COUNT("shapes::Square::~Square", "shapes::Shape::~Shape");
	}
	int area() const override
	{
		return side * side;
	}
};

struct Box : Square {
	explicit Box(int s) : Square((TRUTH_COUNT("shapes::Box::Box", "shapes::Square::Square"), s))
	{
	}
	~Box() override
	{
		TRUTH_COUNT("shapes::Box::~Box", "shapes::Square::~Square");
	}
	int area() const override
	{
		return 6 * CALL_AS("shapes::Box::area", "shapes::Square::area", Square::area());
	}
};
} // namespace shapes

struct Sum {
	int value;
	Sum &operator+=(int n)
	{
		value += n;
		return *this;
	}
};

template <typename T> static int measure(const T &shape)
{
	return shape.area();
}

static int total_area(const shapes::Shape &square, const shapes::Shape &box)
{
	Sum sum = {0};
	for (int i = 0; i < 10; i++) {
		int a = CALL_AS("total_area", "shapes::Square::area", square.area());
		CALL_AS("total_area", "Sum::operator+=", sum += a);
		a = CALL_AS("total_area", "shapes::Box::area", box.area());
		CALL_AS("total_area", "Sum::operator+=", sum += a);
	}
	return sum.value;
}

int main()
{
	truth_add("-", "main", 1, 1);
	/* clang at -O0 makes the constructor of a whole object call that of a base object, which
	 * has the same name */
	truth_may("shapes::Square::Square", "shapes::Square::Square");
	truth_may("shapes::Square::~Square", "shapes::Square::~Square");
	truth_may("shapes::Box::Box", "shapes::Box::Box");
	truth_may("shapes::Box::~Box", "shapes::Box::~Box");
	TRUTH_COUNT("main", "shapes::Square::Square");
	shapes::Square square(3);
	TRUTH_COUNT("main", "shapes::Box::Box");
	shapes::Box box(2);
	int area = CALL_AS("main", "total_area", total_area(square, box));
	TRUTH_COUNT("int measure<shapes::Box>", "shapes::Box::area");
	area += CALL_AS("main", "int measure<shapes::Box>", measure(box));
	TRUTH_COUNT("main", "shapes::Box::~Box");
	TRUTH_COUNT("main", "shapes::Square::~Square");
	return area != 10 * (9 + 24) + 24;
}
