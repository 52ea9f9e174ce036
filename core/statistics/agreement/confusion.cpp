#include "fovea/core/statistics/agreement/confusion.hpp"

#include <cmath>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"

namespace fovea {

namespace {

double share_of(double part, double whole) { return whole > 0 ? part / whole : kNan; }

/// The mean over the classes that occur; NaN where none does.
template <typename OfClass>
double mean_of_occurring(const Confusion& seen, const OfClass& of_class) {
  double sum = 0, count = 0;
  for (Index c = 0; c < seen.classes(); ++c) {
    if (!seen.occurs(c)) continue;
    sum += of_class(c);
    count += 1;
  }
  return share_of(sum, count);
}

void check_map(std::span<const Index> truth, std::span<const Index> predicted) {
  require(!truth.empty() && truth.size() == predicted.size(), "confusion: there are ", truth.size(),
          " true classes and ", predicted.size(), " predicted ones; as many are needed, and at least one.");
}

Confusion sum_of(std::span<const Confusion> groups, std::span<const Index> rows) {
  Confusion sum(groups.front().classes());
  for (const Index row : rows) sum += groups[row];
  return sum;
}

void check_groups(std::span<const Confusion> groups) {
  require(groups.size() >= 2, "confusion_interval: there are ", groups.size(), " groups; at least 2 are needed.");
  for (const Confusion& group : groups)
    require(group.classes() == groups.front().classes(), "confusion_interval: a group has ", group.classes(),
            " classes, another ", groups.front().classes(), "; all need as many.");
}

}  // namespace

Confusion::Confusion(Index classes) {
  require(classes >= 1, "confusion: ", classes, " classes; at least one is needed.");
  counts = Matrix<double>::Zero(classes, classes);
}

void Confusion::add(Index truth, Index predicted, double times) {
  for (const Index c : {truth, predicted})
    require(c >= 0 && c < classes(), "confusion: a class is ", c, ", but must be in [0, ", classes(), ").");
  require(times >= 0 && std::isfinite(times), "confusion: an example counts ", times,
          " times, but that must be >= 0 and finite.");
  counts(truth, predicted) += times;
}

Confusion& Confusion::operator+=(const Confusion& other) {
  require(other.classes() == classes(), "confusion: ", other.classes(), " classes are added to ", classes(),
          "; as many are needed.");
  counts += other.counts;
  return *this;
}

bool Confusion::occurs(Index c) const { return counts.row(c).sum() > 0 || counts.col(c).sum() > 0; }

double Confusion::accuracy() const { return share_of(counts.trace(), total()); }
double Confusion::precision(Index c) const { return share_of(counts(c, c), counts.col(c).sum()); }
double Confusion::recall(Index c) const { return share_of(counts(c, c), counts.row(c).sum()); }

double Confusion::intersection(Index c) const {
  return share_of(counts(c, c), counts.row(c).sum() + counts.col(c).sum() - counts(c, c));
}

double Confusion::f1(Index c) const { return share_of(2 * counts(c, c), counts.row(c).sum() + counts.col(c).sum()); }

double Confusion::mean_intersection() const {
  return mean_of_occurring(*this, [&](Index c) { return intersection(c); });
}

double Confusion::macro_f1() const {
  return mean_of_occurring(*this, [&](Index c) { return f1(c); });
}

double Confusion::kappa() const {
  const double n = total();
  double by_chance = 0;  // n^2 p_e: whole numbers, so that p_e = 1 is seen
  for (Index c = 0; c < classes(); ++c) by_chance += counts.row(c).sum() * counts.col(c).sum();
  return share_of(n * counts.trace() - by_chance, n * n - by_chance);
}

Confusion confusion(std::span<const Index> truth, std::span<const Index> predicted, Index classes) {
  check_map(truth, predicted);
  Confusion seen(classes);
  for (std::size_t i = 0; i < truth.size(); ++i) seen.add(truth[i], predicted[i]);
  return seen;
}

std::vector<Confusion> confusions_of_groups(std::span<const Index> truth, std::span<const Index> predicted,
                                            Index classes, std::span<const Index> groups) {
  check_map(truth, predicted);
  require(groups.size() == truth.size(), "confusion: there are ", truth.size(), " examples but ", groups.size(),
          " groups; each needs one.");
  std::map<Index, Confusion> seen;
  for (std::size_t i = 0; i < truth.size(); ++i)
    seen.try_emplace(groups[i], classes).first->second.add(truth[i], predicted[i]);
  std::vector<Confusion> list;
  for (auto& [group, one] : seen) list.push_back(std::move(one));
  return list;
}

BootstrapInterval confusion_interval(std::span<const Confusion> groups,
                                     const std::function<double(const Confusion&)>& measure, const Random& random,
                                     const BootstrapSettings& settings) {
  check_groups(groups);
  return bootstrap_interval(
      static_cast<Index>(groups.size()), [&](std::span<const Index> rows) { return measure(sum_of(groups, rows)); },
      random, settings);
}

}  // namespace fovea
