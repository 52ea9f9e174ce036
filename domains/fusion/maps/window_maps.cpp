#include "fovea/domains/fusion/maps/window_maps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fovea/core/study/predict/unfamiliar.hpp"

namespace fovea::fusion::maps {

namespace {

constexpr Index kStrip = 256;  // columns of a window that are computed at a time, so that they stay in the caches
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

}  // namespace

WindowMapper::Counts& WindowMapper::Counts::operator+=(const Counts& more) {
  pixels += more.pixels, no_data += more.no_data, unfamiliar += more.unfamiliar;
  for (std::size_t s = 0; s < 2; ++s) {
    outside[s].resize(std::max(outside[s].size(), more.outside[s].size()));
    for (std::size_t c = 0; c < more.outside[s].size(); ++c) outside[s][c] += more.outside[s][c];
  }
  return *this;
}

WindowMapper::WindowMapper(const datasets::rasters::SceneEntry& entry, const datasets::rasters::SceneRules& rules,
                           const flood::ColumnPlan& plan, const PixelNetwork& network, MapNumbers numbers)
    : scene_(entry, rules), plan_(plan), network_(network), numbers_(std::move(numbers)) {}

void WindowMapper::take(const PixelRow& row, Index index) {
  const Index stride = row.stride, classes = network_.classes(), layers = classes + 4;
  float* const room_of_answers = room(answers_, (layers + 2) * stride);
  const RowAnswers answers{room_of_answers,
                           room_of_answers + classes * stride,
                           room_of_answers + layers * stride,
                           room_of_answers + (classes + 2) * stride,
                           room_of_answers + (classes + 3) * stride,
                           room_of_answers + (layers + 1) * stride};
  network_.answer(row, work_, answers, counts_.outside);
  counts_.pixels += row.count;
  for (Index i = 0; i < row.count; ++i) {
    // No value, no class: a number that came of none is no answer either.
    const bool there = (row.valid[0][i] != 0 || row.valid[1][i] != 0) && !std::isnan(answers.entropy[i]);
    counts_.no_data += there ? 0 : 1;
    counts_.unfamiliar += there && answers.outside[i] > static_cast<float>(study::kUnfamiliar) ? 1 : 0;
    made_.classes[index + i] = there ? numbers_.classes[static_cast<Index>(answers.likeliest[i])] : numbers_.no_data;
    if (there) continue;
    for (Index layer = 0; layer < layers; ++layer) room_of_answers[layer * stride + i] = kNone;
  }
  for (Index layer = 0; layer < layers; ++layer) {
    float* const to = made_.layers.data() + layer * made_.window.pixels() + index;
    std::copy_n(room_of_answers + layer * stride, row.count, to);
    round_layers(std::span(to, row.count));
  }
}

const MapWindow& WindowMapper::map(const datasets::rasters::Window& window) {
  const Index margin = plan_.margin();
  scene_.read({window.row - margin, window.column - margin, window.rows + 2 * margin, window.columns + 2 * margin},
              shown_);
  made_.window = window;
  made_.classes.resize(window.pixels());
  made_.layers.resize((network_.classes() + 4) * window.pixels());
  for (Index first = 0; first < window.columns; first += kStrip) {
    const Index columns = std::min(kStrip, window.columns - first);
    if (!rows_ || rows_->columns() != columns) rows_ = std::make_unique<ColumnRows>(plan_, columns);
    rows_->begin(shown_, first);
    for (Index r = 0; r < window.rows; ++r) take(rows_->next(), r * window.columns + first);
  }
  return made_;
}

}  // namespace fovea::fusion::maps
