#include "fovea/domains/lag/discover/promises.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/domains/lag/discover/arrays.hpp"
#include "fovea/domains/lag/discover/findings.hpp"
#include "fovea/domains/lag/methods/methods.hpp"
#include "fovea/domains/lag/series/input.hpp"

namespace fovea::lag::discover {

namespace {

constexpr const char* kNoEffect = "no_effect";
constexpr std::size_t kMostNamed = 5;  // series of a note

std::string_view name_of(attention::DoubtKind kind) {
  constexpr std::array<std::string_view, 9> kNames{"square",     "product", "memory", "within", "noise",
                                                   "few_values", "parts",   "totals", "gaps"};
  return kNames.at(static_cast<std::size_t>(kind));
}

bool is_doubted(const Discovery& discovery, Index series) {
  return !discovery.doubts.empty() && !discovery.doubts[series].empty();
}

/// Into its effect; of a link without direction into both.
bool leads_into(const methods::Link& link, Index series) {
  return link.effect == series || (!link.directed && link.cause == series);
}

bool is_promised(const Discovery& discovery, const methods::Link& link) {
  return link.counts && !is_doubted(discovery, link.effect) && (link.directed || !is_doubted(discovery, link.cause)) &&
         !may_be_nothing(discovery, link);
}

bool concerns(const Reason& reason, const methods::Link& link) {
  return std::any_of(reason.targets.begin(), reason.targets.end(),
                     [&](Index target) { return leads_into(link, target); });
}

/// One reason a kind, squares and products together: the one with the most links, and into which series others lead.
std::vector<Reason> by_kind(const std::vector<Reason>& reasons, const std::vector<methods::Link>& links) {
  const auto family = [](const Reason& reason) { return reason.kind == "square" ? "product" : reason.kind; };
  std::vector<Reason> kinds;
  for (const Reason& reason : reasons) {
    const auto same =
        std::find_if(kinds.begin(), kinds.end(), [&](const Reason& one) { return family(one) == family(reason); });
    if (same == kinds.end()) {
      kinds.push_back(reason);
      continue;
    }
    same->as_first = true;
    std::set<Index> all(same->targets.begin(), same->targets.end());
    all.insert(reason.targets.begin(), reason.targets.end());
    same->targets.assign(all.begin(), all.end());
    if (reason.kind != kNoEffect)
      same->links =
          std::count_if(links.begin(), links.end(), [&](const methods::Link& link) { return concerns(*same, link); });
  }
  return kinds;
}

Reason of_effects(const Discovery& discovery, const std::vector<methods::Link>& links) {
  Reason reason{
      kNoEffect, "", "Such an effect is not to be relied on; more rows would show it or take it away.", {}, 0};
  std::set<Index> targets;
  for (const methods::Link& link : links) {
    if (!may_be_nothing(discovery, link)) continue;
    if (reason.links++ == 0)
      reason.text = concat("the 95 % interval of the effect of ", discovery.table.names[link.cause], " on ",
                           discovery.table.names[link.effect], " after ", series::lag_text(discovery.table, link.lag),
                           " holds 0");
    targets.insert(link.effect);
  }
  reason.targets.assign(targets.begin(), targets.end());
  if (reason.links > 1) reason.text += concat(", as do those of ", counted(reason.links - 1, "other"));
  return reason;
}

/// A clause at the beginning of a sentence, unless it begins with a series, whose name stays as it is.
std::string as_beginning(std::string text, const std::vector<std::string>& names) {
  if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return text.starts_with(name + ' '); }))
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

std::ptrdiff_t promised_of(const std::vector<methods::Link>& links) {
  return std::count_if(links.begin(), links.end(), [](const methods::Link& link) { return link.promised; });
}

bool rate_is_kept(const Discovery& discovery) {
  return methods::method_of(discovery.ours.name).at_rate && discovery.surrogates.kept && !discovery.shared.found &&
         !discovery.hidden.found;
}

