/* SPDX-License-Identifier: MIT */
// 5: 'f' has no body
int f(int a);
int main() { print(f(1)); }
