# SPDX-License-Identifier: MIT
# How callgrind writes names: `(id) name` once, and `(id)` from then on (valgrind's manual, "Callgrind Format Specification").

# "(12) name" or "(12)": remembers the name in `names`, returns the id.
function id_of(text, names,    id) {
	id = text
	sub(/\).*/, "", id)
	sub(/^\(/, "", id)
	if (text ~ /\) /) {
		sub(/^\([0-9]+\) /, "", text)
		names[id] = text
	}
	return id
}
