/// Tables of candidates and events: CMS education releases (wide rows of two or four leptons), an event display (a row
/// a track or jet, by run and event), and TrackML's particles.csv (Amrouche et al. 2019).

#include <cmath>
#include <unordered_set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/particles/set_builder.hpp"
#include "fovea/datasets/particles/text/formats.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::particles::text {

namespace {

using fovea::datasets::text::CsvReader;
using fovea::datasets::text::shown_text;

constexpr double kChargedPion = 0.13957;

/// What tables have in common.
class TableText : public ParticleReader {
 public:
  TableText(const FileHead& head, FileFacts facts, const ReadOptions& options) : csv_(head.path), facts_(facts) {
    facts_.path = head.path;
    if (options.unit.empty()) {
      facts_.notes.push_back("the file does not state its unit: GeV is taken"), facts_.unit_known_by = "assumed";
      return;
    }
    if (options.unit != "GeV" && options.unit != "MeV")
      throw DataError(concat(head.path, ": the unit is given as '", options.unit, "', but must be GeV or MeV."));
    facts_.unit = options.unit;
    facts_.unit_known_by = "as asked for";
    to_gev_ = options.unit == "MeV" ? 1e-3 : 1;
  }
  const FileFacts& facts() const override { return facts_; }
  const Repairs& repairs() const override { return repairs_; }
  ParticleSets read(Index most) override {
    while (builder_.sets() < most && next_set()) {
    }
    return builder_.take();
  }
  /// Reads the first set; throws DataError where there is none.
  void begin() {
    if (!next_set()) throw DataError(concat(facts_.path, ": has a header, but no row; it needs one at least."));
  }

 protected:
  virtual bool next_set() = 0;

  double finite(std::size_t column) const {
    const double value = csv_.number(column);
    if (!std::isfinite(value))
      csv_.refuse(column, concat("is ", shown_text(csv_.text(column)), ", but must be finite; leave this row out."));
    return value;
  }
  double energy(std::size_t column) const { return to_gev_ * finite(column); }
  double not_negative(std::size_t column) const {
    const double value = finite(column);
    if (value < 0) csv_.refuse(column, concat("is ", plain_text(value, 6), ", but must not be negative."));
    return value;
  }
  void check(const Momentum& p, std::size_t column) {
    if (const std::string problem = momentum_problem(p, repairs_); !problem.empty())
      csv_.refuse(column, concat("the particle ", problem, "; leave this row out."));
  }
  /// An angle in [-pi, pi]; others are taken there and counted.
  double angle(std::size_t column) {
    const double value = finite(column);
    if (std::abs(value) <= 3.14159265358979323846) return value;
    ++repairs_.wrapped_angles;
    return wrapped(value);
  }

  CsvReader csv_;
  FileFacts facts_;
  Repairs repairs_;
  SetBuilder builder_;
  double to_gev_ = 1;
};

/// Leptons 1, 2, ... of one row: E1, px1, py1, pz1, ...; PID1 or Q1 where there are such columns; M.
class LeptonRows : public TableText {
 public:
  LeptonRows(const FileHead& head, const FileFacts& facts, const ReadOptions& options)
      : TableText(head, facts, options), event_(csv_.column("Event")) {
    for (std::size_t k = 1; csv_.has(concat("E", k)); ++k)
      leptons_.push_back({csv_.column(concat("px", k)), csv_.column(concat("py", k)), csv_.column(concat("pz", k)),
                          csv_.column(concat("E", k)), place(concat("PID", k)), place(concat("Q", k))});
    has_mass_ = csv_.has("M");
    has_type_ = csv_.has("Type1");
    facts_.jet_momenta = has_mass_;
    facts_.ids = leptons_.front().pid != kNone || (has_type_ && leptons_.front().charge != kNone);
    facts_.format = concat("CMS CSV of ", leptons_.size(), " leptons a row");
    if (csv_.has("pt1"))
      facts_.notes.push_back("momenta are E, px, py, pz; pt, eta and phi can be of another fit and are not read");
    if (has_mass_)
      facts_.notes.push_back("a candidate's energy follows from the file's mass M and the sum of its leptons");
    if (facts_.ids && has_type_) facts_.notes.push_back("leptons with a Type column are taken as muons");
  }

