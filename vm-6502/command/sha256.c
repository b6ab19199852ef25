/* SPDX-License-Identifier: MIT */
/* sha256: see the header. */
#include "vm-6502/command/sha256.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

static const uint32_t first_state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static const uint32_t constant[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t word, int bits)
{
	return word >> bits | word << (32 - bits);
}

static void add_block(uint32_t state[8], const uint8_t block[BLOCK])
{
	uint32_t w[ROUNDS], s[8];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 |
		       block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < ROUNDS; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];
		w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
		       (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
	memcpy(s, state, sizeof s);
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t one = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
		uint32_t zero = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
		uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
		uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
		uint32_t sum = s[7] + one + choice + constant[i] + w[i];
		memmove(s + 1, s, 7 * sizeof *s);
		s[4] += sum;
		s[0] = sum + zero + majority;
	}
	for (int i = 0; i < 8; i++)
		state[i] += s[i];
}

void sha256(const uint8_t *bytes, size_t size, char digest[65])
{
	uint8_t last[2 * BLOCK] = {0};
	size_t rest = size % BLOCK, padded = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
	uint32_t state[8];

	memcpy(state, first_state, sizeof state);
	for (size_t at = 0; at + BLOCK <= size; at += BLOCK)
		add_block(state, bytes + at);
	memcpy(last, bytes + size - rest, rest);
	last[rest] = 0x80;
	for (int i = 0; i < 8; i++)
		last[padded - 1 - i] = (uint64_t)size * 8 >> 8 * i;
	for (size_t at = 0; at < padded; at += BLOCK)
		add_block(state, last + at);
	for (int i = 0; i < 8; i++)
		snprintf(digest + 8 * i, 9, "%08x", (unsigned)state[i]);
}
