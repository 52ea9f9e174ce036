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

void StayBuilder::see_order(std::uint32_t stay, const EventTime& time, const RowPlace& place) {
  StayState& state = states_[stay];
  const bool same_file = state.file == file_ && state.rows > 0;
  const bool comes_again = stay != last_stay_ && state.rows > 0;
  const bool timed = time.kind != EventTime::Kind::none;
  if (comes_again || stay < last_stay_) together_ = false;
  if (facts_.unsorted.empty() && same_file && (comes_again || (timed && time.number < state.last)))
    facts_.unsorted = place.text();
  if (state.file != file_ || state.rows == 0 || timed)
    state.last = timed ? time.number : -std::numeric_limits<double>::infinity();
  state.file = file_;
  last_stay_ = stay;
}

void StayBuilder::add(const EventRow& row, const RowPlace& place) {
  const std::uint32_t number = stay(row.stay, place);
  const std::size_t known = variables_.count();
  const std::uint32_t kind = variables_.add(row.variable);
  if (variables_.count() > known) {
    check_name("name of the variable", row.variable, place);
    if (variables_.count() > kMostVariables)
      refuse_row(place, "is of variable number ", variables_.count(), ", but at most ", kMostVariables,
                 " are read; put rare codes together.");
  }
  if (row.patient) see_patient(number, *row.patient, place);
  if (row.time.kind == EventTime::Kind::hours && !(std::abs(row.time.number) <= kMostHours))
    refuse_row(place, "the time is ", row.time.number, " hours, but must lie within ", kMostHours,
               "; is its unit the one that the column says?");
  if (row.time.kind != EventTime::Kind::none) {
    if (kind_ != EventTime::Kind::none && kind_ != row.time.kind)
      refuse_row(place, "the time is ", row.time.kind == EventTime::Kind::date ? "a date" : "a number",
                 ", but earlier ones are not; write all times in one way.");
    kind_ = row.time.kind;
  }
  see_order(number, row.time, place);
  StayState& state = states_[number];
  if (++state.rows > kMostEventsOfStay)
    refuse_row(place, "stay '", text::shown_text(stays_.name(number)), "' has more than ", kMostEventsOfStay,
               " events; is its id the right column?");
  if (row.time.kind == EventTime::Kind::date && !(state.first_date <= row.time.number))
    state.first_date = row.time.number;
  if (rows_ >= kMostRows) refuse_row(place, "there are more than ", kMostRows, " rows; read the file in parts.");
  if (rows_++ % kRowsOfBlock == 0) blocks_.emplace_back().reserve(kRowsOfBlock);
  blocks_.back().push_back({row.time.number + 0.0, checked_value(row.value, place), number,
                            static_cast<std::uint16_t>(kind), row.time.kind == EventTime::Kind::none});
}

/// Turns the rows of one stay after the other into events.
class StayBuilder::Finish {
 public:
  Finish(StayBuilder& builder, Stays& stays) : builder_(builder), stays_(stays) {
    name_variables();
    stays_.facts = std::move(builder.facts_);
    stays_.facts.is_challenge = is_challenge_;
    stays_.facts.has_dates = builder.kind_ == EventTime::Kind::date;
    stays_.facts.rows = static_cast<Index>(builder.rows_);
    stays_.facts.missing_by_variable.assign(stays_.variables.size(), 0);
  }

  void take_all() {
    stays_.hours.reserve(builder_.rows_);
    stays_.values.reserve(builder_.rows_);
    stays_.kinds.reserve(builder_.rows_);
    if (builder_.together_)
      take_in_order();
    else
      take_scattered();
  }

 private:
  /// Stays in their order, the rows of each together: a block is let go when its rows are taken.
  void take_in_order() {
    std::vector<Row> rows;
    std::size_t at = 0;
    for (const StayState& state : builder_.states_) {
      rows.clear();
      while (rows.size() < state.rows) {
        std::vector<Row>& block = builder_.blocks_[at / kRowsOfBlock];
        const std::size_t first = at % kRowsOfBlock;
        const std::size_t count = std::min(state.rows - rows.size(), block.size() - first);
        const auto from = block.begin() + static_cast<std::ptrdiff_t>(first);
        rows.insert(rows.end(), from, from + static_cast<std::ptrdiff_t>(count));
        at += count;
        if (at % kRowsOfBlock == 0) block = {};
      }
      take(rows, 0, rows.size(), state);
    }
  }

