/* SPDX-License-Identifier: MIT */
// 5: the text has no end
int main()
{
	print("abc);
}
