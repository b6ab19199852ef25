/* SPDX-License-Identifier: MIT */
/* record_archive.c - see record_archive.h. */
#include "report/record/record_archive.h"

#include "report/core/base/progress.h"
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/files/archive.h"

#define MOST 10000000 /* bytes to add, all files together */

void record_archive(const struct find_files *files, bool quiet)
{
	struct archive a;
	struct str err = {0};
	char bytes[UNITS_TEXT];
	uint64_t added = 0, sources = 0;
	archive_init(&a);
	a.anyone = true; /* processes of this run may have changed their user */
	for (size_t i = 0; i < files->count && added < MOST; i++) {
		struct archive_result r;
		a.most = MOST - added;
		if (!archive_file(&a, files->paths[i], NULL, &r, &err))
			say("names and sources are not in the profile: %s", str_text(&err));
		str_clear(&err);
		added += r.bytes;
		sources += r.sources;
	}
	progress_end();
	if (sources && !quiet)
		say("sources of %s were left out of the profile; 'zprof archive' puts them in",
		    units_bytes(bytes, sources));
	str_free(&err);
	archive_free(&a);
}
