/* SPDX-License-Identifier: MIT */
/* module.c - see module.h. */
#include "preload/code/module.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/code/image.h"
#include "preload/code/location.h"
#include "preload/code/maps.h"
#include "preload/code/only.h"

#define MODULES_SECTION ZPROF_GRANULE

bool module_init(struct process *p)
{
	p->modules->table = sys_memory(MODULES_MAX * sizeof(struct module));
	return p->modules->table != NULL;
}

const struct module *module_find(const struct process *p, uintptr_t address)
{
	uint32_t i = __atomic_load_n(&p->modules->count, __ATOMIC_ACQUIRE);
	const struct module *found = NULL;

	/* (A module may lie in a hole of another.) */
	while (i-- > 0) {
		const struct module *m = &p->modules->table[i];

		if (m->ready && address >= m->start && address < m->end && !m->unloaded &&
		    !m->doubtful && (!found || m->start > found->start))
			found = m;
	}
	return found;
}

/* ---- recording */

static void fill_record(struct zprof_module *record, const struct image *image, const char *path,
			uint32_t id)
{
	record->bytes = (uint32_t)ZPROF_RECORD_BYTES(sizeof(*record) + strlen(path));
	record->id = id;
	record->start = image->start;
	record->end = image->end;
	record->bias = image->bias;
	record->build_id_bytes = image->build_id_bytes;
	memcpy(record->build_id, image->build_id, record->build_id_bytes);
	record->path_bytes = (uint32_t)strlen(path);
	memcpy(record->path, path, record->path_bytes);
}

/* The shared section, or a new one if that is full or another thread may be writing in it. */
static struct zprof_section *section_for(struct process *p, bool shared, uint64_t bytes)
{
	struct zprof_section *s = shared ? p->modules->section : NULL;

	if (s && s->used + bytes <= s->bytes)
		return s;
	s = file_section(p, ZPROF_SECTION_MODULES, 0,
			 bytes + sizeof(*s) > MODULES_SECTION ? bytes + sizeof(*s)
							      : MODULES_SECTION);
	if (shared && s)
		p->modules->section = s;
	return s;
}

/*
 * Writes the record of a module. If another hook is writing in the shared section (a hook of
 * another thread, one that this hook has interrupted, or one left by a jump), the record gets a
 * section of its own. If several threads write records of a module, one record is published.
 */
static void record(struct process *p, struct module *m, const struct image *image, const char *path)
{
	bool shared = !__atomic_exchange_n(&p->modules->writing, 1, __ATOMIC_ACQUIRE);
	uint64_t bytes = ZPROF_RECORD_BYTES(sizeof(struct zprof_module) + strlen(path));
	struct zprof_section *s = section_for(p, shared, bytes);
	struct zprof_module *mine, *seen = NULL;

	if (s) {
		mine = (struct zprof_module *)((char *)s + s->used);
		fill_record(mine, image, path, m->id);
		if (__atomic_compare_exchange_n(&m->record, &seen, mine, false, __ATOMIC_RELEASE,
						__ATOMIC_RELAXED))
			__atomic_store_n(&s->used, s->used + bytes, __ATOMIC_RELEASE);
	} else {
		losses_count(p, ZPROF_LOSS_MODULES, 1);
	}
	if (shared)
		__atomic_store_n(&p->modules->writing, 0, __ATOMIC_RELEASE);
}

static bool same_image(const struct module *m, const struct image *image, const char *path)
{
	const struct zprof_module *r = m->record;

	return r && m->start == image->start && m->end == image->end &&
	       r->build_id_bytes == image->build_id_bytes && r->path_bytes == strlen(path) &&
	       !memcmp(r->path, path, r->path_bytes) &&
	       !memcmp(r->build_id, image->build_id, r->build_id_bytes);
}

static void gone(struct process *p, struct module *m)
{
	m->unloaded = true;
	m->doubtful = false;
	if (m->record)
		m->record->unloaded = 1;
	locations_forget(p, m->start, m->end);
	only_cache_forget(p);
}

/*
 * Whether the kernel has put its own image into a hole of a module. The dynamic linker of arm64 has
 * such a hole, between its code and its data, which lie in different pages of 64 KiB.
 */
static bool lies_in_hole(const struct module *m, const struct image *image, const char *path)
{
	return *path == '[' && image->start > m->start && image->end <= m->end;
}

/*
 * The place of an image in the table: the place of its module, or the first free place. (A module
 * in doubt is no longer so if the image is the module's, and is gone if another image is at its
 * addresses.) A thread that has claimed a place may be stopped before the place is ready. The next
 * thread with the same image then fills this place.
 */