 private:
  static constexpr std::size_t kNone = -1;
  struct Lepton {
    std::size_t px, py, pz, energy, pid, charge;
  };
  std::size_t place(const std::string& name) const { return csv_.has(name) ? csv_.column(name) : kNone; }

  bool next_set() override {
    if (!csv_.next()) return false;
    Momentum sum;
    for (const Lepton& one : leptons_) {
      const Momentum p{energy(one.px), energy(one.py), energy(one.pz), energy(one.energy)};
      check(p, one.energy);
      if (facts_.ids)
        builder_.add(p, id_of(one));
      else
        builder_.add(p);
      sum += p;
    }
    if (has_mass_) {
      const double m = to_gev_ * not_negative(csv_.column("M"));
      builder_.add_jet({sum.px, sum.py, sum.pz, std::hypot(m, std::hypot(sum.px, sum.py, sum.pz))});
    }
    builder_.end_set(csv_.whole(event_), repairs_);
    return true;
  }

  std::int64_t id_of(const Lepton& one) const {
    if (one.pid == kNone) return csv_.whole(one.charge) > 0 ? -13 : 13;
    const std::int64_t id = csv_.whole(one.pid);
    if (std::abs(static_cast<double>(id)) > 1e9) csv_.refuse(one.pid, "is no PDG number of a lepton.");
    return id;
  }

  std::size_t event_;
  std::vector<Lepton> leptons_;
  bool has_mass_ = false, has_type_ = false;
};

/// Rows by run and event: tracks (pt, eta, phi, charge) or jets (et, eta, phi).
class DisplayRows : public TableText {
 public:
  DisplayRows(const FileHead& head, const FileFacts& facts, const ReadOptions& options)
      : TableText(head, facts, options),
        run_(csv_.column("run")),
        event_(csv_.column("event")),
        is_tracks_(csv_.has("pt")),
        pt_(csv_.column(is_tracks_ ? "pt" : "et")),
        eta_(csv_.column("eta")),
        phi_(csv_.column("phi")) {
    facts_.ids = is_tracks_ && csv_.has("charge");
    facts_.axis = AxisKind::pseudorapidity;
    facts_.format = is_tracks_ ? "CSV of an event display: tracks" : "CSV of an event display: jets";
    facts_.notes.push_back(
        is_tracks_ ? "the file has no masses: that of a charged pion is taken; neutral particles are missing"
                   : "the file has no masses: jets are taken as massless, et as their pT");
    has_file_ = csv_.has("file");
    has_row_ = csv_.next();
  }

 private:
  /// Run and event, and the file that they were taken from where the table names it.
  struct Key {
    std::int64_t run = 0, event = 0;
    std::string file;
    bool operator==(const Key&) const = default;
    std::string text() const { return concat(run, ' ', event, ' ', file); }
  };

  bool next_set() override {
    if (!has_row_) return false;
    const Key key = key_of_row();
    if (!seen_.insert(key.text()).second)
      csv_.refuse(event_,
                  concat("event ", key.event, " of run ", key.run, " comes again; its rows must be neighbours."));
    for (; has_row_ && key_of_row() == key; has_row_ = csv_.next()) {
      const double pt = to_gev_ * not_negative(pt_);
      const Momentum p = from_pseudorapidity(pt, finite(eta_), angle(phi_), is_tracks_ ? kChargedPion : 0);
      if (!std::isfinite(p.energy))
        csv_.refuse(eta_, "is too far forward: the energy is infinite; leave this row out.");
      if (facts_.ids)
        builder_.add(p, csv_.whole(csv_.column("charge")) < 0 ? -211 : 211);
      else
        builder_.add(p);
    }
    builder_.end_set(key.event, repairs_);
    return true;
  }
  Key key_of_row() const {
    return {csv_.whole(run_), csv_.whole(event_), has_file_ ? std::string(csv_.text(csv_.column("file"))) : ""};
  }

