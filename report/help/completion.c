/* SPDX-License-Identifier: MIT */
/* completion.c - see completion.h. */
#include "report/help/completion.h"

#include <string.h>

#include "report/help/offers.h"
#include "report/help/shells.h"

bool completion_print(const char *shell, const struct command *const *commands)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} shells[] = {{"bash", bash_print}, {"zsh", zsh_print}, {"fish", fish_print}};
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (!strcmp(shell, shells[i].name)) {
			offers_commands = commands;
			shells[i].print();
			return true;
		}
	return false;
}
