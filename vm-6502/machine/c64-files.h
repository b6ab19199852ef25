/* SPDX-License-Identifier: MIT */
/*
 * c64-files: entries of the system that have to do with files; see c64-kernal.c. Parameters and
 * results are in registers, as the C64's documentation says.
 */
#ifndef VM_6502_C64_FILES_H
#define VM_6502_C64_FILES_H

#include "vm-6502/machine/c64-machine.h"

void c64_setlfs(struct c64 *c);
void c64_setnam(struct c64 *c);
void c64_open(struct c64 *c);
void c64_clrchn(struct c64 *c);
void c64_close(struct c64 *c);
void c64_chkin(struct c64 *c);
void c64_chkout(struct c64 *c);
void c64_chrout(struct c64 *c);
void c64_chrin(struct c64 *c);
void c64_getin(struct c64 *c);
void c64_load(struct c64 *c);
void c64_save(struct c64 *c);

#endif
