# SPDX-License-Identifier: MIT
# sqlite's shell: a script of inserts, joins, indices, triggers, JSON, full text search.
package=sqlite3
workloads=script
# A build takes half a minute of a processor. So --fentry has sqlite in test-real-full alone; tcc, bzip2 and jsoncpp have it each time.
# The build with the hooks of the source's functions is that of the viewers' tests, too.
builds='gcc: gcc:--entries'

# Tcl makes the amalgamation from the sources.
prepare() {
	"$source/configure" --disable-tcl --disable-readline && make sqlite3.c shell.c
}

build() {
	compile_c "-I$work -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_FTS3 -DSQLITE_ENABLE_FTS3_PARENTHESIS \
-DSQLITE_ENABLE_RTREE=1 -DSQLITE_SOUNDEX=1 -DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_STMTVTAB -DSQLITE_ENABLE_MATH_FUNCTIONS" \
		"$1" "$work/sqlite3.c" "$work/shell.c" -lm -ldl -lpthread
}

run() {
	for _ in $(seq "${times:-1}"); do
		echo ".open --new new.db"
		cat "$root/tests/real/programs/sqlite.sql"
	done >script.sql
	$traced "$2" -batch <script.sql
}
