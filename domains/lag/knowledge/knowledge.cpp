#include "fovea/domains/lag/knowledge/knowledge.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/config/schema.hpp"

namespace fovea::lag::knowledge {

namespace {

bool is_wild(const std::string& name) { return name.find(kWildcard) != std::string::npos; }

/// Whether the name fits the pattern, in which kWildcard stands for any letters: the last wildcard takes one letter
/// more whenever the rest does not fit.
bool fits(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0, wild = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == kWildcard) {
      wild = p++;
      taken = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (wild != std::string_view::npos) {
      p = wild + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == kWildcard) ++p;
  return p == pattern.size();
}

std::string as_written(std::string name) {
  std::replace(name.begin(), name.end(), kWildcard, '*');
  return name;
}

/// "level [m]" is also called "level".
std::string_view without_unit(std::string_view name) {
  const std::size_t open = name.rfind('[');
  if (open == std::string_view::npos || name.back() != ']') return name;
  name = name.substr(0, open);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return name;
}

/// Marks the series that the name, which is that of no group, means. Throws where there is none.
void mark(const std::string& name, const std::vector<std::string>& names, const std::string& text,
          std::vector<char>& chosen) {
  bool any = false;
  for (std::size_t s = 0; s < names.size(); ++s)
    if (fits(names[s], name) || fits(without_unit(names[s]), name)) chosen[s] = any = true;
  if (any) return;
  const std::string close = is_wild(name) ? "" : nearest(name, names);
  throw ArgumentError(concat("'", text, "': there is no series '", as_written(name), "' that changes",
                             close.empty() ? "." : "; did you mean '" + close + "'?"));
}

template <typename Texts>
std::string in_a_row(const Texts& texts) {
  std::string row;
  for (const std::string& text : texts) row += (row.empty() ? "" : "; ") + text;
  return row;
}

}  // namespace

Knowledge::Knowledge(const Written& written, const std::vector<std::string>& names) {
  if (!written.groups.empty()) add_groups(written.groups, names);
  for (const std::string& text : written.forbid) add_rule(parse_pattern(text), names);
  if (!written.tiers.empty()) add_tiers(written.tiers, names);
  for (const std::string& text : written.require) add_required(parse_pattern(text), names);
}

void Knowledge::add_groups(const std::string& text, const std::vector<std::string>& names) {
  groups_text_ = text;
  for (const WrittenGroup& group : parse_groups(text)) {
    require(std::find(names.begin(), names.end(), group.name) == names.end(), "groups '", text, "': '", group.name,
            "' is a series; give the group another name.");
    groups_.push_back({group.name, std::vector<char>(names.size(), 0)});
    for (const std::string& member : group.members) mark(member, names, "groups " + text, groups_.back().members);
  }
}

std::vector<char> Knowledge::meant(const std::vector<std::string>& named, const std::vector<std::string>& names,
                                   const std::string& text) const {
  std::vector<char> chosen(names.size(), 0);
  for (const std::string& name : named) {
    const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& one) { return one.name == name; });
    if (group == groups_.end())
      mark(name, names, text, chosen);
    else
      for (std::size_t s = 0; s < names.size(); ++s) chosen[s] = chosen[s] || group->members[s];
  }
  return chosen;
}

void Knowledge::add_rule(const Pattern& pattern, const std::vector<std::string>& names) {
  const auto plain = [](const std::vector<std::string>& group) {
    return std::none_of(group.begin(), group.end(), is_wild);
  };
  rules_.push_back(
      {pattern.text, meant(pattern.causes, names, pattern.text), meant(pattern.effects, names, pattern.text),
       pattern.causes == pattern.effects && plain(pattern.causes) && pattern.causes.size() == 1, pattern.lags});
}

void Knowledge::add_tiers(const std::string& text, const std::vector<std::string>& names) {
  tiers_text_ = text;
  tier_.assign(names.size(), -1);
  const std::vector<std::vector<std::string>> tiers = parse_tiers(text);
  for (std::size_t k = 0; k < tiers.size(); ++k) {
    const std::vector<char> chosen = meant(tiers[k], names, "tiers " + text);
    for (std::size_t s = 0; s < names.size(); ++s) {
      if (!chosen[s]) continue;
      require(tier_[s] < 0, "tiers '", text, "': '", names[s], "' is in two tiers; leave it in one.");
      tier_[s] = static_cast<int>(k);
    }
  }
}

