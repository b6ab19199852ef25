/* SPDX-License-Identifier: MIT */
/* process.c - see process.h. */
#include "preload/process.h"

#include "preload/calibrate.h"
#include "preload/stack.h"
#include "preload/sys.h"
#include "preload/text.h"
#include "preload/tick.h"

#include <elf.h>
#include <errno.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

extern char **environ;

struct process *process_now;
bool process_off;

void process_count(struct process *p, enum zprof_counter kind, uint64_t n)
{
	__atomic_fetch_add(&p->header->counters[kind], n, __ATOMIC_RELAXED);
}

/* ---- the environment */

static const char *environment(const char *name)
{
	char **e;

	for (e = environ; e && *e; e++) {
		const char *a = *e, *b = name;

		while (*b && *a == *b) {
			a++;
			b++;
		}
		if (!*b && *a == '=')
			return a + 1;
	}
	return NULL;
}

void process_host(char *host)
{
	struct utsname names;

	host[0] = 0;
	if (!SYS_FAILED(sys1(SYS_uname, &names)))
		memcpy(host, names.nodename, 65);
}

const char *process_rank(void)
{
	static const char *const launchers[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
	const char *rank = NULL;
	size_t i;

	for (i = 0; !rank && i < sizeof(launchers) / sizeof(launchers[0]); i++)
		rank = environment(launchers[i]);
	return rank ? rank : "0";
}

static bool run_id_from_text(uint8_t *id, const char *text)
{
	int i;

	if (!text || strlen(text) != 32)
		return false;
	for (i = 0; i < 32; i++) {
		char c = text[i];
		int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;

		if (digit < 0)
			return false;
		id[i / 2] = (uint8_t)(id[i / 2] << 4 | digit);
	}
	return true;
}

/*
 * Programs started from this one find the run's id in their environment. The block of strings is not ours to extend, so the array of pointers is
 * copied, with one more at the end.
 */
static void pass_on_run_id(const uint8_t *id)
{
	static char variable[] = "ZPROF_RUN=00000000000000000000000000000000";
	size_t n = 0;
	char **longer;
	int i;

	for (i = 0; i < 32; i++)
		variable[10 + i] = "0123456789abcdef"[id[i / 2] >> (i & 1 ? 0 : 4) & 15];
	while (environ && environ[n])
		n++;
	longer = sys_memory((n + 2) * sizeof(*longer));
	if (!longer)
		return;
	memcpy(longer, environ, n * sizeof(*longer));
	longer[n] = variable;
	__atomic_store_n(&environ, longer, __ATOMIC_RELEASE);
}

static void choose_run_id(struct process *p, const struct process *from)
{
	if (from) {
		memcpy(p->run_id, from->run_id, sizeof(p->run_id));
		p->first = false;
		return;
	}
	if (run_id_from_text(p->run_id, environment("ZPROF_RUN")))
		return;
	p->first = true;
	sys3(SYS_getrandom, p->run_id, sizeof(p->run_id), 0);
}

/* ---- what a profile says of its process */

static void write_text(struct zprof_section *s, uint32_t kind, const char *text, size_t n)
{
	size_t room = s->bytes - s->used;
	struct zprof_text *record = (struct zprof_text *)((char *)s + s->used);
	uint32_t bytes;

	if (!n || room < sizeof(*record) + 8)
		return;
	if (n > room - sizeof(*record) - 8)
		n = room - sizeof(*record) - 8;
	bytes = ZPROF_RECORD_BYTES((uint32_t)(sizeof(*record) + n));
	record->bytes = bytes;
	record->kind = kind;
	record->text_bytes = (uint32_t)n;
	memcpy(record->text, text, n);
	__atomic_store_n(&s->used, s->used + bytes, __ATOMIC_RELEASE);
}

static void write_identity(struct process *p)
{
	struct zprof_section *s;
	char *command, path[4096], host[65];
	size_t mapped;
	long n = sys_read_file("/proc/self/cmdline", &command, &mapped);
	size_t command_bytes = n > 0 ? (size_t)n : 0;

	if (command_bytes > 1u << 20)
		command_bytes = 1u << 20;
	s = file_section(p, ZPROF_SECTION_TEXT, 0, ZPROF_GRANULE + command_bytes + sizeof(path) + strlen(p->options.raw));
	if (s) {
		write_text(s, ZPROF_TEXT_COMMAND, command, command_bytes);
		n = sys3(SYS_readlink, "/proc/self/exe", path, sizeof(path));
		write_text(s, ZPROF_TEXT_EXE, path, n > 0 ? (size_t)n : 0);
		process_host(host);
		write_text(s, ZPROF_TEXT_HOST, host, strlen(host));
		write_text(s, ZPROF_TEXT_RANK, process_rank(), strlen(process_rank()));
		write_text(s, ZPROF_TEXT_OPTIONS, p->options.raw, strlen(p->options.raw));
	}
	if (n >= 0)
		sys_memory_free(command, mapped);
}

static void write_own_zone(struct process *p)
{
	static const char name[] = "[zprof]";
	struct zprof_section *s = file_section(p, ZPROF_SECTION_ZONES, 0, ZPROF_GRANULE);
	struct zprof_zone *record;

	if (!s)
		return;
	record = (struct zprof_zone *)((char *)s + s->used);
	record->bytes = ZPROF_RECORD_BYTES(sizeof(*record) + sizeof(name) - 1);
	record->id = ZPROF_ID_SELF;
	record->kind = ZPROF_ZONE_OWN;
	record->name_bytes = sizeof(name) - 1;
	memcpy(record->text, name, sizeof(name) - 1);
	p->zones = 1;
	__atomic_store_n(&s->used, s->used + record->bytes, __ATOMIC_RELEASE);
}

static void write_header(struct process *p, const struct process *from)
{
	struct zprof_header *h = p->header;

	h->version = ZPROF_VERSION;
	h->byte_order = ZPROF_BYTE_ORDER;
	h->header_bytes = sizeof(*h);
	h->node_bytes = ZPROF_NODE_BYTES;
	h->mode = ZPROF_MODE_EXACT;
	memcpy(h->run_id, p->run_id, sizeof(h->run_id));
	h->pid = (uint32_t)sys0(SYS_getpid);
	h->parent_pid = (uint32_t)sys0(SYS_getppid);
	h->max_nodes = p->options.max_nodes;
	h->start_realtime_ns = sys_clock_ns(0);
	tick_pair(&h->start_ticks, &h->start_ns);
	h->now_ticks = h->start_ticks;
	h->now_ns = h->start_ns;
	if (from) {
		h->flags |= ZPROF_FORKED;
		h->clock = p->clock = from->clock;
		p->cost = from->cost;
		p->hz = from->hz;
	} else {
		h->clock = p->clock = tick_init();
		calibrate(p);
		p->hz = tick_hz();
	}
	h->ticks_hz = p->hz;
	h->hook_callee_milliticks = p->cost.callee_milliticks;
	h->hook_caller_milliticks = p->cost.caller_milliticks;
	h->hook_error_milliticks = p->cost.error_milliticks;
	memcpy(h->magic, ZPROF_MAGIC, sizeof(h->magic));
}

/* ---- beginning */

static uint32_t *page_wiped_by_fork(void)
{
	uint32_t *page = sys_memory(ZPROF_GRANULE);

	if (!page || SYS_FAILED(sys3(SYS_madvise, page, ZPROF_GRANULE, MADV_WIPEONFORK)))
		return NULL;
	*page = 1;
	return page;
}

static bool fill(struct process *p, struct process *from)
{
	p->inherited = from != NULL;
	if (from)
		memcpy(&p->options, &from->options, sizeof(p->options));
	choose_run_id(p, from);
	p->alive = page_wiped_by_fork();
	if (!p->alive || !modules_init(p) || !locations_init(p) || !stacks_init(p)) {
		text_complain("no memory to begin with", NULL, ENOMEM, "running unprofiled");
		return false;
	}
	if (!file_create(p, ZPROF_GRANULE))
		return false;
	p->header = (struct zprof_header *)p->file.base;
	p->header->mapped_bytes = ZPROF_GRANULE;
	write_header(p, from);
	write_identity(p);
	write_own_zone(p);
	modules_scan(p);
	p->modules.at_start = p->modules.count;
	return true;
}

/* The strings of options point into the struct they are in, so a copy's must be moved along. */
static void rebase_options(struct options *copy, const struct options *original)
{
	const char **fields[] = {&copy->output, &copy->report, &copy->only, &copy->groups, &copy->metric};
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const char *s = *fields[i];

		if (s >= original->text && s < original->text + sizeof(original->text))
			*fields[i] = copy->text + (s - original->text);
	}
}

