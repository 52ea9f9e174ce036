#include "fovea/core/study/trees/tree_rows.hpp"

#include <algorithm>

#include "fovea/core/base/parallel.hpp"

namespace fovea::study {

namespace {

constexpr Index kTokensTogether = 64, kWorthSharing = 256;

/// Rows of tokens, in which neighbours of one case and time share a summary.
class TokenRows {
 public:
  TokenRows(const Cases& cases, std::span<const Index> tokens, const SummarySettings& settings, Matrix<float>& rows)
      : cases_(cases), tokens_(tokens), settings_(settings), rows_(rows) {
    summary_ = summary_width(std::ssize(cases.classes), std::ssize(cases.features), settings);
  }

  void write(Index first, Index end) const {
    Index before = -1;  // the case of the row before
    for (Index k = first; k < end; ++k) {
      const Index token = tokens_[k];
      const Index item =
          std::upper_bound(cases_.offsets.begin(), cases_.offsets.end(), token) - cases_.offsets.begin() - 1;
      auto row = rows_.row(k);
      if (item == before && same_time(token, tokens_[k - 1]))
        row.head(summary_) = rows_.row(k - 1).head(summary_);
      else
        row.head(summary_) = summary_columns(cases_, {&item, 1}, time_of(token), settings_);
      row.segment(summary_, cases_.values.cols()) = cases_.values.row(token);
      if (!cases_.classes.empty()) row(rows_.cols() - 1) = static_cast<float>(cases_.kinds[token]);
      before = item;
    }
  }

 private:
  std::span<const double> time_of(Index token) const {
    if (cases_.times.empty()) return {};
    return {&cases_.times[token], 1};
  }
  bool same_time(Index a, Index b) const { return cases_.times.empty() || cases_.times[a] == cases_.times[b]; }

  const Cases& cases_;
  std::span<const Index> tokens_;
  const SummarySettings& settings_;
  Matrix<float>& rows_;
  Index summary_ = 0;
};

}  // namespace

Index tree_columns(const Target& target, Index classes, Index features, const SummarySettings& settings) {
  const Index own = target.level == TargetLevel::per_token ? features + (classes > 0 ? 1 : 0) : 0;
  return summary_width(classes, features, settings) + own;
}

Matrix<float> tree_rows(const Target& target, const Cases& cases, std::span<const Index> places,
                        std::span<const double> at, const SummarySettings& settings) {
  if (target.level == TargetLevel::per_case) return summary_columns(cases, places, at, settings);
  const Index count = std::ssize(places);
  Matrix<float> rows(count, tree_columns(target, std::ssize(cases.classes), std::ssize(cases.features), settings));
  const TokenRows writer(cases, places, settings, rows);
  for_each_task((count + kTokensTogether - 1) / kTokensTogether, count >= kWorthSharing, [&](Index task) {
    writer.write(task * kTokensTogether, std::min(count, (task + 1) * kTokensTogether));
  });
  return rows;
}

}  // namespace fovea::study
