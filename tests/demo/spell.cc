// SPDX-License-Identifier: MIT
// spell.cc - a C++ program to look at: it suggests words for misspelled ones. Names are long, two functions have the same name,
// and one of them takes nearly all of the time.
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#define APART __attribute__((noinline))

namespace spelling
{

struct Weights {
	int insertion = 1, deletion = 1, substitution = 2;
};

template <class Text, class Costs> class Dictionary
{
      public:
	APART void add(const Text &word);
	APART void add(const std::vector<Text> &words);
	APART std::vector<std::pair<int, Text>> propose(const Text &word, int most) const;

      private:
	APART int distance(const Text &a, const Text &b) const;
	APART bool is_hopeless(const Text &a, const Text &b, int most) const;
	std::vector<Text> known;
	Costs costs;
};

template <class Text, class Costs> void Dictionary<Text, Costs>::add(const Text &word)
{
	known.push_back(word);
}

template <class Text, class Costs> void Dictionary<Text, Costs>::add(const std::vector<Text> &words)
{
	for (const Text &word : words)
		add(word);
}

template <class Text, class Costs>
int Dictionary<Text, Costs>::distance(const Text &a, const Text &b) const
{
	std::vector<int> row(b.size() + 1);
	for (std::size_t k = 0; k < row.size(); k++)
		row[k] = int(k) * costs.insertion;
	for (std::size_t i = 0; i < a.size(); i++) {
		int corner = row[0];
		row[0] += costs.deletion;
		for (std::size_t k = 0; k < b.size(); k++) {
			int same = corner + (a[i] == b[k] ? 0 : costs.substitution);
			corner = row[k + 1];
			row[k + 1] = std::min(
			    same, std::min(row[k] + costs.insertion, corner + costs.deletion));
		}
	}
	return row.back();
}

template <class Text, class Costs>
bool Dictionary<Text, Costs>::is_hopeless(const Text &a, const Text &b, int most) const
{
	return a.size() > b.size() + std::size_t(most) || b.size() > a.size() + std::size_t(most);
}

template <class Text, class Costs>
std::vector<std::pair<int, Text>> Dictionary<Text, Costs>::propose(const Text &word, int most) const
{
	std::vector<std::pair<int, Text>> proposals;
	for (const Text &other : known) {
		if (is_hopeless(word, other, most))
			continue;
		int far = distance(word, other);
		if (far <= most)
			proposals.emplace_back(far, other);
	}
	std::sort(proposals.begin(), proposals.end());
	return proposals;
}

} // namespace spelling

static APART std::string make_word(unsigned n)
{
	std::string word;
	for (n = n * 2654435761u >> 8; n; n /= 26)
		word += char('a' + n % 26);
	return word;
}

int main()
{
	spelling::Dictionary<std::string, spelling::Weights> dictionary;
	std::vector<std::string> words;
	std::size_t proposals = 0;
	for (unsigned i = 1; i <= 3000; i++)
		words.push_back(make_word(i));
	dictionary.add(words);
	for (unsigned i = 1; i <= 1000; i++)
		proposals += dictionary.propose(make_word(i * 7 + 1), 3).size();
	std::printf("%zu proposals\n", proposals);
	return 0;
}
