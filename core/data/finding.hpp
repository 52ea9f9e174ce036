#pragma once
/// A finding: what a page says in words, kept as data. A kind of finding is a struct: its members are the numbers and
/// words, holds() is the condition under which it may be said, sentence() the one place that says it, example() and
/// counterexample() a case in which it must appear and one in which it must not:
///
///   struct NoBetterThanChance {
///     std::string measure;
///     double value, low, high, chance;
///     FOVEA_FINDING(verdict, "no_better_than_chance", "the interval of the score holds the base rate's", measure,
///     value,
///                   low, high, chance)
///     bool holds() const { return low <= chance && chance <= high; }
///     std::string sentence() const { return concat("No better than chance: ", measure, ' ', value, '.'); }
///     static NoBetterThanChance example() { return {"AUROC", 0.52, 0.47, 0.57, 0.5}; }
///     static NoBetterThanChance counterexample() { return {"AUROC", 0.7, 0.6, 0.8, 0.5}; }
///   };
///
///   results.finding(NoBetterThanChance{.measure = "AUROC", .value = v, .low = l, .high = h, .chance = c});
///   if (const auto chance = results.found<NoBetterThanChance>()) ... chance->value ...
///
/// Members: numbers (double, integers, bool), std::string, and at most one NamedNumbers, whose numbers are kept as
/// MEMBER.NAME. A kind stands in the list of its domain (Domain::findings) or of its room (domains/registry.cpp,
/// finding_kinds()); a test walks them all.

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace fovea {

using NamedNumbers = std::vector<std::pair<std::string, double>>;

/// Where a sentence stands: in the page's verdict, among its notes; a promise of what a level controls, and a fact that
/// other code decides by, where they are asked for; a warning, which would stop a careful person, above all else.
enum class FindingRole { verdict, note, promise, fact, warning };
std::string_view to_text(FindingRole role);

struct Finding {
  std::string kind;
  FindingRole role = FindingRole::note;
  NamedNumbers numbers = {};
  std::vector<std::pair<std::string, std::string>> words = {};
  std::string sentence = {};
  std::vector<std::string> points = {};  ///< of a sweep: the labels of those that found it; empty: it is of the whole

  /// The same but for `points`; NaN is the same as NaN.
  bool says_the_same_as(const Finding& other) const;
};

/// JSON: a list of {kind, role, numbers: {...}, words: {...}, sentence}, and points where there are some.
std::string findings_json(const std::vector<Finding>& findings);

/// Puts members into a finding, or takes them out of it, in the order of their names ("value, low, high").
class FindingMembers {
 public:
  FindingMembers(Finding& finding, std::string_view names) : finding_(finding), names_(names) {}
  void put(const std::string& word);
  void put(const NamedNumbers& numbers);
  void put(double number);
  template <typename Number>
  requires std::is_integral_v<Number>
  void put(Number number) { put(static_cast<double>(number)); }
  void take(std::string& word);  ///< ArgumentError where there is none of this name
  void take(NamedNumbers& numbers);
  void take(double& number);
  template <typename Number>
  requires std::is_integral_v<Number>
  void take(Number& number) {
    double taken = 0;
    take(taken);
    number = static_cast<Number>(taken);
  }

 private:
  std::string next_name();
  Finding& finding_;
  std::string_view names_;
};

/// Stands in a kind after its members and names them all: ROLE is one of FindingRole, KIND a text in
/// snake_case that no other kind has, MEANING one line: when it is found.
#define FOVEA_FINDING(ROLE, KIND, MEANING, ...)                                                \
  static constexpr ::fovea::FindingRole kRole = ::fovea::FindingRole::ROLE;                    \
  static constexpr std::string_view kKind = KIND, kMeaning = MEANING, kMembers = #__VA_ARGS__; \
  auto members() { return std::tie(__VA_ARGS__); }                                             \
  auto members() const { return std::tie(__VA_ARGS__); }

template <typename Kind>
Finding finding_of(const Kind& found) {
  Finding finding{.kind = std::string(Kind::kKind), .role = Kind::kRole, .sentence = found.sentence()};
  FindingMembers into(finding, Kind::kMembers);
  std::apply([&](const auto&... member) { (into.put(member), ...); }, found.members());
  return finding;
}

/// Back. Throws ArgumentError if a member is missing, as in results of another version.
template <typename Kind>
Kind finding_as(Finding finding) {
  Kind found{};
  FindingMembers from(finding, Kind::kMembers);
  std::apply([&](auto&... member) { (from.take(member), ...); }, found.members());
  return found;
}

/// A kind of which only the name is known: for lists, documents and the test that walks them.
struct FindingKind {
  std::string_view name, meaning, members;
  FindingRole role;
  bool (*holds)(const Finding& finding);
  std::string (*sentence)(const Finding& finding);
  Finding (*example)();
  Finding (*counterexample)();
};

template <typename Kind>
FindingKind finding_kind() {
  return {Kind::kKind,
          Kind::kMeaning,
          Kind::kMembers,
          Kind::kRole,
          [](const Finding& finding) { return finding_as<Kind>(finding).holds(); },
          [](const Finding& finding) { return finding_as<Kind>(finding).sentence(); },
          [] { return finding_of(Kind::example()); },
          [] { return finding_of(Kind::counterexample()); }};
}

template <typename... Kinds>
std::vector<FindingKind> finding_kinds() {
  return {finding_kind<Kinds>()...};
}

}  // namespace fovea
