/* SPDX-License-Identifier: MIT */
/*
 * c64-drive: the serial bus of a C64 with a disk drive on it, device 8, whose disk is a folder.
 *
 *	LISTEN 8, SECOND f0+n, bytes of a name, UNLSN      opens channel n
 *	LISTEN 8, SECOND 60+n, bytes, UNLSN                writes to channel n
 *	TALK 8,   SECOND 60+n, bytes back, UNTLK           reads from channel n
 *	LISTEN 8, SECOND e0+n, UNLSN                       closes channel n
 *
 * A name is `name,s|p|u,r|w|a`; without a mode, channel 1 writes it and others read it. `@:name`
 * replaces. `$` is the directory. Channel 15 takes commands, `s0:name` and `i`, and gives the
 * status. The next LISTEN or TALK ends an open message as UNLSN does.
 *
 * Files are bytes as they are. Names are translated (c64-petscii.h), and never lead out of the
 * folder: there are no parts of a path in them, and a link is not followed.
 */
#ifndef VM_6502_C64_DRIVE_H
#define VM_6502_C64_DRIVE_H

#include <stdint.h>

/* Bits of the KERNAL's status, at 90. */
enum {
	DRIVE_WRITE_TIMEOUT = 0x01,
	DRIVE_READ_TIMEOUT = 0x02,
	DRIVE_END = 0x40,
	DRIVE_ABSENT = 0x80,
};

struct drive;

/* NULL, with errno: the folder can't be opened, or out of memory. */
struct drive *drive_new(const char *folder);
void drive_free(struct drive *d);

/* Operations of the bus. Each returns the bits to set in the status. */
uint8_t drive_listen(struct drive *d, uint8_t device);
uint8_t drive_talk(struct drive *d, uint8_t device);
uint8_t drive_second(struct drive *d, uint8_t secondary);
uint8_t drive_put(struct drive *d, uint8_t byte);
uint8_t drive_get(struct drive *d, uint8_t *byte);
uint8_t drive_end(struct drive *d); /* UNLSN and UNTLK */

#endif
