/* SPDX-License-Identifier: MIT */
/*
 * push_bytes.c - `push_bytes URL MEGABYTES`: one attempt to send a message that is larger than all
 * buffers between two processes, so that a receiver that does not read it has not had it whole
 * (report/fleet/receiver.h). Prints the outcome.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/fleet/receiver.h"

int main(int argc, char **argv)
{
	static const char *const words[] = {[FLEET_RECEIVED] = "received",
					    [FLEET_REFUSED] = "refused",
					    [FLEET_NOT_YET] = "not yet",
					    [FLEET_PERHAPS] = "perhaps"};
	struct receiver r;
	struct str err = {0};
	struct receiver_options o = {.url = argc == 3 ? argv[1] : ""};
	char query[] = "name=large%7B%7D", boundary[] = "none";
	struct message m = {.query = query, .boundary = boundary};
	if (!receiver_open(&r, &o, &err)) {
		fprintf(stderr, "push_bytes: %s\n", str_text(&err));
		return 1;
	}
	m.bytes = strtoul(argv[2], NULL, 10) << 20;
	m.body = memory_zeroed(m.bytes, 1);
	puts(words[receiver_try(&r, &m, &err)]);
	free(m.body);
	receiver_close(&r);
	str_free(&err);
	return 0;
}
