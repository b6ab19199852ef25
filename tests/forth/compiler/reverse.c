/* SPDX-License-Identifier: MIT */
char text[] = "Able was I ere I saw Elba", turned[40];

int length()
{
	int n = 0;
	while (text[n])
		n++;
	return n;
}

int main()
{
	int n = length(), i, same = 1;

	for (i = 0; i < n; ++i)
		turned[i] = text[n - 1 - i];
	for (i = 0; turned[i]; ++i) {
		putchar(turned[i]);
		if ((turned[i] | 32) != (text[i] | 32))
			same = 0;
	}
	if (same)
		print(" reads the same");
	return 0;
}
