#pragma once
/// What predictions rest on: three attributions of each token, and whether they agree.
///
/// Attention weights, gradient x input (Shrikumar, Greenside, Kundaje 2017) and deletion (Zeiler & Fergus 2014) are set
/// beside each other, because attention alone need not explain (Jain & Wallace 2019).

#include <array>
#include <string>
#include <vector>

#include "fovea/core/study/ensemble/fitting.hpp"

namespace fovea::study {

inline const std::array<std::string, 3> kAttributions{"attention", "gradient x input", "deletion"};

struct Explanation {
  std::vector<Index> items;  ///< cases that were explained, of at least 2 tokens
  /// Spearman's rank correlation of the sizes of two attributions over the tokens of a case, mean over cases and
  /// members: 3 x 3, 1 on the diagonal; NaN where nothing could be compared.
  Matrix<double> agreement;
  /// The same between two members, for each attribution, mean over pairs and cases; NaN with one member.
  std::vector<double> stability;
  /// Of each feature: mean over cases of |sum over tokens of gradient x input|, and mean |change of the answer| when
  /// the feature is replaced by its training mean. In units of the logit, or of the target's standard deviations. Where
  /// tokens have classes, of each class: the sum is over its tokens, and all that they say is replaced by nothing.
  std::vector<double> by_gradient, by_deletion;
  bool has_attention = false;
};

/// Explains the first `most` of `items` that have 2 tokens or more; for targets of cases. The explained answer
/// is the logit (of the class that the first member finds most probable; of hazards that of the first end in the first
/// interval), or the mean.
Explanation explain(const std::vector<Member>& members, const Target& target, const Preparation& preparation,
                    const Cases& cases, const Matrix<float>& inputs, const std::vector<Index>& items, Index most);

/// What the answer of a case owes to each of these tokens (numbers from 0 within the case): the answer of the whole set
/// less that of the set without the token, its time, coordinates and class, asked at the same time; mean over the
/// members, of this output, such as the logit. A token whose inputs are 0 still takes attention from the others, which
/// deletion leaves as it is and removal does not. Sets are computed side by side.
std::vector<double> removals_of(const std::vector<Member>& members, const Cases& cases, const Matrix<float>& inputs,
                                Index item, std::span<const Index> tokens, Index output = 0);

/// Gradient x input of each token of a case (learning/explanation.hpp), mean over the members, of this output.
std::vector<double> gradient_shares_of(const std::vector<Member>& members, const Cases& cases,
                                       const Matrix<float>& inputs, Index item, Index output = 0);

}  // namespace fovea::study