static struct module *place_of(struct process *p, const struct image *image, const char *path)
{
	uint32_t i;

	for (i = 0; i < MODULES_MAX; i++) {
		struct module *m = &p->modules->table[i];
		uintptr_t start = 0;

		if (__atomic_compare_exchange_n(&m->start, &start, image->start, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
		    (!__atomic_load_n(&m->ready, __ATOMIC_ACQUIRE) && start == image->start))
			return m;
		if (!m->ready || m->unloaded || image->start >= m->end || start >= image->end ||
		    lies_in_hole(m, image, path))
			continue;
		if (!m->doubtful)
			return m;
		if (same_image(m, image, path)) {
			m->doubtful = false;
			return m;
		}
		gone(p, m);
	}
	losses_count(p, ZPROF_LOSS_MODULES, 1);
	return NULL;
}

/*
 * Enters an image into the table. No lock is needed: all threads that find an image write the same
 * values.
 */
static const struct module *learn(struct process *p, const struct image *image, const char *path)
{
	struct module *m = place_of(p, image, path);
	uint32_t id, count;

	if (!m || m->ready)
		return m;
	id = (uint32_t)(m - p->modules->table) + 1;
	m->end = image->end;
	m->bias = image->bias;
	m->eh_frame_hdr = image->eh_frame_hdr;
	m->dynamic = image->dynamic;
	m->id = id;
	record(p, m, image, path);
	__atomic_store_n(&m->ready, true, __ATOMIC_RELEASE);
	count = __atomic_load_n(&p->modules->count, __ATOMIC_RELAXED);
	while (count < id && !__atomic_compare_exchange_n(&p->modules->count, &count, id, false,
							  __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return m;
}

/* ---- finding images in the maps */

static bool may_hold_code(const char *path)
{
	return *path == '/' || text_same(path, "[vdso]");
}

/*
 * Whether a mapping of offset 0 is more of the module that `first` begins, and not the beginning of
 * another. Linkers that save room, such as lld, put several parts of a small file into its first
 * page, which is then mapped several times. (Only mappings of modules are looked into: those of
 * other files may reach beyond the file's end.)
 */
static bool goes_on(const struct mapping *first, const struct mapping *m)
{
	struct image image;

	return m->executable && text_same(m->path, first->path) && first->readable &&
	       !first->offset && image_read(&image, first->start, first->end - first->start) &&
	       m->start < image.end;
}

/*
 * A module is a run of mappings of one path. The first is readable and at offset 0, and one is
 * executable: files mapped for other reasons (locales, data bases, our own profile) have no
 * executable mapping. Finds the next executable mapping of a module; *first is the first mapping of
 * that module.
 */
static bool next_code(char **text, struct mapping *first, struct mapping *m)
{
	while (maps_next(text, m)) {
		if (!may_hold_code(m->path))
			continue;
		if (!text_same(m->path, first->path) || (m->offset == 0 && !goes_on(first, m)))
			*first = *m;
		if (m->executable && first->readable && !first->offset)
			return true;
	}
	return false;
}

void module_read_all(struct process *p)
{
	struct mapping m, first = {.path = ""};
	struct image image;
	char *text, *s;
	size_t mapped;

	if (sys_read_file(SYS_SELF "maps", &text, &mapped) > 0) {
		for (s = text; next_code(&s, &first, &m);)
			if (image_read(&image, first.start, first.end - first.start))
				learn(p, &image, m.path);
		sys_memory_free(text, mapped);
	}
}

/* The kernel's own image, if it lies in a hole of the module `around`, and follows it in the maps. */
static void learn_in_hole(struct process *p, char *text, const struct module *around)
{
	struct mapping m, first = {.path = ""};
	struct image image;

	while (next_code(&text, &first, &m))
		if (text_same(m.path, "[vdso]") && m.start > around->start &&
		    m.end <= around->end &&
		    image_read(&image, first.start, first.end - first.start))
			learn(p, &image, m.path);
}

/*
 * Looks only at the image that holds the address: a thread runs in this image, while other images
 * may be unmapped at any moment.
 */
const struct module *module_read_at(struct process *p, uintptr_t address)
{
	const struct module *found = module_find(p, address);
	struct mapping m, first = {.path = ""};
	struct image image;
	char *text, *s;
	size_t mapped;

	if (found || sys_read_file(SYS_SELF "maps", &text, &mapped) <= 0)
		return found;
	for (s = text; !found && next_code(&s, &first, &m);)
		if (address - m.start < m.end - m.start &&
		    image_read(&image, first.start, first.end - first.start))
			found = learn(p, &image, m.path);
	if (found)
		learn_in_hole(p, s, found);
	sys_memory_free(text, mapped);
	return found;
}

/* ---- the kernel */

/* One more than the modules of the table have. */
#define KERNEL_ID (MODULES_MAX + 1)

/* Hexadecimal digits in pairs, with hyphens between some of them: `bc97c4a5-3aed-...`. */
static uint32_t read_digits(const char *s, unsigned char *to, uint32_t most)
{
	uint32_t digits = 0, value = 0;

	for (; *s && *s != '\n' && digits < 2 * most; s++) {
		if (*s == '-')
			continue;
		if ((*s < '0' || *s > '9') && (*s < 'a' || *s > 'f'))
			return 0;
		value = value << 4 | (uint32_t)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
		if (++digits % 2 == 0)
			to[digits / 2 - 1] = (unsigned char)value;
	}
	return digits / 2;
}

static void learn_kernel(struct process *p, struct module *m, uintptr_t address)
{
	uintptr_t start = address & ~(ZPROF_KERNEL_BYTES - 1);
	struct image image = {
	    .start = start, .end = start + (ZPROF_KERNEL_BYTES - 1), .bias = start};
	char *text;
	size_t mapped;

	if (sys_read_file("/proc/sys/kernel/random/boot_id", &text, &mapped) <= 0)
		return;
	image.build_id_bytes = read_digits(text, image.build_id, ZPROF_BOOT_ID_BYTES);
	sys_memory_free(text, mapped);
	if (image.build_id_bytes != ZPROF_BOOT_ID_BYTES)
		return;
	m->start = image.start;
	m->end = image.end;
	m->bias = image.bias;
	m->id = KERNEL_ID;
	record(p, m, &image, ZPROF_KERNEL_PATH);
	__atomic_store_n(&m->ready, m->record != NULL, __ATOMIC_RELEASE);
}

const struct module *module_kernel(struct process *p, uintptr_t address)
{
	struct module *m = &p->modules->kernel;

	if (!__atomic_load_n(&m->ready, __ATOMIC_ACQUIRE)) {
		if (__atomic_exchange_n(&p->modules->kernel_asked, true, __ATOMIC_RELAXED))
			return NULL;
		learn_kernel(p, m, address);
	}
	return m->ready && address - m->start < m->end - m->start ? m : NULL;
}

/* ---- modules that are gone */

void module_unmapped(struct process *p, uintptr_t start)
{
	uint32_t i;

	for (i = 0; i < p->modules->count; i++) {
		struct module *m = &p->modules->table[i];

		if (m->ready && !m->unloaded && m->start == start)
			gone(p, m);
	}
}

bool module_doubt(struct process *p)
{
	uint32_t i, n = __atomic_load_n(&p->modules->count, __ATOMIC_ACQUIRE);
	bool any = false;

	__atomic_fetch_add(&p->modules->closing, 1, __ATOMIC_ACQ_REL);
	for (i = p->modules->at_start; i < n; i++) {
		struct module *m = &p->modules->table[i];

		if (m->ready && !m->unloaded) {
			m->doubtful = true;
			any = true;
		}
	}
	return any;
}

/* Sets `seen` to `time` in each of the first n modules that the maps show. */
static void see_loaded(struct process *p, uint32_t n, uint32_t time)
{
	struct mapping m, first = {.path = ""};
	struct image image;
	char *text, *s;
	size_t mapped;
	uint32_t i;

	if (sys_read_file(SYS_SELF "maps", &text, &mapped) <= 0)
		return;
	for (s = text; next_code(&s, &first, &m);)
		for (i = p->modules->at_start; i < n; i++) {
			struct module *known = &p->modules->table[i];

			if (known->start == first.start && !known->unloaded &&
			    image_read(&image, first.start, first.end - first.start) &&
			    same_image(known, &image, m.path))
				known->seen = time;
		}
	sys_memory_free(text, mapped);
}

bool module_settle(struct process *p)
{
	uint32_t i, n = __atomic_load_n(&p->modules->count, __ATOMIC_ACQUIRE), time;
	bool used_again = false;

	if (__atomic_sub_fetch(&p->modules->closing, 1, __ATOMIC_ACQ_REL))
		return false;
	time = __atomic_add_fetch(&p->modules->settled, 1, __ATOMIC_RELAXED);
	see_loaded(p, n, time);
	for (i = p->modules->at_start; i < n; i++) {
		struct module *m = &p->modules->table[i];

		if (!m->ready || m->unloaded)
			continue;
		if (m->seen == time) {
			m->doubtful = false;
		} else {
			used_again |= !m->doubtful;
			gone(p, m);
		}
	}
	return used_again;
}
