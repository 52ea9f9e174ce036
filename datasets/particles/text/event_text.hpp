#pragma once
/// What readers of texts of events have in common: one event at a time, one line after the other. Internal to
/// datasets/particles/text.

#include <optional>
#include <vector>

#include "fovea/datasets/particles/set_builder.hpp"
#include "fovea/datasets/particles/text/line_reader.hpp"

namespace fovea::datasets::particles::text {

class EventText : public ParticleReader {
 public:
  EventText(const std::string& path, FileFacts facts, const ReadOptions& options);

  const FileFacts& facts() const override { return facts_; }
  const Repairs& repairs() const override { return repairs_; }
  ParticleSets read(Index most) override;

  /// Reads the first event, from which facts() are complete. To be called once, before all else. Throws DataError,
  /// also for a file without an event.
  void begin();

 protected:
  /// Adds the particles of the next event to the builder and ends the set; false at the end of the file.
  virtual bool next_event() = 0;
  /// Behind a fault of an event, at the line of the fault: goes to where the next may begin, so that next_event() finds
  /// it; false where no reader of the format can. A file that ends there was cut: DataError.
  virtual bool skip_event() { return false; }

  /// A final particle of a generator's record: neutrinos are counted and left out. whose: of messages.
  void add_final(const Momentum& p, std::int64_t id, const std::string& whose);
  /// The next four fields px, py, pz, E, in GeV.
  Momentum momentum_in(LineFields& fields) const;
  /// What one unit of the file is in GeV. Throws DataError for a unit that is neither GEV nor MEV.
  void take_unit(std::string_view unit);
  std::int64_t pdg_number(LineFields& fields);
  void note_once(const std::string& note);

  LineReader lines_;
  SetBuilder builder_;
  FileFacts facts_;
  Repairs repairs_;
  bool unit_is_given_ = false;  ///< by the options

 private:
  bool next_good_event();
  bool leave_out_bad_ = false;
  bool has_first_ = false, is_at_end_ = false;
  double to_gev_ = 1;
};

/// Of a graph in which node i comes from the nodes sources[i]: a node that lies on a circle or behind one, or nothing.
std::optional<std::size_t> node_on_circle(const std::vector<std::vector<std::size_t>>& sources);

}  // namespace fovea::datasets::particles::text
