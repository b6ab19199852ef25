/* SPDX-License-Identifier: MIT */
int gcd(int a, int b)
{
	while (b != 0) {
		int rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

int main()
{
	print(gcd(1071, 462));
	print(" ");
	print(gcd(17, 5));
	print(" ");
	print(gcd(32760, 27720) * (-1));
	return 0;
}
