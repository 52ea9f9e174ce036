#include "fovea/domains/mechanism/tasks/alignment_task.hpp"

#include <numeric>
#include <utility>

#include "fovea/core/base/error.hpp"

namespace fovea::mechanism::tasks {

ToyLanguage toy_language(Index adjectives, Index nouns, Index verbs, const Random& random) {
  ToyLanguage language{adjectives, nouns, verbs, {}};
  language.dictionary.resize(language.words());
  std::iota(language.dictionary.begin(), language.dictionary.end(), Index(0));
  for (std::size_t k = language.dictionary.size(); k > 1; --k)
    std::swap(language.dictionary[k - 1], language.dictionary[random.below(k, k)]);
  return language;
}

std::string random_pattern(Index words, const Random& random, std::uint64_t sentence) {
  require(words >= 3, "random_pattern: a sentence of ", words, " words; it needs two nouns and a verb.");
  const Random mine = random.stream("pattern");
  std::vector<std::string> phrases;
  for (Index left = words - 1; left > 0; left -= static_cast<Index>(phrases.back().size())) {
    const bool only_phrase = phrases.empty() && left == 2;  // there must be a noun on both sides of the verb
    const bool adjective = left >= 2 && !only_phrase && mine.below(2, sentence, static_cast<std::uint64_t>(left)) == 0;
    phrases.push_back(adjective ? "AN" : "N");
  }
  const std::size_t verb_after = mine.below(phrases.size() - 1, sentence, 0);
  std::string pattern;
  for (std::size_t p = 0; p < phrases.size(); ++p) pattern += phrases[p] + (p == verb_after ? "V" : "");
  return pattern;
}

namespace {

/// The source places in the order of the translation.
std::vector<Index> translated_order(const std::string& pattern) {
  std::vector<Index> order, verbs;
  for (std::size_t place = 0; place < pattern.size(); ++place) {
    const Index here = static_cast<Index>(place);
    if (pattern[place] == 'V') verbs.push_back(here);
    if (pattern[place] == 'N') order.push_back(here);
    if (pattern[place] == 'A') {
      require(place + 1 < pattern.size() && pattern[place + 1] == 'N', "translation: in ", pattern, " word ", place + 1,
              " is an adjective without a noun behind it.");
      order.insert(order.end(), {here + 1, here});
      ++place;
    }
  }
  require(order.size() + verbs.size() == pattern.size() && verbs.size() == 1, "translation: the pattern ", pattern,
          " must be of the letters A, N and V, with one V.");
  order.push_back(verbs[0]);
  return order;
}

}  // namespace

SentencePair sentence_of(const ToyLanguage& language, const std::string& pattern, const Random& random,
                         std::uint64_t sentence) {
  const Random mine = random.stream("words");
  SentencePair pair;
  pair.alignment = translated_order(pattern);
  for (std::size_t place = 0; place < pattern.size(); ++place) {
    const Index kinds[] = {language.adjectives, language.nouns, language.verbs};
    const Index kind = pattern[place] == 'A' ? 0 : pattern[place] == 'N' ? 1 : 2;
    const Index first = std::accumulate(kinds, kinds + kind, Index(0));
    pair.source.push_back(first +
                          static_cast<Index>(mine.below(static_cast<std::uint64_t>(kinds[kind]), sentence, place)));
  }
  for (const Index place : pair.alignment) pair.target.push_back(language.dictionary[pair.source[place]]);
  return pair;
}

std::vector<SentencePair> toy_corpus(const ToyLanguage& language, Index count, Index shortest, Index longest,
                                     const Random& random) {
  const Random lengths = random.stream("lengths");
  std::vector<SentencePair> corpus;
  for (std::uint64_t s = 0; s < static_cast<std::uint64_t>(count); ++s) {
    const Index words =
        shortest + static_cast<Index>(lengths.below(static_cast<std::uint64_t>(longest - shortest + 1), s));
    corpus.push_back(sentence_of(language, random_pattern(words, random, s), random, s));
  }
  return corpus;
}

double alignment_error(const std::vector<SentencePair>& corpus, const std::vector<std::vector<Index>>& links) {
  require(corpus.size() == links.size(), "alignment_error: ", corpus.size(), " sentences, but links for ", links.size(),
          ".");
  std::size_t words = 0, wrong = 0;
  for (std::size_t s = 0; s < corpus.size(); ++s)
    for (std::size_t i = 0; i < corpus[s].alignment.size(); ++i, ++words)
      wrong += links[s].at(i) != corpus[s].alignment[i] ? 1 : 0;
  return static_cast<double>(wrong) / static_cast<double>(words);
}

double chance_alignment_error(const std::vector<SentencePair>& corpus) {
  double words = 0, right = 0;
  for (const SentencePair& pair : corpus) {
    words += static_cast<double>(pair.target.size());
    right += static_cast<double>(pair.target.size()) / static_cast<double>(pair.source.size());
  }
  return 1 - right / words;
}

}  // namespace fovea::mechanism::tasks
