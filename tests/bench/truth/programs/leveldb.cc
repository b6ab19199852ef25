/* SPDX-License-Identifier: MIT */
/*
 * leveldb.cc - what leveldb does in the benchmark: puts values under keys in a random order, and gets them, in another one. All is in
 * the skip list of one large table in memory, so the program waits for memory, and not for a disk or another thread.
 */
#include "helpers/memenv/memenv.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/write_batch.h"

#include <cstdio>
#include <memory>
#include <string>

static std::string key_of(unsigned n)
{
	char text[32];

	snprintf(text, sizeof text, "key%010u", n * 2654435761u);
	return text;
}

int main(int argc, char **argv)
{
	unsigned keys = argc > 1 ? (unsigned)std::stoul(argv[1]) : 200000, sum = 0;
	std::unique_ptr<leveldb::Env> memory(leveldb::NewMemEnv(leveldb::Env::Default()));
	leveldb::Options options;
	leveldb::DB *opened = nullptr;
	std::string value;

	options.env = memory.get();
	options.create_if_missing = true;
	options.write_buffer_size = 512u << 20;
	if (!leveldb::DB::Open(options, "/db", &opened).ok())
		return 1;
	std::unique_ptr<leveldb::DB> db(opened);
	for (unsigned i = 0; i < keys; i++)
		db->Put(leveldb::WriteOptions(), key_of(i), std::string(20 + i % 80, 'v'));
	for (unsigned i = 0; i < 2 * keys; i++)
		if (db->Get(leveldb::ReadOptions(), key_of(i * 7919u % (keys + keys / 8)), &value)
			.ok())
			sum += (unsigned)value.size();
	std::unique_ptr<leveldb::Iterator> all(db->NewIterator(leveldb::ReadOptions()));
	for (all->SeekToFirst(); all->Valid(); all->Next())
		sum += (unsigned)all->key().size();
	printf("%u\n", sum);
	return 0;
}
