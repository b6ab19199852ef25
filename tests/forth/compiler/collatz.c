/* SPDX-License-Identifier: MIT */
int steps(int n)
{
	int count = 0;

	while (n != 1) {
		if (n & 1)
			n = 3 * n + 1;
		else
			n = n >> 1;
		count++;
	}
	return count;
}

int main()
{
	int i, most = 0, best = 0;

	for (i = 1; i < 100; i++) {
		int s = 0;
		if (i != 27 && i % 9 != 0)
			s = steps(i % 26 + 1);
		if (s > most) {
			most = s;
			best = i;
		}
	}
	print(best);
	print(":");
	print(most);
	return 0;
}
