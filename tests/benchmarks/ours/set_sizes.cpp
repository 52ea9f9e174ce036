#include "fovea/tests/benchmarks/ours/set_sizes.hpp"

#include <hdf5.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::bench {
namespace {

/// Every twentieth part of the numbers of constituents, from 16 to 128, of simulated top and light-quark jets with
/// transverse momenta of 550 to 650 GeV: mean 50, a long tail.
constexpr std::array<double, 21> kQuantiles{16, 21, 26, 31, 34, 37, 40, 43, 45, 47, 49,
                                            51, 54, 56, 58, 61, 64, 68, 73, 80, 128};

Index drawn_size(const Random& random, Index set) {
  const double at = random.uniform(static_cast<std::uint64_t>(set)) * (kQuantiles.size() - 1);
  const std::size_t below = static_cast<std::size_t>(at);
  const double between = at - static_cast<double>(below);
  const double last = below + 2 == kQuantiles.size() ? between * between * between : between;  // the tail thins out
  return std::lround(kQuantiles[below] + last * (kQuantiles[below + 1] - kQuantiles[below]));
}

std::vector<std::int64_t> offsets_in(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  require(file >= 0, path, ": cannot be read as HDF5.");
  hsize_t length = 0;
  std::vector<std::int64_t> offsets;
  bool good = H5LTget_dataset_info(file, "offsets", &length, nullptr, nullptr) >= 0;
  offsets.resize(good ? length : 0);
  good = good && H5LTread_dataset(file, "offsets", H5T_NATIVE_INT64, offsets.data()) >= 0;
  H5Fclose(file);
  require(good, path, ": has no data set 'offsets' of whole numbers.");
  return offsets;
}

std::vector<Index> sizes_in_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istream_iterator<Index>(file), std::istream_iterator<Index>()};
}

std::vector<Index> sizes_in_hdf5(const std::string& path) {
  const auto offsets = offsets_in(path);
  std::vector<Index> sizes;
  for (std::size_t set = 0; set + 1 < offsets.size(); ++set) sizes.push_back(offsets[set + 1] - offsets[set]);
  return sizes;
}

std::vector<Index> sizes_in(const std::string& path, const SizeRange& range) {
  std::vector<Index> sizes = H5Fis_hdf5(path.c_str()) > 0 ? sizes_in_hdf5(path) : sizes_in_text(path);
  std::erase_if(sizes, [&](Index size) { return size < range.smallest || size > range.largest; });
  require(!sizes.empty(), path, ": has no set of ", range.smallest, " to ", range.largest, " members.");
  return sizes;
}

}  // namespace

std::vector<Index> set_offsets(Index count, const std::string& path, const SizeRange& range) {
  const std::vector<Index> sizes = path.empty() ? std::vector<Index>{} : sizes_in(path, range);
  const Random random = Random(1).stream("set sizes");
  std::vector<Index> offsets{0};
  for (Index set = 0; set < count; ++set) {
    const std::size_t at = sizes.empty() ? 0 : static_cast<std::size_t>(set) % sizes.size();
    offsets.push_back(offsets.back() + (sizes.empty() ? drawn_size(random, set) : sizes[at]));
  }
  return offsets;
}

}  // namespace fovea::bench
