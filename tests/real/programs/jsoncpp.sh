# SPDX-License-Identifier: MIT
# jsoncpp, a C++ library: a program that makes, writes and reads documents with it.
package=libjsoncpp
workloads=documents
# The other hooks name inlined functions of headers, some of which are internal to the C++ library.
clang_hooks=--after-inlining
# clang's have jsoncpp in test-real-full alone; ninja has them each time.
builds='gcc: gcc:--fentry gcc:--entries'

build() {
	compile_cxx "-std=c++11 -Wall -I$source/include" "$1" "$source"/src/lib_json/*.cpp tests/real/programs/jsoncpp.cc
}

run() {
	$traced "$2" $((24 * ${times:-1}))
}
