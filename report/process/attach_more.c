/* SPDX-License-Identifier: MIT */
/* attach_more.c - see attach_more.h. */
#include "report/process/attach_more.h"

#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/process/attach_wait.h"

const struct option_spec *attach_more_options_at(size_t i)
{
	return attach_mores[i] ? attach_mores[i]->options : NULL;
}

void *attach_more_given(struct options *o, const struct attach_more *more)
{
	struct attach_options *own = o->own;
	if (own->more != more) {
		free(own->given);
		own->more = more;
		own->given = memory_zeroed(1, more->bytes);
	}
	return own->given;
}
