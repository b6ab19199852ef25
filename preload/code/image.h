/* SPDX-License-Identifier: MIT */
/*
 * image.h - what an ELF image in memory says of itself, in its headers and notes.
 *
 * Another thread may unload the image meanwhile. So it is read through the kernel, which answers
 * with an error where a load would be a SIGSEGV.
 */
#ifndef ZPROF_IMAGE_H
#define ZPROF_IMAGE_H

#include "preload/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMAGE_BUILD_ID_BYTES sizeof(((struct zprof_module *)NULL)->build_id)

struct image {
	uintptr_t start, end, bias, eh_frame_hdr, dynamic;
	unsigned char build_id[IMAGE_BUILD_ID_BYTES]; /* a longer one is cut */
	uint32_t build_id_bytes;
};

/*
 * The image begins at `start`, of which `readable` bytes were mapped readable. False: not an ELF
 * image of this kind, or gone.
 */
bool image_read(struct image *image, uintptr_t start, size_t readable);

#endif
