/* SPDX-License-Identifier: MIT */
char composite[1000];

int strike(int prime)
{
	int n;
	for (n = prime + prime; n < 1000; n += prime)
		composite[n] = 1;
	return 1;
}

int main()
{
	int count = 0;
	for (int i = 2; i < 1000; i++)
		if (!composite[i]) {
			count += strike(i);
			print(i);
			if (count % 16)
				print(" ");
			else
				print("\n");
		}
	print("\n");
	print(count);
	return 0;
}
