#include "fovea/domains/fusion/model/sensor_tokens.hpp"

#include <algorithm>

namespace fovea::fusion::model {

namespace {

constexpr std::uint64_t kDraws = 4;  // of a case in a step

/// Which tokens of one case are kept.
class Holes {
 public:
  Holes(const learning::Pass& pass, const study::Batch& batch, const SensorDropout& dropout)
      : pass_(pass),
        batch_(batch),
        dropout_(dropout),
        of_cases_(pass.random.stream("sensors left out")),
        of_tokens_(pass.random.stream("dates left out")) {}

  void cut(std::size_t b, std::vector<char>& kept) const {
    const Index first = batch_.tokens->offsets[b], count = batch_.tokens->offsets[b + 1] - first;
    kept.assign(count, 1);
    if (!pass_.training || count == 0) return;
    const auto item = static_cast<std::uint64_t>(batch_.items[b]);
    const auto draw = [&](std::uint64_t which) { return of_cases_.uniform(item, kDraws * pass_.step + which); };
    if (draw(0) < dropout_.sensor && has_both(first, count)) remove(first, draw(1) < 0.5 ? 0 : 1, kept);
    if (draw(2) < dropout_.gap && !batch_.tokens->times.empty()) cut_gap(first, draw(3), draw(1), kept);
    const Random of_case = of_tokens_.stream(std::to_string(item));
    for (Index i = 0; i < count; ++i)
      if (of_case.uniform(static_cast<std::uint64_t>(i), pass_.step) < dropout_.dates) kept[i] = 0;
    if (std::find(kept.begin(), kept.end(), 1) == kept.end()) kept.front() = 1;
  }

 private:
  bool has_both(Index first, Index count) const {
    const auto kinds = batch_.kinds.subspan(first, count);
    return std::adjacent_find(kinds.begin(), kinds.end(), std::not_equal_to<>()) != kinds.end();
  }
  void remove(Index first, std::uint16_t sensor, std::vector<char>& kept) const {
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (batch_.kinds[first + i] == sensor) kept[i] = 0;
  }
  void cut_gap(Index first, double length, double place, std::vector<char>& kept) const {
    const double* const times = batch_.tokens->times.data() + first;
    const auto [low, high] = std::minmax_element(times, times + kept.size());
    const double wide = 0.5 * length * (*high - *low), from = *low + place * (*high - *low - wide);
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (batch_.kinds[first + i] == 1 && times[i] >= from && times[i] <= from + wide) kept[i] = 0;
  }

  const learning::Pass& pass_;
  const study::Batch& batch_;
  const SensorDropout& dropout_;
  Random of_cases_, of_tokens_;
};

}  // namespace

Index place_of_band(const std::vector<std::string>& bands, const std::string& band) {
  const auto plain = [](const std::string& name) { return name.starts_with("B0") ? "B" + name.substr(2) : name; };
  const auto found =
      std::find_if(bands.begin(), bands.end(), [&](const std::string& one) { return plain(one) == plain(band); });
  return found == bands.end() ? -1 : found - bands.begin();
}

std::array<Index, 3> color_bands(const std::vector<std::string>& bands) {
  const std::array<Index, 3> places{place_of_band(bands, "B04"), place_of_band(bands, "B03"),
                                    place_of_band(bands, "B02")};
  return *std::min_element(places.begin(), places.end()) < 0 ? std::array<Index, 3>{} : places;
}

void split_sensors(const learning::Pass& pass, const study::Batch& batch, const SensorDropout& dropout,
                   BothSensors& sensors) {
  const learning::Tokens& all = *batch.tokens;
  for (SensorTokens& sensor : sensors) {
    sensor.rows.clear(), sensor.present.clear();
    sensor.tokens.offsets.assign(1, 0), sensor.tokens.times.clear();
  }
  const Holes holes(pass, batch, dropout);
  std::vector<char> kept;
  for (std::size_t b = 0; b + 1 < all.offsets.size(); ++b) {
    holes.cut(b, kept);
    for (Index i = all.offsets[b]; i < all.offsets[b + 1]; ++i) {
      if (kept[i - all.offsets[b]] == 0) continue;
      SensorTokens& sensor = sensors[batch.kinds[i]];
      sensor.rows.push_back(i);
      if (!all.times.empty()) sensor.tokens.times.push_back(all.times[i]);
    }
    for (SensorTokens& sensor : sensors) {
      const auto end = static_cast<Index>(sensor.rows.size());
      sensor.present.push_back(end > sensor.tokens.offsets.back() ? 1.0F : 0.0F);
      sensor.tokens.offsets.push_back(end);
    }
  }
}

}  // namespace fovea::fusion::model
