// Ragged HDF5: /offsets, /particles and, where there are such, /label, /pid, /jet, /truth, /part, /number.

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/particles/collector.hpp"
#include "fovea/datasets/particles/hdf5/arrays.hpp"
#include "fovea/datasets/particles/hdf5/layouts.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::particles::hdf5 {

namespace {

constexpr std::uint64_t kMostPartons = 1000;
constexpr Index kRowsAtOnce = Index{1} << 18;  // of particles, in memory as the file has them

AxisKind axis_from(const std::string& word) {
  if (word == "eta" || word == "pseudorapidity") return AxisKind::pseudorapidity;
  if (word == "y" || word == "rapidity" || word == "rap") return AxisKind::rapidity;
  return AxisKind::none;
}

class RaggedReader final : public ParticleReader {
 public:
  RaggedReader(RowsFile file, const ReadOptions& options)
      : file_(std::move(file)), label_(label_of_options(options)), bad_{options.leave_out_bad, options.empty_is_bad} {
    facts_.path = file_->path();
    facts_.format = "ragged HDF5";
    const Hdf5Entry& root = *file_->find("/");
    const std::string kind = root.attribute("kind");
    if (kind == "events") facts_.kind = SetKind::events;
    if (kind == "leptons") facts_.kind = SetKind::leptons;
    offsets_ = &array_of(*file_, "/offsets", {true});
    if (offsets_->rows() == 0) throw DataError(concat(path(), ": /offsets is empty, but must begin with 0."));
    particles_ = &array_of(*file_, "/particles", {false, {4}});
    facts_.sets = static_cast<Index>(offsets_->rows()) - 1;
    check_ends();
    read_columns(options);
    find_others(root);
  }

  const FileFacts& facts() const override { return facts_; }
  const Repairs& repairs() const override { return repairs_; }

  ParticleSets read(Index most) override {
    return next_good_sets(next_, facts_, most, bad_, repairs_,
                          [&](Index first, Index end) { return sets_of(first, end); });
  }

 private:
  ParticleSets sets_of(Index first, Index end) {
    const auto offsets =
        file_->read<std::int64_t>(*offsets_, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(end) + 1);
    check_offsets(offsets, first);
    SetCollector collector(facts_.kind, repairs_);
    collect(offsets, first, collector);
    ParticleSets sets = collector.take(ids_ != nullptr, sub_events_ != nullptr);
    add_columns(sets, first, end);
    return sets;
  }

 private:
  const std::string& path() const { return facts_.path; }
  ParticleSpot spot(std::string_view array, Index set, Index particle = -1) const {
    return {facts_.path, array, set, particle, noun_of(facts_.kind)};
  }
  std::int64_t offset(std::uint64_t row) const { return file_->read<std::int64_t>(*offsets_, row, row + 1).front(); }

  void check_ends() const {
    const auto rows = static_cast<std::int64_t>(particles_->rows());
    if (const std::int64_t start = offset(0); start != 0)
      throw DataError(concat(path(), ": /offsets begins with ", start, ", but must begin with 0."));
    if (const std::int64_t end = offset(offsets_->rows() - 1); end != rows)
      throw DataError(concat(path(), ": /offsets ends with ", end, ", but must end with ", rows,
                             ", the number of rows of /particles."));
  }

  void check_offsets(const std::vector<std::int64_t>& offsets, Index first) const {
    const auto rows = static_cast<std::int64_t>(particles_->rows());
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
      if (offsets[i] < 0 || offsets[i + 1] < offsets[i] || offsets[i + 1] > rows)
        spot("/offsets", first + static_cast<Index>(i))
            .refuse(concat("its rows are ", offsets[i], " to ", offsets[i + 1],
                           ", but must not fall and lie within 0 and ", rows));
  }

