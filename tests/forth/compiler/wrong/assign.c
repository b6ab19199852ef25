/* SPDX-License-Identifier: MIT */
// 5: this is nothing to assign to
int main()
{
	5 = 3;
}
