#include "fovea/datasets/events/builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/datasets/text/csv.hpp"

namespace fovea::datasets::events {

namespace {

constexpr std::uint32_t kNoPatient = std::numeric_limits<std::uint32_t>::max();
constexpr std::array<std::string_view, 5> kChallengeStatics{"Age", "Gender", "Height", "ICUType", "Weight"};

bool is_challenge_static(std::string_view name) {
  return std::find(kChallengeStatics.begin(), kChallengeStatics.end(), name) != kChallengeStatics.end();
}

template <typename... Parts>
[[noreturn]] void refuse_row(const RowPlace& place, const Parts&... parts) {
  throw DataError(concat(place.text(), ": ", parts...));
}

void check_name(const char* what, std::string_view name, const RowPlace& place) {
  if (name.empty()) refuse_row(place, "the ", what, " is empty; every row needs one.");
  if (name.size() > kLongestName)
    refuse_row(place, "the ", what, " '", text::shown_text(name), "' has ", name.size(), " bytes, but at most ",
               kLongestName, " are read.");
}

float checked_value(double value, const RowPlace& place) {
  const auto narrow = static_cast<float>(value);
  if (!std::isnan(value) && !std::isfinite(narrow))
    refuse_row(place, "the value ", value, " is too large for a number of 32 bits; choose another unit.");
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : narrow + 0.0F;  // no -0: 0 and -0 have no order
}

}  // namespace

std::uint32_t StayBuilder::stay(std::string_view id, const RowPlace& place) {
  const std::size_t before = stays_.count();
  const std::uint32_t number = stays_.add(id);
  if (stays_.count() == before) return number;
  check_name("id of the stay", id, place);
  if (stays_.count() > kMostStays)
    refuse_row(place, "there are more than ", kMostStays, " stays; is their id the right column?");
  states_.emplace_back();
  return number;
}

void StayBuilder::see_patient(std::uint32_t stay, std::string_view patient, const RowPlace& place) {
  patient_of_.resize(states_.size(), kNoPatient);
  if (patient.empty()) return;
  check_name("patient", patient, place);
  const std::uint32_t number = patients_.add(patient);
  if (patient_of_[stay] == kNoPatient) patient_of_[stay] = number;
  if (patient_of_[stay] != number)
    refuse_row(place, "stay '", text::shown_text(stays_.name(stay)), "' is of patient '", text::shown_text(patient),
               "', but above of '", text::shown_text(patients_.name(patient_of_[stay])), "'; a stay has one patient.");
}

void StayBuilder::see_time(const EventTime& time, const RowPlace& place) {
  if (time.kind == EventTime::Kind::hours && !(std::abs(time.number) <= kMostHours))
    refuse_row(place, "the time is ", time.number, " hours, but must lie within ", kMostHours,
               "; is its unit the one that the column says?");
  if (time.kind == EventTime::Kind::none) return;
  if (kind_ != EventTime::Kind::none && kind_ != time.kind)
    refuse_row(place, "the time is ", time.kind == EventTime::Kind::date ? "a date" : "a number",
               ", but earlier ones are not; write all times in one way.");
  kind_ = time.kind;
}

void StayBuilder::see_order(std::uint32_t stay, const EventTime& time, const RowPlace& place) {
  StayState& state = states_[stay];
  const bool same_file = state.file == file_ && state.rows > 0;
  const bool comes_again = stay != last_stay_ && state.rows > 0;
  const bool timed = time.kind != EventTime::Kind::none;
  if (facts_.unsorted.empty() && same_file && (comes_again || (timed && time.number < state.last)))
    facts_.unsorted = place.text();
  if (state.file != file_ || state.rows == 0 || timed)
    state.last = timed ? time.number : -std::numeric_limits<double>::infinity();
  state.file = file_;
  if (stay != last_stay_ || runs_.empty()) runs_.push_back({stay, 0});
  ++runs_.back().rows;
  last_stay_ = stay;
}

std::uint32_t StayBuilder::variable(std::string_view name, const RowPlace& place) {
  const std::size_t known = variables_.count();
  const std::uint32_t kind = variables_.add(name);
  if (variables_.count() == known) return kind;
  check_name("name of the variable", name, place);
  if (variables_.count() > kMostVariables)
    refuse_row(place, "is of variable number ", variables_.count(), ", but at most ", kMostVariables,
               " are read; put rare codes together.");
  of_variable_.push_back({.is_distinct = distinct_.contains(name)});
  return kind;
}

void StayBuilder::add(const EventRow& row, const RowPlace& place) {
  const std::uint32_t number = stay(row.stay, place), kind = variable(row.variable, place);
  if (row.patient) see_patient(number, *row.patient, place);
  see_time(row.time, place);
  see_order(number, row.time, place);
  StayState& state = states_[number];
  if (++state.rows > kMostEventsOfStay)
    refuse_row(place, "stay '", text::shown_text(stays_.name(number)), "' has more than ", kMostEventsOfStay,
               " events; is its id the right column?");
  if (row.time.kind == EventTime::Kind::date && !(state.first_date <= row.time.number))
    state.first_date = row.time.number;
  if (rows_.count() >= kMostRows)
    refuse_row(place, "there are more than ", kMostRows, " rows; read the file in parts.");
  const float value = checked_value(row.value, place);
  VariableState& seen = of_variable_[kind];
  if (value == -1) ++seen.minus_ones;
  if (seen.is_distinct && !std::isnan(value) && seen.values.size() <= kMostVariables) seen.values.insert(value);
  rows_.add({row.time.number + 0.0, value, static_cast<std::uint16_t>(kind), row.time.kind == EventTime::Kind::none});
}

std::vector<double> StayBuilder::origins() const {
  std::vector<double> origins;
  if (kind_ == EventTime::Kind::date)
    for (const StayState& state : states_)
      origins.push_back(std::isnan(state.first_date) ? 0 : 86400 * std::floor(state.first_date / 86400));
  return origins;
}

void StayBuilder::put_patients(Stays& index) {
  if (patient_of_.empty()) return;
  patient_of_.resize(states_.size(), kNoPatient);
  for (std::size_t s = 0; s < states_.size(); ++s)
    index.patients.push_back(patient_of_[s] == kNoPatient ? index.ids[s] : patients_.name(patient_of_[s]));
}

/// Variables by name, and what is known of each; gives the place of each number.
std::vector<std::uint16_t> StayBuilder::place_variables(Stays& index) {
  const std::vector<std::string> names = variables_.names();
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  std::vector<std::uint16_t> places(names.size());
  for (const std::size_t number : order) {
    const std::string& name = names[number];
    VariableState& seen = of_variable_[number];
    const bool coded = index.facts.is_challenge && is_challenge_static(name);
    places[number] = static_cast<std::uint16_t>(index.variables.size());
    index.variables.push_back(name);
    index.facts.missing_by_variable.push_back(coded ? seen.minus_ones : 0);
    index.facts.missing_codes += index.facts.missing_by_variable.back();
    if (coded) seen.values.erase(-1);
    if (seen.is_distinct) index.facts.distinct[name].assign(seen.values.begin(), seen.values.end());
  }
  return places;
}

BuiltStays StayBuilder::finish() {
  const auto has = [&](std::string_view name) { return variables_.find(name).has_value(); };
  Stays index;
  index.facts = std::move(facts_);
  index.facts.has_dates = kind_ == EventTime::Kind::date;
  index.facts.is_challenge = !index.facts.has_dates && has("Age") && has("Gender") && has("Height") && has("ICUType");
  index.facts.rows = static_cast<Index>(rows_.count());
  std::vector<std::uint16_t> places = place_variables(index);
  index.ids = stays_.names();
  stays_ = {};
  put_patients(index);
  std::vector<std::uint32_t> rows;
  for (const StayState& state : states_) rows.push_back(state.rows);
  RowsOfStays of_stays(std::move(rows_), std::move(runs_), std::move(rows), limit_);
  return {std::move(index), std::move(of_stays), origins(), std::move(places)};
}

BuiltStays::BuiltStays(Stays index, RowsOfStays rows, std::vector<double> origins, std::vector<std::uint16_t> places)
    : index_(std::move(index)), rows_(std::move(rows)), origins_(std::move(origins)), places_(std::move(places)) {
  for (const std::string& name : index_.variables)
    challenge_statics_.push_back(index_.facts.is_challenge && is_challenge_static(name));
}

/// Kinds by name, hours from the stay's origin, in order.
void BuiltStays::prepare() {
  for (StoredRow& row : stay_) {
    row.kind = places_[row.kind];
    if (row.is_static)
      row.time = -std::numeric_limits<double>::infinity();
    else if (!origins_.empty())
      row.time = (row.time - origins_[next_]) / 3600;
    if (challenge_statics_[row.kind] && row.time == 0) row.is_static = true;
  }
  const auto earlier = [](const StoredRow& a, const StoredRow& b) { return a.time < b.time; };
  const auto before = [](const StoredRow& a, const StoredRow& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return std::isnan(a.value) ? !std::isnan(b.value) : a.value < b.value;
  };
  if (!std::is_sorted(stay_.begin(), stay_.end(), earlier)) std::stable_sort(stay_.begin(), stay_.end(), earlier);
  for (auto run = stay_.begin(); run != stay_.end();) {  // most rows come by time, and few have the same
    auto until = run + 1;
    while (until != stay_.end() && until->time == run->time) ++until;
    if (until - run > 1) std::sort(run, until, before);
    run = until;
  }
}

void BuiltStays::append_next(Stays& to) {
  rows_.next(stay_);
  prepare();
  for (const StoredRow& row : stay_) {
    if (challenge_statics_[row.kind] && row.value == -1) continue;
    if (row.is_static) {
      to.static_values.push_back(row.value);
      to.static_kinds.push_back(row.kind);
    } else {
      to.hours.push_back(static_cast<float>(row.time));
      to.values.push_back(row.value);
      to.kinds.push_back(row.kind);
    }
  }
  to.offsets.push_back(static_cast<Index>(to.hours.size()));
  to.static_offsets.push_back(static_cast<Index>(to.static_values.size()));
  ++next_;
}

}  // namespace fovea::datasets::events
