/* SPDX-License-Identifier: MIT */
/*
 * image.h - what an ELF image in memory says of itself, in its headers and notes.
 *
 * Another thread may unload the image at any moment. So the image is read through the kernel, which
 * answers with an error where a load would be a SIGSEGV.
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
 * Reads the image that begins at `start`, where `readable` bytes were mapped readable. False: there
 * is no ELF image for this processor, or it is gone.
 */
bool image_read(struct image *image, uintptr_t start, size_t readable);

#endif
