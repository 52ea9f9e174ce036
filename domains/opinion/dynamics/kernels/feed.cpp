#include "fovea/domains/opinion/dynamics/feed.hpp"

#include <cmath>

namespace fovea::opinion::dynamics {

namespace {

/// Oneself alone.
SpeakerRows alone(Index agents) {
  SpeakerRows rows;
  rows.offsets.push_back(0);
  for (Index i = 0; i < agents; ++i) {
    rows.speakers.push_back(static_cast<std::uint32_t>(i));
    rows.offsets.push_back(i + 1);
  }
  return rows;
}

/// The rows with room for `size` more each; W' is scaled to 1 - share, the others have share / size each.
SpeakerRows with_room(const SpeakerRows& known, const Feed& feed) {
  SpeakerRows rows;
  rows.offsets.push_back(0);
  for (std::size_t i = 0; i + 1 < known.offsets.size(); ++i) {
    const std::size_t first = known.offsets[i], end = known.offsets[i + 1];
    const auto weight = [&](std::size_t k) { return known.weights.empty() ? 1.0 : known.weights[k]; };
    double total = 0;
    for (std::size_t k = first; k < end; ++k) total += std::abs(weight(k));
    for (std::size_t k = first; k < end; ++k) {
      rows.speakers.push_back(known.speakers[k]);
      rows.weights.push_back(total > 0 ? (1 - feed.share) * weight(k) / total : 0);
    }
    const std::size_t size = feed.size;
    rows.speakers.resize(rows.speakers.size() + size, 0);
    rows.weights.resize(rows.weights.size() + size, feed.share / static_cast<double>(feed.size));
    rows.offsets.push_back(static_cast<Index>(rows.speakers.size()));
  }
  return rows;
}

}  // namespace

FeedHearing::FeedHearing(const Feed& feed, double self_weight, const society::Graph* graph, Index agents,
                         const Random& random)
    : feed_(feed),
      random_(random.stream("feed")),
      rows_(with_room(graph != nullptr ? speaker_rows(*graph, self_weight) : alone(agents), feed)) {}

void FeedHearing::draw(const Matrix<double>& opinions, std::int64_t step) {
  tree_.start({opinions.data(), static_cast<std::size_t>(opinions.rows())}, {feed_.homophily, feed_.distance_floor});
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < opinions.rows(); ++i) {
    const Index end = rows_.offsets[i + 1];
    for (Index k = 0; k < feed_.size; ++k)
      rows_.speakers[end - feed_.size + k] = static_cast<std::uint32_t>(
          tree_.draw(i, random_, static_cast<std::uint64_t>(i * feed_.size + k), static_cast<std::uint64_t>(step)));
  }
}

void FeedHearing::hear(const HearingRule& rule, const Matrix<double>& opinions, const Matrix<double>& values,
                       Matrix<double>& heard, std::int64_t step) {
  draw(opinions, step);
  hear_rows(rule, rows_, opinions, values, heard);
}

}  // namespace fovea::opinion::dynamics
