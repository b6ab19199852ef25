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

/*
 * What this program must give:
 *
 * only=*-O2 because clang without optimization makes two functions of a constructor
 *
 * $ ./virtual
 * $ zprof graph --no-via
 * ./virtual
 * 129 ticks in 1 thread; 65 calls
 * times: ticks of a fake clock, one a reading; calls are exact
 *
 * index  % time       self  children          called  name
 *                        7       122         1/1          <spontaneous>
 * [1]     100.0          7       122         1        main [1]                                          virtual.cc:79
 *                       41        60         1/1          total_area(shapes::Shape const&, shapes::Shape const&) [2]
 *                        2         3         1/1          measure<shapes::Box>(shapes::Box const&) [8]
 *                        2         3         1/1          shapes::Box::Box(int) [9]
 *                        2         3         1/1          shapes::Box::~Box() [10]
 *                        2         1         1/2          shapes::Square::Square(int) [6]
 *                        2         1         1/2          shapes::Square::~Square() [7]
 * ----------------------------------------------------------------------------------------------------
 *                       41        60         1/1          main [1]
 * [2]      78.3         41        60         1        total_area(shapes::Shape const&, shapes::Shape const&) [2]  virtual.cc:67
 *                       20        10        10/11         shapes::Box::area() const [3]
 *                       20         0        20/20         Sum::operator+=(int) [5]
 *                       10         0        10/21         shapes::Square::area() const [4]
 * ----------------------------------------------------------------------------------------------------
 *                        2         1         1/11         measure<shapes::Box>(shapes::Box const&) [8]
 *                       20        10        10/11         total_area(shapes::Shape const&, shapes::Shape const&) [2]
 * [3]      25.6         22        11        11        shapes::Box::area() const [3]                     virtual.cc:46
 *                       11         0        11/21         shapes::Square::area() const [4]
 * ----------------------------------------------------------------------------------------------------
 *                       10         0        10/21         total_area(shapes::Shape const&, shapes::Shape const&) [2]
 *                       11         0        11/21         shapes::Box::area() const [3]
 * [4]      16.3         21         0        21        shapes::Square::area() const [4]                  virtual.cc:32
 * ----------------------------------------------------------------------------------------------------
 *                       20         0        20/20         total_area(shapes::Shape const&, shapes::Shape const&) [2]
 * [5]      15.5         20         0        20        Sum::operator+=(int) [5]                          virtual.cc:55
 * ----------------------------------------------------------------------------------------------------
 *                        2         1         1/2          shapes::Box::Box(int) [9]
 *                        2         1         1/2          main [1]
 * [6]       4.7          4         2         2        shapes::Square::Square(int) [6]                   virtual.cc:24
 *                        2         0         2/2          shapes::Shape::Shape() [11]
 * ----------------------------------------------------------------------------------------------------
 *                        2         1         1/2          shapes::Box::~Box() [10]
 *                        2         1         1/2          main [1]
 * [7]       4.7          4         2         2        shapes::Square::~Square() [7]                     virtual.cc:28
 *                        2         0         2/2          shapes::Shape::~Shape() [12]
 * ----------------------------------------------------------------------------------------------------
 *                        2         3         1/1          main [1]
 * [8]       3.9          2         3         1        measure<shapes::Box>(shapes::Box const&) [8]      virtual.cc:62
 *                        2         1         1/11         shapes::Box::area() const [3]
 * ----------------------------------------------------------------------------------------------------
 *                        2         3         1/1          main [1]
 * [9]       3.9          2         3         1        shapes::Box::Box(int) [9]                         virtual.cc:39
 *                        2         1         1/2          shapes::Square::Square(int) [6]
 * ----------------------------------------------------------------------------------------------------
 *                        2         3         1/1          main [1]
 * [10]      3.9          2         3         1        shapes::Box::~Box() [10]                          virtual.cc:42
 *                        2         1         1/2          shapes::Square::~Square() [7]
 * ----------------------------------------------------------------------------------------------------
 *                        2         0         2/2          shapes::Square::Square(int) [6]
 * [11]      1.6          2         0         2        shapes::Shape::Shape() [11]                       virtual.cc:13
 * ----------------------------------------------------------------------------------------------------
 *                        2         0         2/2          shapes::Square::~Square() [7]
 * [12]      1.6          2         0         2        shapes::Shape::~Shape() [12]                      virtual.cc:16
 */
