/* SPDX-License-Identifier: MIT */
// 4: 'f' has another number of arguments
int f(int a, int b) { return a + b; }
int main() { print(f(1)); }
