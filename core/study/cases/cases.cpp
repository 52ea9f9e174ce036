#include "fovea/core/study/cases/cases.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/study/cases/token_classes.hpp"

namespace fovea::study {

namespace {

template <typename List>
void check_length(const std::string& source, const char* what, const List& list, Index wanted, const char* of) {
  if (list.empty() || static_cast<Index>(list.size()) == wanted) return;
  throw DataError(concat(source, ": has ", list.size(), ' ', what, " but ", wanted, ' ', of, "; each needs one."));
}

void check_features(const std::string& source, const Cases& cases) {
  std::set<std::string> names;
  for (const Feature& feature : cases.features)
    if (!names.insert(feature.name).second)
      throw DataError(concat(source, ": has two features '", feature.name, "'; rename one."));
  if (cases.values.cols() != static_cast<Index>(cases.features.size()))
    throw DataError(
        concat(source, ": has ", cases.values.cols(), " columns of values but ", cases.features.size(), " features."));
}

bool allowed(const Feature& feature, float value) {
  if (std::isnan(value)) return true;
  if (feature.categories.empty()) return std::isfinite(value);
  return value >= 0 && value < static_cast<float>(feature.categories.size()) && value == std::floor(value);
}

void check_values(const std::string& source, const Cases& cases) {
  for (Index i = 0; i < cases.values.rows(); ++i)
    for (Index f = 0; f < cases.values.cols(); ++f) {
      const Feature& feature = cases.features[f];
      if (!allowed(feature, cases.values(i, f)))
        throw DataError(concat(source, ": token ", i + 1, ", feature '", feature.name, "': the value is ",
                               cases.values(i, f), ", but must be ",
                               feature.categories.empty()
                                   ? std::string("finite")
                                   : concat("the number of one of its ", feature.categories.size(), " categories"),
                               "; leave it empty if it is not known."));
    }
}

template <typename Value>
void add_list(std::vector<Value>& list, const std::vector<Value>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

template <typename Real>
void add_rows(Matrix<Real>& rows, const Matrix<Real>& more) {
  const Index before = rows.rows();
  if (before == 0) {
    rows = more;
    return;
  }
  rows.conservativeResize(before + more.rows(), Eigen::NoChange);
  rows.bottomRows(more.rows()) = more;
}

/// The entries of a list with one value a case, or with one a token.
template <typename Value>
void select_from(const Cases& cases, const std::vector<Value>& list, Index item, std::vector<Value>& selected) {
  if (list.empty()) return;
  const bool per_case = static_cast<Index>(list.size()) == cases.count();
  const Index first = per_case ? item : cases.offsets[item];
  const Index count = per_case ? 1 : cases.size(item);
  selected.insert(selected.end(), list.begin() + first, list.begin() + first + count);
}

/// Hands over what is in memory, a block at a time.
class CasesInMemory : public CaseReader {
 public:
  explicit CasesInMemory(Cases cases) : cases_(std::move(cases)) {}
  Cases read(Index most) override {
    std::vector<Index> items;
    for (; static_cast<Index>(items.size()) < most && next_ < cases_.count(); ++next_) items.push_back(next_);
    return selected(cases_, items);
  }
  Reading reading() const override { return cases_.reading; }

 private:
  Cases cases_;
  Index next_ = 0;
};

}  // namespace

std::vector<Index> Cases::sizes() const {
  std::vector<Index> sizes(count());
  for (std::size_t b = 0; b < sizes.size(); ++b) sizes[b] = offsets[b + 1] - offsets[b];
  return sizes;
}

void check_cases(const std::string& source, const Cases& cases) {
  if (cases.offsets.empty() || cases.offsets.front() != 0 ||
      !std::is_sorted(cases.offsets.begin(), cases.offsets.end()))
    throw DataError(concat(source, ": the offsets of the cases must ascend from 0."));
  check_features(source, cases);
  const Index tokens = cases.tokens(), count = cases.count();
  if (cases.values.rows() != tokens)
    throw DataError(concat(source, ": has ", cases.values.rows(), " rows of values but ", tokens, " tokens."));
  check_length(source, "times", cases.times, tokens, "tokens");
  if (cases.coordinates.rows() > 0 && cases.coordinates.rows() != tokens)
    throw DataError(concat(source, ": has ", cases.coordinates.rows(), " coordinates but ", tokens, " tokens."));
  if (static_cast<Index>(cases.ids.size()) != count)
    throw DataError(concat(source, ": has ", cases.ids.size(), " ids but ", count, " cases; each needs one."));
  check_length(source, "groups", cases.groups, count, "cases");
  check_length(source, "parts", cases.parts, count, "cases");
  check_length(source, "folds", cases.folds, count, "cases");
  check_length(source, "times at which targets are known", cases.known, count, "cases");
  check_length(source, "weights", cases.weights, static_cast<Index>(cases.targets.size()), "targets");
  for (const double weight : cases.weights)
    if (!(weight >= 0 && std::isfinite(weight)))
      throw DataError(concat(source, ": a weight is ", weight, ", but must be finite and >= 0."));
  check_classes(source, cases);
  for (const double time : cases.times)
    if (!std::isfinite(time)) throw DataError(concat(source, ": a time is ", time, ", but must be finite."));
  check_values(source, cases);
}

void append(Cases& cases, const Cases& more) {
  if (cases.count() == 0) {
    cases = more;
    return;
  }
  if (more.count() == 0) return;
  const bool both = cases.tokens() > 0 && more.tokens() > 0;  // where there are no tokens, none has a time
  if (!(cases.features == more.features) || (both && cases.times.empty() != more.times.empty()) ||
      cases.targets.empty() != more.targets.empty() || cases.weights.empty() != more.weights.empty() ||
      cases.groups.empty() != more.groups.empty() || cases.parts.empty() != more.parts.empty() ||
      cases.ends.empty() != more.ends.empty() || cases.known.empty() != more.known.empty() ||
      cases.folds.empty() != more.folds.empty())
    throw DataError("a block of cases has other columns than the block before it.");
  if (cases.classes != more.classes)
    throw DataError("a block of cases has other classes of tokens than the block before it.");
  const Index before = cases.tokens();
  for (std::size_t b = 1; b < more.offsets.size(); ++b) cases.offsets.push_back(before + more.offsets[b]);
  add_rows(cases.values, more.values);
  add_rows(cases.coordinates, more.coordinates);
  add_list(cases.times, more.times);
  add_list(cases.targets, more.targets);
  add_list(cases.weights, more.weights);
  add_list(cases.ids, more.ids);
  add_list(cases.groups, more.groups);
  add_list(cases.parts, more.parts);
  add_list(cases.kinds, more.kinds);
  add_list(cases.ends, more.ends);
  add_list(cases.known, more.known);
  add_list(cases.folds, more.folds);
}

Cases selected(const Cases& cases, const std::vector<Index>& items) {
  Cases some;
  some.features = cases.features;
  some.time_unit = cases.time_unit;
  some.classes = cases.classes;
  some.smallest_cell = cases.smallest_cell;
  Index tokens = 0;
  for (const Index item : items) some.offsets.push_back(tokens += cases.size(item));
  some.values.resize(tokens, cases.values.cols());
  if (cases.coordinates.rows() > 0) some.coordinates.resize(tokens, cases.coordinates.cols());
  Index row = 0;
  for (const Index item : items) {
    const Index first = cases.offsets[item], count = cases.size(item);
    some.values.middleRows(row, count) = cases.values.middleRows(first, count);
    if (cases.coordinates.rows() > 0)
      some.coordinates.middleRows(row, count) = cases.coordinates.middleRows(first, count);
    if (!cases.times.empty())
      some.times.insert(some.times.end(), cases.times.begin() + first, cases.times.begin() + first + count);
    if (!cases.kinds.empty())
      some.kinds.insert(some.kinds.end(), cases.kinds.begin() + first, cases.kinds.begin() + first + count);
    select_from(cases, cases.ends, item, some.ends);
    select_from(cases, cases.known, item, some.known);
    select_from(cases, cases.folds, item, some.folds);
    select_from(cases, cases.targets, item, some.targets);
    select_from(cases, cases.weights, item, some.weights);
    select_from(cases, cases.ids, item, some.ids);
    select_from(cases, cases.groups, item, some.groups);
    select_from(cases, cases.parts, item, some.parts);
    row += count;
  }
  return some;
}

double end_of(const Cases& cases, Index item) {
  if (!cases.ends.empty()) return cases.ends[item];
  const bool timed = cases.size(item) > 0 && !cases.times.empty();
  return timed ? cases.times[cases.offsets[item + 1] - 1] : kNan;
}

double start_of(const Cases& cases, Index item) { return start_of(cases.times, cases.offsets, item); }

double start_of(std::span<const double> times, std::span<const Index> offsets, Index set) {
  double start = kNan;
  if (times.empty()) return start;
  for (Index i = offsets[set]; i < offsets[set + 1]; ++i) start = std::fmin(start, times[i]);
  return start;
}

std::vector<Index> group_numbers(const Cases& cases) {
  std::vector<Index> numbers(cases.count());
  std::map<std::string, Index> known;
  for (std::size_t b = 0; b < numbers.size(); ++b)
    numbers[b] = cases.groups.empty() ? static_cast<Index>(b)
                                      : known.emplace(cases.groups[b], static_cast<Index>(known.size())).first->second;
  return numbers;
}

Cases read_all(CaseReader& reader) {
  constexpr Index kBlock = 4096;
  Cases all = reader.read(kBlock);
  while (true) {
    const Cases more = reader.read(kBlock);
    if (more.count() == 0) return all;
    append(all, more);
  }
}

std::unique_ptr<CaseReader> reader_of(Cases cases) { return std::make_unique<CasesInMemory>(std::move(cases)); }

}  // namespace fovea::study
