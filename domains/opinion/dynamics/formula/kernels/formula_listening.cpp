/// Formulas of pairs, evaluated over blocks of speakers: of one listener after the other where everybody is heard, of
/// many short rows at once on a network. Compiled with full optimisation (CMakeLists.txt).

#include "fovea/domains/opinion/dynamics/formula/formula_hearing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/kernels/kernels.hpp"

namespace fovea::opinion::dynamics {

namespace {

constexpr Index kPairs = 256;       // evaluated at once
constexpr Index kRowsOfPart = 128;  // of a network, handed to a thread at once
constexpr double kLowest = -std::numeric_limits<double>::infinity();

const double* at(const std::vector<double>& values, Index i) { return values.empty() ? nullptr : values.data() + i; }

}  // namespace

/// The work of one thread: a block of pairs, and the sums of the row that it belongs to.
class FormulaHearing::Listening {
 public:
  Listening(const FormulaHearing& hearing, std::span<const double> opinions, double step, std::vector<double>& heard)
      : hearing_(hearing),
        x_(opinions.data()),
        n_(hearing.count_),
        d_(hearing.components_),
        step_(step),
        heard_(heard),
        own_(own_numbers(hearing.agents_)),
        room_((kBuffers + 3 * d_ + std::ssize(own_)) * kPairs),
        sums_(d_),
        inputs_(pair_inputs::kTraits + own_.size()) {
    std::fill_n(buffer(kOnes), kPairs, 1.0);
    inputs_[pair_inputs::kTime] = &step_;
  }

  /// Everybody is heard.
  void row(Index i) {
    if (alike_) {
      if (!summed_) add_everybody();
      return finish(i);
    }
    begin();
    const Agents& agents = hearing_.agents_;
    for (std::size_t m = 0; m < own_.size(); ++m) inputs_[pair_inputs::kTraits + m] = at(*own_[m], i);
    for (Index first = 0; first < n_; first += kPairs) {
      const Index size = std::min(kPairs, n_ - first);
      for (Index c = 0; c < d_; ++c) {
        listener_[c] = x_ + c * n_ + i;
        speaker_[c] = x_ + c * n_ + first;
        if (spoken()) said_[c] = hearing_.spoken_.data() + c * n_ + first;
      }
      compare(size, false);
      mark_self(size, i - first);
      inputs_[pair_inputs::kReach] = at(agents.reach, first);
      evaluate(size);
      add_piece(0, size, nullptr, at(agents.reach, first));
    }
    finish(i);
  }

  /// The rows [first, end) of a network: as many at once as fit into a block; a long one by pieces.
  void rows(Index first, Index end) {
    const std::vector<Index>& offsets = hearing_.rows_.offsets;
    for (Index i = first; i < end && alike_; ++i) row_alike(i);
    for (Index i = first; i < end && !alike_;) {
      Index last = i + 1;
      const Index begins = offsets[i];
      while (last < end && offsets[last + 1] - begins <= kPairs) ++last;
      const Index ends = offsets[last];
      if (ends - begins <= kPairs)
        short_rows(i, last, begins, ends);
      else
        long_row(i, begins, ends);
      i = last;
    }
  }

 private:
  enum Buffer : Index { kEvaluated, kFar, kProduct, kSelfMarks, kOnes, kG, kBuffers };
  double* buffer(Index which) { return room_.data() + which * kPairs; }
  double* listener_buffer(Index c) { return buffer(kBuffers + c); }
  double* speaker_buffer(Index c) { return buffer(kBuffers + d_ + c); }
  double* said_buffer(Index c) { return buffer(kBuffers + 2 * d_ + c); }
  double* own_buffer(std::size_t m) { return buffer(kBuffers + 3 * d_ + static_cast<Index>(m)); }
  bool spoken() const { return !hearing_.spoken_.empty(); }

