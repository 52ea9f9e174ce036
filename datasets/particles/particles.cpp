#include "fovea/datasets/particles/particles.hpp"

namespace fovea::datasets::particles {

namespace {

template <typename Number>
void append(std::vector<Number>& to, const std::vector<Number>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void append(Matrix<double>& to, const Matrix<double>& more) {
  if (more.rows() == 0) return;
  const Index rows = to.rows();
  to.conservativeResize(rows + more.rows(), more.cols());
  to.bottomRows(more.rows()) = more;
}

}  // namespace

void append(ParticleSets& sets, const ParticleSets& more) {
  if (sets.count() == 0) {
    sets = more;
    return;
  }
  const Index first = sets.particles();
  for (std::size_t b = 1; b < more.offsets.size(); ++b) sets.offsets.push_back(first + more.offsets[b]);
  append(sets.momenta, more.momenta);
  append(sets.ids, more.ids);
  append(sets.sub_events, more.sub_events);
  append(sets.labels, more.labels);
  append(sets.parts, more.parts);
  append(sets.jet_momenta, more.jet_momenta);
  append(sets.truth, more.truth);
  append(sets.numbers, more.numbers);
  append(sets.rows, more.rows);
}

ParticleSets read_all(ParticleReader& reader) {
  constexpr Index kBlock = 4096;
  ParticleSets all = reader.read(kBlock);
  for (ParticleSets more = reader.read(kBlock); more.count() > 0; more = reader.read(kBlock)) append(all, more);
  return all;
}

}  // namespace fovea::datasets::particles
