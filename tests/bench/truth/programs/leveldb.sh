# SPDX-License-Identifier: MIT
# leveldb, in C++: a table of 200,000 keys in memory. Its functions wait for memory.
package=leveldb
workloads=memory

build() {
	files=$(find "$source/db" "$source/table" "$source/util" "$source/helpers" -name '*.cc' ! -name '*test*' ! -name env_windows.cc \
		! -name leveldbutil.cc ! -name c.cc | sort)
	# shellcheck disable=SC2086
	compile_cxx "-std=c++17 -fno-rtti -DNDEBUG -DLEVELDB_PLATFORM_POSIX -DHAVE_FDATASYNC=1 -DHAVE_FULLFSYNC=0 -DHAVE_O_CLOEXEC=1 -DHAVE_CRC32C=0 \
-DHAVE_SNAPPY=0 -I$source -I$source/include" "$1" $files tests/bench/truth/programs/leveldb.cc -lpthread
}

run() {
	$traced "$2" $((200000 * ${times:-1}))
}
