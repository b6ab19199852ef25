# SPDX-License-Identifier: MIT
# jsoncpp, a C++ library: a program that makes, writes and reads documents by it.
package=libjsoncpp
workloads=documents

build() {
	compile_cxx "-std=c++11 -Wall -I$source/include" "$1" "$source"/src/lib_json/*.cpp tests/real/programs/jsoncpp.cc
}

run() {
	$traced "$2"
}
