#include "fovea/domains/ehr/risk/contributions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/tests/rank_correlation.hpp"
#include "fovea/core/study/explain/value_shares.hpp"

namespace fovea::ehr::risk {

namespace {

constexpr std::size_t kBlock = 64;  ///< cases on a tape
constexpr double kShareDeleted = 0.1;

/// The cases without these tokens, which ascend.
study::Cases without(const study::Cases& cases, const std::vector<Index>& gone) {
  study::Cases some = cases;
  some.kinds.clear();
  some.times.clear();
  std::vector<Index> kept;
  std::size_t next = 0;
  for (Index b = 0; b < cases.count(); ++b) {
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i) {
      if (next < gone.size() && gone[next] == i) {
        ++next;
        continue;
      }
      kept.push_back(i);
      some.kinds.push_back(cases.kinds[i]);
      some.times.push_back(cases.times[i]);
    }
    some.offsets[b + 1] = static_cast<Index>(kept.size());
  }
  some.values = cases.values(kept, Eigen::all);
  return some;
}

/// Of each case the tenth of its tokens with a value whose keys are largest; ascending.
std::vector<Index> largest_tenth(const study::Cases& cases, const std::vector<double>& keys) {
  std::vector<Index> gone;
  for (Index b = 0; b < cases.count(); ++b) {
    std::vector<Index> tokens;
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i)
      if (!std::isnan(cases.values(i, 0))) tokens.push_back(i);
    const auto count = static_cast<std::ptrdiff_t>(std::lround(kShareDeleted * static_cast<double>(tokens.size())));
    std::stable_sort(tokens.begin(), tokens.end(), [&](Index i, Index j) { return keys[i] > keys[j]; });
    gone.insert(gone.end(), tokens.begin(), tokens.begin() + count);
  }
  std::sort(gone.begin(), gone.end());
  return gone;
}

/// cases x classes.
Matrix<double> sums_by_class(const study::Cases& cases, const std::vector<double>& shares) {
  Matrix<double> sums = Matrix<double>::Zero(cases.count(), static_cast<Index>(cases.classes.size()));
  for (Index b = 0; b < cases.count(); ++b)
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i) sums(b, cases.kinds[i]) += shares[i];
  return sums;
}

double mean_agreement(const std::vector<Matrix<double>>& members, Index row) {
  if (members.front().cols() < 2) return kNan;  // one variable has no order
  double sum = 0, count = 0;
  const auto values = [&](std::size_t m) {
    const Vector<double> of_row = members[m].row(row).transpose();
    return std::vector<double>(of_row.data(), of_row.data() + of_row.size());
  };
  for (std::size_t a = 0; a < members.size(); ++a)
    for (std::size_t b = a + 1; b < members.size(); ++b) {
      const double one = rank_correlation(values(a), values(b));
      if (!std::isnan(one)) sum += one, ++count;
    }
  return count > 0 ? sum / count : kNan;
}

/// Collects what blocks say.
class Collection {
 public:
  Collection(Contributions& found, Index members, Index classes) : found_(found) {
    found.sizes = Matrix<double>::Zero(members, classes);
  }