  void read_columns(const ReadOptions& options) {
    require(options.axis.empty() || options.axis == "eta" || options.axis == "rapidity", "axis is '", options.axis,
            "'; it must be eta or rapidity.");
    const std::string said = particles_->attribute("columns");
    std::string unit;
    const std::vector<std::string> names = column_names(said, &unit);
    if (!said.empty()) {
      facts_.axis = names.size() == 4 ? axis_from(names[1]) : AxisKind::none;
      if (facts_.axis == AxisKind::none || names[0] != "pt" || names[2] != "phi" || names[3] != "mass")
        throw DataError(concat(path(), ": /particles has the columns '", datasets::text::shown_text(said),
                               "', but must have pt, eta or y, phi, mass; write them in this order."));
    }
    if (!options.axis.empty()) {
      const AxisKind said_axis = facts_.axis;
      facts_.axis = axis_from(options.axis);
      facts_.notes.push_back(
          concat("the second column is ", options.axis, ", as was asked for",
                 said_axis == AxisKind::none || said_axis == facts_.axis ? "" : ", not " + names[1]));
    }
    if (facts_.axis == AxisKind::none)
      throw DataError(concat(path(),
                             ": /particles does not say whether its second column is eta or rapidity; give the "
                             "option axis, or its attribute columns = 'pt[GeV],eta,phi,mass[GeV]'."));
    if (!unit.empty() && unit != "GeV" && unit != "MeV")
      throw DataError(concat(path(), ": /particles has energies in '", datasets::text::shown_text(unit),
                             "', but must have them in GeV or MeV."));
    if (unit.empty() && options.unit.empty()) facts_.notes.push_back("the file names no unit: GeV is assumed");
    if (!unit.empty()) facts_.unit = unit;
    facts_.unit_known_by = unit.empty() ? "assumed" : "as it states";
    scale_ = scale_of_unit(options, facts_);
  }

  void find_others(const Hdf5Entry& root) {
    const auto sets = static_cast<std::uint64_t>(facts_.sets);
    labels_ = array_if_any(*file_, "/label", {true, {}, sets, "/offsets"});
    ids_ = array_if_any(*file_, "/pid", {true, {}, particles_->rows(), "/particles"});
    jets_ = array_if_any(*file_, "/jet", {false, {5}, sets, "/offsets"});
    truth_ = array_if_any(*file_, "/truth", {false, {0}, sets, "/offsets"});
    parts_ = array_if_any(*file_, "/part", {true, {}, sets, "/offsets"});
    numbers_ = array_if_any(*file_, "/number", {true, {}, sets, "/offsets"});
    sub_events_ = array_if_any(*file_, "/sub_event", {true, {}, particles_->rows(), "/particles"});
    if (truth_ != nullptr && (truth_->width() % 4 != 0 || truth_->width() > 4 * kMostPartons))
      throw DataError(concat(path(), ": /truth has ", truth_->width(),
                             " columns, but must have four (px, py, pz, E) for each parton."));
    facts_.ids = ids_ != nullptr, facts_.jet_momenta = jets_ != nullptr, facts_.truth = truth_ != nullptr;
    facts_.sub_events = sub_events_ != nullptr;
    if (truth_ != nullptr) facts_.truth_columns = truth_->attribute("columns");
    if (labels_ != nullptr) {
      facts_.classes = class_names(root.attribute("label"));
      if (facts_.classes.empty()) facts_.classes = {"0", "1"}, facts_.notes.push_back("the classes have no names");
    }
    for (int label = 0; labels_ == nullptr && label <= std::max(label_, 1.0) && !std::isnan(label_); ++label)
      facts_.classes.push_back(exact_text(label));
    if (parts_ != nullptr) facts_.parts = column_names(parts_->attribute("names"));
    if (jets_ != nullptr) check_jet_columns();
  }

  void check_jet_columns() const {
    const std::string said = jets_->attribute("columns");
    const auto names = column_names(said);
    const bool right = names.size() == 5 && names[0] == "pt" && axis_from(names[1]) == facts_.axis &&
                       names[2] == "phi" && names[3] == "E" && names[4] == "mass";
    if (!said.empty() && !right)
      throw DataError(concat(path(), ": /jet has the columns '", datasets::text::shown_text(said),
                             "', but must have pt, the same eta or y as /particles, phi, E, mass."));
  }

  /// Rows of particles as they stand in the file.
  struct Rows {
    Index first = 0, end = 0;
    Matrix<double> numbers;
    std::vector<std::int64_t> ids, sub_events;
  };

  Rows rows_at(Index first, Index most) const {
    Rows rows{first, std::min<Index>(first + kRowsAtOnce, most), {}, {}, {}};
    rows.numbers = rows_of(*file_, *particles_, first, rows.end);
    if (ids_ != nullptr) rows.ids = whole(*ids_, first, rows.end);
    if (sub_events_ != nullptr) rows.sub_events = whole(*sub_events_, first, rows.end);
    return rows;
  }

