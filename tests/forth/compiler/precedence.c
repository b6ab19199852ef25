/* SPDX-License-Identifier: MIT */
int calls;

int yes()
{
	calls++;
	return 7;
}

int show(int n)
{
	print(n);
	print(" ");
	return n;
}

int main()
{
	int a = 2, b = 3, c = 5;

	show(a + b * c); show((a + b) * c); show(a - b - c); show(100 / b / a); show(c % b * a);
	show(a << 1 + b); show(a < b == 1); show(a & b == 3); show(1 | 2 ^ 3 & 1);
	show(-a * -b); show(!a + !0); show(a && b || 0); show(0 || 0 && yes()); show(1 || yes());
	show(yes() && yes()); show(calls); show(a = b = c + 1); show(a += b -= 2); show(b);
	show(-7 / 2); show(-7 % 2); show(7 / -2); show(7 % -2); show(a > b != b > a); show(a <= b); show(a >= b);
	return 0;
}