static bool wanted(void)
{
	return !getauxval(AT_SECURE);
}

struct process *process_begin(struct process *from)
{
	struct process *p, *seen = from;

	if (!from && process_now) {
		if (*process_now->alive)
			return process_now;
		from = seen = process_now;
	}
	if (process_off || !wanted())
		goto off;
	if (from)
		file_detach(&from->file);
	p = sys_memory(sizeof(*p));
	if (!p || (!from && !options_parse(&p->options, environment("ZPROF_OPTIONS"))))
		goto off;
	if (!fill(p, from))
		goto off;
	if (from)
		rebase_options(&p->options, &from->options);
	if (!__atomic_compare_exchange_n(&process_now, &seen, p, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		file_remove(&p->file);
		sys_memory_free(p, sizeof(*p));
		return seen;
	}
	if (p->first)
		pass_on_run_id(p->run_id);
	if (p->options.verbose)
		text_complain("recording into", p->file.path, 0, NULL);
	return p;
off:
	process_off = true;
	return NULL;
}

/* ---- the end */

void process_refresh(struct process *p)
{
	tick_pair(&p->header->now_ticks, &p->header->now_ns);
}

static __attribute__((destructor)) void finish(void)
{
	struct process *p = process_now;

	if (!p || !*p->alive)
		return;
	modules_scan(p);
	process_refresh(p);
	p->header->flags |= ZPROF_FINISHED;
}
