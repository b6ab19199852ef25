/* SPDX-License-Identifier: MIT */
char greeting[] = "Hello, world";

int main()
{
	int i;

	for (i = 0; greeting[i]; i++)
		putchar(greeting[i]);
	print("\n\tand \"again\": \\n\n");
	return 0;
}
