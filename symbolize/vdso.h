/* SPDX-License-Identifier: MIT */
/* The vDSO has no file: its image is found in this very process and offered as one. */
#ifndef SYMBOLIZE_VDSO_H
#define SYMBOLIZE_VDSO_H

/* A descriptor of a file in memory that holds the running kernel's vDSO, or -1. */
int vdso_open(void);

#endif