  static std::int32_t whole_at(const std::vector<std::int64_t>& numbers, Index row) {
    return numbers.empty() ? 0 : static_cast<std::int32_t>(numbers[row]);
  }

  void collect(const std::vector<std::int64_t>& offsets, Index first, SetCollector& collector) {
    Rows rows;
    for (std::size_t set = 0; set + 1 < offsets.size(); ++set) {
      ParticleSpot where = spot("/particles", first + static_cast<Index>(set), 0);
      for (std::int64_t row = offsets[set]; row < offsets[set + 1]; ++row, ++where.particle) {
        if (row >= rows.end) rows = rows_at(row, offsets.back());
        const Index at = row - rows.first;
        const auto numbers = rows.numbers.row(at);
        const Momentum p =
            momentum_from_mass({numbers[0], numbers[1], numbers[2]}, facts_.axis, numbers[3], scale_, where, repairs_);
        collector.add(p, whole_at(rows.ids, at), whole_at(rows.sub_events, at));
      }
      collector.end_set();
    }
  }

  std::vector<std::int64_t> whole(const Hdf5Entry& array, Index first, Index end) const {
    return file_->read<std::int64_t>(array, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(end));
  }

  void add_columns(ParticleSets& sets, Index first, Index end) {
    const std::size_t count = end - first;
    if (labels_ != nullptr) {
      for (const std::int64_t label : whole(*labels_, first, end))
        sets.labels.push_back(checked_label(static_cast<double>(label), facts_.classes,
                                            spot("/label", first + static_cast<Index>(sets.labels.size()))));
    } else if (!std::isnan(label_)) {
      sets.labels.assign(count, label_);
    }
    if (parts_ != nullptr)
      for (const std::int64_t part : whole(*parts_, first, end))
        sets.parts.push_back(checked_part(part, first + static_cast<Index>(sets.parts.size())));
    if (numbers_ != nullptr) sets.numbers = whole(*numbers_, first, end);
    for (Index set = first; numbers_ == nullptr && set < end; ++set) sets.numbers.push_back(set);
    if (jets_ != nullptr) sets.jet_momenta = jets(first, end);
    if (truth_ != nullptr) sets.truth = truth(first, end);
  }

  std::int32_t checked_part(std::int64_t part, Index set) const {
    if (part < 0 || part >= static_cast<std::int64_t>(facts_.parts.size()))
      spot("/part", set)
          .refuse(concat("the part is ", part, ", but must be at least 0 and below ", facts_.parts.size()));
    return static_cast<std::int32_t>(part);
  }

  Matrix<double> jets(Index first, Index end) {
    const Matrix<double> rows = rows_of(*file_, *jets_, first, end);
    Matrix<double> momenta(rows.rows(), 4);
    Repairs unseen;  // of constituents alone
    for (Index i = 0; i < rows.rows(); ++i) {
      const ParticleSpot where = spot("/jet", first + i);
      Momentum p =
          momentum_from_mass({rows(i, 0), rows(i, 1), rows(i, 2)}, facts_.axis, rows(i, 4), scale_, where, unseen);
      p.energy = rows(i, 3) * scale_;
      p = checked_momentum(p, where, unseen);
      momenta.row(i) << p.px, p.py, p.pz, p.energy;
    }
    return momenta;
  }

  Matrix<double> truth(Index first, Index end) const {
    Matrix<double> rows = rows_of(*file_, *truth_, first, end) * scale_;
    for (Index i = 0; i < rows.rows(); ++i)
      if (!rows.row(i).allFinite())
        spot("/truth", first + i)
            .refuse("a number is not finite, but all must be; write zeros where there is no truth");
    return rows;
  }

  RowsFile file_;
  FileFacts facts_;
  Repairs repairs_;
  double label_, scale_ = 1;
  BadRules bad_;
  Index next_ = 0;
  const Hdf5Entry *offsets_ = nullptr, *particles_ = nullptr, *labels_ = nullptr, *ids_ = nullptr, *jets_ = nullptr,
                  *truth_ = nullptr, *parts_ = nullptr, *numbers_ = nullptr, *sub_events_ = nullptr;
};

}  // namespace

bool is_ragged(const Hdf5Rows& file) { return file.find("/offsets") != nullptr && file.find("/particles") != nullptr; }

std::unique_ptr<ParticleReader> open_ragged(RowsFile file, const ReadOptions& options) {
  return std::make_unique<RaggedReader>(std::move(file), options);
}

}  // namespace fovea::datasets::particles::hdf5
