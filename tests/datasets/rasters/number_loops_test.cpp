/// The loops over the numbers of rasters, which are compiled into vectors, beside plain twins.

#include "fovea/datasets/rasters/kernels/number_loops.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::datasets::rasters;

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr Index kCount = 67;  // no multiple of a vector

template <typename Stored>
double plain_meaning(Stored stored, const Meaning& meaning) {
  const auto number = static_cast<double>(stored);
  if (meaning.as_stored) return number;
  double missing = meaning.missing.value_or(kNotANumber);
  if (std::is_same_v<Stored, float>) missing = static_cast<double>(static_cast<float>(missing));
  return number == missing || !std::isfinite(number) ? kNotANumber : meaning.scale * number + meaning.offset;
}

template <typename Stored>
void check_taken(SampleType type, double missing) {
  std::vector<char> bytes(sizeof(Stored) * kCount * 3);
  std::vector<Stored> stored(kCount);
  for (Index i = 0; i < kCount; ++i) {
    Stored& number = stored[i];
    number = static_cast<Stored>((i * 37) % 120);
    if constexpr (std::is_floating_point_v<Stored>) {
      number -= static_cast<Stored>(60.25);
      if (i % 11 == 3) number = std::numeric_limits<Stored>::quiet_NaN();
      if (i % 11 == 5)
        number = i % 2 == 0 ? std::numeric_limits<Stored>::infinity() : -std::numeric_limits<Stored>::infinity();
      if (i % 11 == 7) number = static_cast<Stored>(missing);
    } else if (i % 11 == 7) {
      number = static_cast<Stored>(missing == std::floor(missing) ? missing : 3.0);
    } else if (i % 11 == 9) {
      number = std::numeric_limits<Stored>::max();
    }
  }
  for (const std::size_t apart : {std::size_t{1}, std::size_t{3}})
    for (const Meaning& meaning : {Meaning{}, Meaning{false, 1, 0, {}}, Meaning{false, 1, 0, missing},
                                   Meaning{false, 0.5, -3, missing}, Meaning{false, 1, 0, -1e300}}) {
      for (std::size_t i = 0; i < stored.size(); ++i)
        std::memcpy(bytes.data() + i * apart * sizeof(Stored), &stored[i], sizeof(Stored));
      std::vector<float> floats(kCount);
      std::vector<double> doubles(kCount);
      take_numbers(type, bytes.data(), apart * sizeof(Stored), kCount, meaning, floats.data());
      take_numbers(type, bytes.data(), apart * sizeof(Stored), kCount, meaning, doubles.data());
      for (std::size_t i = 0; i < stored.size(); ++i) {
        const double plain = plain_meaning(stored[i], meaning);
        INFO(name_of(type) << " number " << i << ", scale " << meaning.scale);
        const bool both = std::isnan(plain) ? std::isnan(doubles[i]) && std::isnan(floats[i])
                                            : doubles[i] == plain && floats[i] == static_cast<float>(plain);
        CHECK(both);
      }
    }
}

}  // namespace

TEST_CASE("stored numbers are taken as a plain loop takes them", "[rasters][twin]") {
  for (const double missing : {7.0, 7.5}) {
    check_taken<std::uint8_t>(SampleType::uint8, missing);
    check_taken<std::int8_t>(SampleType::int8, missing);
    check_taken<std::uint16_t>(SampleType::uint16, missing);
    check_taken<std::int16_t>(SampleType::int16, missing);
    check_taken<std::uint32_t>(SampleType::uint32, missing);
    check_taken<std::int32_t>(SampleType::int32, missing);
    check_taken<float>(SampleType::float32, missing);
    check_taken<double>(SampleType::float64, missing);
  }
}

TEST_CASE("pixels that are missing or dark are marked in every band", "[rasters][twin]") {
  std::vector<float> band(kCount);
  std::vector<std::uint8_t> valid(kCount, 1), dark(kCount, 1);
  for (std::size_t i = 0; i < band.size(); ++i)
    band[i] = i % 5 == 1 ? (i % 2 == 0 ? -101.F : 61.F) : i % 5 == 2 ? std::nanf("") : i % 5 == 3 ? 0.F : 4.F;
  valid[0] = 0, dark[3] = 0;
  mark_pixels(band.data(), kCount, {-100, 60, 0}, valid.data(), dark.data());
  for (std::size_t i = 0; i < band.size(); ++i) {
    INFO(i);
    CHECK(static_cast<int>(valid[i]) == (i != 0 && i % 5 != 1 && i % 5 != 2 ? 1 : 0));
    CHECK(static_cast<int>(dark[i]) == (i != 3 && i % 5 == 3 ? 1 : 0));
  }
}

TEST_CASE("differences of reals are those of their bytes by weight", "[rasters][twin]") {
  for (const std::size_t each : {std::size_t{4}, std::size_t{8}}) {
    std::vector<char> row(each * kCount), copy;
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<char>((i * i * 31 + i) % 251);
    std::vector<char> plain(row.size());
    for (std::size_t i = 0; i < kCount; ++i)
      for (std::size_t byte = 0; byte < each; ++byte) plain[(each - 1 - byte) * kCount + i] = row[i * each + byte];
    for (std::size_t i = plain.size() - 1; i > 0; --i) plain[i] = static_cast<char>(plain[i] - plain[i - 1]);
    take_differences_of_reals(row.data(), kCount, each, copy);
    CHECK(row == plain);
  }
}
