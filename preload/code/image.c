/* SPDX-License-Identifier: MIT */
/* image.c - see image.h. */
#include "preload/code/image.h"

#include "preload/base/sys.h"

#include <elf.h>

/*
 * What is read at once: some program headers, of which linkers write some 15, or a part of a segment
 * of notes, whose first or second is the build-id, of some tens of bytes. One piece of memory has
 * either, because stacks may be small.
 */
#define READ_BYTES 512
#define HEADERS    (READ_BYTES / (int)sizeof(Elf64_Phdr))
#define NOTHING    (-1)

struct reading {
	uintptr_t headers; /* where they are */
	int count, first;  /* those from `first` on are in `some`; NOTHING: none is */
	union {
		Elf64_Phdr some[HEADERS];
		char notes[READ_BYTES];
	};
};

static uintptr_t round4(uintptr_t n)
{
	return (n + 3) & ~(uintptr_t)3;
}

/*
 * Notes (gABI, "Note Section"): the size of the name, the size of the descriptor, the type, then
 * name and descriptor, each padded to four bytes.
 */
static void read_build_id(struct image *image, const char *at, const char *end)
{
	while (at + sizeof(Elf64_Nhdr) <= end) {
		const Elf64_Nhdr *note = (const Elf64_Nhdr *)at;
		const char *name = at + sizeof(*note);
		const char *desc = name + round4(note->n_namesz);

		if (desc > end || note->n_descsz > (size_t)(end - desc))
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		    !memcmp(name, "GNU", 4)) {
			image->build_id_bytes = note->n_descsz < IMAGE_BUILD_ID_BYTES
						    ? note->n_descsz
						    : (uint32_t)IMAGE_BUILD_ID_BYTES;
			memcpy(image->build_id, desc, image->build_id_bytes);
			return;
		}
		at = desc + round4(note->n_descsz);
	}
}

static void read_notes(struct image *image, struct reading *r, uintptr_t at, size_t bytes)
{
	if (bytes > sizeof(r->notes))
		bytes = sizeof(r->notes);
	r->first = NOTHING;
	if (sys_copy_mapped(r->notes, at, bytes))
		read_build_id(image, r->notes, r->notes + bytes);
}

/* The program header I; NULL: it is gone. */
static const Elf64_Phdr *header(struct reading *r, int i)
{
	int first = i - i % HEADERS;
	int n = r->count - first < HEADERS ? r->count - first : HEADERS;

	if (r->first != first &&
	    !sys_copy_mapped(r->some, r->headers + (size_t)first * sizeof(*r->some),
			     (size_t)n * sizeof(*r->some)))
		return NULL;
	r->first = first;
	return &r->some[i - first];
}

/* Finds from where to where the image is. False: that is not said. */
static bool place(struct image *image, struct reading *r)
{
	uintptr_t end = 0;
	bool based = false;
	int i;

	for (i = 0; i < r->count; i++) {
		const Elf64_Phdr *ph = header(r, i);

		if (!ph)
			return false;
		if (ph->p_type != PT_LOAD)
			continue;
		if (!based)
			image->bias = image->start - (ph->p_vaddr - ph->p_offset);
		based = true;
		if (ph->p_vaddr + ph->p_memsz > end)
			end = ph->p_vaddr + ph->p_memsz;
	}
	image->end = image->bias + end;
	return based;
}

bool image_read(struct image *image, uintptr_t start, size_t readable)
{
	struct reading r;
	Elf64_Ehdr elf;
	int i;

	if (readable < sizeof(elf) || !sys_copy_mapped(&elf, start, sizeof(elf)) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
	    elf.e_phentsize != sizeof(Elf64_Phdr) ||
	    elf.e_phoff + (uint64_t)elf.e_phnum * sizeof(Elf64_Phdr) > readable)
		return false;
	memset(image, 0, sizeof(*image));
	image->start = start;
	r.headers = start + elf.e_phoff;
	r.count = elf.e_phnum;
	r.first = NOTHING;
	if (!place(image, &r))
		return false;
	for (i = 0; i < r.count; i++) {
		const Elf64_Phdr *ph = header(&r, i);
		uintptr_t at;

		if (!ph)
			return false;
		at = image->bias + ph->p_vaddr;
		if (ph->p_type == PT_GNU_EH_FRAME)
			image->eh_frame_hdr = at;
		if (ph->p_type == PT_DYNAMIC)
			image->dynamic = at;
		if (ph->p_type == PT_NOTE && !image->build_id_bytes && at >= start &&
		    at + ph->p_memsz <= start + readable)
			read_notes(image, &r, at, ph->p_memsz);
	}
	return true;
}
