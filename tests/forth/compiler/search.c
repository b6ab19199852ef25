/* SPDX-License-Identifier: MIT */
int table[16];

int find(int wanted)
{
	int low = 0, high = 15;

	while (low <= high) {
		int middle = (low + high) / 2;
		if (table[middle] == wanted)
			return middle;
		if (table[middle] < wanted)
			low = middle + 1;
		else
			high = middle - 1;
	}
	return -1;
}

int main()
{
	int i;

	for (i = 0; i < 16; i++)
		table[i] = i * i + i;
	for (i = 0; i < 240; i += 30) {
		print(find(i));
		print(" ");
	}
	print(find(table[11]));
	return 0;
}
