#include "fovea/core/study/cases/token_classes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/config/config_document.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"

namespace fovea::study {

namespace {

constexpr std::size_t kMostClasses = std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;

/// The rows of a list with an entry for each token; a list of another length stays.
template <typename Value>
void keep_entries(std::vector<Value>& list, const std::vector<Index>& kept, Index tokens) {
  if (list.empty() || static_cast<Index>(list.size()) != tokens) return;
  std::vector<Value> some;
  some.reserve(kept.size());
  for (const Index i : kept) some.push_back(list[i]);
  list = std::move(some);
}

template <typename Real>
void keep_rows(Matrix<Real>& rows, const std::vector<Index>& kept) {
  if (rows.rows() == 0) return;
  for (std::size_t k = 0; k < kept.size(); ++k)  // rows move up, so none is overwritten before it is read
    rows.row(static_cast<Index>(k)) = rows.row(kept[k]);
  rows.conservativeResize(static_cast<Index>(kept.size()), Eigen::NoChange);
}

/// The cases with these tokens alone, which are in ascending order.
Cases with_tokens(Cases cases, const std::vector<Index>& kept) {
  const Index tokens = cases.tokens();
  if (static_cast<Index>(kept.size()) == tokens) return cases;
  const bool a_target_a_token = static_cast<Index>(cases.targets.size()) != cases.count();
  if (a_target_a_token) {
    keep_entries(cases.targets, kept, tokens);
    keep_entries(cases.weights, kept, tokens);
  }
  keep_entries(cases.times, kept, tokens);
  keep_entries(cases.kinds, kept, tokens);
  keep_rows(cases.values, kept);
  keep_rows(cases.coordinates, kept);
  std::size_t before = 0;
  for (std::size_t b = 1; b < cases.offsets.size(); ++b) {
    while (before < kept.size() && kept[before] < cases.offsets[b]) ++before;
    cases.offsets[b] = static_cast<Index>(before);
  }
  return cases;
}

double share_of(std::size_t quantile) {
  return (static_cast<double>(quantile) + 0.5) / static_cast<double>(kClassQuantiles);
}

/// Normal scores of the quantiles.
const std::array<double, kClassQuantiles>& scores_of_quantiles() {
  static const auto scores = [] {
    std::array<double, kClassQuantiles> made{};
    for (std::size_t k = 0; k < made.size(); ++k) made[k] = normal_quantile(share_of(k));
    return made;
  }();
  return scores;
}

/// A value, and the case that has it.
using Owned = std::pair<double, Index>;

Index owner_of(const Cases& cases, Index token) {
  return std::upper_bound(cases.offsets.begin(), cases.offsets.end(), token) - cases.offsets.begin() - 1;
}

/// The value that so many cases reach, from the first on; NaN where fewer have one.
template <typename Iterator>
double reached_by(Iterator first, Iterator end, Index cases) {
  std::set<Index> owners;
  for (; first != end; ++first) {
    owners.insert(first->second);
    if (static_cast<Index>(owners.size()) >= cases) return first->first;
  }
  return kNan;
}

/// The quantiles that lie between what `smallest_cell` cases reach from below and from above: numbers first to last;
/// first >= last: there are too few. values: ascending.
struct SharedQuantiles {
  std::size_t first = 0, last = kClassQuantiles - 1;
};

SharedQuantiles shared_quantiles(const std::vector<Owned>& values, const std::vector<double>& quantiles,
                                 Index smallest_cell) {
  if (smallest_cell <= 1) return {};
  const double low = reached_by(values.begin(), values.end(), smallest_cell),
               high = reached_by(values.rbegin(), values.rend(), smallest_cell);
  if (!(low <= high)) return {0, 0};
  const std::size_t first = std::lower_bound(quantiles.begin(), quantiles.end(), low) - quantiles.begin(),
                    end = std::upper_bound(quantiles.begin(), quantiles.end(), high) - quantiles.begin();
  return {first, std::max<std::size_t>(end, 1) - 1};
}

/// The quantiles outside of the shared ones become those of the normal distribution through the first and the last.
void continue_normally(const SharedQuantiles& shared, std::vector<double>& quantiles) {
  const auto& scores = scores_of_quantiles();
  const auto [first, last] = shared;
  const double slope = (quantiles[last] - quantiles[first]) / (scores[last] - scores[first]);
  for (std::size_t k = 0; k < first; ++k) quantiles[k] = quantiles[first] - slope * (scores[first] - scores[k]);
  for (std::size_t k = last + 1; k < quantiles.size(); ++k)
    quantiles[k] = quantiles[last] + slope * (scores[k] - scores[last]);
}

/// Quantiles, and mean and deviation between the outermost of them, of values in any order.
FeatureScale scale_within_limits(std::vector<Owned>& owned, bool marked, Index smallest_cell) {
  FeatureScale scale;
  scale.marked = marked;
  scale.low = scale.high = kNan;
  if (owned.empty()) return scale;
  std::sort(owned.begin(), owned.end());
  std::vector<double> values, quantiles;
  values.reserve(owned.size());
  for (const auto& [value, owner] : owned) values.push_back(value);
  for (std::size_t k = 0; k < kClassQuantiles; ++k) quantiles.push_back(sorted_quantile(values, share_of(k)));
  const SharedQuantiles shared = shared_quantiles(owned, quantiles, smallest_cell);
  if (shared.first >= shared.last) return scale;
  const double lowest = quantiles[shared.first], highest = quantiles[shared.last];
  continue_normally(shared, quantiles);
  scale.low = quantiles.front();
  scale.high = quantiles.back();
  scale.quantiles = std::move(quantiles);
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double& x : values) sum += x = std::clamp(x, lowest, highest);
  scale.mean = sum / count;
  for (const double x : values) squares += (x - scale.mean) * (x - scale.mean);
  const double deviation = std::sqrt(squares / count);
  scale.deviation = deviation > 0 && std::isfinite(deviation) ? deviation : 1;
  return scale;
}

/// The tokens of these cases, class after class.
std::vector<std::vector<Index>> tokens_by_class(const Cases& cases, const std::vector<Index>& items) {
  std::vector<std::vector<Index>> tokens(cases.classes.size());
  for (const Index item : items)
    for (Index i = cases.offsets[item]; i < cases.offsets[item + 1]; ++i) tokens[cases.kinds[i]].push_back(i);
  return tokens;
}

void note_class(const std::string& name, Difference& difference) {
  if (std::find(difference.unused.begin(), difference.unused.end(), name) == difference.unused.end())
    difference.unused.push_back(name);
}

/// The cases with other classes. places: the number of each old class among the new ones; kMostClasses: it goes, and
/// its tokens with it.
Cases renamed(Cases cases, const std::vector<std::size_t>& places, std::vector<std::string> classes) {
  std::vector<Index> kept;
  for (std::size_t i = 0; i < cases.kinds.size(); ++i) {
    const std::size_t place = places[cases.kinds[i]];
    if (place == kMostClasses) continue;
    cases.kinds[i] = static_cast<std::uint16_t>(place);
    kept.push_back(static_cast<Index>(i));
  }
  cases.classes = std::move(classes);
  return with_tokens(std::move(cases), kept);
}

/// "'BUN', 'GCS' and 'HR'"; of many the first few, and how many more.
std::string some_names(const std::vector<std::string>& names) {
  constexpr std::size_t kSaid = 4;
  std::string text;
  const std::size_t said = std::min(names.size(), kSaid);
  for (std::size_t k = 0; k < said; ++k)
    text += concat(k == 0 ? "" : k + 1 == names.size() ? " and " : ", ", '\'', shown(names[k]), '\'');
  return names.size() > said ? concat(text, " and ", names.size() - said, " more") : text;
}

/// Without a class that the model knows, every case would get the same prediction.
[[noreturn]] void refuse_unknown(const std::string& source, const Preparation& preparation, const Cases& cases) {
  throw DataError(concat(source, ": has ", some_names(cases.classes), ", but none of what the model knows: ",
                         some_names(preparation.classes), "; name its variables as `fovea inspect MODEL` does."));
}

}  // namespace

