// SPDX-License-Identifier: MIT
// long-names.cc - a C++ program for the page, with names of a thousand letters: containers of containers, called by a thread pool's
// worth of functions that the standard library wraps.
#include <functional>
#include <future>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace shop::orders::v2
{

struct Value;
using Object = std::map<std::string, Value, std::less<>>;
using List = std::vector<Value>;

struct Value : std::variant<std::nullptr_t, bool, double, std::string, List, Object> {
	using variant::variant;
};

template <typename Key, typename... Rest> struct Index {
	std::map<Key, std::function<double(const Value &, Rest...)>> rules;
	double apply(const Value &value, Rest... rest) const
	{
		double sum = 0;
		for (const auto &[key, rule] : rules)
			sum += rule(value, rest...);
		return sum;
	}
};

static double weigh(const Value &value, const std::map<std::string, std::vector<double>> &prices)
{
	if (auto object = std::get_if<Object>(&value)) {
		double sum = 0;
		for (const auto &[name, member] : *object)
			sum += weigh(member, prices) + prices.at("price").size();
		return sum;
	}
	if (auto list = std::get_if<List>(&value)) {
		double sum = 0;
		for (const auto &member : *list)
			sum += weigh(member, prices);
		return sum;
	}
	return std::holds_alternative<double>(value) ? std::get<double>(value) : 1;
}

} // namespace shop::orders::v2

int main()
{
	using namespace shop::orders::v2;
	std::map<std::string, std::vector<double>> prices{{"price", {1, 2, 3}}};
	Index<std::pair<std::string, unsigned>, std::map<std::string, std::vector<double>>> index;
	for (unsigned i = 0; i < 20; i++)
		index.rules[{"rule", i}] = [](const Value &value, auto prices) {
			return weigh(value, prices);
		};
	auto work = std::async(std::launch::async, [&] {
		double sum = 0;
		for (unsigned i = 0; i < 400; i++) {
			Object order{
			    {"name", std::string("order")},
			    {"items", List{1.0, true, std::string("x"), Object{{"n", 2.0}}}}};
			sum += index.apply(Value(order), prices);
		}
		return sum;
	});
	return work.get() < 0;
}