void Knowledge::add_required(const Pattern& pattern, const std::vector<std::string>& names) {
  const auto place_of = [&](const std::vector<std::string>& named) {
    const std::vector<char> chosen = meant(named, names, pattern.text);
    require(named.size() == 1 && !is_wild(named[0]) && std::count(chosen.begin(), chosen.end(), 1) == 1, "'",
            pattern.text,
            "': a required link has one cause and one effect, no group and no *; give each link by itself.");
    return static_cast<Index>(std::find(chosen.begin(), chosen.end(), char{1}) - chosen.begin());
  };
  const Index cause = place_of(pattern.causes), effect = place_of(pattern.effects);
  require(!pattern.lags.empty(), "'", pattern.text, "': a required link needs its lag; write ", pattern.text, "@LAG.");
  required_texts_.push_back(pattern.text);
  for (const Index lag : pattern.lags) {
    require(cause != effect || lag > 0, "'", pattern.text, "': a series does not drive itself within a step.");
    require(allowed(cause, effect, lag), "'", pattern.text, "': is required and forbidden; take out one of both.");
    methods::Link link;
    link.cause = cause, link.effect = effect, link.lag = lag;
    const auto same = [&](const methods::Link& other) {
      return other.cause == cause && other.effect == effect && other.lag == lag;
    };
    if (std::none_of(required_.begin(), required_.end(), same)) required_.push_back(link);
  }
}

bool Knowledge::allowed(Index cause, Index effect, Index lag) const {
  const std::size_t c = cause, e = effect;
  if (!tier_.empty() && tier_[e] >= 0 && tier_[c] > tier_[e]) return false;
  return std::none_of(rules_.begin(), rules_.end(), [&](const Rule& rule) {
    return rule.causes[c] && rule.effects[e] && (c != e || rule.own_past) &&
           (rule.lags.empty() || std::binary_search(rule.lags.begin(), rule.lags.end(), lag));
  });
}

Index Knowledge::longest_required() const {
  Index longest = 0;
  for (const methods::Link& link : required_) longest = std::max(longest, link.lag);
  return longest;
}

std::vector<std::string> Knowledge::notes() const {
  std::vector<std::string> notes, texts;
  for (const Rule& rule : rules_) texts.push_back(rule.text);
  const auto count = std::ssize(texts);
  if (count > 0)
    notes.push_back(concat(counted(count, "kind"), " of link ", count == 1 ? "is" : "are", " forbidden by you: ",
                           in_a_row(texts), ". They are not tested and not among the tests that q-values count."));
  if (!groups_.empty()) notes.push_back(concat("Groups are given by you: ", groups_text_, "."));
  if (!tiers_text_.empty())
    notes.push_back(
        concat("Tiers are given by you: ", tiers_text_, ". No series is tested as a cause of one in an earlier tier."));
  if (!required_.empty())
    notes.push_back(concat(counted(std::ssize(required_), "link"), required_.size() == 1 ? " is" : " are",
                           " required by you: ", in_a_row(required_texts_),
                           ". All tests of these effects are conditional on them, whatever the data say."));
  return notes;
}

std::string Knowledge::links_between_groups(const std::vector<methods::Link>& links) const {
  std::string text;
  for (const Group& from : groups_)
    for (const Group& to : groups_) {
      const auto count = std::count_if(links.begin(), links.end(), [&](const methods::Link& link) {
        return !link.self() && from.members[link.cause] && to.members[link.effect];
      });
      if (count == 0) continue;
      const std::string pair = &from == &to ? "within " + from.name : concat(from.name, " \u2192 ", to.name);
      text += concat(text.empty() ? "" : ", ", pair, ' ', count);
    }
  if (groups_.empty()) return "";
  if (groups_.size() == 1)
    return text.empty() ? concat("No significant link within ", groups_.front().name, '.')
                        : concat("Links ", text, '.');
  return text.empty() ? "No significant link between or within the groups."
                      : concat("Links between groups: ", text, '.');
}

void tell(const Knowledge& knowledge, methods::LagSettings& settings) {
  settings.allowed = [knowledge](Index cause, Index effect, Index lag) {
    return knowledge.allowed(cause, effect, lag);
  };
  settings.required = knowledge.required();
}

}  // namespace fovea::lag::knowledge
