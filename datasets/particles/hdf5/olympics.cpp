// LHC Olympics: a pandas "fixed" frame, df/block0_values [N, 2101] = 700 x (pt, eta, phi) and the truth.

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/hdf5/padded.hpp"

namespace fovea::datasets::particles::hdf5 {

namespace {

constexpr const char* kValues = "/df/block0_values";

class OlympicsReader final : public PaddedReader {
 public:
  OlympicsReader(RowsFile file, const ReadOptions& options) : PaddedReader(std::move(file), options) {
    facts_.format = "LHC Olympics (pandas, HDF5)";
    facts_.kind = SetKind::events;
    facts_.axis = AxisKind::pseudorapidity;
    values_ = &array_of(*file_, kValues, {false, {0}});
    const std::uint64_t width = values_->shape[1];
    if (width < 3 || width % 3 == 2)
      throw DataError(concat(path(), ": ", kValues, " has ", width,
                             " columns, but must have three (pt, eta, phi) for each particle and, maybe, the truth."));
    particles_ = static_cast<Index>(width / 3);
    has_label_ = width % 3 == 1;
    facts_.sets = static_cast<Index>(values_->rows());
    row_bytes_ = values_->row_bytes;
    if (has_label_) facts_.classes = {"background", "signal"};
    if (!has_label_) take_label_option();
    scale_ = scale_of_unit(options, facts_);
    facts_.notes.push_back("particles are taken as massless");
    facts_.notes.push_back("the file names no unit: GeV is what the LHC Olympics have");
  }

 private:
  void take_rows(Index first, Index end, SetCollector& collector, ParticleSets& others) override {
    const Matrix<double> rows = rows_of(*file_, *values_, first, end);
    for (Index i = 0; i < rows.rows(); ++i) {
      bool ended = false;
      for (Index k = 0; k < particles_; ++k) {
        const ParticleSpot where = spot(kValues, first + i, k);
        const auto numbers = rows.row(i).segment(3 * k, 3);
        const bool is_empty = numbers[0] == 0;
        check_slot(is_empty, ended, where);
        if (!is_empty)
          collector.add(
              momentum_from_mass({numbers[0], numbers[1], numbers[2]}, facts_.axis, 0, scale_, where, repairs_));
      }
      collector.end_set();
      if (has_label_)
        others.labels.push_back(checked_label(rows(i, rows.cols() - 1), facts_.classes, spot(kValues, first + i)));
    }
    if (!has_label_) add_labels(nullptr, first, end, others);
  }

  const Hdf5Entry* values_ = nullptr;
  Index particles_ = 0;
  bool has_label_ = false;
};

}  // namespace

bool is_olympics(const Hdf5Rows& file) { return file.find(kValues) != nullptr; }

std::unique_ptr<ParticleReader> open_olympics(RowsFile file, const ReadOptions& options) {
  return std::make_unique<OlympicsReader>(std::move(file), options);
}

}  // namespace fovea::datasets::particles::hdf5
