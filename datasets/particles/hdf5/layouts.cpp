#include "fovea/datasets/particles/hdf5/layouts.hpp"

#include <algorithm>
#include <array>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::particles::hdf5 {

namespace {

constexpr std::array kLayouts{
    Layout{"ragged (offsets, particles)", &is_ragged, &open_ragged},
    Layout{"Top Tagging reference (table/table)", &is_top_table, &open_top_table},
    Layout{"JetNet (particle_features, jet_features)", &is_jetnet, &open_jetnet},
    Layout{"ATLAS (fjet_clus_pt, ...)", &is_atlas, &open_atlas},
    Layout{"LHC Olympics (df/block0_values)", &is_olympics, &open_olympics},
};

const Layout* layout_of(const Hdf5Rows& file) {
  const auto* found =
      std::find_if(kLayouts.begin(), kLayouts.end(), [&](const Layout& layout) { return layout.knows(file); });
  return found == kLayouts.end() ? nullptr : found;
}

/// The first names in the file, for whoever wonders what it is.
std::string names_in(const Hdf5Rows& file) {
  constexpr std::size_t kMost = 6;
  std::string names;
  std::size_t shown = 0;
  for (const Hdf5Entry& entry : file.entries())
    if (!entry.is_group && shown++ < kMost)
      names += (names.empty() ? "" : ", ") + datasets::text::shown_text(entry.path);
  if (shown > kMost) names += ", ...";
  return names.empty() ? "no array" : names;
}

}  // namespace

bool knows_hdf5(const FileHead& head) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1A\n";
  for (const std::size_t at : {0, 512, 1024, 2048, 4096, 8192})  // a file may have other bytes before
    if (!head.packed && head.bytes.compare(std::min(at, head.bytes.size()), kSignature.size(), kSignature) == 0)
      return true;
  return false;
}

bool holds_particles(const FileHead& head) { return layout_of(Hdf5Rows(head.path)) != nullptr; }

std::unique_ptr<ParticleReader> open_hdf5(const FileHead& head, const ReadOptions& options) {
  auto file = std::make_unique<Hdf5Rows>(head.path);
  if (const Layout* layout = layout_of(*file)) return layout->open(std::move(file), options);
  std::string known;
  for (const Layout& layout : kLayouts) known += concat(known.empty() ? "" : "; ", layout.name);
  throw DataError(concat(head.path, ": is an HDF5 file with ", names_in(*file),
                         ", none of the layouts of particles that are known here: ", known,
                         "; write it as ragged HDF5."));
}

}  // namespace fovea::datasets::particles::hdf5