  /// An influence that is the same for all pairs needs no formula, and all agents hear the same where all are heard.
  void add_everybody() {
    begin();
    const std::vector<double>& reach = hearing_.agents_.reach;
    for (Index j = 0; j < n_; ++j) add_alike(j, reach.empty() ? 1 : reach[j]);
    summed_ = true;
  }
  void row_alike(Index i) {
    begin();
    const SpeakerRows& rows = hearing_.rows_;
    const std::vector<double>& reach = hearing_.agents_.reach;
    const Index first = rows.offsets[i], end = rows.offsets[i + 1];
    const std::uint32_t* speakers = rows.speakers.data();
    const double* weights = at(rows.weights, 0);
    const auto loudness = [&](Index k) {
      const double weight = weights == nullptr ? 1 : weights[k];
      return reach.empty() ? weight : weight * reach[speakers[k]];
    };
    double total = 0, audible = 0;
    for (Index k = first; k < end; ++k) {
      const double weight = loudness(k);
      audible += weight;
      total += std::abs(weight);
    }
    audible_ = audible;
    total_ = std::abs(hearing_.same_) * total;
    for (Index c = 0; c < d_; ++c) {
      const double* said = hearing_.spoken_.data() + c * n_;
      double sum = 0;
      for (Index k = first; k < end; ++k) sum += loudness(k) * said[speakers[k]];
      sums_[c] = hearing_.same_ * sum;
    }
    finish(i);
  }
  void add_alike(Index j, double loudness) {
    const double weight = hearing_.same_ * loudness;
    audible_ += loudness;
    total_ += std::abs(weight);
    for (Index c = 0; c < d_; ++c) sums_[c] += weight * hearing_.spoken_[c * n_ + j];
  }

  void short_rows(Index i, Index last, Index begins, Index ends) {
    gather(i, last, begins, ends);
    evaluate(ends - begins);
    for (; i < last; ++i) {
      begin();
      const Index from = hearing_.rows_.offsets[i];
      const Index to = hearing_.rows_.offsets[i + 1];
      add_network_piece(from - begins, to - from, from);
      finish(i);
    }
  }

  void long_row(Index i, Index begins, Index ends) {
    begin();
    for (Index from = begins; from < ends; from += kPairs) {
      const Index to = std::min(ends, from + kPairs);
      gather(i, i + 1, from, to);
      evaluate(to - from);
      add_network_piece(0, to - from, from);
    }
    finish(i);
  }

  void add_network_piece(Index place, Index size, Index entry) {
    const std::vector<double>& weights = hearing_.rows_.weights;
    add_piece(place, size, at(weights, entry), hearing_.agents_.reach.empty() ? nullptr : buffer(kG) + place);
  }

  /// Entries [begins, ends) of the rows [i, last).
  void gather(Index i, Index last, Index begins, Index ends) {
    const SpeakerRows& rows = hearing_.rows_;
    const Agents& agents = hearing_.agents_;
    const std::uint32_t* speakers = rows.speakers.data() + begins;
    const Index size = ends - begins;
    Index k = 0;
    for (; i < last; ++i) {
      const Index row_end = std::min(ends, rows.offsets[i + 1]) - begins;
      for (Index c = 0; c < d_; ++c) std::fill(listener_buffer(c) + k, listener_buffer(c) + row_end, x_[c * n_ + i]);
      for (std::size_t m = 0; m < own_.size(); ++m)
        if (!own_[m]->empty()) std::fill(own_buffer(m) + k, own_buffer(m) + row_end, (*own_[m])[i]);
      if (reads_self_)
        for (Index m = k; m < row_end; ++m) buffer(kSelfMarks)[m] = static_cast<Index>(speakers[m]) == i ? 1.0 : 0.0;
      k = row_end;
    }
    for (Index c = 0; c < d_; ++c) {
      gather_speakers(x_ + c * n_, speakers, size, speaker_buffer(c));
      listener_[c] = listener_buffer(c);
      speaker_[c] = speaker_buffer(c);
      if (!spoken()) continue;
      gather_speakers(hearing_.spoken_.data() + c * n_, speakers, size, said_buffer(c));
      said_[c] = said_buffer(c);
    }
    for (std::size_t m = 0; m < own_.size(); ++m) inputs_[pair_inputs::kTraits + m] = own_buffer(m);
    inputs_[pair_inputs::kSelf] = buffer(kSelfMarks);
    inputs_[pair_inputs::kWeight] = rows.weights.empty() ? buffer(kOnes) : rows.weights.data() + begins;
    if (!agents.reach.empty()) gather_speakers(agents.reach.data(), speakers, size, buffer(kG));
    inputs_[pair_inputs::kReach] = buffer(kG);
    compare(size, true);
  }

