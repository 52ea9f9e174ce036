#include "fovea/domains/lag/attention/target_links.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fovea/core/statistics/tests/two_classes.hpp"
#include "fovea/domains/lag/attention/confirmation.hpp"
#include "fovea/domains/lag/attention/view.hpp"

namespace fovea::lag::attention {

namespace {

LinkTest enter_test(methods::Link& link, const ContentTests& contents) {
  const LinkTest test = combined(contents);
  link.strength = test.correlation;
  link.statistic = test.t;
  link.p_value = test.p_value;
  link.log10_p = test.log10_p;
  link.test = test.decided;
  link.bent = test.bent;
  const bool product = test.second && contents.second->key.form == SecondForm::product;
  link.kind = product ? methods::EffectKind::product : methods::EffectKind::steady;
  link.with = product ? contents.second->key.other : -1;
  link.with_lag = product ? contents.second->other_lag : 0;
  return test;
}

/// A value that is a condition both as it is and with outliers pulled in is tested as it is, without its twin: each
/// says nearly all that the other does.
ContentTests contents_of(const SparseTests& tests, const Learned& learned, Index source, std::size_t place,
                         Index target, Index series) {
  const KeyProducts& products = *learned.products;
  const Index rows = learned.models[target].rows;
  const Index plain = products.key(source, place, Content::plain);
  const bool chosen = std::find(tests.chosen.begin(), tests.chosen.end(), plain) != tests.chosen.end();
  if (!chosen) return test_contents(tests, products, source, place, target, rows);
  const std::vector<Index> kept = without_twin(tests.chosen, plain, series);
  if (kept.size() == tests.chosen.size()) return test_contents(tests, products, source, place, target, rows);
  ContentTests alone = test_contents(tests_given(products, target, kept), products, source, place, target, rows);
  alone.of(Content::pulled).p_value = 1;
  return alone;
}

bool may_count(const methods::Link& link, double level) { return link.p_value <= std::max(level, kWorthConfirming); }

}  // namespace

TargetLinks links_of_target(const Learned& learned, Index target, Index series, const std::vector<Index>& lags,
                            const DenseTests* dense, double level) {
  const TargetModel& model = learned.models[target];
  const SparseTests tests = dense ? dense->of(target) : model.tests;
  TargetLinks result;
  result.target = target;
  const std::size_t count = series * lags.size();
  result.links.reserve(count), result.views.reserve(count), result.plain_t.reserve(count);
  for (Index i = 0; i < series; ++i)
    for (std::size_t l = 0; l < lags.size(); ++l) {
      const ContentTests contents = contents_of(tests, learned, i, l, target, series);
      methods::Link link;
      link.cause = i, link.effect = target, link.lag = lags[l];
      const LinkTest test = enter_test(link, contents);
      if (may_count(link, level)) result.contents.emplace(result.links.size(), contents);
      result.links.push_back(link);
      result.views.push_back(view_of(model.heads, *learned.products, i, lags, l));
      result.plain_t.push_back(std::abs(test.plain_t));
    }
  result.conditions = tests.chosen;
  return result;
}

void complete_contents(TargetLinks& part, const Learned& learned, Index series, std::size_t lags) {
  const SparseTests& tests = learned.models[part.target].tests;
  for (std::size_t l = 0; l < part.links.size(); ++l)
    if (!part.contents.contains(l))
      part.contents[l] = contents_of(tests, learned, part.links[l].cause, l % lags, part.target, series);
}

void enter_tests(TargetLinks& part, double level) {
  for (const auto& [l, contents] : part.contents) enter_test(part.links[l], contents);
  std::erase_if(part.contents, [&](const auto& one) { return !may_count(part.links[one.first], level); });
}

void confirm(TargetLinks& part, const std::vector<std::size_t>& places, const TargetRows& rows, const RowsGiven& given,
             const KeyProducts& products, std::size_t lags) {
  const Confirmation confirmation(rows, given);
  const Index series = std::ssize(part.links) / static_cast<Index>(lags);
  for (const std::size_t l : places) {
    for (const Content content : kAllContents) {
      ContentTests& tests = part.contents[l];
      if (tests.of(content).p_value > kWorthConfirming) continue;
      const Index key = products.key(part.links[l].cause, l % lags, content);
      const bool condition = std::find(given.keys.begin(), given.keys.end(), key) != given.keys.end();
      const std::vector<Index> kept = condition ? without_twin(given.keys, key, series) : given.keys;
      if (kept.size() == given.keys.size()) {
        confirmation.weaken(tests, content, key);
      } else {
        const RowsGiven fewer = rows_given(rows, kept, given.held, given.within, given.seconds);
        Confirmation(rows, fewer).weaken(tests, content, key);
      }
    }
    // Without other series within the step the second stage has tested on the rows already.
    if (part.contents[l].second && part.contents[l].second->p_value <= kWorthConfirming && !given.within.empty())
      confirmation.weaken(*part.contents[l].second);
    enter_test(part.links[l], part.contents[l]);
  }
}

namespace {

/// Of each source with a chosen key, that content's keys at all lags up to the longest chosen one: plain ones rather
/// than their pulled twins.
std::map<Index, std::vector<Index>> whole_causes(const std::vector<Index>& chosen, Index series) {
  constexpr auto kPlain = static_cast<Index>(Content::plain), kPulled = static_cast<Index>(Content::pulled);
  Index reach = 0;
  std::set<std::pair<Index, Index>> contents;  // (source, content)
  for (const Index key : chosen) {
    reach = std::max(reach, key / (kContents * series));
    contents.emplace(key % series, key / series % kContents);
  }
  std::map<Index, std::vector<Index>> whole;
  for (const auto& [source, content] : contents)
    for (Index place = 0; place <= reach && !(content == kPulled && contents.contains({source, kPlain})); ++place)
      whole[source].push_back((place * kContents + content) * series + source);
  return whole;
}

// Rows a condition, at least: with fewer the tests see little.
constexpr Index kRowsOfCondition = 8;

}  // namespace

void confirm_given_whole_causes(TargetLinks& part, const std::vector<std::size_t>& places, const TargetRows& rows,
                                Index held, const KeyProducts& products, std::size_t lags) {
  const Index series = std::ssize(part.links) / static_cast<Index>(lags);
  const std::map<Index, std::vector<Index>> whole = whole_causes(part.conditions, series);
  constexpr Index kOthers = -1;
  std::map<Index, std::vector<std::size_t>> by_source;
  for (const std::size_t l : places)
    if (part.links[l].p_value <= kWorthConfirming)
      by_source[whole.contains(part.links[l].cause) ? part.links[l].cause : kOthers].push_back(l);
  for (const auto& [tested, links] : by_source) {
    std::vector<Index> keys = part.conditions;
    for (const auto& [source, further] : whole)
      for (const Index key : further)
        if (source != tested && std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    if (keys.size() == part.conditions.size() || std::ssize(keys) * kRowsOfCondition > rows.count()) continue;
    const RowsGiven given = rows_given(rows, keys, held, {}, part.seconds);
    if (given.columns.independent()) confirm(part, links, rows, given, products, lags);
  }
}

/// Pairs, not links: further lags without an effect must not move the cut (theory.md, step 6).
double cut_of_pairs(const std::vector<TargetLinks>& parts) {
  std::map<std::pair<Index, Index>, double> largest;
  for (const TargetLinks& part : parts)
    for (std::size_t l = 0; l < part.links.size(); ++l) {
      const methods::Link& link = part.links[l];
      if (link.self() || !std::isfinite(part.plain_t[l])) continue;
      double& t = largest[{link.effect, link.cause}];
      t = std::max(t, part.plain_t[l]);
    }
  std::vector<double> values;
  for (const auto& [pair, t] : largest) values.push_back(t);
  return values.size() < 2 ? 0 : two_class_cut(values);
}

}  // namespace fovea::lag::attention
