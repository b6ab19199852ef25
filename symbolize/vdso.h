/* SPDX-License-Identifier: MIT */
/* The vDSO has no file. Its image is copied from this process's memory into a file in memory. */
#ifndef SYMBOLIZE_VDSO_H
#define SYMBOLIZE_VDSO_H

/* A descriptor of a file in memory that holds the running kernel's vDSO, or -1. */
int vdso_open(void);

#endif
