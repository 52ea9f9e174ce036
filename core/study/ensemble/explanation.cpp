#include "fovea/core/study/ensemble/explanation.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/learning/explanation.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

namespace {

using learning::Tape;
using Float = learning::Variable<float>;
using Shares = std::array<std::vector<double>, 3>;  ///< of the tokens of a case, one for each of kAttributions

/// One case, alone on a tape.
class ExplainedCase {
 public:
  ExplainedCase(const Cases& cases, const Matrix<float>& inputs, Index item)
      : x_(inputs.middleRows(cases.offsets[item], cases.size(item))) {
    const Index first = cases.offsets[item];
    tokens_.offsets = {0, x_.rows()};
    if (!cases.times.empty())
      tokens_.times.assign(cases.times.begin() + first, cases.times.begin() + first + x_.rows());
    if (cases.coordinates.rows() > 0) tokens_.coordinates = cases.coordinates.middleRows(first, x_.rows());
    if (!cases.kinds.empty()) kinds_.assign(cases.kinds.begin() + first, cases.kinds.begin() + first + x_.rows());
    if (!cases.ends.empty()) ends_.assign(1, cases.ends[item]);
  }
  const Matrix<float>& x() const { return x_; }
  const std::vector<std::uint16_t>& kinds() const { return kinds_; }

  Matrix<float> outputs(const Member& member) {
    tape_.begin(&member.parameters, {});
    return member.model->outputs(tape_, batch(tape_.input(x_)), nullptr).value();
  }
  learning::Answer<float> answer(const Member& member, Index column) const {
    return [this, &member, column](Float x) {
      return learning::take_columns(member.model->outputs(x.tape(), batch(x), nullptr), column, 1);
    };
  }
  /// softmax of the pooling scores.
  std::vector<double> attention(const Member& member) {
    tape_.begin(&member.parameters, {});
    Float scores = tape_.input(x_);
    member.model->outputs(tape_, batch(tape_.input(x_)), &scores);
    std::vector<double> weights(x_.rows());
    const double top = static_cast<double>(scores.value().maxCoeff());
    double sum = 0;
    for (Index i = 0; i < x_.rows(); ++i) sum += weights[i] = std::exp(static_cast<double>(scores.value()(i, 0)) - top);
    for (double& weight : weights) weight /= sum;
    return weights;
  }
  Matrix<float> gradient(const Member& member, Index column) {
    return learning::sensitivity<float>(tape_, member.parameters, answer(member, column), x_).gradient;
  }
  std::vector<double> deletion(const Member& member, Index column) {
    const Matrix<float> nothing = Matrix<float>::Zero(x_.rows(), x_.cols());
    const Vector<float> changes =
        learning::deletion<float>(tape_, member.parameters, answer(member, column), x_, nothing);
    return {changes.data(), changes.data() + changes.size()};
  }
  /// The answer to other inputs of the tokens.
  double answer_to(const Member& member, Index column, const Matrix<float>& changed) {
    tape_.begin(&member.parameters, {});
    return static_cast<double>(member.model->outputs(tape_, batch(tape_.input(changed)), nullptr).value()(0, column));
  }

 private:
  Batch batch(Float x) const { return {x, &tokens_, kinds_, ends_, {}}; }

