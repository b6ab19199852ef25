/* SPDX-License-Identifier: MIT */
// 4: '$' is no character of a program
int main() {
	print($1);
}
