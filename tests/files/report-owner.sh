#!/bin/sh
# SPDX-License-Identifier: MIT
# Other users' files are read only with --force: this holds for files that are named and for those found in the
# folder.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
mkdir shared && chmod 755 . && chmod 777 shared && cd shared || exit 1
make() { # FILE RUN STARTED
	sed "s/^run .*/run $2/; s/^started .*/started $3/; s/^pid .*/pid $3 1/" "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" "$1"
}
first=000102030405060708090a0b0c0d0e0f second=ffeeddccbbaa99887766554433221100

# Only root can give a file away, or become another user.
[ "$(id -u)" = 0 ] && root='' || root='sudo -n'
$root true || { skip "files of other users" "needs root, or sudo"; finish; exit; }
as_other="$root setpriv --reuid 65534 --regid 65534 --clear-groups"
give() { $root chown 65534 "$@"; }
other=$(getent passwd 65534 | cut -d: -f1)

make zprof.out.5 $first 5
chmod 644 zprof.out.5

# one that lies here, or is named
expect 0 'main [1]' "$zprof" graph
give zprof.out.5
refused="zprof: 'zprof.out.5' belongs to '$other', not to you or root, and is not read: if you trust it, make a copy, or use --force"
expect 1 "$refused" "$zprof" graph
for command in "report --json" "report --tree" graph groups info tune; do
	# shellcheck disable=SC2086
	expect 1 "$refused" "$zprof" $command zprof.out.5
done
expect 1 "belongs to '$other'" "$zprof" report .
expect 0 'main [1]' "$zprof" graph --force
expect 0 '"name":"main"' "$zprof" report -f --json zprof.out.5
# shellcheck disable=SC2086
expect 0 'main [1]' $as_other "$zprof" graph zprof.out.5

# newer than the user's own: skipped, with a message
make zprof.out.4 $second 4
"$zprof" info --json 2>errors | grep -q '"path":"zprof.out.4"'
tap $? "the user's own newest run is taken"
grep -qF "zprof: 'zprof.out.5' is newer, but belongs to '$other' and is skipped; --force reads it" errors
tap $? "and the newer one is named"
"$zprof" info --json --force 2>errors | grep -q '"path":"zprof.out.5"' && ! grep -q 'is skipped' errors
tap $? "unless --force is given"
make zprof.out.6 $second 6 && give zprof.out.6
expect 1 "zprof: 'zprof.out.6' belongs to '$other'" "$zprof" report
expect 1 "zprof: 'zprof.out.6' belongs to '$other'" "$zprof" report --run zprof.out.4

# groups
printf '[group g]\nfunc = main\n' >zprof.groups && chmod 644 zprof.groups && give zprof.groups
expect 1 "zprof: 'zprof.groups' belongs to '$other', not to you or root" "$zprof" report zprof.out.4
expect 1 "zprof: './zprof.groups' belongs to '$other', not to you or root" "$zprof" report --groups ./zprof.groups zprof.out.4
expect 0 'main' "$zprof" report --force zprof.out.4
expect 125 "zprof: 'zprof.groups' belongs to '$other', not to you or root" "$zprof" record --only group:g "$zprof" --version
rm -f zprof.groups && mkfifo zprof.groups
expect 1 "zprof: cannot read 'zprof.groups': it is not a regular file" timeout 60 "$zprof" report zprof.out.4
finish
