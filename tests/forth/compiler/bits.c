/* SPDX-License-Identifier: MIT */
int ones(int n)
{
	int count = 0, i;

	for (i = 0; i < 15; i++)
		count += n >> i & 1;
	return count;
}

int main()
{
	int x = 0x1234;

	print(ones(x)); print(" ");
	print(x & 0xff); print(" ");
	print(x | 0x4001); print(" ");
	print((x ^ 0x0fff) >> 4); print(" ");
	print(~x); print(" ");
	print(1 << 14); print(" ");
	print(-1024 >> 3); print(" ");
	print(5 << 0);
	return 0;
}
