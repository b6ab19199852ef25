/* SPDX-License-Identifier: MIT */
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

int main()
{
	move(5, 0, 2, 1);
	print(moves);
	return 0;
}