  static void gather_speakers(const double* values, const std::uint32_t* speakers, Index size, double* out) {
    for (Index k = 0; k < size; ++k) out[k] = values[speakers[k]];
  }

  /// d and dot, where they are read.
  void compare(Index size, bool listeners) {
    if (reads_distance_) {
      double* far = buffer(kFar);
      if (d_ == 1) {
        distances(listener_[0], speaker_[0], size, listeners, far);
      } else {
        std::fill_n(far, size, 0.0);
        each_component(size, listeners, [far](Index k, double a, double b) { far[k] += (a - b) * (a - b); });
        for (Index k = 0; k < size; ++k) far[k] = std::sqrt(far[k]);
      }
      inputs_[pair_inputs::kDistance] = far;
    }
    if (reads_dot_) {
      double* product = buffer(kProduct);
      std::fill_n(product, size, 0.0);
      each_component(size, listeners, [product](Index k, double a, double b) { product[k] += a * b; });
      inputs_[pair_inputs::kDot] = product;
    }
  }

  static void distances(const double* own, const double* others, Index size, bool listeners, double* far) {
    if (listeners) {
      for (Index k = 0; k < size; ++k) far[k] = std::abs(others[k] - own[k]);
      return;
    }
    const double x = *own;
    for (Index k = 0; k < size; ++k) far[k] = std::abs(others[k] - x);
  }

