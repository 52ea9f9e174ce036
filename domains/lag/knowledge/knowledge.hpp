#pragma once
/// What a user knows of the links beforehand: which cannot be, which are there, and what comes before what.
///
/// A link is written CAUSE->EFFECT or EFFECT<-CAUSE, with @LAGS behind it for some lags alone ("@3", "@0-2,5"; 0 is
/// within a step). CAUSE and EFFECT are names (a unit in [] may be left out), or groups of names separated by commas; *
/// stands for any letters, and "quotes" are put around a name that holds , | * @ -> or <-.
///
///   rain<-*               nothing drives rain        rain,snow->town@1-2      neither drives town after 1 or 2 steps
///   upstream->town@3      is required: always conditioned on
///   rain,snow | upstream | town                      tiers: no series drives one of an earlier tier
///   weather = rain,snow | rivers = up*,town          groups: such a name stands for all its series, wherever one may
///
/// A forbidden link is not tested and is left out of the family of the false discovery rate. A series' own past is
/// forbidden only where both names are written out: rain->rain@5.

#include <string>
#include <string_view>
#include <vector>

#include "fovea/domains/lag/methods/findings.hpp"

namespace fovea::lag::knowledge {

/// One link, or a group of links, as written.
struct Pattern {
  std::string text;
  std::vector<std::string> causes, effects;  ///< without quotes; * as a letter is kWildcard
  std::vector<Index> lags;                   ///< steps, ascending; empty: all
};
inline constexpr char kWildcard = '\x01';

/// Throws ArgumentError that says what is wrong with the text and how a link is written.
Pattern parse_pattern(std::string_view text);
/// Tiers, each a group of names. Throws ArgumentError for fewer than two tiers or an empty one.
std::vector<std::vector<std::string>> parse_tiers(std::string_view text);

/// A name for several series.
struct WrittenGroup {
  std::string name;
  std::vector<std::string> members;  ///< as in Pattern
};
/// NAME = MEMBER,MEMBER | NAME = ... Throws ArgumentError for a group without a name or a member, and for a name twice.
std::vector<WrittenGroup> parse_groups(std::string_view text);

/// As the keys knowledge.forbid, knowledge.require, knowledge.tiers, knowledge.groups have it.
struct Written {
  std::vector<std::string> forbid, require;
  std::string tiers, groups = {};
};

class Knowledge {
 public:
  Knowledge() = default;  ///< nothing: everything is allowed
  /// Throws ArgumentError for a text that cannot be read, a name that no series has (with the nearest one), a series in
  /// two tiers, a required link with a wildcard or without its lag, one that is forbidden as well, and a group that is
  /// called as a series is.
  Knowledge(const Written& written, const std::vector<std::string>& names);

  /// Whether the cause at t - lag may drive the effect at t. Within a step (lag 0) ask for both orders: a pair is
  /// forbidden where neither is allowed, and has a direction where one is.
  bool allowed(Index cause, Index effect, Index lag) const;
  /// Links that are always conditioned on, each once, as they were written.
  const std::vector<methods::Link>& required() const { return required_; }
  Index longest_required() const;  ///< lag; 0: none

  /// Sentences for the reader; none where nothing is known.
  std::vector<std::string> notes() const;
  /// "Links between groups: weather -> rivers 4, within rivers 2.", of those between different series; a series may be
  /// in several groups. "Links within rivers 2." of a single group. Empty without groups.
  std::string links_between_groups(const std::vector<methods::Link>& links) const;

 private:
  struct Rule {
    std::string text;
    std::vector<char> causes, effects;  ///< of each series: whether the rule means it
    bool own_past = false;              ///< forbids that too
    std::vector<Index> lags;            ///< empty: all
  };
  struct Group {
    std::string name;
    std::vector<char> members;  ///< of each series
  };
  void add_groups(const std::string& text, const std::vector<std::string>& names);
  /// Of each series whether one of the names, or of the groups, means it. Throws where a name means none.
  std::vector<char> meant(const std::vector<std::string>& named, const std::vector<std::string>& names,
                          const std::string& text) const;
  void add_rule(const Pattern& pattern, const std::vector<std::string>& names);
  void add_required(const Pattern& pattern, const std::vector<std::string>& names);
  void add_tiers(const std::string& text, const std::vector<std::string>& names);

  std::vector<Group> groups_;
  std::string groups_text_;
  std::vector<Rule> rules_;
  std::vector<methods::Link> required_;
  std::vector<std::string> required_texts_;
  std::vector<int> tier_;  ///< of each series; -1: none; empty: no tiers
  std::string tiers_text_;
};

/// Gives the search what is known.
void tell(const Knowledge& knowledge, methods::LagSettings& settings);

}  // namespace fovea::lag::knowledge
