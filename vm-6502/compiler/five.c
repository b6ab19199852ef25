/* SPDX-License-Identifier: MIT */
/* five: five programs in one, for the compiler to compile. */
int moves;
char pegs[] = "ABC";

int move(int disks, int from, int to, int by)
{
	if (disks == 0)
		return 0;
	move(disks - 1, from, by, to);
	putchar(pegs[from]);
	putchar(pegs[to]);
	print(" ");
	++moves;
	move(disks - 1, by, to, from);
	return 0;
}

int run_hanoi()
{
	move(5, 0, 2, 1);
	print(moves);
	return 0;
}

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

int run_queens()
{
	for (int size = 1; size <= 6; size++) {
		print(place(0, size));
		print(" ");
	}
	return 0;
}

char cells[100], next[100];

int around(int at)
{
	return cells[at - 11] + cells[at - 10] + cells[at - 9] + cells[at - 1] + cells[at + 1] +
	       cells[at + 9] + cells[at + 10] + cells[at + 11];
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

int run_life()
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

char input[] = "2 * (3 + 4) - 18 / (7 - 1) * -1";
int at;

int skip()
{
	while (input[at] == ' ')
		at++;
	return input[at];
}

int sum();

int factor()
{
	int n = 0;

	if (skip() == '-') {
		at++;
		return -factor();
	}
	if (input[at] == '(') {
		at++;
		n = sum();
		skip();
		at++;
		return n;
	}
	while (input[at] >= '0' && input[at] <= '9')
		n = 10 * n + input[at++] - '0';
	return n;
}

int product()
{
	int n = factor();

	while (skip() == '*' || input[at] == '/')
		if (input[at++] == '*')
			n *= factor();
		else
			n /= factor();
	return n;
}

int sum()
{
	int n = product();

	while (skip() == '+' || input[at] == '-')
		if (input[at++] == '+')
			n += product();
		else
			n -= product();
	return n;
}

int run_calculator()
{
	print(sum());
	return 0;
}

int ackermann(int m, int n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

int run_ackermann()
{
	print(ackermann(2, 3));
	print(" ");
	print(ackermann(1, 9));
	return 0;
}

int main()
{
	run_hanoi();
	run_queens();
	run_life();
	run_calculator();
	run_ackermann();
	return 0;
}