  std::size_t run_, event_;
  bool is_tracks_;
  std::size_t pt_, eta_, phi_;
  bool has_row_ = false, has_file_ = false;
  std::unordered_set<std::string> seen_;
};

/// The truth particles of one event.
class TrackmlRows : public TableText {
 public:
  using TableText::TableText;

 private:
  bool next_set() override {
    if (is_done_) return false;
    is_done_ = true;
    const std::size_t id = csv_.column("particle_id"), px = csv_.column("px"), py = csv_.column("py"),
                      pz = csv_.column("pz"), charge = csv_.column("q");
    std::unordered_set<std::int64_t> seen;
    while (csv_.next()) {
      if (!seen.insert(csv_.whole(id)).second)
        csv_.refuse(id, concat("particle ", csv_.text(id), " comes a second time; ids are unique."));
      const double x = energy(px), y = energy(py), z = energy(pz);
      csv_.whole(charge);
      const Momentum p{x, y, z, std::hypot(kChargedPion, std::hypot(x, y, z))};
      check(p, px);
      builder_.add(p);
    }
    if (seen.empty()) return false;
    builder_.end_set(0, repairs_);
    return true;
  }
  bool is_done_ = false;
};

/// The names in the header; none where the text is no table.
std::unordered_set<std::string> header_of(const FileHead& head) {
  std::string_view text = head.bytes;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text = text.substr(0, std::min(text.size(), text.find_first_of("\r\n")));
  std::unordered_set<std::string> names;
  while (text.size() < 10000 && !text.empty()) {
    const std::size_t end = std::min(text.size(), text.find(','));
    std::string_view name = fovea::datasets::text::trimmed(text.substr(0, end));
    if (name.size() > 1 && name.starts_with('"') && name.ends_with('"')) name = name.substr(1, name.size() - 2);
    names.emplace(name);
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return names;
}

bool has_all(const FileHead& head, std::initializer_list<const char*> wanted) {
  const std::unordered_set<std::string> names = header_of(head);
  for (const char* name : wanted)
    if (names.count(name) == 0) return false;
  return true;
}

template <typename Rows>
std::unique_ptr<ParticleReader> opened(const FileHead& head, const ReadOptions& options, FileFacts facts) {
  auto reader = std::make_unique<Rows>(head, facts, options);
  reader->begin();
  return reader;
}

}  // namespace

bool knows_lepton_csv(const FileHead& head) {
  return has_all(head, {"Event", "E1", "px1", "py1", "pz1", "E2", "px2", "py2", "pz2"});
}

bool knows_display_csv(const FileHead& head) {
  return has_all(head, {"run", "event", "pt", "eta", "phi"}) || has_all(head, {"run", "event", "et", "eta", "phi"});
}

bool knows_trackml(const FileHead& head) { return has_all(head, {"particle_id", "px", "py", "pz", "q"}); }

std::unique_ptr<ParticleReader> open_lepton_csv(const FileHead& head, const ReadOptions& options) {
  FileFacts facts;
  facts.kind = SetKind::leptons;
  return opened<LeptonRows>(head, options, facts);
}

std::unique_ptr<ParticleReader> open_display_csv(const FileHead& head, const ReadOptions& options) {
  FileFacts facts;
  facts.kind = SetKind::events;
  return opened<DisplayRows>(head, options, facts);
}

std::unique_ptr<ParticleReader> open_trackml(const FileHead& head, const ReadOptions& options) {
  FileFacts facts;
  facts.format = "TrackML particles.csv";
  facts.kind = SetKind::events;
  facts.sets = 1;
  facts.notes.push_back("the file has no masses: that of a charged pion is taken");
  return opened<TrackmlRows>(head, options, facts);
}

}  // namespace fovea::datasets::particles::text
