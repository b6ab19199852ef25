# SPDX-License-Identifier: MIT
# peers.sh - what other profilers show of a program, as lines of NAME <tab> SELF for the judge. Sourced by run.

# gprof counts calls, and takes samples in the program's own code, 100 per second, so the program runs longer than under others.
# Functions are those after inlining.
gprof_cell() {
	[ "$front" = fentry ] || return 0
	make_program pg '-g -pg' || return 1
	repeat_runs pg $((4 * samples)) 0 "GMON_OUT_PREFIX=$cell/gmon" || return 1
	# gprof ignores symbols with a point (f.isra.0) and would count their time for the function before
	nm "$work/pg/$name" | awk '$3 ~ /^[^.]+[.]/ { new = $3; sub(/[.].*/, "", new); print $3, new "__clone" ++n }' | sort -u -k 1,1 >"$cell/symbols"
	objcopy --redefine-syms="$cell/symbols" "$work/pg/$name" "$cell/named" || return 1
	# one run at a time: gprof takes minutes to add up many arcs; each of its times is a number of samples
	for file in "$cell"/gmon.*; do
		gprof -b -p --no-demangle "$cell/named" "$file" || return 1
	done >"$cell/gprof"
	awk '$1 ~ /^[0-9.]+$/ && NF >= 4 && $NF !~ /mcount|__fentry__/ { sub(/__clone[0-9]+$/, "", $NF); sum[$NF] += $3 }
		END { for (f in sum) print f "\t" sum[f] }' "$cell/gprof" >"$cell/shown"
	judge_cell gprof "$cell/shown" --samples "$(awk -F '\t' '{ n += 100 * $2 } END { print int(n) }' "$cell/shown")"
}

# uftrace writes a record for each call and return. For functions after inlining it uses gprof's build.
uftrace_cell() {
	peer_folder=$front
	[ "$front" != fentry ] || { peer_folder=pg && make_program pg '-g -pg' || return 1; }
	mkdir "$cell/data"
	traced="$tools/sampler --period 0 --output $cell/time -- uftrace record --no-libcall --max-stack=65535 -d $cell/data"
	run_program "$peer_folder" "$name" || return 1
	wall='' cpu='' && note_time
	uftrace report -d "$cell/data" -f self,call -s self --no-pager --demangle=no >"$cell/uftrace" 2>/dev/null
	awk 'BEGIN { unit["ns"] = 1; unit["us"] = 1e3; unit["ms"] = 1e6; unit["s"] = 1e9; unit["m"] = 6e10 }
		$2 in unit { name = $4; if (name ~ /^linux:/) name = "[" name "]"; printf "%s\t%.0f\n", name, $1 * unit[$2] }' \
		"$cell/uftrace" >"$cell/shown" || return 1
	judge_cell uftrace "$cell/shown" "kib=$(du -sk "$cell/data" | cut -f 1)"
}

# callgrind counts instructions on a simulated processor.
callgrind_cell() {
	[ "$front" = fentry ] || return 0
	traced="$tools/sampler --period 0 --output $cell/time -- valgrind -q --tool=callgrind --demangle=no --callgrind-out-file=$cell/callgrind"
	run_program "$plain" "$name" || return 1
	wall='' cpu='' && note_time
	awk -v program="$work/$plain/$name" -f tests/real/callgrind_names.awk -f tests/bench/truth/callgrind.awk "$cell/callgrind" >"$cell/shown" || return 1
	judge_cell 'callgrind, instructions' "$cell/shown" "kib=$(du -k "$cell/callgrind" | cut -f 1)"
}

# If a peer is not installed, or fails, nothing is shown and the cell says why.
peer_cell() { # PEER
	new_cell
	command=$1
	[ "$1" != callgrind ] || command=valgrind
	if ! command -v "$command" >/dev/null; then
		missing_cell "$1" 'not installed'
	elif ! "${1}_cell"; then
		missing_cell "$1" 'failed'
	fi
}