double normal_score(std::span<const double> quantiles, double value) {
  const auto& scores = scores_of_quantiles();
  std::size_t from = 0, end = 0;  // how many quantiles are below the value, and at most it: searches without branches
  for (std::size_t left = quantiles.size(); left > 0;) {
    const std::size_t half = (left + 1) / 2;
    from += quantiles[from + half - 1] < value ? half : 0;
    end += quantiles[end + half - 1] <= value ? half : 0;
    left -= half;
  }
  if (from < end) return (scores[from] + scores[end - 1]) / 2;
  if (from == 0) return scores.front();
  if (from == quantiles.size()) return scores.back();
  const double way = (value - quantiles[from - 1]) / (quantiles[from] - quantiles[from - 1]);
  return scores[from - 1] + way * (scores[from] - scores[from - 1]);
}

void check_classes(const std::string& source, const Cases& cases) {
  const Index tokens = cases.tokens();
  if (!cases.ends.empty() && static_cast<Index>(cases.ends.size()) != cases.count())
    throw DataError(
        concat(source, ": has ", cases.ends.size(), " ends but ", cases.count(), " cases; each needs one."));
  if (!cases.ends.empty() && cases.times.empty() && tokens > 0)
    throw DataError(concat(source, ": its cases have ends but its tokens no times; give both or neither."));
  for (const double end : cases.ends)
    if (!std::isfinite(end)) throw DataError(concat(source, ": an end is ", end, ", but must be finite."));
  if (cases.classes.size() > kMostClasses)
    throw DataError(
        concat(source, ": has ", cases.classes.size(), " classes of tokens, but at most ", kMostClasses, " can be."));
  for (std::size_t c = 1; c < cases.classes.size(); ++c)
    if (!(cases.classes[c - 1] < cases.classes[c]))
      throw DataError(concat(source, ": class '", cases.classes[c], "' stands behind '", cases.classes[c - 1],
                             "'; classes must ascend, each once."));
  const Index wanted = cases.classes.empty() ? 0 : tokens;
  if (static_cast<Index>(cases.kinds.size()) != wanted)
    throw DataError(concat(source, ": has ", cases.kinds.size(), " kinds of tokens for ", tokens, " tokens and ",
                           cases.classes.size(), " classes; ",
                           cases.classes.empty() ? "without classes there are none." : "each token needs one."));
  for (std::size_t i = 0; i < cases.kinds.size(); ++i)
    if (cases.kinds[i] >= cases.classes.size())
      throw DataError(concat(source, ": token ", i + 1, " is of class ", cases.kinds[i], ", but must be below ",
                             cases.classes.size(), ", as many as there are."));
}

