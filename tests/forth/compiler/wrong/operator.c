/* SPDX-License-Identifier: MIT */
// 3: expected ')' before ';'
int main() { print((1 + 2); }