  void add(const study::Cases& all, const study::Preparation& preparation, const std::vector<study::Member>& members,
           const std::vector<Index>& items, const Random& random) {
    study::ExplainedCases block(all, preparation, items);
    const auto count = static_cast<double>(members.size());
    std::vector<Matrix<double>> by_member;
    std::vector<double> shares(block.cases().tokens());
    std::vector<double> logits(items.size()), measured(items.size());
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::vector<double> of_one = block.shares(members[m]);
      for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += of_one[i] / count;
      by_member.push_back(sums_by_class(block.cases(), of_one));
      found_.sizes.row(static_cast<Index>(m)) += by_member.back().cwiseAbs().colwise().sum();
      add_mean(block.answers(members[m], block.x()), count, logits);
      add_mean(block.answers(members[m], block.at_middle()), count, measured);
    }
    const Matrix<double> mean = sums_by_class(block.cases(), shares);
    for (Index b = 0; b < mean.rows(); ++b) {
      const std::size_t k = b;
      const double remainder = logits[k] - measured[k] - mean.row(b).sum();
      found_.largest_remainder = std::max(found_.largest_remainder, std::abs(remainder));
      rows_.push_back(mean.row(b));
      const double agreement = mean_agreement(by_member, b);
      if (!std::isnan(agreement)) agreement_ += agreement, ++agreements_;
    }
    append(found_.logits, logits);
    append(found_.measured, measured);
    for (double& share : shares) share = std::abs(share);
    append(found_.without_top, deleted(block.cases(), preparation, members, shares));
    for (std::size_t i = 0; i < shares.size(); ++i)
      shares[i] = random.uniform(static_cast<std::uint64_t>(items.front()), static_cast<std::uint64_t>(i));
    append(found_.without_random, deleted(block.cases(), preparation, members, shares));
    found_.items.insert(found_.items.end(), items.begin(), items.end());
    for (const double y : block.cases().targets) found_.outcomes.push_back(y);
  }

  void finish() {
    found_.by_class.resize(static_cast<Index>(rows_.size()), found_.sizes.cols());
    for (std::size_t k = 0; k < rows_.size(); ++k) found_.by_class.row(static_cast<Index>(k)) = rows_[k];
    found_.sizes /= std::max<double>(1, static_cast<double>(rows_.size()));
    found_.agreement = agreements_ > 0 ? agreement_ / agreements_ : kNan;
  }

 private:
  static void add_mean(const std::vector<double>& values, double count, std::vector<double>& mean) {
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += values[k] / count;
  }
  static void append(std::vector<double>& all, const std::vector<double>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }
  static std::vector<double> deleted(const study::Cases& cases, const study::Preparation& preparation,
                                     const std::vector<study::Member>& members, const std::vector<double>& keys) {
    const study::Cases fewer = without(cases, largest_tenth(cases, keys));
    std::vector<Index> items(fewer.count());
    std::iota(items.begin(), items.end(), Index{0});
    study::ExplainedCases block(fewer, preparation, items);
    std::vector<double> mean(items.size());
    for (const study::Member& member : members)
      add_mean(block.answers(member, block.x()), static_cast<double>(members.size()), mean);
    return mean;
  }

  Contributions& found_;
  std::vector<Vector<double>> rows_;
  double agreement_ = 0, agreements_ = 0;
};

/// At most `most` of the tested cases with a known outcome, in the order of the cases.
std::vector<Index> drawn_items(const study::StudyOutcome& outcome, Index most, const Random& random) {
  std::vector<std::pair<double, Index>> keyed;
  for (std::size_t k = 0; k < outcome.split.test.size(); ++k)
    if (!std::isnan(outcome.test_targets[k]))
      keyed.emplace_back(random.uniform(static_cast<std::uint64_t>(k)), outcome.split.test[k]);
  std::sort(keyed.begin(), keyed.end());
  keyed.resize(std::min(keyed.size(), static_cast<std::size_t>(most)));
  std::vector<Index> items;
  for (const auto& [key, item] : keyed) items.push_back(item);
  std::sort(items.begin(), items.end());
  return items;
}

}  // namespace

Contributions contributions(const study::StudyOutcome& outcome, Index most, const Random& random) {
  Contributions found;
  const std::vector<Index> items = drawn_items(outcome, most, random.stream("items"));
  Collection collection(found, static_cast<Index>(outcome.model.members.size()),
                        static_cast<Index>(outcome.cases.classes.size()));
  const auto add = [&](const study::Preparation& preparation, const std::vector<study::Member>& members,
                       const std::vector<Index>& some) {
    for (std::size_t first = 0; first < some.size(); first += kBlock) {
      const auto begin = some.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = some.begin() + static_cast<std::ptrdiff_t>(std::min(some.size(), first + kBlock));
      collection.add(outcome.cases, preparation, members, {begin, end}, random.stream("deleted"));
    }
  };
  if (outcome.folds == nullptr) {
    add(outcome.model.preparation, outcome.model.members, items);
  } else {
    for (Index f = 0; f < outcome.folds->folds(); ++f) {
      std::vector<Index> some;
      for (const Index item : items)
        if (outcome.folds->fold_of_case[item] == f) some.push_back(item);
      const study::FoldModel& model = outcome.folds->models[f];
      add(model.preparation, model.members, some);
    }
  }
  collection.finish();
  return found;
}

}  // namespace fovea::ehr::risk
