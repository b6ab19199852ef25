/* SPDX-License-Identifier: MIT */
// 4: the comment has no end
int main() { return 0; }
/* and so on
