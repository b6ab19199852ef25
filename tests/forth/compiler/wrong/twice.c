/* SPDX-License-Identifier: MIT */
// 4: 'x' is there already
int x;
char x;
int main() {}
