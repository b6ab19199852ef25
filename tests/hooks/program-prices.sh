#!/bin/sh
# SPDX-License-Identifier: MIT
# program-prices.sh - hooks are measured again as the program ends, if the latest measurement is more than a second old. The
# program stores a price in its own profile that no hooks have.
root=$(cd "${0%/*}/../.." && pwd)
. "${0%/*}/../lib/golden.sh"

cat >slow.c <<'END'
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>
#include "preload/format.h"
__attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }
int main(void)
{
	static const uint32_t price = 0xfffffff;
	int fd;

	leaf();
	usleep(1200000);
	fd = open("profile", O_WRONLY);
	return pwrite(fd, &price, sizeof(price), offsetof(struct zprof_header, hook_error_milliticks)) != sizeof(price);
}
END
cat >price.c <<'END'
#include <stdio.h>
#include "preload/format.h"
int main(void)
{
	static struct zprof_header h;
	FILE *f = fopen("profile", "rb");

	if (!f || fread(&h, sizeof(h), 1, f) != 1)
		return 1;
	puts(h.hook_error_milliticks == 0xfffffff ? "stale" : "new");
	return 0;
}
END
gcc -g -I"$root" -finstrument-functions slow.c -o slow && gcc -I"$root" price.c -o price || exit 1
for clock in exact count; do
	rm -f profile
	ZPROF_OPTIONS=clock=$clock,output=profile LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./slow
	is "clock=$clock: the program ends as ever" 0 $?
	./price >price.$clock
done
is "clock=exact: the price is a new one" new "$(cat price.exact)"
is "clock=count: the price is that of the start, since no time is taken off by it" stale "$(cat price.count)"
finish
