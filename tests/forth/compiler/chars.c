/* SPDX-License-Identifier: MIT */
char c = 'x', small, list[4] = {1, -2, 127, -128};

int main()
{
	char local = 200;

	print(c); print(" ");
	print(local); print(" ");
	small = 300;
	print(small); print(" ");
	small = 127;
	small++;
	print(small); print(" ");
	print(list[1] + list[3]); print(" ");
	list[2] += 1;
	print(list[2]); print(" ");
	putchar('\''); putchar('"'); putchar('\\'); putchar('A' + 2);
	return 0;
}
