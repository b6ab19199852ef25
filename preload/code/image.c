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

bool image_read(struct image *image, uintptr_t start, size_t readable)
{
	Elf64_Ehdr elf;
	Elf64_Phdr ph;
	uintptr_t end = 0;
	bool based = false;
	int i;

	if (readable < sizeof(elf) || !sys_copy_mapped(&elf, start, sizeof(elf)) ||
	    memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
	    elf.e_phentsize != sizeof(ph) ||
	    elf.e_phoff + (uint64_t)elf.e_phnum * sizeof(ph) > readable)
		return false;
	memset(image, 0, sizeof(*image));
	image->start = start;
	for (i = 0; i < elf.e_phnum; i++) {
		if (!sys_copy_mapped(&ph, start + elf.e_phoff + i * sizeof(ph), sizeof(ph)))
			return false;
		if (ph.p_type != PT_LOAD)
			continue;
		if (!based)
			image->bias = start - (ph.p_vaddr - ph.p_offset);
		based = true;
		if (ph.p_vaddr + ph.p_memsz > end)
			end = ph.p_vaddr + ph.p_memsz;
	}
	image->end = image->bias + end;
	for (i = 0; based && i < elf.e_phnum; i++) {
		uintptr_t at;

		if (!sys_copy_mapped(&ph, start + elf.e_phoff + i * sizeof(ph), sizeof(ph)))
			return false;
		at = image->bias + ph.p_vaddr;
		if (ph.p_type == PT_GNU_EH_FRAME)
			image->eh_frame_hdr = at;
		if (ph.p_type == PT_DYNAMIC)
			image->dynamic = at;
		if (ph.p_type == PT_NOTE && at >= start && at + ph.p_memsz <= start + readable)
			read_notes(image, &ph);
	}
	return based;
}
