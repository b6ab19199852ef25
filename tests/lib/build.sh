# SPDX-License-Identifier: MIT
# build.sh - what programs/NAME.sh uses to build a real program. program.sh says what such a file
# defines.
#
# Sourced with $name the program, and $real the folder to work in. Its user sets, for each build, $cc, $cxx, $level and $hooks: the
# compilers and their flags. With $reversed it also links OUTPUT-reversed, from the same objects in the opposite order, so that
# its code is laid out differently.

# Fetches the sources into $real and prepares them; sets $work and $source.
prepare_program() {
	work=$real/$name
	source=$(tests/real/source.sh "$package" "$real") || return 1
	mkdir -p "$work"
	exec 8>"$work.preparing" # by one test at a time
	flock 8
	prepare_once
	prepared=$?
	exec 8>&-
	return $prepared
}
prepare_once() {
	[ ! -e "$work/prepared" ] || return 0
	! command -v prepare >/dev/null || (cd "$work" && rm -rf ./* && prepare) >"$real/$name.log" 2>&1 8>&- || {
		tail -5 "$real/$name.log" >&2
		return 1
	}
	: >"$work/prepared"
}

# Whether nothing that it is made of is newer, including headers beside the sources.
is_newest() { # OUTPUT SOURCE... [-lLIBRARY...]
	newest=$1
	shift
	for file in "$@"; do
		case $file in -l* | -Wl,*) continue ;; esac
		[ -z "$(find "$file" "${file%/*}" -maxdepth 1 \( -path "$file" -o -name "*.h" \) -newer "$newest")" ] || return 1
	done
}

# One test at a time makes an OUTPUT.
compile() { # COMPILER FLAGS OUTPUT SOURCE... [-lLIBRARY...]
	(flock 7 && compile_once "$@") 7>"$3.lock"
}
compile_once() {
	compiler=$1 own_flags=$2 output=$3
	built="$* $level $hooks"
	shift 3
	[ -x "$output${reversed:+-reversed}" ] && [ "$(cat "$output.built")" = "$built" ] && is_newest "$output" "$@" && return
	objects='' backwards='' libraries=''
	for file in "$@"; do
		case $file in -l* | -Wl,*) libraries="$libraries $file"; continue ;; esac
		object=${output%/*}/${file##*/}.o
		objects="$objects $object" backwards="$object $backwards"
		# shellcheck disable=SC2086
		"$compiler" $own_flags $level $hooks -w -c "$file" -o "$object" || return 1
	done
	# shellcheck disable=SC2086
	{ [ -z "${reversed:-}" ] || "$compiler" $level $hooks $backwards -o "$output-reversed" $libraries; } &&
		"$compiler" $level $hooks $objects -o "$output" $libraries && echo "$built" >"$output.built"
}
compile_c() { compile "$cc" "$@"; }
compile_cxx() { compile "$cxx" "$@"; }
