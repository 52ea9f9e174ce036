#include "fovea/domains/ehr/record/cases.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/ehr/record/stay_reading.hpp"
#include "fovea/domains/ehr/record/units.hpp"

namespace fovea::ehr::record {

namespace {

using datasets::events::Stays;

/// Letters and digits in lower case: "Length_of_stay" and "length of stay" are one name.
std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return plain;
}

bool tells_outcome(const std::string& name) {
  static const std::set<std::string> kTelling{"lengthofstay",  "lengthofstaydays",
                                              "los",           "losdays",
                                              "survival",      "survivaldays",
                                              "sapsi",         "saps1",
                                              "sofa",          "death",
                                              "died",          "dead",
                                              "mortality",     "inhospitaldeath",
                                              "hospitaldeath", "deathtime",
                                              "dischtime",     "dischargetime",
                                              "deathday",      "hospitalexpireflag",
                                              "medsdeath"};
  return kTelling.contains(plain_name(name));
}

bool listed(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void refuse_outcomes(const Stays& stays, const CaseOptions& options) {
  for (const std::string& name : stays.variables)
    if (tells_outcome(name) && !listed(options.allowed, name))
      throw DataError(concat(options.source, ": the variable '", name,
                             "' tells the outcome or is known only afterwards; leave it out of the events, or name it "
                             "in data.allowed."));
}

/// A token before it has its place.
struct Token {
  float hours, value;
  Index kind;
  auto place() const { return std::make_tuple(kind, hours, std::isnan(value), value); }
  bool operator<(const Token& other) const { return place() < other.place(); }
};

/// The values of a variable, ascending, each once.
using DistinctValues = std::function<std::vector<float>(std::size_t variable)>;

/// The classes: variables, and the codes of those that have any; ascending by name.
class Kinds {
 public:
  Kinds(const std::vector<std::string>& variables, const CaseOptions& options, const DistinctValues& values)
      : codes_(variables.size()) {
    std::set<std::string> names(variables.begin(), variables.end());
    for (std::size_t v = 0; v < variables.size(); ++v) {
      if (!listed(options.codes, variables[v])) continue;
      for (const float value : values(v)) codes_[v].emplace(checked_code(value, variables[v], options), 0);
      for (const auto& [code, place] : codes_[v]) names.insert(name(variables[v], code));
    }
    names_.assign(names.begin(), names.end());
    if (names_.size() > 65535)
      throw DataError(
          concat(options.source, ": has ", names_.size(), " variables and codes; 65535 can be told apart."));
    for (const std::string& variable : variables) of_variable_.push_back(find(variable));
    for (std::size_t v = 0; v < codes_.size(); ++v)
      for (auto& [code, place] : codes_[v]) place = find(name(variables[v], code));
  }

  const std::vector<std::string>& names() const { return names_; }
  /// Adds the token of an event, and that of its code.
  void add(std::size_t variable, float hours, float value, std::vector<Token>& tokens) const {
    tokens.push_back({hours, value, of_variable_[variable]});
    if (codes_[variable].empty() || std::isnan(value)) return;
    tokens.push_back({hours, static_cast<float>(kNan), codes_[variable].at(static_cast<std::int64_t>(value))});
  }

 private:
  static std::string name(const std::string& variable, std::int64_t code) { return concat(variable, " = ", code); }
  static std::int64_t checked_code(float value, const std::string& variable, const CaseOptions& options) {
    if (value != std::floor(value) || std::abs(value) > 1e6F)
      throw DataError(concat(options.source, ": '", variable, "' is ", plain_text(value),
                             ", but data.codes calls it a code, which is a whole number; take it from data.codes."));
    return static_cast<std::int64_t>(value);
  }
  Index find(const std::string& name) const {
    return std::lower_bound(names_.begin(), names_.end(), name) - names_.begin();
  }

  std::vector<std::string> names_;
  std::vector<Index> of_variable_;
  std::vector<std::map<std::int64_t, Index>> codes_;  ///< of each variable
};

std::vector<float> distinct_values(const Stays& stays, std::size_t variable) {
  std::set<float> found;
  const auto look = [&](const auto& kinds, const auto& values) {
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (kinds[i] == variable && !std::isnan(values[i])) found.insert(values[i]);
  };
  look(stays.static_kinds, stays.static_values);
  look(stays.kinds, stays.values);
  return {found.begin(), found.end()};
}

/// Puts tokens in their order. Events come by time, so those of a kind mostly are in order once they stand together.
class TokenOrder {
 public:
  explicit TokenOrder(std::size_t kinds) : next_(kinds + 1) {}
  void sort(std::vector<Token>& tokens) {
    if (tokens.size() < next_.size()) return std::sort(tokens.begin(), tokens.end());
    std::fill(next_.begin(), next_.end(), 0);
    for (const Token& token : tokens) ++next_[token.kind + 1];
    for (std::size_t k = 1; k < next_.size(); ++k) next_[k] += next_[k - 1];
    placed_.resize(tokens.size());
    for (const Token& token : tokens) placed_[next_[token.kind]++] = token;
    tokens.swap(placed_);
    const auto fault = [](const Token& a, const Token& b) {
      return !(a.kind < b.kind) && !(a.hours < b.hours) &&
             b < a;  // the place is asked for only where times do not rise
    };
    if (std::adjacent_find(tokens.begin(), tokens.end(), fault) != tokens.end())
      std::sort(tokens.begin(), tokens.end());
  }

 private:
  std::vector<std::size_t> next_;
  std::vector<Token> placed_;
};

/// The hour at which the stays are asked.
double hour_of_asking(const Stays& stays, const CaseOptions& options) {
  return stays.facts.asks_at_origin ? 0 : options.at * record_unit(options.unit).hours;
}

/// The tokens of stay s, in any order. at: hours.
void gather(const Stays& stays, std::size_t s, double at, const Kinds& kinds, std::vector<Token>& tokens) {
  tokens.clear();
  const Index first = stays.offsets[s], end = stays.offsets[s + 1];
  const float start = first < end ? std::min(0.0F, stays.hours[first]) : 0.0F;
  for (Index i = stays.static_offsets[s]; i < stays.static_offsets[s + 1]; ++i) {
    const std::size_t k = i;
    kinds.add(stays.static_kinds[k], start, stays.static_values[k], tokens);
  }
  for (Index i = first; i < end; ++i) {
    const std::size_t k = i;
    if (static_cast<double>(stays.hours[k]) <= at) kinds.add(stays.kinds[k], stays.hours[k], stays.values[k], tokens);
  }
}

study::Cases cases_of_kinds(const Stays& stays, const Kinds& kinds, const CaseOptions& options) {
  study::Cases cases;
  cases.features = {{"value", "1", {}}};
  cases.classes = kinds.names();
  const RecordUnit& unit = record_unit(options.unit);
  cases.time_unit = unit.symbol;
  cases.smallest_cell = kFewestStays;
  std::vector<float> values;
  std::vector<Token> tokens;
  TokenOrder order(kinds.names().size());
  const double hour = hour_of_asking(stays, options);
  for (std::size_t s = 0; s < stays.ids.size(); ++s) {
    gather(stays, s, hour, kinds, tokens);
    order.sort(tokens);
    for (const Token& token : tokens) {
      cases.kinds.push_back(static_cast<std::uint16_t>(token.kind));
      cases.times.push_back(static_cast<double>(token.hours) / unit.hours);
      values.push_back(token.value);
    }
    cases.offsets.push_back(static_cast<Index>(values.size()));
    cases.ends.push_back(stays.facts.asks_at_origin ? 0 : options.at);
  }
  cases.values = Eigen::Map<Matrix<float>>(values.data(), static_cast<Index>(values.size()), 1);
  cases.ids = stays.ids;
  cases.groups = stays.patients;
  for (const std::int32_t fold : stays.folds) cases.folds.push_back(fold);
  if (!stays.outcomes.empty()) cases.targets = stays.outcomes.front().values;
  return cases;
}

class StayCases final : public study::CaseReader {
 public:
  StayCases(datasets::events::StaysReader stays, const CaseOptions& options, const CaseFinish& finish)
      : stays_(std::move(stays)),
        options_(options),
        finish_(finish),
        kinds_(stays_.index().variables, options,
               [this](std::size_t v) { return stays_.index().facts.distinct.at(stays_.index().variables[v]); }) {}
  study::Cases read(Index most) override {
    const Stays block = stays_.read(most);
    if (block.count() == 0) refuse_empty_window(window_, stays_.index(), options_);
    study::Cases cases = cases_of_kinds(block, kinds_, options_);
    window_.see(block, hour_of_asking(block, options_));
    if (finish_) finish_(block, cases);
    return cases;
  }
  study::Reading reading() const override { return stay_reading(stays_.index(), options_, &window_); }

 private:
  datasets::events::StaysReader stays_;
  CaseOptions options_;
  CaseFinish finish_;
  Kinds kinds_;
  Window window_;
};

}  // namespace

study::Cases cases_of(const Stays& stays, const CaseOptions& options) {
  refuse_outcomes(stays, options);
  const Kinds kinds(stays.variables, options, [&](std::size_t v) { return distinct_values(stays, v); });
  study::Cases cases = cases_of_kinds(stays, kinds, options);
  cases.reading.noun = options.unit == "hours" ? "stay" : "record";
  cases.reading.token = "event", cases.reading.group = "patient";
  return cases;
}

std::unique_ptr<study::CaseReader> read_stay_cases(datasets::events::StaysReader stays, const CaseOptions& options,
                                                   const CaseFinish& finish) {
  refuse_outcomes(stays.index(), options);
  return std::make_unique<StayCases>(std::move(stays), options, finish);
}

}  // namespace fovea::ehr::record
