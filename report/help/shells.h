/* SPDX-License-Identifier: MIT */
/* shells.h - the completion script of each shell, on stdout. All offer the same (offers.h). */
#ifndef REPORT_SHELLS_H
#define REPORT_SHELLS_H

void bash_print(void);
void zsh_print(void);
void fish_print(void);

#endif
