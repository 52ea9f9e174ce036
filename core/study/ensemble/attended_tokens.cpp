#include "fovea/core/study/ensemble/attended_tokens.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/study/ensemble/rows.hpp"

namespace fovea::study {

void check_has_attention(const std::string& source, const std::vector<Member>& members) {
  for (const Member& member : members)
    if (!member.model->has_weights())
      throw DataError(concat(source,
                             ": this model does not become a case by attention to its tokens, so there is none to "
                             "write; leave it out, or train a model with a class token."));
}

std::vector<double> attention_of(const std::vector<Member>& members, const Cases& cases, const Matrix<float>& inputs,
                                 Index batch_tokens) {
  std::vector<double> mean(cases.tokens(), 0.0);
  const std::vector<Index> items = first_numbers(cases.count());
  for (const Member& member : members) {
    const Matrix<double> logs = scores_of_tokens(member, cases, inputs, items, batch_tokens);
    for (Index item = 0; item < cases.count(); ++item) {
      if (cases.size(item) == 0) continue;
      const Index first = cases.offsets[item];
      const auto mine = logs.col(0).segment(first, cases.size(item));
      const double top = mine.maxCoeff();
      double sum = 0;
      for (Index i = 0; i < mine.size(); ++i) sum += std::exp(mine(i) - top);
      for (Index i = 0; i < mine.size(); ++i)
        mean[first + i] += std::exp(mine(i) - top) / sum / static_cast<double>(members.size());
    }
  }
  return mean;
}

std::vector<Index> largest_weights(std::span<const double> weights, Index most) {
  std::vector<Index> places = first_numbers(static_cast<Index>(weights.size()));
  const auto end = places.begin() + std::min(most, static_cast<Index>(weights.size()));
  std::partial_sort(places.begin(), end, places.end(), [&](Index a, Index b) {
    const double one = weights[a], other = weights[b];
    return one != other ? one > other : a < b;
  });
  places.erase(end, places.end());
  return places;
}

}  // namespace fovea::study
