#include "fovea/domains/mechanism/tasks/example_sets.hpp"

#include <numeric>

namespace fovea::mechanism::tasks {

std::vector<Index> ExampleSets::sizes() const {
  std::vector<Index> sizes;
  for (Index example = 0; example < count(); ++example) sizes.push_back(size(example));
  return sizes;
}

template <typename Real>
PackedSets<Real> pack(learning::Tape<Real>& tape, const ExampleSets& sets, std::span<const Index> examples) {
  learning::Tokens& tokens = tape.template kept<learning::Tokens>();
  tokens.offsets.assign(1, 0);
  for (const Index example : examples) tokens.offsets.push_back(tokens.offsets.back() + sets.size(example));
  const learning::Variable<Real> x = tape.constant(tokens.count(), sets.tokens.cols());
  for (std::size_t k = 0; k < examples.size(); ++k)
    x.value().middleRows(tokens.offsets[k], sets.size(examples[k])) =
        sets.tokens.middleRows(sets.begin(examples[k]), sets.size(examples[k])).template cast<Real>();
  return {x, &tokens};
}

template PackedSets<float> pack(learning::Tape<float>&, const ExampleSets&, std::span<const Index>);
template PackedSets<double> pack(learning::Tape<double>&, const ExampleSets&, std::span<const Index>);

std::vector<Index> numbers_from(Index first, Index count) {
  std::vector<Index> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

}  // namespace fovea::mechanism::tasks
