/* SPDX-License-Identifier: MIT */
int x = 1;

int change(int x)
{
	x = x + 10;
	{
		int x = 100;
		x++;
		print(x);
		print(" ");
	}
	return x;
}

int main()
{
	print(change(5));
	print(" ");
	for (int x = 3; x > 0; x--)
		print(x);
	print(" ");
	if (x) {
		int x;
		x = 8;
		x *= x;
		print(x);
	}
	print(" ");
	print(x);
	return 0;
}
