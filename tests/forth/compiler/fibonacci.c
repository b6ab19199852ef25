/* SPDX-License-Identifier: MIT */
int fib(int n)
{
	if (n < 2)
		return n;
	return fib(n - 1) + fib(n - 2);
}

int main()
{
	for (int i = 0; i < 16; i++) {
		print(fib(i));
		putchar(32);
	}
	return 0;
}
