# SPDX-License-Identifier: MIT
# jsoncpp, a C++ library: a program that makes, writes and reads documents by it.
package=libjsoncpp
workloads=documents
# Its others name functions of headers that were inlined, and some of those the C++ library keeps to itself.
clang_hooks=--after-inlining

build() {
	compile_cxx "-std=c++11 -Wall -I$source/include" "$1" "$source"/src/lib_json/*.cpp tests/real/programs/jsoncpp.cc
}

run() {
	$traced "$2"
}