  template <typename Term>
  void each_component(Index size, bool listeners, const Term& term) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(d_); ++c)
      for (Index k = 0; k < size; ++k) term(k, listener_[c][listeners ? k : 0], speaker_[c][k]);
  }

  void mark_self(Index size, Index place) {
    if (!reads_self_) return;
    std::fill_n(buffer(kSelfMarks), size, 0.0);
    if (place >= 0 && place < size) buffer(kSelfMarks)[place] = 1;
    inputs_[pair_inputs::kSelf] = buffer(kSelfMarks);
  }

  void evaluate(Index size) {
    inputs_[pair_inputs::kListener] = listener_[0];
    inputs_[pair_inputs::kSpeaker] = speaker_[0];
    hearing_.influence_->evaluate(inputs_, size, formula_room_, buffer(kEvaluated));
    if (!spoken()) value_of_pairs(size);
  }

  void value_of_pairs(Index size) {
    for (std::size_t c = 0; c < static_cast<std::size_t>(d_); ++c) {
      inputs_[pair_inputs::kListener] = listener_[c];
      inputs_[pair_inputs::kSpeaker] = speaker_[c];
      said_[c] = said_buffer(static_cast<Index>(c));
      hearing_.value_->evaluate(inputs_, size, formula_room_, said_buffer(static_cast<Index>(c)));
    }
  }

  void begin() {
    top_ = kLowest;
    total_ = audible_ = 0;
    std::fill(sums_.begin(), sums_.end(), 0.0);
  }

  /// Adds the pairs [place, place + size) of the block to the sums of the row. weights, reach: of these pairs; nullptr
  /// for 1.
  void add_piece(Index place, Index size, const double* weights, const double* reach) {
    const Kernels<double>& loops = kernels<double>();
    double* e = buffer(kEvaluated) + place;
    if (hearing_.normaliser_ == FormulaNormaliser::softmax && !lift(e, size)) return;
    if (weights != nullptr)
      for (Index k = 0; k < size; ++k) e[k] *= weights[k];
    if (reach != nullptr)
      for (Index k = 0; k < size; ++k) e[k] *= reach[k];
    for (Index c = 0; c < d_; ++c) sums_[c] += loops.dot(e, said_[c] + place, size);
    if (hearing_.normaliser_ == FormulaNormaliser::crowd) {
      audible_ += weights == nullptr && reach == nullptr ? static_cast<double>(size)
                                                         : loops.dot(weights == nullptr ? buffer(kOnes) : weights,
                                                                     reach == nullptr ? buffer(kOnes) : reach, size);
      return;
    }
    for (Index k = 0; k < size; ++k) e[k] = std::abs(e[k]);  // a negative weight repels
    total_ += loops.dot(e, buffer(kOnes), size);
  }

  /// From scores to exponentials relative to the largest of the row so far. Whether anybody is heard.
  bool lift(double* e, Index size) {
    const Kernels<double>& loops = kernels<double>();
    const double top = loops.maximum(e, size);
    if (top == kLowest) return false;
    if (!(top <= top_)) {
      const double shrink = top_ == kLowest ? 0 : exponential(top_ - top);
      for (double& sum : sums_) sum *= shrink;
      total_ *= shrink;
      top_ = top;
    }
    loops.exponentials(e, size, top_, e);
    return true;
  }

  void finish(Index i) {
    const FormulaNormaliser normaliser = hearing_.normaliser_;
    const double norm = normaliser == FormulaNormaliser::sum     ? 1
                        : normaliser == FormulaNormaliser::crowd ? audible_
                                                                 : total_;
    for (Index c = 0; c < d_; ++c) {
      double& out = heard_[c * n_ + i];
      if (norm == 0)
        out = normaliser == FormulaNormaliser::crowd ? 0 : hearing_.own_value(x_, step_, i, c, formula_room_);
      else
        out = sums_[c] / norm;
    }
  }

  const FormulaHearing& hearing_;
  const double* x_;
  Index n_, d_;
  double step_;
  std::vector<double>& heard_;
  std::vector<const std::vector<double>*> own_;
  std::vector<double> room_, sums_;
  std::array<const double*, kMostComponents> listener_{}, speaker_{}, said_{};
  std::vector<const double*> inputs_;
  FormulaRoom formula_room_;
  const bool reads_distance_ = hearing_.reads("d"), reads_dot_ = hearing_.reads("dot"),
             reads_self_ = hearing_.reads("self");
  const bool alike_ = spoken() && std::isfinite(hearing_.same_);
  bool summed_ = false;
  double top_ = kLowest, total_ = 0, audible_ = 0;
};

void FormulaHearing::speak(std::span<const double> opinions, double step) {
  constexpr Index kPart = 4096;
  const auto total = static_cast<Index>(opinions.size());
  spoken_.resize(opinions.size());
#pragma omp parallel
  {
    FormulaRoom room;
    std::array<const double*, pair_inputs::kTraits> inputs{};
    inputs[pair_inputs::kTime] = &step;
#pragma omp for schedule(static)
    for (Index first = 0; first < total; first += kPart) {
      inputs[pair_inputs::kSpeaker] = opinions.data() + first;
      value_->evaluate(inputs, std::min(kPart, total - first), room, spoken_.data() + first);
    }
  }
}

void FormulaHearing::hear(std::span<const double> opinions, std::int64_t step, std::vector<double>& heard) {
  const auto number = static_cast<double>(step);
  spoken_.clear();
  if (is_spoken()) speak(opinions, number);
  heard.resize(opinions.size());
#pragma omp parallel
  {
    Listening listening(*this, opinions, number, heard);
    if (on_network_) {
#pragma omp for schedule(dynamic, 1)
      for (Index first = 0; first < count_; first += kRowsOfPart)
        listening.rows(first, std::min(count_, first + kRowsOfPart));
    } else {
#pragma omp for schedule(dynamic, 16)
      for (Index i = 0; i < count_; ++i) listening.row(i);
    }
  }
}

}  // namespace fovea::opinion::dynamics
