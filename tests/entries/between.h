/* SPDX-License-Identifier: MIT */
/*
 * between.h - a program in three files, of which each can be built with hooks of another kind or
 * with none (program-entries-mixed.sh): above() calls by way of between() and by itself, each time
 * with more on its stack than the time before.
 */
#ifndef BETWEEN_H
#define BETWEEN_H

int above(int n);
int between(int how, int n);
int below(int n);
int below_many(int a, int b, int c, int d, int e, int f, int g, int h);

#endif
