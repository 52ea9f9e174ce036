#include "fovea/datasets/events/stays.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/events/cells.hpp"
#include "fovea/datasets/series/dates.hpp"

namespace fovea::datasets::events {

namespace {

template <typename Number>
bool same_part(const std::vector<Number>& a, const std::vector<Index>& a_offsets, std::size_t a_stay,
               const std::vector<Number>& b, const std::vector<Index>& b_offsets, std::size_t b_stay) {
  const Index count = a_offsets[a_stay + 1] - a_offsets[a_stay];
  if (count != b_offsets[b_stay + 1] - b_offsets[b_stay]) return false;
  return count == 0 || std::memcmp(&a[a_offsets[a_stay]], &b[b_offsets[b_stay]], count * sizeof(Number)) == 0;
}

bool same_stay(const Stays& a, std::size_t i, const Stays& b, std::size_t j) {
  return (a.patients.empty() || a.patients[i] == b.patients[j]) &&
         same_part(a.hours, a.offsets, i, b.hours, b.offsets, j) &&
         same_part(a.values, a.offsets, i, b.values, b.offsets, j) &&
         same_part(a.kinds, a.offsets, i, b.kinds, b.offsets, j) &&
         same_part(a.static_values, a.static_offsets, i, b.static_values, b.static_offsets, j) &&
         same_part(a.static_kinds, a.static_offsets, i, b.static_kinds, b.static_offsets, j);
}

}  // namespace

std::string clock_hint(const ReadingFacts& facts) {
  if (facts.origin != "as given" || !is_clock_time(3600 * facts.earliest)) return "";
  return concat(
      "The first event is at ", series::date_text(std::floor(facts.earliest / 24)), " if times count from ",
      "1970; to count from the first event of each stay: data.origin='first event' (--origin 'first event').");
}

bool same_events(const Stays& a, const Stays& b) {
  if (a.ids.size() != b.ids.size() || a.variables != b.variables || a.patients.size() != b.patients.size())
    return false;
  std::unordered_map<std::string_view, std::size_t> place;
  for (std::size_t j = 0; j < b.ids.size(); ++j) place.emplace(b.ids[j], j);
  for (std::size_t i = 0; i < a.ids.size(); ++i) {
    const auto found = place.find(a.ids[i]);
    if (found == place.end() || !same_stay(a, i, b, found->second)) return false;
  }
  return true;
}

}  // namespace fovea::datasets::events