  Tape<float> tape_;
  learning::Tokens tokens_;
  Matrix<float> x_;
  std::vector<std::uint16_t> kinds_;
  std::vector<double> ends_;
};

double agreement_of(std::vector<double> a, std::vector<double> b) {
  for (double& value : a) value = std::abs(value);
  for (double& value : b) value = std::abs(value);
  return rank_correlation(a, b);
}

/// A mean of what is not NaN.
struct Mean {
  double sum = 0, count = 0;
  void add(double value) {
    if (!std::isnan(value)) sum += value, ++count;
  }
  double value() const { return count > 0 ? sum / count : kNan; }
};

struct Means {
  std::array<std::array<Mean, 3>, 3> agreement;
  std::array<Mean, 3> stability;
  std::vector<Mean> by_gradient, by_deletion;
};

std::vector<Index> first_columns(const Preparation& preparation) {
  std::vector<Index> first{0};
  for (std::size_t f = 0; f < preparation.features.size(); ++f) first.push_back(first.back() + preparation.width(f));
  return first;
}

void add_features(ExplainedCase& one, const Member& member, Index column, const Matrix<float>& gradient,
                  const std::vector<Index>& first, Means& means) {
  const Matrix<float> shares = gradient.cwiseProduct(one.x());
  const double answer = static_cast<double>(one.outputs(member)(0, column));
  for (std::size_t f = 0; f + 1 < first.size(); ++f) {
    const Index count = first[f + 1] - first[f];
    means.by_gradient[f].add(std::abs(static_cast<double>(shares.middleCols(first[f], count).sum())));
    Matrix<float> without = one.x();
    without.middleCols(first[f], count).setZero();
    means.by_deletion[f].add(std::abs(answer - one.answer_to(member, column, without)));
  }
}

/// A class that the case does not have says nothing, and counts as 0.
void add_classes(ExplainedCase& one, const Member& member, Index column, const Matrix<float>& gradient, Means& means) {
  const Vector<float> shares = gradient.cwiseProduct(one.x()).rowwise().sum();
  const double answer = static_cast<double>(one.outputs(member)(0, column));
  for (std::size_t c = 0; c < means.by_gradient.size(); ++c) {
    Matrix<float> without = one.x();
    double sum = 0;
    bool there = false;
    for (std::size_t i = 0; i < one.kinds().size(); ++i) {
      if (one.kinds()[i] != c) continue;
      there = true;
      sum += static_cast<double>(shares[static_cast<Index>(i)]);
      without.row(static_cast<Index>(i)).setZero();
    }
    means.by_gradient[c].add(std::abs(sum));
    means.by_deletion[c].add(there ? std::abs(answer - one.answer_to(member, column, without)) : 0);
  }
}

Shares shares_of(ExplainedCase& one, const Member& member, Index column, const Matrix<float>& gradient) {
  Shares shares;
  if (member.model->has_weights()) shares[0] = one.attention(member);
  const Vector<float> products = gradient.cwiseProduct(one.x()).rowwise().sum();
  shares[1].assign(products.data(), products.data() + products.size());
  shares[2] = one.deletion(member, column);
  return shares;
}

void compare(const std::vector<Shares>& members, Means& means) {
  for (std::size_t m = 0; m < members.size(); ++m) {
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (!members[m][a].empty() && !members[m][b].empty())
          means.agreement[a][b].add(agreement_of(members[m][a], members[m][b]));
    for (std::size_t other = 0; other < m; ++other)
      for (std::size_t a = 0; a < 3; ++a)
        if (!members[m][a].empty()) means.stability[a].add(agreement_of(members[m][a], members[other][a]));
  }
}

constexpr Index kWhole = -1;                // no token is removed
constexpr Index kTokensSideBySide = 65536;  // of sets that are made at a time

/// Sets of one case: each without the token of this number.
struct SetsWithout {
  Cases cases;
  Matrix<float> inputs;

  SetsWithout(const Cases& all, const Matrix<float>& of_all, Index item, std::span<const Index> removed) {
    const Index first = all.offsets[item], size = all.size(item);
    std::vector<Index> rows;
    for (const Index token : removed) {
      for (Index i = 0; i < size; ++i)
        if (i != token) rows.push_back(first + i);
      cases.offsets.push_back(std::ssize(rows));
    }
    inputs = of_all(rows, Eigen::all);
    if (all.coordinates.rows() > 0) cases.coordinates = all.coordinates(rows, Eigen::all);
    for (const Index row : rows) {
      if (!all.times.empty()) cases.times.push_back(all.times[row]);
      if (!all.kinds.empty()) cases.kinds.push_back(all.kinds[row]);
    }
    if (const double end = end_of(all, item); !std::isnan(end)) cases.ends.assign(removed.size(), end);
  }
  /// Of each set, mean over the members.
  Vector<double> answers(const std::vector<Member>& members, Index output) const {
    std::vector<Index> all(cases.offsets.size() - 1);
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<Index>(k);
    Vector<double> sum = Vector<double>::Zero(std::ssize(all));
    for (const Member& member : members)
      sum += outputs_of(member, Target{}, cases, inputs, all, member.model->handy_tokens()).col(output);
    return sum / static_cast<double>(members.size());
  }
};

}  // namespace

