#include "fovea/datasets/particles/numpy/energyflow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/particles/collector.hpp"
#include "fovea/datasets/particles/numpy/npy_member.hpp"

namespace fovea::datasets::particles::numpy {

namespace {

constexpr const char* kJets = "X.npy";
constexpr const char* kLabels = "y.npy";

struct KnownMass {
  std::int64_t id;
  double mass;
};

constexpr std::array kMasses{KnownMass{11, 0.000511}, KnownMass{12, 0},         KnownMass{13, 0.10566},
                             KnownMass{14, 0},        KnownMass{16, 0},         KnownMass{22, 0},
                             KnownMass{130, 0.49761}, KnownMass{211, 0.13957},  KnownMass{310, 0.49761},
                             KnownMass{321, 0.49368}, KnownMass{2112, 0.93957}, KnownMass{2212, 0.93827}};

class EnergyFlowReader final : public ParticleReader {
 public:
  EnergyFlowReader(const FileHead& head, const ReadOptions& options)
      : jets_(head.path, kJets), label_(label_of_options(options)), bad_{options.leave_out_bad, options.empty_is_bad} {
    facts_.path = head.path;
    facts_.format = "EnergyFlow quark and gluon jets (NumPy .npz)";
    facts_.axis = AxisKind::rapidity;
    const auto& shape = jets_.head().shape;
    if (shape.size() != 3 || shape[1] == 0 || (shape[2] != 3 && shape[2] != 4))
      throw DataError(concat(head.path, ": its array 'X.npy' has ", shape.size(),
                             shape.size() == 3 ? concat(" axes, the last of ", shape[2]) : std::string(" axes"),
                             ", but must have [N, M, 4] (or 3) as pt, y, phi and PDG number."));
    facts_.sets = static_cast<Index>(jets_.rows());
    columns_ = shape[2];
    facts_.ids = columns_ == 4;
    facts_.notes.push_back(facts_.ids ? "masses are those of the PDG numbers" : "particles are taken as massless");
    facts_.notes.push_back("the file names no unit: GeV is what EnergyFlow has");
    open_labels();
    scale_ = scale_of_unit(options, facts_);
  }

  const FileFacts& facts() const override { return facts_; }
  const Repairs& repairs() const override { return repairs_; }

  ParticleSets read(Index most) override {
    require(most >= 1, "ParticleReader: ", most, " sets are asked for; ask for at least 1.");
    SetCollector collector(facts_.kind, repairs_);
    std::vector<double> labels;
    std::vector<std::int64_t> numbers;
    for (; next_ < facts_.sets && std::ssize(numbers) < most; ++next_) {
      const std::vector<double>& row = jets_.next_row();
      const double label = labels_ ? labels_->next_row().front() : label_;
      const Repairs before = repairs_;
      try {
        if (labels_) check_class(label);
        take_jet(row, collector);
        numbers.push_back(next_), labels.push_back(label);
      } catch (const DataError& fault) {
        collector.drop_open();
        repairs_ = before;
        take_bad_set(fault, bad_.leave_out, repairs_);
      }
    }
    if (numbers.empty()) return {};
    ParticleSets sets = collector.take(facts_.ids);
    if (labels_ || !std::isnan(label_)) sets.labels = std::move(labels);
    sets.numbers = std::move(numbers);
    return sets;
  }

 private:
  ParticleSpot spot(const char* array, Index particle = -1) const { return {facts_.path, array, next_, particle}; }

  void open_labels() {
    const auto names = member_names(facts_.path);
    if (std::find(names.begin(), names.end(), kLabels) == names.end()) {
      for (int label = 0; label <= std::max(label_, 1.0) && !std::isnan(label_); ++label)
        facts_.classes.push_back(exact_text(label));
      return;
    }
    labels_.emplace(facts_.path, kLabels);
    if (labels_->width() != 1 || labels_->rows() != jets_.rows())
      throw DataError(concat(facts_.path, ": its array 'y.npy' has ", labels_->rows(), " rows of ", labels_->width(),
                             ", but must have ", jets_.rows(), " numbers, one for each jet of X."));
    facts_.classes = {"gluon", "quark"};
  }

  void check_class(double label) const {
    if (label != 0 && label != 1)
      spot(kLabels).refuse(concat("the label is ", plain_text(label), ", but must be 0 (gluon) or 1 (quark)"));
  }

  void take_jet(const std::vector<double>& row, SetCollector& collector) {
    bool ended = false;
    for (std::size_t slot = 0; slot * columns_ < row.size(); ++slot) {
      const double* numbers = row.data() + slot * columns_;
      const ParticleSpot where = spot(kJets, static_cast<Index>(slot));
      const bool is_empty = numbers[0] == 0;
      if (!is_empty && ended)
        where.refuse("it stands behind slots of zeros, but particles must stand before all zeros; sort them by pt");
      ended = is_empty;
      if (is_empty) continue;
      const std::int64_t id = columns_ == 4 ? checked_id(numbers[3], where) : 22;
      const double mass = std::max(0.0, mass_of_id(id));
      const PolarNumbers polar{numbers[0], numbers[1], numbers[2]};
      // The mass is in GeV whatever the file's unit is.
      collector.add(momentum_from_mass(polar, facts_.axis, mass / scale_, scale_, where, repairs_),
                    static_cast<std::int32_t>(id));
    }
    if (bad_.empty_is_bad && row.front() == 0) spot(kJets).refuse("it has no constituents, so it cannot be scored");
    collector.end_set();
  }

  static std::int64_t checked_id(double id, const ParticleSpot& where) {
    if (!(std::abs(id) <= std::numeric_limits<std::int32_t>::max()) || id != std::floor(id))
      where.refuse(concat("the PDG number is ", plain_text(id), ", but must be a whole number of 31 bits"));
    return static_cast<std::int64_t>(id);
  }

  NpyMember jets_;
  std::optional<NpyMember> labels_;
  FileFacts facts_;
  Repairs repairs_;
  std::size_t columns_ = 4;
  double label_, scale_ = 1;
  BadRules bad_;
  Index next_ = 0;
};

}  // namespace

double mass_of_id(std::int64_t id) {
  const auto found = std::find_if(kMasses.begin(), kMasses.end(), [&](auto known) { return known.id == std::abs(id); });
  return found == kMasses.end() ? -1 : found->mass;
}

bool is_zip(const FileHead& head) { return !head.packed && head.starts_with("PK\x03\x04"); }

bool holds_energyflow(const FileHead& head) {
  const auto names = member_names(head.path);
  return std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.ends_with(".npy"); });
}

std::unique_ptr<ParticleReader> open_energyflow(const FileHead& head, const ReadOptions& options) {
  const auto names = member_names(head.path);
  if (std::find(names.begin(), names.end(), kJets) == names.end())
    throw DataError(
        concat(head.path,
               ": is a zip without an array X (X.npy), which a file of EnergyFlow has; unpack what is in it, "
               "or get it again."));
  return std::make_unique<EnergyFlowReader>(head, options);
}

}  // namespace fovea::datasets::particles::numpy
