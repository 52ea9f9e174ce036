#include "fovea/core/study/cases/case_hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace fovea::study {

namespace {

constexpr std::int64_t kMostBits = 63;
constexpr double kPrivateChance = 1.0 / 8;  // large enough to deny one case, small enough to know a file of some dozens

/// The finalizer of MurmurHash3 (Appleby 2011): every bit of the input changes half of the output's.
std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
  state = (state ^ word) * 0x9E3779B97F4A7C15ULL;
  state = (state ^ (state >> 33)) * 0xFF51AFD7ED558CCDULL;
  state = (state ^ (state >> 33)) * 0xC4CEB9FE1A85EC53ULL;
  return state ^ (state >> 33);
}

std::uint64_t bits_of(double value) {
  if (std::isnan(value)) return 1;
  return std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
}

std::uint64_t text_hash(std::string_view text) {
  std::uint64_t state = text.size();
  for (const char letter : text) state = mixed(state, static_cast<unsigned char>(letter));
  return state;
}

std::int64_t shortened(std::uint64_t hash, std::int64_t bits) {
  return static_cast<std::int64_t>(hash & ((std::uint64_t{1} << bits) - 1));
}

}  // namespace

std::vector<std::uint64_t> case_hashes(const Cases& cases) {
  std::vector<std::uint64_t> classes, hashes;
  for (const std::string& name : cases.classes) classes.push_back(text_hash(name));
  for (Index b = 0; b < cases.count(); ++b) {
    std::uint64_t state = static_cast<std::uint64_t>(cases.size(b));
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i) {
      if (!cases.kinds.empty()) state = mixed(state, classes[cases.kinds[i]]);
      if (!cases.times.empty()) state = mixed(state, bits_of(cases.times[i]));
      for (Index f = 0; f < cases.values.cols(); ++f) state = mixed(state, bits_of(cases.values(i, f)));
      for (Index d = 0; d < (cases.coordinates.rows() > 0 ? cases.coordinates.cols() : 0); ++d)
        state = mixed(state, bits_of(cases.coordinates(i, d)));
    }
    hashes.push_back(cases.size(b) == 0 ? 0 : std::max<std::uint64_t>(1, state));
  }
  std::unordered_map<std::uint64_t, Index> times;
  for (const std::uint64_t hash : hashes) ++times[hash];
  for (std::uint64_t& hash : hashes)
    if (times[hash] >= kCommon) hash = 0;
  return hashes;
}

std::vector<RepeatedCase> repeated_cases(const std::vector<std::uint64_t>& hashes, const std::vector<Index>& items,
                                         const std::vector<Index>& others) {
  std::unordered_map<std::uint64_t, Index> known;
  for (const Index item : others) known.emplace(hashes[item], item);
  std::vector<RepeatedCase> repeated;
  for (const Index item : items)
    if (const auto like = known.find(hashes[item]); hashes[item] != 0 && like != known.end())
      repeated.push_back({item, like->second});
  return repeated;
}

KnownCases known_cases(const Cases& cases, const std::vector<Index>& learned) {
  KnownCases known;
  if (cases.smallest_cell > 1) {
    const double places = static_cast<double>(std::max<std::size_t>(1, learned.size())) / kPrivateChance;
    known.bits = std::min(kMostBits, static_cast<std::int64_t>(std::ceil(std::log2(places))));
  }
  const std::vector<std::uint64_t> hashes = case_hashes(cases);
  for (const Index item : learned)
    if (hashes[item] != 0) known.kept.push_back(shortened(hashes[item], known.bits));
  std::sort(known.kept.begin(), known.kept.end());
  known.kept.erase(std::unique(known.kept.begin(), known.kept.end()), known.kept.end());
  return known;
}

double KnownCases::chance() const {
  return bits == kMostBits ? 0 : static_cast<double>(kept.size()) / std::exp2(static_cast<double>(bits));
}

Index KnownCases::among(const std::vector<std::uint64_t>& hashes) const {
  return std::count_if(hashes.begin(), hashes.end(), [&](std::uint64_t hash) {
    return hash != 0 && std::binary_search(kept.begin(), kept.end(), shortened(hash, bits));
  });
}

}  // namespace fovea::study
