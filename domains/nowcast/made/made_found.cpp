#include "fovea/domains/nowcast/made/made_found.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/study/ensemble/explanation.hpp"

namespace fovea::nowcast::made {

namespace {

constexpr Index kTokensAtOnce = 8192;

/// The number of a kind's class; -1: the months do not see it.
Index class_of_kind(const study::Cases& cases, const std::string& kind) {
  const auto found = std::lower_bound(cases.classes.begin(), cases.classes.end(), kind);
  return found == cases.classes.end() || *found != kind ? -1 : found - cases.classes.begin();
}

Memory learned_memory(const Asked& asked, Index kind, Index window) {
  const auto count = static_cast<double>(asked.members.size());
  Memory mean;
  for (const study::Member& member : asked.members) {
    const Memory one = memory_of(member.parameters, asked.model, kind, window);
    mean.effect += one.effect / count, mean.delay += one.delay / count, mean.half_life += one.half_life / count;
  }
  return mean;
}

/// The kind that was found of a token's event; nullptr: it is no event.
KindFound* kind_of_token(const Asked& asked, Index token, Found& found) {
  if (asked.made.events[token] < 0) return nullptr;
  const MadeEconomy& economy = asked.made.economy;
  const std::string& name = economy.settings.kinds[economy.events[asked.made.events[token]].kind].name;
  return &*std::find_if(found.kinds.begin(), found.kinds.end(),
                        [&](const KindFound& kind) { return kind.known.name == name; });
}

void add_attention(const Asked& asked, const std::vector<Index>& months, Found& found) {
  const std::vector<Index>& offsets = asked.made.cases.offsets;
  for (const study::Member& member : asked.members) {
    const Matrix<double> logs = study::scores_of_tokens(member, asked.made.cases, asked.inputs, months, kTokensAtOnce);
    Index row = 0;
    for (const Index month : months)
      for (Index i = offsets[month]; i < offsets[month + 1]; ++i, ++row)
        if (KindFound* kind = kind_of_token(asked, i, found)) kind->attention += std::exp(logs(row, 0));
  }
}

void add_deletions(const Asked& asked, Index month, Found& found) {
  const Index first = asked.made.cases.offsets[month];
  std::vector<Index> tokens;
  for (Index i = 0; i < asked.made.cases.size(month); ++i)
    if (asked.made.events[first + i] >= 0) tokens.push_back(i);
  const std::vector<double> changes = study::removals_of(asked.members, asked.made.cases, asked.inputs, month, tokens);
  Index most = -1;  // the event whose removal lowers the logit most
  double largest = 0;
  for (std::size_t k = 0; k < tokens.size(); ++k) {
    KindFound* const kind = kind_of_token(asked, first + tokens[k], found);
    kind->deletion += std::abs(changes[k]), kind->events += 1;
    if (changes[k] > largest) largest = changes[k], most = asked.made.events[first + tokens[k]];
  }
  if (const Index cause = datasets::simulated::first_cause(asked.made.economy, asked.made.months[month]); cause >= 0)
    ++found.months, found.first += most == cause ? 1 : 0;
}

}  // namespace

Found found_of(const Asked& asked, const std::vector<Index>& months, Index window) {
  Found found;
  for (const MadeKind& kind : asked.made.economy.settings.kinds)
    if (const Index number = class_of_kind(asked.made.cases, kind.name); number >= 0)
      found.kinds.push_back({kind, learned_memory(asked, number, window)});
  add_attention(asked, months, found);
  for (const Index month : months) add_deletions(asked, month, found);
  for (double KindFound::*share : {&KindFound::events, &KindFound::attention, &KindFound::deletion}) {
    double sum = 0;
    for (const KindFound& kind : found.kinds) sum += kind.*share;
    for (KindFound& kind : found.kinds) kind.*share /= sum;
  }
  return found;
}

double learned_effect(const Asked& asked, const std::string& kind, double age) {
  double sum = 0;
  for (const study::Member& member : asked.members)
    sum += effect_at(member.parameters, asked.model, class_of_kind(asked.made.cases, kind), age);
  return sum / static_cast<double>(asked.members.size());
}

}  // namespace fovea::nowcast::made