std::vector<double> removals_of(const std::vector<Member>& members, const Cases& cases, const Matrix<float>& inputs,
                                Index item, std::span<const Index> tokens, Index output) {
  const Index size = cases.size(item), at_once = std::max<Index>(1, kTokensSideBySide / std::max<Index>(1, size));
  for (const Index token : tokens)
    require(token >= 0 && token < size, "removals_of: there is no token ", token, " in a case of ", size, '.');
  const double whole = SetsWithout(cases, inputs, item, {&kWhole, 1}).answers(members, output)[0];
  std::vector<double> changes;
  for (Index done = 0; done < std::ssize(tokens); done += at_once) {
    const auto some = tokens.subspan(done, std::min(at_once, std::ssize(tokens) - done));
    for (const double without : SetsWithout(cases, inputs, item, some).answers(members, output))
      changes.push_back(whole - without);
  }
  return changes;
}

std::vector<double> gradient_shares_of(const std::vector<Member>& members, const Cases& cases,
                                       const Matrix<float>& inputs, Index item, Index output) {
  std::vector<double> mean(cases.size(item));
  if (mean.empty()) return mean;
  ExplainedCase one(cases, inputs, item);
  for (const Member& member : members) {
    const Vector<float> shares = one.gradient(member, output).cwiseProduct(one.x()).rowwise().sum();
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] += static_cast<double>(shares[static_cast<Index>(i)]) / static_cast<double>(members.size());
  }
  return mean;
}

Explanation explain(const std::vector<Member>& members, const Target& target, const Preparation& preparation,
                    const Cases& cases, const Matrix<float>& inputs, const std::vector<Index>& items, Index most) {
  Explanation found;
  const std::vector<Index> first = first_columns(preparation);
  Means means;
  const bool classed = !preparation.classes.empty();
  means.by_gradient.resize(classed ? preparation.classes.size() : preparation.features.size());
  means.by_deletion.resize(means.by_gradient.size());
  for (const Index item : items) {
    if (static_cast<Index>(found.items.size()) >= most) break;
    if (target.level != TargetLevel::per_case || cases.size(item) < 2) continue;
    ExplainedCase one(cases, inputs, item);
    Index column = 0;
    if (target.rule().named()) one.outputs(members.front()).row(0).maxCoeff(&column);
    std::vector<Shares> shares;
    for (const Member& member : members) {
      const Matrix<float> gradient = one.gradient(member, column);
      if (classed)
        add_classes(one, member, column, gradient, means);
      else
        add_features(one, member, column, gradient, first, means);
      shares.push_back(shares_of(one, member, column, gradient));
    }
    compare(shares, means);
    found.items.push_back(item);
  }
  found.has_attention = members.front().model->has_weights();
  found.agreement = Matrix<double>::Identity(3, 3);
  for (Index a = 0; a < 3; ++a)
    for (Index b = 0; b < a; ++b) found.agreement(a, b) = found.agreement(b, a) = means.agreement[a][b].value();
  for (const Mean& mean : means.stability) found.stability.push_back(mean.value());
  for (const Mean& mean : means.by_gradient) found.by_gradient.push_back(mean.value());
  for (const Mean& mean : means.by_deletion) found.by_deletion.push_back(mean.value());
  return found;
}

}  // namespace fovea::study
