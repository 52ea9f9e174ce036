// ATLAS top tagging open data: fjet_clus_pt, _eta, _phi, _E [N, K] in MeV; fjet_pt, _eta, _phi, _m; labels.

#include <array>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/particles/hdf5/padded.hpp"

namespace fovea::datasets::particles::hdf5 {

namespace {

class AtlasReader final : public PaddedReader {
 public:
  AtlasReader(RowsFile file, const ReadOptions& options) : PaddedReader(std::move(file), options) {
    facts_.format = "ATLAS top tagging open data (HDF5)";
    facts_.axis = AxisKind::pseudorapidity;
    facts_.unit = "MeV";
    const Hdf5Entry& first = array_of(*file_, kConstituents[0], {false, {0}});
    for (std::size_t i = 0; i < 4; ++i)
      constituents_[i] = &array_of(*file_, kConstituents[i],
                                   {false, {first.shape[1]}, first.rows(), std::string_view(kConstituents[0])});
    const ArrayRule rule{false, {}, first.rows(), std::string_view(kConstituents[0])};
    for (std::size_t i = 0; i < 4; ++i) jets_[i] = array_if_any(*file_, kJets[i], rule);
    labels_ = array_if_any(*file_, "/labels", rule);
    facts_.sets = static_cast<Index>(first.rows());
    row_bytes_ = 4 * first.row_bytes;
    facts_.jet_momenta = jets_[0] != nullptr && jets_[1] != nullptr && jets_[2] != nullptr && jets_[3] != nullptr;
    if (labels_ != nullptr) facts_.classes = {"QCD", "top"};
    if (labels_ == nullptr) take_label_option();
    facts_.notes.push_back("the file names no unit: MeV is what the ATLAS open data have");
    facts_.notes.push_back(concat("at most ", first.shape[1], " leading constituents a jet"));
    if (file_->find("/weights") != nullptr) facts_.notes.push_back("the weights of the jets are not read");
    scale_ = scale_of_unit(options, facts_);
  }

 private:
  static constexpr std::array kConstituents{"/fjet_clus_pt", "/fjet_clus_eta", "/fjet_clus_phi", "/fjet_clus_E"};
  static constexpr std::array kJets{"/fjet_pt", "/fjet_eta", "/fjet_phi", "/fjet_m"};
  using Arrays = std::array<const Hdf5Entry*, 4>;

  std::array<Matrix<double>, 4> rows(const Arrays& arrays, Index first, Index end) const {
    std::array<Matrix<double>, 4> numbers;
    for (std::size_t i = 0; i < 4; ++i) numbers[i] = rows_of(*file_, *arrays[i], first, end);
    return numbers;
  }

  void take_rows(Index first, Index end, SetCollector& collector, ParticleSets& others) override {
    const auto [pt, eta, phi, energy] = rows(constituents_, first, end);
    for (Index i = 0; i < pt.rows(); ++i) {
      bool ended = false;
      for (Index k = 0; k < pt.cols(); ++k) {
        const ParticleSpot where = spot("/fjet_clus_pt, _eta, _phi, _E", first + i, k);
        const bool is_empty = pt(i, k) == 0 && energy(i, k) == 0;
        check_slot(is_empty, ended, where);
        if (!is_empty)
          collector.add(momentum_from_energy({pt(i, k), eta(i, k), phi(i, k)}, energy(i, k), scale_, where, repairs_));
      }
      collector.end_set();
    }
    add_labels(labels_, first, end, others);
    if (facts_.jet_momenta) add_jets(first, end, others.jet_momenta);
  }

  void add_jets(Index first, Index end, Matrix<double>& momenta) const {
    const auto [pt, eta, phi, mass] = rows(jets_, first, end);
    const Index before = momenta.rows();
    momenta.conservativeResize(before + end - first, 4);
    for (Index i = 0; i < pt.rows(); ++i) {
      const Momentum p = jet_momentum(pt(i, 0), eta(i, 0), phi(i, 0), mass(i, 0), scale_, spot("/fjet_pt", first + i));
      momenta.row(before + i) << p.px, p.py, p.pz, p.energy;
    }
  }

  Arrays constituents_{}, jets_{};
  const Hdf5Entry* labels_ = nullptr;
};

}  // namespace

bool is_atlas(const Hdf5Rows& file) { return file.find("/fjet_clus_pt") != nullptr; }

std::unique_ptr<ParticleReader> open_atlas(RowsFile file, const ReadOptions& options) {
  return std::make_unique<AtlasReader>(std::move(file), options);
}

}  // namespace fovea::datasets::particles::hdf5
