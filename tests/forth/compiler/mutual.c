/* SPDX-License-Identifier: MIT */
int odd(int n);
int even(int n);

int main()
{
	print(even(20));
	print(odd(20));
	print(even(7));
	print(odd(7));
	return 0;
}

int even(int n)
{
	if (n == 0)
		return 1;
	return odd(n - 1);
}

int odd(int n)
{
	if (n == 0)
		return 0;
	return even(n - 1);
}
