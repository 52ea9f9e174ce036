#include "fovea/datasets/particles/ragged_file.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/file/hdf5_columns.hpp"

namespace fovea::datasets::particles {

namespace {

using Wholes = std::vector<std::int64_t>;

std::string kind_name(SetKind kind) {
  if (kind == SetKind::jets) return "jets";
  return kind == SetKind::events ? "events" : "leptons";
}

template <typename Number>
Wholes wholes_of(const std::vector<Number>& numbers) {
  return {numbers.begin(), numbers.end()};
}

Wholes labels_of(const std::vector<double>& labels) {
  Wholes wholes;
  for (const double label : labels) wholes.push_back(std::isnan(label) ? -1 : std::llround(label));
  return wholes;
}

}  // namespace

struct RaggedWriter::State {
  State(const Place& place, const FileFacts& known, const std::string& origin) : facts(known), file(place) {
    file.attribute("kind", kind_name(facts.kind));
    file.attribute("unit", "GeV");
    file.attribute("origin", origin);
    along = facts.axis == AxisKind::rapidity ? "y" : "eta";
    offsets = file.add("offsets", StoredNumber::int64, 1);
    particles = file.add("particles", StoredNumber::float32, 4);
    file.attribute(particles, "columns", concat("pt[GeV],", along, ",phi,mass[GeV]"));
    file.append(offsets, Wholes{0});
  }

  double direction(const Momentum& p) const {
    return facts.axis == AxisKind::rapidity ? rapidity(p) : pseudorapidity(p);
  }

  /// The arrays that the first block has.
  void add_arrays(const ParticleSets& sets) {
    if (!sets.labels.empty()) label = file.add("label", StoredNumber::int8, 1);
    if (label && !facts.classes.empty()) {
      std::string names;
      for (std::size_t c = 0; c < facts.classes.size(); ++c)
        names += concat(c == 0 ? "" : " ", c, "=", facts.classes[c]);
      file.attribute("label", names);
    }
    if (!sets.ids.empty() || facts.ids) pid = file.add("pid", StoredNumber::int32, 1);
    if (!sets.sub_events.empty() || facts.sub_events) sub_event = file.add("sub_event", StoredNumber::int32, 1);
    if (sets.jet_momenta.rows() > 0) {
      jet = file.add("jet", StoredNumber::float32, 5);
      file.attribute(*jet, "columns", concat("pt,", along, ",phi,E,mass"));
    }
    if (sets.truth.rows() > 0 && sets.truth.cols() > 0) {
      truth_columns = sets.truth.cols();
      truth = file.add("truth", StoredNumber::float32, truth_columns);
      file.attribute(*truth, "columns", facts.truth_columns);
    }
    if (!sets.parts.empty()) add_parts();
    if (!sets.numbers.empty()) number = file.add("number", StoredNumber::int64, 1);
  }

  void add_parts() {
    part = file.add("part", StoredNumber::int8, 1);
    std::string names;
    for (std::size_t p = 0; p < facts.parts.size(); ++p) names += (p == 0 ? "" : ",") + facts.parts[p];
    file.attribute(*part, "names", names);
  }

  void check(const ParticleSets& sets) const {
    const std::size_t count = sets.count(), all = sets.particles();
    const auto same = [&](bool has, std::size_t size, std::size_t wanted, const char* name) {
      require(size == (has ? wanted : 0), "RaggedWriter: a block has ", size, " numbers of ", name, ", but must have ",
              has ? wanted : 0, ", as the first block has it.");
    };
    same(true, sets.momenta.rows(), all, "momenta");
    same(label.has_value(), sets.labels.size(), count, "label");
    same(pid.has_value(), sets.ids.size(), all, "pid");
    same(sub_event.has_value(), sets.sub_events.size(), all, "sub_event");
    same(jet.has_value(), sets.jet_momenta.rows(), count, "jet");
    same(truth.has_value(), sets.truth.size(), count * truth_columns, "truth");
    same(part.has_value(), sets.parts.size(), count, "part");
    same(number.has_value(), sets.numbers.size(), count, "number");
  }

  void append_particles(const ParticleSets& sets) {
    std::vector<double> rows;
    Wholes ends, ids, subs;
    for (Index set = 0; set < sets.count(); ++set) {
      const std::size_t b = set;
      for (Index i = sets.offsets[b]; i < sets.offsets[b + 1]; ++i) {
        const Momentum p = momentum_of(sets.momenta, i);
        if (pt(p) <= 0) {
          ++left_out;
          continue;
        }
        for (const double value : {pt(p), direction(p), phi(p), mass(p)}) rows.push_back(value);
        if (pid) ids.push_back(sets.ids[i]);
        if (sub_event) subs.push_back(sets.sub_events[i]);
        ++written;
      }
      ends.push_back(written);
    }
    file.append(particles, rows);
    file.append(offsets, ends);
    if (pid) file.append(*pid, ids);
    if (sub_event) file.append(*sub_event, subs);
  }

  void append_jets(const Matrix<double>& momenta) {
    std::vector<double> rows;
    for (Index i = 0; i < momenta.rows(); ++i) {
      const Momentum p = momentum_of(momenta, i);
      const double along_beam = pt(p) > 0 ? direction(p) : 0;
      for (const double value : {pt(p), along_beam, phi(p), p.energy, mass(p)}) rows.push_back(value);
    }
    file.append(*jet, rows);
  }

  void append_columns(const ParticleSets& sets) {
    if (label) file.append(*label, labels_of(sets.labels));
    if (part) file.append(*part, wholes_of(sets.parts));
    if (number) file.append(*number, wholes_of(sets.numbers));
    if (jet) append_jets(sets.jet_momenta);
    if (truth) file.append(*truth, std::span(sets.truth.data(), sets.truth.size()));
  }

  FileFacts facts;
  Hdf5Columns file;
  std::string along;
  std::size_t offsets = 0, particles = 0, truth_columns = 0;
  std::optional<std::size_t> label, pid, sub_event, jet, truth, part, number;
  Index written = 0, left_out = 0;
  bool has_arrays = false;
};

RaggedWriter::RaggedWriter(const Place& place, const FileFacts& facts, const std::string& origin)
    : state_(std::make_unique<State>(place, facts, origin)) {}
RaggedWriter::~RaggedWriter() = default;

void RaggedWriter::append(const ParticleSets& sets) {
  if (sets.count() == 0) return;
  if (!state_->has_arrays) state_->add_arrays(sets);
  state_->has_arrays = true;
  state_->check(sets);
  state_->append_particles(sets);
  state_->append_columns(sets);
}

Index RaggedWriter::left_out() const { return state_->left_out; }

void RaggedWriter::finish() { state_->file.finish(); }

}  // namespace fovea::datasets::particles
