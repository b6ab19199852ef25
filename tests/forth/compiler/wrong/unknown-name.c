/* SPDX-License-Identifier: MIT */
// 6: 'y' is not known
int main()
{
	int x = 1;
	x = y;
}
