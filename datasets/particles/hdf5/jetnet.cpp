// JetNet: particle_features [N, K, 4] = eta_rel, phi_rel, pt_rel, mask; jet_features [N, 4] = pt, eta, mass, count.

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/hdf5/padded.hpp"

namespace fovea::datasets::particles::hdf5 {

namespace {

constexpr const char* kFeatures = "/particle_features";

class JetNetReader final : public PaddedReader {
 public:
  JetNetReader(RowsFile file, const ReadOptions& options) : PaddedReader(std::move(file), options) {
    facts_.format = "JetNet (HDF5)";
    facts_.axis = AxisKind::pseudorapidity;
    particles_ = &array_of(*file_, kFeatures, {false, {0, 4}});
    jets_ = &array_of(*file_, "/jet_features", {false, {4}, particles_->rows(), kFeatures});
    facts_.sets = static_cast<Index>(particles_->rows());
    facts_.jet_momenta = true;
    row_bytes_ = particles_->row_bytes;
    take_label_option();
    scale_ = scale_of_unit(options, facts_);
    facts_.notes.push_back("angles and pt are relative to the jet, whose phi is not in the file: 0 is taken");
    facts_.notes.push_back(concat("at most ", particles_->shape[1], " leading constituents a jet, taken as massless"));
    if (facts_.classes.empty())
      facts_.notes.push_back("the file has one class and no label: give it with the option label");
  }

 private:
  void take_rows(Index first, Index end, SetCollector& collector, ParticleSets& others) override {
    const Matrix<double> rows = rows_of(*file_, *particles_, first, end), jets = rows_of(*file_, *jets_, first, end);
    const Index before = others.jet_momenta.rows();
    others.jet_momenta.conservativeResize(before + end - first, 4);
    for (Index i = 0; i < rows.rows(); ++i) {
      const double jet_pt = jets(i, 0), jet_eta = jets(i, 1);
      const Momentum jet = jet_momentum(jet_pt, jet_eta, 0, jets(i, 2), scale_, spot("/jet_features", first + i));
      others.jet_momenta.row(before + i) << jet.px, jet.py, jet.pz, jet.energy;
      bool ended = false;
      for (Index k = 0; k < rows.cols() / 4; ++k) {
        const ParticleSpot where = spot(kFeatures, first + i, k);
        const auto numbers = rows.row(i).segment(4 * k, 4);
        check_mask(numbers[3], where);
        check_slot(numbers[3] == 0, ended, where);
        if (numbers[3] == 0) continue;
        const PolarNumbers polar{numbers[2] * jet_pt, numbers[0] + jet_eta, numbers[1]};
        collector.add(momentum_from_mass(polar, facts_.axis, 0, scale_, where, repairs_));
      }
      collector.end_set();
    }
    add_labels(nullptr, first, end, others);
  }

  static void check_mask(double mask, const ParticleSpot& where) {
    if (mask != 0 && mask != 1) where.refuse(concat("the mask is ", mask, ", but must be 0 or 1"));
  }

  const Hdf5Entry *particles_ = nullptr, *jets_ = nullptr;
};

}  // namespace

bool is_jetnet(const Hdf5Rows& file) {
  return file.find(kFeatures) != nullptr && file.find("/jet_features") != nullptr;
}

std::unique_ptr<ParticleReader> open_jetnet(RowsFile file, const ReadOptions& options) {
  return std::make_unique<JetNetReader>(std::move(file), options);
}

}  // namespace fovea::datasets::particles::hdf5
