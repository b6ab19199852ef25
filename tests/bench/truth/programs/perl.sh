# SPDX-License-Identifier: MIT
# perl, without extensions: an interpreter whose hashes wait for memory.
package=perl
workloads=hashes

# What its authors' miniperl is made of.
prepare() {
	sh "$source/Configure" -des -Dmksymlinks -Uusethreads -Dcc=gcc -Doptimize=-O2 && make uudmap.h bitcount.h
}

build() {
	set -- "$1" $(cd "$work" && for file in av scope op doop doio dump gv hv mg reentr mro_core perl perly pp pp_hot pp_ctl pp_sys regcomp regexec \
		utf8 sv taint toke util deb run builtin universal pad globals keywords perlio numeric mathoms locale pp_pack pp_sort caretx dquote \
		time64 miniperlmain; do echo "$work/$file.c"; done)
	compile_c "-std=gnu99 -fwrapv -fno-strict-aliasing -D_LARGEFILE_SOURCE -D_FILE_OFFSET_BITS=64 -DPERL_CORE -DPERL_IS_MINIPERL \
-DPERL_EXTERNAL_GLOB -I$work" "$@" -lm -lcrypt -ldl
}

run() {
	PERL_HASH_SEED=0 $traced "$2" -e '
		my (%count, %pair, $found);
		for my $i (1 .. 250000 * shift) {
			my $key = "key" . ($i * 7919 % 200003);
			$count{$key} += $i;
			$pair{$key}{$i % 3} = $i unless $i % 4;
			$found++ if exists $count{"key" . ($i * 104729 % 400009)};
		}
		my $sum = 0;
		$sum += $count{$_} % 7 for sort keys %count;
		$sum += keys %$_ for values %pair;
		my $text = join ",", map { "$_=$count{$_}" } grep { /9$/ } keys %count;
		$found++ while $text =~ /key(\d+)7=/g;
		print "$found $sum ", length $text, "\n";' "${times:-1}"
}
