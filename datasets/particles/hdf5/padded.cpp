#include "fovea/datasets/particles/hdf5/padded.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::datasets::particles::hdf5 {

namespace {

constexpr std::uint64_t kPaddedPiece = std::uint64_t{8} << 20;  // bytes of rows that are read at once

}  // namespace

PaddedReader::PaddedReader(RowsFile file, const ReadOptions& options)
    : file_(std::move(file)), label_(label_of_options(options)), bad_{options.leave_out_bad, options.empty_is_bad} {
  facts_.path = file_->path();
}

ParticleSets PaddedReader::read(Index most) {
  return next_good_sets(next_, facts_, most, bad_, repairs_,
                        [&](Index first, Index end) { return sets_of(first, end); });
}

ParticleSets PaddedReader::sets_of(Index first, Index end) {
  const auto piece = static_cast<Index>(std::max<std::uint64_t>(1, kPaddedPiece / row_bytes_));
  SetCollector collector(facts_.kind, repairs_);
  ParticleSets others;
  for (Index row = first; row < end; row += piece) take_rows(row, std::min(end, row + piece), collector, others);
  ParticleSets sets = collector.take(facts_.ids);
  std::swap(sets.offsets, others.offsets);
  std::swap(sets.momenta, others.momenta);
  std::swap(sets.ids, others.ids);
  for (Index set = first; set < end; ++set) others.numbers.push_back(set);
  return others;
}

void PaddedReader::check_slot(bool is_empty, bool& ended, const ParticleSpot& spot) {
  if (!is_empty && ended)
    spot.refuse("it stands behind slots of zeros, but particles must stand before all zeros; sort them by pt");
  ended = is_empty;
}

void PaddedReader::add_labels(const Hdf5Entry* labels, Index first, Index end, ParticleSets& others) const {
  if (labels == nullptr && std::isnan(label_)) return;
  for (Index set = first; labels == nullptr && set < end; ++set) others.labels.push_back(label_);
  if (labels == nullptr) return;
  const Matrix<double> given = rows_of(*file_, *labels, first, end);
  for (Index set = first; set < end; ++set)
    others.labels.push_back(checked_label(given(set - first, 0), facts_.classes, spot(labels->path, set)));
}

void PaddedReader::take_label_option() {
  for (int label = 0; label <= std::max(label_, 1.0) && !std::isnan(label_); ++label)
    facts_.classes.push_back(exact_text(label));
}

Momentum jet_momentum(double pt, double eta, double phi, double mass, double scale, const ParticleSpot& spot) {
  Repairs unseen;  // they count constituents
  return momentum_from_mass({pt, eta, phi}, AxisKind::pseudorapidity, mass, scale, spot, unseen);
}

std::vector<std::string> pickled_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    const char code = text[at++];
    if (code == '.') return names;
    if (code == '(' || code == 'l' || code == 'a' || code == 'e') continue;
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos || (code != 'p' && code != 'V' && code != 'S'))
      throw std::length_error("no pickled list of names");
    std::string word = text.substr(at, end - at);
    at = end + 1;
    if (code == 'S') word = word.size() < 2 ? "" : word.substr(1, word.size() - 2);  // between quotes
    if (code != 'p') names.push_back(std::move(word));
  }
  throw std::length_error("no pickled list of names");
}

}  // namespace fovea::datasets::particles::hdf5
