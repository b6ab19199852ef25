/* SPDX-License-Identifier: MIT */
char column[8];

int safe(int row, int at)
{
	int r;

	for (r = 0; r < row; r++) {
		int other = column[r];
		if (other == at || other - at == row - r || at - other == row - r)
			return 0;
	}
	return 1;
}

int place(int row, int size)
{
	int found = 0;

	if (row == size)
		return 1;
	for (int at = 0; at < size; at++)
		if (safe(row, at)) {
			column[row] = at;
			found += place(row + 1, size);
		}
	return found;
}

int main()
{
	for (int size = 1; size <= 6; size++) {
		print(place(0, size));
		print(" ");
	}
	return 0;
}
