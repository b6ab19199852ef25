/* SPDX-License-Identifier: MIT */
char cells[100], next[100];

int around(int at)
{
	return cells[at - 11] + cells[at - 10] + cells[at - 9] + cells[at - 1] + cells[at + 1] + cells[at + 9] +
	       cells[at + 10] + cells[at + 11];
}

int step()
{
	int row, column;

	for (row = 1; row < 9; row++)
		for (column = 1; column < 9; column++) {
			int at = 10 * row + column, n = around(at);
			next[at] = n == 3 || n == 2 && cells[at];
		}
	for (row = 0; row < 100; row++)
		cells[row] = next[row];
	return 0;
}

int main()
{
	cells[12] = cells[23] = cells[31] = cells[32] = cells[33] = 1;
	for (int n = 0; n < 9; n++)
		step();
	for (int row = 1; row < 9; row++) {
		for (int column = 1; column < 9; column++)
			if (cells[10 * row + column])
				print("O");
			else
				print(".");
		print("\n");
	}
	return 0;
}
