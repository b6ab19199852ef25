/* SPDX-License-Identifier: MIT */
int ackermann(int m, int n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

int main()
{
	print(ackermann(2, 3));
	print(" ");
	print(ackermann(1, 9));
	return 0;
}