  /// All rows put together by stay.
  void take_scattered() {
    std::vector<std::size_t> next(builder_.states_.size() + 1, 0);
    for (std::size_t s = 0; s < builder_.states_.size(); ++s) next[s + 1] = next[s] + builder_.states_[s].rows;
    std::vector<Row> rows(builder_.rows_);
    for (std::vector<Row>& block : builder_.blocks_) {
      for (const Row& row : block) rows[next[row.stay]++] = row;
      block = {};
    }
    std::size_t at = 0;
    for (const StayState& state : builder_.states_) {
      take(rows, at, at + state.rows, state);
      at += state.rows;
    }
  }

  void take(std::vector<Row>& rows, std::size_t begin, std::size_t end, const StayState& state) {
    prepare(rows, begin, end, state);
    append(rows, begin, end);
  }

  void name_variables() {
    const std::vector<std::string> names = builder_.variables_.names();
    std::vector<std::size_t> order(names.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
    place_.resize(names.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      place_[order[k]] = static_cast<std::uint16_t>(k);
      stays_.variables.push_back(names[order[k]]);
    }
    const auto has = [&](std::string_view name) { return builder_.variables_.find(name).has_value(); };
    is_challenge_ =
        builder_.kind_ != EventTime::Kind::date && has("Age") && has("Gender") && has("Height") && has("ICUType");
    is_challenge_static_.assign(names.size(), false);
    if (!is_challenge_) return;
    for (const std::string_view name : kChallengeStatics)
      if (const auto number = builder_.variables_.find(name)) is_challenge_static_[place_[*number]] = true;
  }

  /// Kinds by name, hours from the stay's origin, in order.
  void prepare(std::vector<Row>& rows, std::size_t begin, std::size_t end, const StayState& state) {
    const double origin = std::isnan(state.first_date) ? 0 : 86400 * std::floor(state.first_date / 86400);
    for (std::size_t i = begin; i < end; ++i) {
      Row& row = rows[i];
      row.kind = place_[row.kind];
      if (row.is_static)
        row.time = -std::numeric_limits<double>::infinity();
      else if (stays_.facts.has_dates)
        row.time = (row.time - origin) / 3600;
      if (is_challenge_static_[row.kind] && row.time == 0) row.is_static = true;
    }
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = rows.begin() + static_cast<std::ptrdiff_t>(end);
    const auto earlier = [](const Row& a, const Row& b) { return a.time < b.time; };
    const auto before = [](const Row& a, const Row& b) {
      if (a.kind != b.kind) return a.kind < b.kind;
      return std::isnan(a.value) ? !std::isnan(b.value) : a.value < b.value;
    };
    if (!std::is_sorted(first, last, earlier)) std::stable_sort(first, last, earlier);
    for (auto run = first; run != last;) {  // most rows come by time, and few have the same
      auto until = run + 1;
      while (until != last && until->time == run->time) ++until;
      if (until - run > 1) std::sort(run, until, before);
      run = until;
    }
  }

  void append(const std::vector<Row>& rows, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Row& row = rows[i];
      if (is_challenge_static_[row.kind] && row.value == -1) {
        ++stays_.facts.missing_codes;
        ++stays_.facts.missing_by_variable[row.kind];
      } else if (row.is_static) {
        stays_.static_values.push_back(row.value);
        stays_.static_kinds.push_back(row.kind);
      } else {
        stays_.hours.push_back(static_cast<float>(row.time));
        stays_.values.push_back(row.value);
        stays_.kinds.push_back(row.kind);
      }
    }
    stays_.offsets.push_back(static_cast<Index>(stays_.hours.size()));
    stays_.static_offsets.push_back(static_cast<Index>(stays_.static_values.size()));
  }

  StayBuilder& builder_;
  Stays& stays_;
  std::vector<std::uint16_t> place_;       // by number of the variable: where its name stands
  std::vector<bool> is_challenge_static_;  // by place
  bool is_challenge_ = false;
};

Stays StayBuilder::finish() {
  Stays stays;
  Finish end(*this, stays);
  end.take_all();
  stays.ids = stays_.names();
  if (!patient_of_.empty()) {
    patient_of_.resize(states_.size(), kNoPatient);
    for (std::size_t s = 0; s < states_.size(); ++s)
      stays.patients.push_back(patient_of_[s] == kNoPatient ? stays.ids[s] : patients_.name(patient_of_[s]));
  }
  *this = StayBuilder();
  return stays;
}

}  // namespace fovea::datasets::events
