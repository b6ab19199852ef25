/* SPDX-License-Identifier: MIT */
/* push.c - see push.h. */
#include "report/fleet/push.h"

#include <stdlib.h>

#include "report/core/base/say.h"

bool push_open(struct push *p, const struct receiver_options *o, struct str *err)
{
	*p = (struct push){0};
	if (!receiver_open(&p->receiver, o, err))
		return false;
	message_labels_from_environment(&p->labels, &p->labels_text);
	return true;
}

void push_close(struct push *p)
{
	receiver_close(&p->receiver);
	str_free(&p->labels_text);
	free(p->labels.more);
}

void push_file(struct push *p, char *file, uint32_t recording, bool anyone)
{
	struct message m;
	struct str why = {0};
	if (message_make(&m, file, recording, &p->labels, anyone, &why)) {
		enum fleet_outcome outcome = receiver_deliver(&p->receiver, &m, NULL, &why);
		p->counts.of[outcome]++;
		message_free(&m);
		if (outcome == FLEET_PERHAPS)
			say("'%s' was perhaps received, and is not sent again: %s", file,
			    str_text(&why));
		else if (outcome != FLEET_RECEIVED)
			say("'%s' was not received: %s", file, str_text(&why));
	} else {
		p->unreadable++;
		say("%s", str_text(&why));
	}
	str_free(&why);
}

bool push_say(const struct push *p)
{
	struct str text = {0};
	fleet_counts_text(&p->counts, &text);
	if (p->receiver.retried)
		str_add(&text, "; %lu further attempts", p->receiver.retried);
	say("%s", str_text(&text));
	str_free(&text);
	for (int i = 0; i < FLEET_OUTCOMES; i++)
		if (i != FLEET_RECEIVED && p->counts.of[i])
			return false;
	return !p->unreadable;
}
