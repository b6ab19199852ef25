/* SPDX-License-Identifier: MIT */
/* after_run.c - see after_run.h. */
#include "report/record/after_run.h"

#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/core/base/say.h"
#include "report/record/record_flags.h"

const struct option_spec *after_run_options_at(size_t i)
{
	return after_runs[i] ? after_runs[i]->options : NULL;
}

bool after_run_is_given(const struct after_given *given, const struct after_run *flag)
{
	for (size_t i = 0; i < given->count; i++)
		if (given->list[i].flag == flag)
			return true;
	return false;
}

bool after_run_give(struct options *o, const struct after_run *flag)
{
	struct after_given *given = &((struct record_flags *)o->own)->after;
	if (after_run_is_given(given, flag))
		return true;
	*memory_next(given->list, given->count, given->room) = (struct after_one){.flag = flag};
	return true;
}

bool after_run_give_value(struct options *o, const struct after_run *flag, const char *value)
{
	struct after_given *given = &((struct record_flags *)o->own)->after;
	after_run_give(o, flag);
	for (size_t i = 0; i < given->count; i++)
		if (given->list[i].flag == flag)
			given->list[i].value = value;
	return true;
}

const char *after_run_value(const struct after_given *given, const struct after_run *flag)
{
	for (size_t i = 0; i < given->count; i++)
		if (given->list[i].flag == flag)
			return given->list[i].value;
	return NULL;
}

bool after_run_check(const struct after_given *given, const struct record_flags *flags,
		     struct str *err)
{
	for (size_t i = 0; i < given->count; i++) {
		const struct after_run *flag = given->list[i].flag;
		if (flag->check && !flag->check(flag, flags, err))
			return false;
	}
	return true;
}

bool after_run_begin(struct after_given *given, const struct record_flags *flags, struct str *err)
{
	for (size_t i = 0; i < given->count; i++) {
		struct after_one *one = &given->list[i];
		if (one->flag->begin && !(one->kept = one->flag->begin(one->flag, flags, err)))
			return false;
	}
	return true;
}

void after_run_add(const struct after_given *given, const struct after_recorded *run)
{
	struct str err = {0};
	for (size_t i = 0; i < given->count; i++) {
		const struct after_one *one = &given->list[i];
		if (one->flag->add && !one->flag->add(one->kept, run, &err))
			say("%s", str_text(&err));
		str_clear(&err);
	}
	str_free(&err);
}

bool after_run_show(const struct after_given *given, const struct after_recorded *run,
		    struct str *err)
{
	for (size_t i = 0; i < given->count; i++) {
		const struct after_one *one = &given->list[i];
		if (one->flag->show && !one->flag->show(one->kept, run, err))
			return false;
	}
	return true;
}

const struct after_one *after_run_runs(const struct after_given *given)
{
	for (size_t i = 0; i < given->count; i++)
		if (given->list[i].flag->run)
			return &given->list[i];
	return NULL;
}

void after_run_end(struct after_given *given)
{
	for (size_t i = 0; i < given->count; i++)
		if (given->list[i].kept)
			given->list[i].flag->end(given->list[i].kept);
	free(given->list);
	*given = (struct after_given){0};
}