bool may_be_nothing(const Discovery& discovery, const methods::Link& link) {
  if (!discovery.effects || link.self() || link.lag == 0 || link.with >= 0 || link.bent || is_bent(discovery, link))
    return false;
  const effects::Estimate& own = discovery.effects->of(link).effect;
  return own.low <= 0 && own.high >= 0;
}

void settle_promises(Discovery& discovery) {
  const bool kept = rate_is_kept(discovery);
  for (std::vector<methods::Link>* links : {&discovery.ours.findings.links, &discovery.further.links})
    for (methods::Link& link : *links) link.promised = kept && is_promised(discovery, link);
}

std::vector<Reason> reasons_against(const Discovery& discovery, const std::vector<methods::Link>& links) {
  std::vector<Reason> reasons;
  for (Index target = 0; target < std::ssize(discovery.doubts); ++target)
    for (const attention::Doubt& doubt : discovery.doubts[target]) {
      const std::string text = attention::reason_of(doubt, discovery.table.names);
      auto same = std::find_if(reasons.begin(), reasons.end(), [&](const Reason& one) { return one.text == text; });
      if (same == reasons.end())
        same = reasons.insert(same, {std::string(name_of(doubt.kind)), text, attention::remedy_of(doubt.kind), {}, 0});
      same->targets.push_back(target);
    }
  for (Reason& reason : reasons)
    reason.links =
        std::count_if(links.begin(), links.end(), [&](const methods::Link& link) { return concerns(reason, link); });
  Reason uncertain = of_effects(discovery, links);
  if (uncertain.links > 0) reasons.push_back(std::move(uncertain));
  std::stable_sort(reasons.begin(), reasons.end(), [](const Reason& a, const Reason& b) { return a.links > b.links; });
  return reasons;
}

void say_reasons(const Discovery& discovery, const std::vector<methods::Link>& links, Results& results) {
  const std::int64_t unpromised = rate_is_kept(discovery) ? std::ssize(links) - promised_of(links) : 0;
  std::vector<Reason> reasons = by_kind(reasons_against(discovery, links), links);
  if (links.empty() && !reasons.empty() && rate_is_kept(discovery))
    results.finding(
        UnpromisedLinks{as_beginning(reasons.front().text, discovery.table.names), std::ssize(reasons) - 1, 0, 0});
  if (unpromised == 0) return;
  std::erase_if(reasons, [](const Reason& reason) { return reason.links == 0; });
  require(!reasons.empty(), "say_reasons: links are not promised without a reason; settle_promises() comes first.");
  results.finding(UnpromisedLinks{as_beginning(reasons.front().text, discovery.table.names), std::ssize(reasons) - 1,
                                  unpromised, std::ssize(links)});
  const auto name = [&](Index target) { return discovery.table.names[target]; };
  for (const Reason& reason : reasons) {
    results.finding(DoubtAboutLinks{reason.kind, reason.text, reason.remedy, reason.as_first,
                                    datasets::text::listed(reason.targets, name, kMostNamed), reason.links});
  }
}

void write_doubts(const Discovery& discovery, Results& results) {
  struct DoubtRow {
    std::string series, kind, reason, remedy;
  };
  std::vector<DoubtRow> table;
  for (const Reason& reason : reasons_against(discovery, {}))
    for (const Index target : reason.targets)
      table.push_back({discovery.table.names[target], reason.kind, reason.text, reason.remedy});
  if (table.empty()) return;
  const auto number = [](const DoubtRow&, std::size_t place) { return static_cast<std::int64_t>(place) + 1; };
  rows("doubt", table, number, "why links into a series are not promised, one by one")
      .prefix("doubt_")
      .text("series", &DoubtRow::series, "the series")
      .text("kind", &DoubtRow::kind, "kind of the reason")
      .text("reason", &DoubtRow::reason, "reason")
      .text("remedy", &DoubtRow::remedy, "what to do")
      .write(results);
}

}  // namespace fovea::lag::discover
