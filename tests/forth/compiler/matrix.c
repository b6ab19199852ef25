/* SPDX-License-Identifier: MIT */
int a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, b[9], c[9];

int main()
{
	int i, k, n;

	for (i = 0; i < 9; i++)
		b[i] = a[8 - i] - i * i;
	for (i = 0; i < 3; i++)
		for (k = 0; k < 3; k++) {
			c[3 * i + k] = 0;
			for (n = 0; n < 3; n++)
				c[3 * i + k] += a[3 * i + n] * b[3 * n + k];
		}
	for (i = 0; i < 9; i++) {
		print(c[i]);
		print(" ");
	}
	return 0;
}
