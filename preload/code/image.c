/* SPDX-License-Identifier: MIT */
/* image.c - see image.h. */
#include "preload/code/image.h"

#include "preload/base/sys.h"

#include <elf.h>

/*
 * How much of a segment of notes is read: the build-id is the first or second note, of some tens of
 * bytes.
 */
#define NOTES_BYTES 512

/* So many program headers are read at once: linkers write some 15. */
#define HEADERS 16

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

static void read_notes(struct image *image, const Elf64_Phdr *ph)
{
	char notes[NOTES_BYTES];
	size_t bytes = ph->p_memsz < sizeof(notes) ? ph->p_memsz : sizeof(notes);

	if (!image->build_id_bytes && sys_copy_mapped(notes, image->bias + ph->p_vaddr, bytes))
		read_build_id(image, notes, notes + bytes);
}

struct headers {
	uintptr_t at;
	int count, first; /* those from `first` on are in `some` */
	Elf64_Phdr some[HEADERS];
};

/* The program header I; NULL: it is gone. */
static const Elf64_Phdr *header(struct headers *h, int i)
{
	int first = i - i % HEADERS;
	int n = h->count - first < HEADERS ? h->count - first : HEADERS;

	if (h->first != first && !sys_copy_mapped(h->some, h->at + (size_t)first * sizeof(*h->some),
						  (size_t)n * sizeof(*h->some)))
		return NULL;
	h->first = first;
	return &h->some[i - first];
}

/* Finds from where to where the image is. False: that is not said. */
static bool place(struct image *image, struct headers *headers)
{
	uintptr_t end = 0;
	bool based = false;
	int i;

	for (i = 0; i < headers->count; i++) {
		const Elf64_Phdr *ph = header(headers, i);

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
	struct headers headers;
	Elf64_Ehdr elf;
	int i;

	if (readable < sizeof(elf) || !sys_copy_mapped(&elf, start, sizeof(elf)) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
	    elf.e_phentsize != sizeof(Elf64_Phdr) ||
	    elf.e_phoff + (uint64_t)elf.e_phnum * sizeof(Elf64_Phdr) > readable)
		return false;
	memset(image, 0, sizeof(*image));
	image->start = start;
	headers.at = start + elf.e_phoff;
	headers.count = elf.e_phnum;
	headers.first = -1;
	if (!place(image, &headers))
		return false;
	for (i = 0; i < headers.count; i++) {
		const Elf64_Phdr *ph = header(&headers, i);
		uintptr_t at;

		if (!ph)
			return false;
		at = image->bias + ph->p_vaddr;
		if (ph->p_type == PT_GNU_EH_FRAME)
			image->eh_frame_hdr = at;
		if (ph->p_type == PT_DYNAMIC)
			image->dynamic = at;
		if (ph->p_type == PT_NOTE && at >= start && at + ph->p_memsz <= start + readable)
			read_notes(image, ph);
	}
	return true;
}
