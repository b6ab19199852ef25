/* SPDX-License-Identifier: MIT */
// 4: there is no main
int f() { return 1; }
