#include "fovea/datasets/events/builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/moments.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/events/columns.hpp"
#include "fovea/datasets/text/csv.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/datasets/text/row_fault.hpp"

namespace fovea::datasets::events {

namespace {

constexpr std::uint32_t kNoPatient = std::numeric_limits<std::uint32_t>::max();
constexpr std::array<std::string_view, 5> kChallengeStatics{"Age", "Gender", "Height", "ICUType", "Weight"};

bool is_challenge_static(std::string_view name) {
  return std::find(kChallengeStatics.begin(), kChallengeStatics.end(), name) != kChallengeStatics.end();
}

/// Rows of a birth by their usual names: MEDS, plain words, SNOMED CT as OMOP exports write it.
constexpr std::array<std::string_view, 8> kBirths{"meds_birth", "birth",     "date_of_birth", "birth_date",
                                                  "birthdate",  "birthtime", "dob",           "snomed/3950001"};
constexpr double kHoursOfYear = 24 * 365.25;
constexpr Index kMostKeptOfUnit = 1024;
constexpr std::size_t kCommonStays = 20;  // so many are behind a median that is shown

/// MEDS writes what belongs to a code behind "//".
bool is_birth_name(const std::string& name) {
  const std::string plain = plain_name(name.substr(0, name.find("//")));
  return std::find(kBirths.begin(), kBirths.end(), plain) != kBirths.end();
}

bool is_origin_name(const std::string& wanted) {
  return !wanted.empty() && wanted != "as given" && wanted != "first event" && wanted != "birth";
}

bool is_event_of(std::string_view name, const std::string& wanted) {
  return name == wanted || (name.starts_with(wanted) && name.substr(wanted.size()).starts_with("//"));
}

template <typename... Parts>
[[noreturn]] void refuse_row(const RowPlace& place, const char* reason, const Parts&... parts) {
  throw text::RowFault(place.text(), reason, concat(place.text(), ": ", parts...));
}

/// What no other row makes good.
template <typename... Parts>
[[noreturn]] void refuse_file(const RowPlace& place, const Parts&... parts) {
  throw DataError(concat(place.text(), ": ", parts...));
}

void check_name(const char* what, std::string_view name, const RowPlace& place) {
  if (name.empty()) refuse_row(place, "an empty id or name", "the ", what, " is empty; every row needs one.");
  if (name.size() > kLongestName)
    refuse_row(place, "too long an id or name", "the ", what, " '", text::shown_text(name), "' has ", name.size(),
               " bytes, but at most ", kLongestName, " are read.");
}

float checked_value(double value, const RowPlace& place) {
  const auto narrow = static_cast<float>(value);
  if (!std::isnan(value) && !std::isfinite(narrow))
    refuse_row(place, "too large a value", "the value ", value,
               " is too large for a number of 32 bits; choose another unit.");
  return std::isnan(value) ? std::numeric_limits<float>::quiet_NaN() : narrow + 0.0F;  // no -0: 0 and -0 have no order
}

/// mg/dL, mg/dl and "mg / dL" are one unit.
std::string plain_unit(std::string_view unit) {
  std::string plain = text::lower_case(unit);
  std::erase(plain, ' ');
  return plain;
}

}  // namespace

std::uint32_t StayBuilder::stay(std::string_view id, const RowPlace& place) {
  const std::size_t before = stays_.count();
  const std::uint32_t number = stays_.add(id);
  if (stays_.count() == before) return number;
  check_name("id of the stay", id, place);
  if (stays_.count() > kMostStays)
    refuse_file(place, "there are more than ", kMostStays, " stays; is their id the right column?");
  states_.emplace_back();
  return number;
}

/// All that a row can be refused for, before anything of it is kept.
void StayBuilder::check_row(const EventRow& row, const RowPlace& place) const {
  check_name("id of the stay", row.stay, place);
  check_name("name of the variable", row.variable, place);
  const EventTime& time = row.time;
  if (time.kind == EventTime::Kind::hours && !(std::abs(time.number) <= kMostHours))
    refuse_row(place, "a time that cannot be", "the time is ", time.number, " hours, but must lie within ", kMostHours,
               "; is its unit the one that the column says?");
  if (time.kind != EventTime::Kind::none && kind_ != EventTime::Kind::none && kind_ != time.kind)
    refuse_row(place, "a number among dates, or a date among numbers", "the time is ",
               time.kind == EventTime::Kind::date ? "a date" : "a number",
               ", but earlier ones are not; write all times in one way.");
  if (time.kind == EventTime::Kind::date && kind_ == time.kind && time.has_zone != has_zones_)
    refuse_row(place, "with a time zone, others without, or the reverse", "the time has ", time.has_zone ? "a" : "no",
               " time zone, but earlier ones have ", time.has_zone ? "none" : "one", "; give all a zone, or none.");
  if (!row.patient && row.origin.kind == EventTime::Kind::none) return;
  const auto known = stays_.find(row.stay);
  if (row.patient && !row.patient->empty()) check_name("patient", *row.patient, place);
  if (!known) return;
  const std::uint32_t of_stay = *known < patient_of_.size() ? patient_of_[*known] : kNoPatient;
  if (row.patient && !row.patient->empty() && of_stay != kNoPatient && patients_.name(of_stay) != *row.patient)
    refuse_row(place, "of another patient than its stay", "stay '", text::shown_text(row.stay), "' is of patient '",
               text::shown_text(*row.patient), "', but above of '", text::shown_text(patients_.name(of_stay)),
               "'; a stay has one patient.");
  const double origin = states_[*known].origin;
  if (row.origin.kind != EventTime::Kind::none && !std::isnan(origin) && origin != row.origin.number)
    refuse_row(place, "another origin than its stay", "stay '", text::shown_text(row.stay), "' begins at another '",
               text::shown_text(origin_column_), "' than above; a stay has one. To count hours from its first event: ",
               option_text(options_, "origin", "'first event'"), ".");
}

void StayBuilder::see_patient(std::uint32_t stay, std::string_view patient) {
  patient_of_.resize(states_.size(), kNoPatient);
  if (!patient.empty() && patient_of_[stay] == kNoPatient) patient_of_[stay] = patients_.add(patient);
}

void StayBuilder::see_start(StayState& state, const EventRow& row, const VariableState& variable) {
  const auto earlier = [](double& known, double time) { known = known <= time ? known : time; };
  if (row.origin.kind != EventTime::Kind::none) state.origin = row.origin.number;
  if (row.time.kind == EventTime::Kind::none) return;
  if (variable.is_birth) return earlier(state.birth, row.time.number);
  earlier(state.first, row.time.number);
  if (variable.is_origin) earlier(state.origin, row.time.number);
}

void StayBuilder::see_unit(VariableState& variable, std::uint32_t stay, const EventRow& row, float value) const {
  const std::string plain = plain_unit(row.unit);
  const auto is_same = [&](const UnitState& one) { return one.plain == plain; };
  auto one = std::find_if(variable.units.begin(), variable.units.end(), is_same);
  constexpr std::size_t kMostUnits = 50;  // a column of other texts is none of units
  if (one == variable.units.end()) {
    if (variable.units.size() >= kMostUnits) return;
    one = variable.units.insert(one, {plain, text::shown_text(row.unit)});
  }
  if (one->stays.size() < kCommonStays) one->stays.insert(stay);
  if (one->values++ % one->step != 0) return;
  if (std::ssize(one->some) == kMostKeptOfUnit) {
    for (std::size_t k = 0; k < one->some.size() / 2; ++k) one->some[k] = one->some[2 * k];
    one->some.resize(one->some.size() / 2);
    one->step *= 2;
  }
  one->some.push_back(value);
}

void StayBuilder::leave_out(const text::RowFault& fault) {
  constexpr std::size_t kMostShown = 5;
  if (!options_.leave_out_bad)
    throw DataError(
        concat(fault.what(), " To leave out such rows: ", option_text(options_, "bad", "'leave out'"), "."));
  const auto same = [&](const LeftOut& one) { return one.reason == fault.reason; };
  auto one = std::find_if(facts_.left_out.begin(), facts_.left_out.end(), same);
  if (one == facts_.left_out.end()) one = facts_.left_out.insert(one, {"row", 0, fault.reason});
  ++one->count;
  if (one->places.size() < kMostShown) one->places.push_back(fault.place);
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
  if (variables_.count() > kMostVariables)
    refuse_file(place, "is of variable number ", variables_.count(), ", but at most ", kMostVariables,
                " are read; put rare codes together.");
  of_variable_.push_back({.is_distinct = distinct_.contains(name),
                          .is_birth = is_birth_name(std::string(name)),
                          .is_origin = is_origin_name(options_.origin) && is_event_of(name, options_.origin)});
  return kind;
}

void StayBuilder::add(const EventRow& row, const RowPlace& place) {
  check_row(row, place);
  const float value = checked_value(row.value, place);
  const std::uint32_t number = stay(row.stay, place), kind = variable(row.variable, place);
  if (row.patient) see_patient(number, *row.patient);
  const bool timed = row.time.kind != EventTime::Kind::none;
  if (timed) kind_ = row.time.kind, has_zones_ = row.time.has_zone;
  StayState& state = states_[number];
  VariableState& seen = of_variable_[kind];
  const bool is_birth = seen.is_birth && timed, born_before = is_birth && !std::isnan(state.birth);
  see_start(state, row, seen);
  facts_.births += is_birth ? 1 : 0;
  if (born_before) return;
  see_order(number, row.time, place);
  if (++state.rows > kMostEventsOfStay)
    refuse_file(place, "stay '", text::shown_text(stays_.name(number)), "' has more than ", kMostEventsOfStay,
                " events; is its id the right column?");
  if (rows_.count() >= kMostRows)
    refuse_file(place, "there are more than ", kMostRows, " rows; read the file in parts.");
  if (value == -1) ++seen.minus_ones;
  facts_.below_limits += row.limit < 0 ? 1 : 0;
  facts_.above_limits += row.limit > 0 ? 1 : 0;
  if (!row.unit.empty() && !std::isnan(value)) see_unit(seen, number, row, value);
  if (seen.is_distinct && !std::isnan(value) && seen.values.size() <= kMostVariables) seen.values.insert(value);
  rows_.add({row.time.number + 0.0, is_birth ? std::numeric_limits<float>::quiet_NaN() : value,
             static_cast<std::uint16_t>(kind), is_birth || !timed});
}

/// One a stay, in the unit of its times; none where they stay as they are, or where no row said what was asked for.
std::vector<double> StayBuilder::origins(const std::vector<std::string>& ids, ReadingFacts& facts) const {
  const auto some = [](const StayState& state) { return !std::isnan(state.origin); };
  const bool is_asked = is_origin_name(options_.origin), any = std::any_of(states_.begin(), states_.end(), some);
  const bool by_birth = options_.origin == "birth", by_name = any && (is_asked || options_.origin.empty());
  if (is_asked && !any) return {};
  facts.origin = by_birth                         ? "birth"
                 : by_name                        ? (is_asked ? options_.origin : origin_column_)
                 : kind_ == EventTime::Kind::date ? "first event"
                 : options_.origin.empty()        ? "as given"
                                                  : options_.origin;
  if (facts.origin == "as given") return {};
  std::vector<double> found;
  std::vector<std::size_t> without;
  for (std::size_t s = 0; s < states_.size(); ++s) {
    const StayState& state = states_[s];
    found.push_back(by_name ? state.origin : by_birth ? state.birth : state.first);
    if (!std::isnan(state.first) && std::isnan(found.back())) without.push_back(s);
  }
  if (!without.empty())
    throw DataError(
        concat("the events: of ", counted(std::ssize(states_), "stay"), ' ', without.size(),
               without.size() == 1 ? " has" : " have", " no '", text::shown_text(facts.origin),
               "' from which hours could count, the first is '", text::shown_text(ids[without.front()]),
               "'; give it to all, or count from another: ", option_text(options_, "origin", "'first event'"), "."));
  return found;
}

/// Of variables that have any.
void StayBuilder::put_units(Stays& index) const {
  const std::vector<std::string> names = variables_.names();
  for (std::size_t v = 0; v < names.size(); ++v) {
    const VariableState& seen = of_variable_[v];
    if (seen.units.empty()) continue;
    std::vector<UnitFacts>& of_variable = index.facts.units[names[v]];
    for (const UnitState& one : seen.units) {
      std::vector<double> values(one.some.begin(), one.some.end());
      std::sort(values.begin(), values.end());
      of_variable.push_back({one.shown, one.values, sorted_quantile(values, 0.5), one.stays.size() >= kCommonStays});
    }
    std::stable_sort(of_variable.begin(), of_variable.end(),
                     [](const UnitFacts& a, const UnitFacts& b) { return a.values > b.values; });
  }
}

void StayBuilder::put_patients(Stays& index) {
  if (patient_of_.empty()) return;
  patient_of_.resize(states_.size(), kNoPatient);
  for (std::size_t s = 0; s < states_.size(); ++s)
    index.patients.push_back(patient_of_[s] == kNoPatient ? index.ids[s] : patients_.name(patient_of_[s]));
}

/// Variables by name, and what is known of each; gives the place of each number.
std::vector<std::uint16_t> StayBuilder::place_variables(Stays& index) {
  std::vector<std::string> names = variables_.names();
  const auto birth =
      std::find_if(of_variable_.begin(), of_variable_.end(), [](const VariableState& one) { return one.is_birth; });
  if (facts_.births > 0) names[static_cast<std::size_t>(birth - of_variable_.begin())] = kAgeAtOrigin;
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
  put_units(index);
  std::vector<std::uint16_t> places = place_variables(index);
  index.ids = stays_.names();
  stays_ = {};
  put_patients(index);
  std::vector<std::uint32_t> rows;
  for (const StayState& state : states_) rows.push_back(state.rows);
  RowsOfStays of_stays(std::move(rows_), std::move(runs_), std::move(rows), limit_);
  for (const StayState& state : states_)
    if (!index.facts.has_dates && !std::isnan(state.first))
      index.facts.earliest =
          std::isnan(index.facts.earliest) ? state.first : std::min(index.facts.earliest, state.first);
  std::vector<double> starts = origins(index.ids, index.facts);
  return {std::move(index), std::move(of_stays), std::move(starts), std::move(places)};
}

BuiltStays::BuiltStays(Stays index, RowsOfStays rows, std::vector<double> origins, std::vector<std::uint16_t> places)
    : index_(std::move(index)), rows_(std::move(rows)), origins_(std::move(origins)), places_(std::move(places)) {
  for (std::size_t v = 0; v < index_.variables.size(); ++v) {
    const std::string& name = index_.variables[v];
    challenge_statics_.push_back(index_.facts.is_challenge && is_challenge_static(name));
    if (index_.facts.births > 0 && name == kAgeAtOrigin) age_ = static_cast<std::uint16_t>(v);
  }
}

/// Kinds by name, hours from the stay's origin, in order.
void BuiltStays::prepare(double origin) {
  const double hour = index_.facts.has_dates ? 3600 : 1;
  for (StoredRow& row : stay_) {
    row.kind = places_[row.kind];
    if (row.is_static && age_ == row.kind && std::isnan(row.value))
      row.value = static_cast<float>((origin - row.time) / hour / kHoursOfYear);
    if (row.is_static)
      row.time = -std::numeric_limits<double>::infinity();
    else
      row.time = (row.time - origin) / hour;
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
  take_next();
  append_taken(origins_.empty() ? 0 : origins_[next_++], to);
}

void BuiltStays::append_taken(double origin, Stays& to) {
  stay_ = taken_;
  prepare(origin);
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
}

}  // namespace fovea::datasets::events
