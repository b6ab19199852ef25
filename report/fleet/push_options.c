/* SPDX-License-Identifier: MIT */
/* push_options.c - see push_options.h. */
#include "report/fleet/push_options.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

double push_options_time(const char *value)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};
	char *end;
	double number = strtod(value, &end);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (end != value && !strcmp(end, units[i].name) && number > 0 && number < 1e9)
			return number * units[i].seconds;
	return 0;
}

static bool take_timeout(struct options *o, const char *value, struct str *err)
{
	struct push_options *own = o->own;
	own->receiver.timeout_seconds = push_options_time(value);
	return own->receiver.timeout_seconds > 0 ||
	       str_fail(err, "--timeout takes a time such as 10s or 2m");
}

static bool take_tries(struct options *o, const char *value, struct str *err)
{
	struct push_options *own = o->own;
	own->receiver.tries = options_count("--tries: attempts", value, err);
	return own->receiver.tries;
}

static bool take_label(struct options *o, const char *value, struct str *err)
{
	struct push_options *own = o->own;
	(void)err;
	*memory_next(own->labels, own->label_count, own->label_room) = value;
	return true;
}

bool push_options_labels(const struct push_options *own, struct message_labels *l, struct str *err)
{
	l->service = own->service ? own->service : l->service;
	for (size_t i = 0; i < own->label_count; i++)
		if (!message_label_add(l, own->labels[i], err))
			return false;
	return true;
}

void push_options_free(void *own)
{
	free(((struct push_options *)own)->labels);
}

const struct option_spec push_options[] = {
    {0, "service", "NAME", "What is sent", OPTION_OWN_TEXT(push_options, service),
     "the name that the receiver files the profile under; the default is ZPROF_SERVICE, or the name "
     "of the program's file"},
    {0, "label", "NAME=VALUE", NULL, OPTION_TAKE(take_label),
     "one more label, beside host, version and service_git_ref. May be given several times"},
    {0, "token-file", "FILE", "The receiver", OPTION_OWN_TEXT(push_options, receiver.token_file),
     "a file with the secret that the receiver asks for: a token, or USER:PASSWORD"},
    {0, "tenant", "NAME", NULL, OPTION_OWN_TEXT(push_options, receiver.tenant),
     "whose profiles they are, for a receiver with several tenants (X-Scope-OrgID)"},
    {0, "ca", "FILE", NULL, OPTION_OWN_TEXT(push_options, receiver.ca),
     "trust the certificates in this file instead of the system's"},
    {0, "timeout", "TIME", NULL, OPTION_TAKE(take_timeout),
     "give an attempt up after this time; the default is 30s"},
    {0, "tries", "N", NULL, OPTION_TAKE(take_tries),
     "make at most N attempts, with growing pauses; the default is 5"},
    OPTIONS_END,
};
