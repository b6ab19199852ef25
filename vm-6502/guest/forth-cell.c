/* SPDX-License-Identifier: MIT */
/* forth-cell: see the header. */
#include "vm-6502/guest/forth-cell.h"

static void on_write(struct m6502 *m, struct m6502_hook *hook, uint16_t at, uint8_t value)
{
	struct forth_cell *c = (struct forth_cell *)hook;

	if (c->former && c->former->write)
		c->former->write(m, c->former, at, value);
	c->changed(c->context);
}

static bool on_run(struct m6502 *m, struct m6502_hook *hook)
{
	struct forth_cell *c = (struct forth_cell *)hook;

	return c->former && c->former->run && c->former->run(m, c->former);
}

void forth_cell_watch(struct forth_cell *c, struct m6502 *m, uint16_t at, void (*changed)(void *),
		      void *context)
{
	*c = (struct forth_cell){.hook = {.run = on_run, .write = on_write},
				 .m = m,
				 .at = at + 1,
				 .changed = changed,
				 .context = context};
	c->former = m6502_set_hook(m, c->at, &c->hook);
}

void forth_cell_leave(struct forth_cell *c)
{
	if (c->m)
		m6502_set_hook(c->m, c->at, c->former);
	c->m = NULL;
}
