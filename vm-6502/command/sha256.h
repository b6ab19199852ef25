/* SPDX-License-Identifier: MIT */
/* sha256: the digest by which a preset recognizes its image (FIPS 180-4). */
#ifndef VM_6502_SHA256_H
#define VM_6502_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* The digest of bytes, in 64 hexadecimal digits. */
void sha256(const uint8_t *bytes, size_t size, char digest[65]);

#endif
