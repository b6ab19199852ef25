/* SPDX-License-Identifier: MIT */
/* places: see the header. */
#include "vm-6502/profile/places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "preload/zprof.h"
#include "vm-6502/profile/grow.h"
#include "vm-6502/profile/lend.h"

bool places_begin(struct places *p, struct contexts *zones, const char *path, char *err,
		  size_t size)
{
	struct zprof_asking asking;

	*p = (struct places){.path = path, .zones = zones};
	if (!lend_counts(&asking)) {
		snprintf(err, size,
			 "a listing needs zprof to record by samples: zprof record, without "
			 "--clock=exact");
		return false;
	}
	p->to = fopen(path, "w");
	if (!p->to)
		snprintf(err, size, "cannot open '%s': %s", path, strerror(errno));
	return p->to;
}

void places_end_line(struct places *p, const char *name, const struct place *took)
{
	fputc('\n', p->to);
	p->line++;
	if (!took || !took->cycles || !grow(&p->counted, p->used, &p->room, sizeof *p->counted))
		return;
	p->counted[p->used++] = (struct zprof_counted){
	    .zone = contexts_zone(p->zones, name, "places", p->path, p->line),
	    .calls = took->runs,
	    .counter = {took->cycles, took->count}};
	p->cycles += took->cycles;
	p->count += took->count;
}

bool places_finish(struct places *p)
{
	bool good = !ferror(p->to);

	lend_add(p->counted, p->used);
	free(p->counted);
	return fclose(p->to) == 0 && good;
}
