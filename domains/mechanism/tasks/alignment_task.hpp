#pragma once
/// A toy language and its translation, whose alignment is known: for the experiment "mechanism.alignment".
///
/// A sentence is a row of noun phrases, "noun" or "adjective noun", with one verb after one of them, not the last. Its
/// translation has each word's counterpart, in another order: adjectives follow their nouns, the verb stands at the
/// end.
///
///   source   adjective noun verb noun adjective noun
///   target   noun adjective noun noun adjective verb      aligned with source places 1 0 3 5 4 2

#include <string>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::mechanism::tasks {

/// Source words are numbered: first the adjectives, then the nouns, then the verbs.
struct ToyLanguage {
  Index adjectives = 1, nouns = 1, verbs = 1;
  std::vector<Index> dictionary;  ///< the counterpart of each source word: a permutation
  Index words() const { return adjectives + nouns + verbs; }
};
ToyLanguage toy_language(Index adjectives, Index nouns, Index verbs, const Random& random);

struct SentencePair {
  std::vector<Index> source, target;
  std::vector<Index> alignment;  ///< the source place of each target word
};

/// The kinds of a sentence's words, such as "ANVN": adjective, noun, verb. words >= 3: two nouns and a verb at least.
std::string random_pattern(Index words, const Random& random, std::uint64_t sentence);

/// A sentence of this pattern with words drawn evenly from each kind, and its translation. Throws ArgumentError where
/// the pattern is not of the language.
SentencePair sentence_of(const ToyLanguage& language, const std::string& pattern, const Random& random,
                         std::uint64_t sentence);

/// `count` sentences with lengths drawn evenly from shortest ... longest.
std::vector<SentencePair> toy_corpus(const ToyLanguage& language, Index count, Index shortest, Index longest,
                                     const Random& random);

/// Alignment error rate (Och & Ney 2003, section 5.3): 1 - (|A and S| + |A and P|) / (|A| + |S|). Here all links are
/// sure and each target word has one on both sides, so it is the share of target words that are linked wrongly.
double alignment_error(const std::vector<SentencePair>& corpus, const std::vector<std::vector<Index>>& links);

/// What links drawn evenly from the source words are expected to have: 1 - mean over target words of 1 / source words.
double chance_alignment_error(const std::vector<SentencePair>& corpus);

}  // namespace fovea::mechanism::tasks
