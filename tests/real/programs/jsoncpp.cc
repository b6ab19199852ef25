/* SPDX-License-Identifier: MIT */
/* jsoncpp.cc - makes documents with jsoncpp, writes them in every style, and reads them again. */
#include <json/json.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>

static Json::Value made(unsigned seed, int depth)
{
	seed = seed * 1103515245u + 12345u;
	unsigned kind = seed >> 16;
	if (depth == 0 || kind % 7 == 0)
		switch (kind % 5) {
		case 0:
			return kind % 2 == 0;
		case 1:
			return static_cast<int>(kind) - 30000;
		case 2:
			return kind / 8.0;
		case 3:
			return Json::Value();
		default:
			return "text \"" + std::to_string(kind) + "\"\n\t\xc3\xa9";
		}
	Json::Value value(kind % 3 ? Json::objectValue : Json::arrayValue);
	for (unsigned i = 0; i < 3 + kind % 4; i++)
		if (value.isObject())
			value["member" + std::to_string((seed + i) % 23)] =
			    made(seed + i, depth - 1);
		else
			value.append(made(seed + 7 * i, depth - 1));
	return value;
}

static std::string written(const Json::Value &value, const char *indentation)
{
	Json::StreamWriterBuilder builder;
	builder["indentation"] = indentation;
	builder["commentStyle"] = "All";
	return Json::writeString(builder, value);
}

static size_t leaves(const Json::Value &value)
{
	size_t n = value.size() == 0;
	for (const Json::Value &child : value)
		n += leaves(child);
	return n;
}

/* jsoncpp [DOCUMENTS] */
int main(int argc, char **argv)
{
	unsigned documents = argc > 1 ? (unsigned)atoi(argv[1]) : 24;
	Json::CharReaderBuilder builder;
	std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
	for (unsigned i = 0; i < documents; i++) {
		Json::Value document = made(i, 5), again;
		document.setComment(std::string("// document ") + std::to_string(i),
				    Json::commentBefore);
		for (const char *indentation : {"", "  "}) {
			std::string text = written(document, indentation), errors;
			if (!reader->parse(text.data(), text.data() + text.size(), &again,
					   &errors) ||
			    again != document)
				std::cout << "differs: " << errors << '\n';
			std::string cut = text.substr(0, text.size() * 2 / 3);
			std::cout << text.size() << ' ' << leaves(again) << ' '
				  << reader->parse(cut.data(), cut.data() + cut.size(), &again,
						   &errors)
				  << ' ' << errors.substr(0, 80) << '\n';
		}
		std::istringstream stream("/* first */ [1, 2.5e3, {\"a\": null}] // last");
		stream >> again;
		std::vector<std::string> names =
		    document.isObject() ? document.getMemberNames() : std::vector<std::string>();
		std::sort(names.begin(), names.end(), std::greater<std::string>());
		for (const std::string &name : names)
			document.removeMember(name);
		std::cout << again << ' ' << names.size() << document.empty() << '\n';
	}
}