std::vector<FeatureScale> scales_of_classes(const Cases& cases, const std::vector<Index>& items) {
  std::vector<FeatureScale> scales;
  const bool owners = cases.smallest_cell > 1;
  std::vector<Owned> values;
  for (const std::vector<Index>& tokens : tokens_by_class(cases, items))
    for (Index f = 0; f < cases.values.cols(); ++f) {
      values.clear();
      for (const Index i : tokens)
        if (!std::isnan(cases.values(i, f)))
          values.emplace_back(static_cast<double>(cases.values(i, f)), owners ? owner_of(cases, i) : 0);
      const bool marked = tokens.empty() || values.size() < tokens.size();
      if (!cases.features[f].categories.empty()) values.clear();
      scales.push_back(scale_within_limits(values, marked, cases.smallest_cell));
    }
  return scales;
}

Cases matched_classes(const std::string& source, const Preparation& preparation, Cases cases, Difference& difference) {
  difference.seen.resize(preparation.classes.size());
  if (preparation.classes.empty() != cases.classes.empty() && cases.tokens() > 0)
    throw DataError(concat(source,
                           cases.classes.empty() ? ": its tokens have no classes, but the model was trained with "
                                                 : ": its tokens have classes, but the model was trained without",
                           cases.classes.empty() ? concat(preparation.classes.size(), " of them") : "", "."));
  if (cases.classes == preparation.classes) {
    for (const std::uint16_t kind : cases.kinds) ++difference.seen[kind];
    return cases;
  }
  std::vector<std::size_t> known(cases.classes.size(), kMostClasses);  // the model's number of each class
  for (std::size_t c = 0; c < cases.classes.size(); ++c) {
    const auto found = std::lower_bound(preparation.classes.begin(), preparation.classes.end(), cases.classes[c]);
    if (found != preparation.classes.end() && *found == cases.classes[c])
      known[c] = found - preparation.classes.begin();
    else
      note_class(cases.classes[c], difference);
  }
  if (!known.empty() && *std::min_element(known.begin(), known.end()) == kMostClasses)
    refuse_unknown(source, preparation, cases);
  cases = renamed(std::move(cases), known, preparation.classes);
  for (const std::uint16_t kind : cases.kinds) ++difference.seen[kind];
  return cases;
}

Cases without_rare_classes(Cases cases) {
  if (cases.smallest_cell <= 1 || cases.classes.empty()) return cases;
  std::vector<Index> holders(cases.classes.size()), last(cases.classes.size(), -1);
  for (Index b = 0; b < cases.count(); ++b)
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i) {
      const std::uint16_t kind = cases.kinds[i];
      if (last[kind] != b) ++holders[kind];
      last[kind] = b;
    }
  std::vector<std::size_t> places(cases.classes.size(), kMostClasses);
  std::vector<std::string> kept;
  for (std::size_t c = 0; c < holders.size(); ++c) {
    if (holders[c] < cases.smallest_cell) continue;
    places[c] = kept.size();
    kept.push_back(cases.classes[c]);
  }
  return kept.size() == places.size() ? cases : renamed(std::move(cases), places, std::move(kept));
}

Cases until_ends(Cases cases) {
  if (cases.ends.empty() || cases.times.empty()) return cases;
  std::vector<Index> kept;
  for (std::size_t b = 0; b < cases.ends.size(); ++b)
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i)
      if (cases.times[i] <= cases.ends[b]) kept.push_back(i);
  return with_tokens(std::move(cases), kept);
}

}  // namespace fovea::study
