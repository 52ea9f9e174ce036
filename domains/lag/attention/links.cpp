#include "fovea/domains/lag/attention/links.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/lag/attention/course/noise_course.hpp"
#include "fovea/domains/lag/attention/course/shared_course.hpp"
#include "fovea/domains/lag/attention/doubts/doubting.hpp"
#include "fovea/domains/lag/attention/notes.hpp"
#include "fovea/domains/lag/attention/rate/pairs_first.hpp"
#include "fovea/domains/lag/attention/rate/surrogates.hpp"
#include "fovea/domains/lag/attention/residual_links.hpp"
#include "fovea/domains/lag/attention/second/second_keys.hpp"
#include "fovea/domains/lag/attention/target_links.hpp"
#include "fovea/domains/lag/attention/view.hpp"
#include "fovea/domains/lag/attention/within_step.hpp"

namespace fovea::lag::attention {

namespace {

void check_lags(const datasets::series::SeriesTable& table, const methods::LagSettings& settings) {
  const auto& lags = settings.lags;
  require(!lags.empty() && lags.front() >= 1 &&
              std::adjacent_find(lags.begin(), lags.end(), std::greater_equal<>()) == lags.end(),
          "attention over the past: the lags must be at least one, ascending, each >= 1.");
  require(lags.back() < table.steps(), "attention over the past: the longest lag is ", lags.back(),
          ", but the table has only ", table.steps(), " steps; shorten the lags.");
  require(settings.level > 0 && settings.level < 1, "attention over the past: level = ", settings.level,
          ", but must be between 0 and 1.");
}

std::set<Index> wanted_targets(const datasets::series::SeriesTable& table, const methods::LagSettings& settings) {
  std::set<Index> wanted(settings.targets.begin(), settings.targets.end());
  if (wanted.empty())
    for (Index j = 0; j < table.series(); ++j) wanted.insert(j);
  require(*wanted.begin() >= 0 && *wanted.rbegin() < table.series(),
          "attention over the past: a target's number is outside 0 to ", table.series() - 1, ".");
  return wanted;
}

void describe_targets(AttentionFindings& found, const std::vector<TargetModel>& models) {
  for (const TargetModel& model : models) {
    TargetAttention target;
    for (Index head = 0; head < model.heads.weights.rows(); ++head) target.heads_on += model.heads.on(head) ? 1 : 0;
    target.rows = model.rows;
    if (model.rows > 0)
      target.explained = std::clamp(1 - model.tests.residual_square / static_cast<double>(model.rows), 0.0, 1.0);
    found.targets.push_back(target);
  }
}

// Times the p-values of links within a step, which no surrogate checks: theory.md, step 4.
constexpr double kWithinStep = 2;
// Of the work on one target, in the progress: learning it is 1.
constexpr double kTestsPart = 0.3;
// At least as many for each key, where tests are given all of them: theory.md, step 6.
constexpr double kRowsForAKey = 1.5;
// A course of the noise is slow against every lag (noise_course.hpp), and not the volatility of a few steps.
constexpr Index kNoiseSlowness = 4, kShortestNoise = 20;
// Steps of a factor's past that are conditions too.
constexpr Index kFactorPast = 3;

/// The search on one table, step by step.
class Search {
 public:
  Search(const datasets::series::SeriesTable& table, const methods::LagSettings& settings)
      : table_(table),
        settings_(settings),
        lags_(settings.lags),
        held_(settings.conditions, table.steps()),
        wanted_(wanted_targets(table, settings)),
        meter_(settings, static_cast<double>(table.series()) * rounds_of_learning(table) * (1 + kProductsPart) +
                             static_cast<double>(wanted_.size()) * kTestsPart),
        doubted_series_(doubts_of_series(table)) {
    if (held_.rank() > 0) table_.values = held_.taken_out_of_known(table.values);
  }

  AttentionFindings find() {
    learned_ = learn_with_gaps(table_, settings_, held_, meter_);
    residuals_ = residuals_of(learned_.models, learned_.columns(), table_, lags_);
    if (!weighed_) {
      const NoiseCourse noise = noise_course(residuals_, steps_with_past(table_, lags_.back()), table_,
                                             std::max(kNoiseSlowness * lags_.back(), kShortestNoise));
      if (noise.found) return find_given_noise(noise);
    }
    correlations_ = residual_correlations(residuals_);
    found_.hidden = look_for_hidden_factors(correlations_);
    describe_targets(found_, learned_.models);
    if (factor_given_) found_.hidden = *factor_given_;
    if (found_.hidden.found && found_.hidden.share <= kDominates && !factor_given_) return find_given_factor();
    const Index most = lags_that_can_be_given();
    if (found_.hidden.found && !factor_given_ && most > 0 && most < std::ssize(lags_))
      return find_at_shorter_lags(most);
    test_targets(found_.hidden.found && most > 0 && !factor_given_);
    if (!found_.hidden.found)
      found_.surrogates = check_on_surrogates(parts_, shared_.get(), held_.rank(), learned_, table_, lags_,
                                              settings_.level, settings_.surrogates);
    if (settings_.contemporaneous) within_ = wanted_within_a_step();
    decide();
    if (!found_.hidden.found) {
      const std::vector<methods::Link*> within = significant_within();
      explained_ = compete_within_step(within, parts_, learned_, table_, lags_, held_.rank());
      direct_as_known();
      if (!within.empty()) decide();
      found_.shared = look_for_shared_course(parts_, learned_, table_, lags_, held_.rank(), settings_.level);
    }
    echoes_ = drop_echoes();
    found_.doubts =
        doubts_of_targets(learned_, table_, lags_, found_.hidden.found ? nullptr : &correlations_, doubted_series_);
    return collected();
  }

 private:
  Index fewest_rows() const {
    Index fewest = table_.steps();
    for (const TargetAttention& target : found_.targets) fewest = std::min(fewest, target.rows);
    return fewest;
  }

  /// How many of the lags fit, where every test is given all plain keys.
  Index lags_that_can_be_given() const {
    const double keys = static_cast<double>(fewest_rows()) / kRowsForAKey;
    return std::min(static_cast<Index>(keys / static_cast<double>(table_.series())), std::ssize(lags_));
  }

  /// What a search on another table or by other settings finds; what this one has learned makes room for it.
  AttentionFindings found_by(const datasets::series::SeriesTable& table, methods::LagSettings given, bool weighed,
                             std::optional<HiddenFactors> factor) {
    learned_ = {};
    residuals_.resize(0, 0);
    given.told = {};
    Search search(table, given);
    search.weighed_ = weighed;
    search.factor_given_ = std::move(factor);
    search.doubted_series_ = doubted_series_;
    return search.find();
  }

  /// The search again, every row in units of the noise there.
  AttentionFindings find_given_noise(const NoiseCourse& noise) {
    methods::LagSettings given = settings_;
    given.conditions = conditions_in_units_of_noise(settings_.conditions, noise.size);
    AttentionFindings found = found_by(in_units_of_noise(table_, noise.size), std::move(given), true, std::nullopt);
    found.noise = noise.size;
    found.findings.notes.push_back(concat("The noise of the series rises and falls together, by a factor of ",
                                          rounded_text(noise.ratio, 2), " over ",
                                          counted(static_cast<Index>(std::lround(noise.bandwidth)), "step"),
                                          " and more: each row is weighted by the inverse of its variance."));
    return found;
  }

  /// The search again where the factor, as the residuals show it, and its past are held fixed.
  AttentionFindings find_given_factor() {
    const Vector<double> course = factor_course(correlations_, residuals_);
    const std::vector<Index> steps = steps_with_past(table_, lags_.back());
    Matrix<double> factor = Matrix<double>::Zero(table_.steps(), kFactorPast + 1);
    for (std::size_t r = 0; r < steps.size(); ++r)
      for (Index past = 0; past <= std::min<Index>(kFactorPast, table_.steps() - 1 - steps[r]); ++past)
        factor(steps[r] + past, past) = course[static_cast<Index>(r)];
    methods::LagSettings given = settings_;
    given.conditions.resize(table_.steps(), settings_.conditions.cols() + factor.cols());
    given.conditions << (settings_.conditions.cols() > 0 ? settings_.conditions : Matrix<double>(table_.steps(), 0)),
        factor;
    found_.hidden.given = true;
    return found_by(table_, std::move(given), weighed_, found_.hidden);
  }

  AttentionFindings find_at_shorter_lags(Index most) {
    methods::LagSettings shorter = settings_;
    shorter.lags.resize(most);
    AttentionFindings found = found_by(table_, std::move(shorter), weighed_, std::nullopt);
    if (found.hidden.found)
      found.findings.notes.push_back(concat(
          "Lags beyond ", counted(lags_[most - 1], "step"),
          " were not tested: with a hidden factor every lagged value has to be a condition of every test, and the "
          "rows suffice for no more."));
    return found;
  }

  /// Step 1 of theory.md, and with a hidden factor step 6.
  void test_targets(bool given_all) {
    std::optional<DenseTests> dense;
    if (given_all) dense.emplace(*learned_.products, table_.series(), lags_.size());
    const std::vector<Index> targets(wanted_.begin(), wanted_.end());
    parts_.resize(targets.size());
    given_all_ = given_all;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t k = 0; k < targets.size(); ++k) {
      parts_[k] =
          links_of_target(learned_, targets[k], table_.series(), lags_, dense ? &*dense : nullptr, settings_.level);
      learned_.models[targets[k]].heads = {};  // the links have what they say, and a wide table no room for both
      meter_.done(kTestsPart);
    }
    if (!given_all) {
      second_ = ask_again(parts_, learned_, table_, settings_, held_.rank(), residuals_);
      correlations_ = residual_correlations(residuals_);
    }
    if (found_.hidden.found) found_.hidden.cut = cut_of_pairs(parts_);
    confirm_on_rows();
  }

  /// Step 2 of theory.md. Where all targets have the same conditions and no gaps, one factorisation serves them.
  void confirm_on_rows() {
    std::unique_ptr<RowsGiven>& shared = shared_;
    if (given_all_ && !table_.values.hasNaN() && !parts_.empty())
      shared =
          std::make_unique<RowsGiven>(rows_given(TargetRows(*learned_.products, table_, lags_, parts_.front().target),
                                                 parts_.front().conditions, held_.rank()));
#pragma omp parallel for schedule(dynamic)
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const std::vector<std::size_t> places = worth_confirming(parts_[k]);
      if (places.empty()) continue;
      const TargetRows rows(*learned_.products, table_, lags_, parts_[k].target);
      const std::unique_ptr<RowsGiven> own =
          shared ? nullptr
                 : std::make_unique<RowsGiven>(
                       rows_given(rows, parts_[k].conditions, held_.rank(), {}, parts_[k].seconds));
      confirm(parts_[k], places, rows, shared ? *shared : *own, *learned_.products, lags_.size());
      if (!given_all_)
        confirm_given_whole_causes(parts_[k], places, rows, held_.rank(), *learned_.products, lags_.size());
    }
  }

  /// Beyond the p-values that may pass; where a factor is hidden, also above the cut between the two classes.
  std::vector<std::size_t> worth_confirming(const TargetLinks& part) const {
    std::vector<std::size_t> places;
    for (std::size_t l = 0; l < part.links.size(); ++l)
      if (part.links[l].p_value <= kWorthConfirming &&
          (!found_.hidden.found || part.links[l].self() || part.plain_t[l] > found_.hidden.cut))
        places.push_back(l);
    return places;
  }

  /// Of pairs with one target the target is the effect.
  std::vector<methods::Link> wanted_within_a_step() const {
    std::vector<methods::Link> links = links_within_a_step(correlations_, residuals_);
    for (methods::Link& link : links)
      if (!wanted_.contains(link.effect)) std::swap(link.cause, link.effect);
    std::erase_if(links,
                  [&](const methods::Link& link) { return !wanted_.contains(link.effect) || !is_allowed(link); });
    return links;
  }

  /// By what is known beforehand. Those that are not remain conditions, as any past value may.
  bool is_allowed(const methods::Link& link) const {
    return !settings_.allowed || settings_.allowed(link.cause, link.effect, link.lag) ||
           (link.lag == 0 && settings_.allowed(link.effect, link.cause, 0));
  }

  /// Of those that are allowed, lagged ones first.
  template <typename Work>
  void for_each_link(const Work& work) {
    for (TargetLinks& part : parts_)
      for (methods::Link& link : part.links)
        if (is_allowed(link)) work(&link);
    for (methods::Link& link : within_) work(&link);
  }

  /// Which links are significant. Own pasts are a family of their own: nearly all are there, and would lend their rate
  /// to the links between series.
  void decide() {
    std::vector<WeighedLink> own, between;
    const double tried = std::max(1.0, static_cast<double>(settings_.lags_tried) / static_cast<double>(lags_.size()));
    std::size_t count = within_.size();
    for (const TargetLinks& part : parts_) count += part.links.size();
    between.reserve(count);
    for_each_link([&](methods::Link* link) {
      if (link->self()) {
        own.push_back({link, 1});
        return;
      }
      between.push_back({link, link->lag > 0 ? found_.surrogates.raised * tried : kWithinStep});
    });
    discover_pairs_first(own, settings_.level);
    discover_pairs_first(between, settings_.level);
    if (found_.hidden.found) cut_in_two_classes(between);
  }

  /// Where factors are hidden only what is above the cut, and significant by Bonferroni, counts; nothing within a step.
  void cut_in_two_classes(const std::vector<WeighedLink>& others) {
    std::map<const methods::Link*, double> plain;
    for (const TargetLinks& part : parts_)
      for (std::size_t l = 0; l < part.links.size(); ++l) plain[&part.links[l]] = part.plain_t[l];
    const double least = settings_.level / static_cast<double>(others.size());
    for (const auto& [link, factor] : others) {
      if (link->lag > 0 && plain.at(link) > found_.hidden.cut && link->p_value <= least) continue;
      link->q_value = 1;
      link->log10_q = kNan;
      link->counts = false;
    }
  }

  std::vector<methods::Link*> significant_within() {
    std::vector<methods::Link*> links;
    for (methods::Link& link : within_)
      if (link.counts) links.push_back(&link);
    return links;
  }

  /// Where only one order within the step is allowed, it is the direction.
  void direct_as_known() {
    if (!settings_.allowed) return;
    for (methods::Link& link : within_) {
      const bool there = settings_.allowed(link.cause, link.effect, 0);
      const bool back = settings_.allowed(link.effect, link.cause, 0);
      if (there == back) continue;
      if (back) std::swap(link.cause, link.effect);
      link.directed = true;
    }
  }

  /// A lagged effect that is sampled too slowly leaves something within the step: a pair of it, without a direction of
  /// its own, is not significant within a step.
  Index drop_echoes() {
    std::set<std::pair<Index, Index>> joined;
    for (const TargetLinks& part : parts_)
      for (const methods::Link& link : part.links)
        if (link.counts) joined.insert(std::minmax(link.cause, link.effect));
    Index dropped = 0;
    for (methods::Link& link : within_) {
      if (link.directed && !wanted_.contains(link.effect)) link.counts = false;
      if (!link.counts || link.directed || !joined.contains(std::minmax(link.cause, link.effect))) continue;
      link.counts = false;
      ++dropped;
    }
    return dropped;
  }

  /// All links by effect, cause, lag.
  AttentionFindings collected() {
    std::size_t count = within_.size();
    for (const TargetLinks& part : parts_) count += part.links.size();
    learned_ = {};
    std::vector<methods::Link>& links = found_.findings.links;
    links.reserve(count), found_.views.reserve(count);
    const auto before = [](const methods::Link& a, const methods::Link& b) {
      return std::tuple(a.effect, a.cause, a.lag) < std::tuple(b.effect, b.cause, b.lag);
    };
    std::sort(within_.begin(), within_.end(), before);
    auto next = within_.begin();
    for (TargetLinks& part : parts_) {
      for (std::size_t l = 0; l < part.links.size(); ++l) {
        if (!is_allowed(part.links[l])) continue;
        while (next != within_.end() && before(*next, part.links[l]))
          links.push_back(*next++), found_.views.emplace_back();
        links.push_back(part.links[l]);
        found_.views.push_back(std::move(part.views[l]));
      }
      part = {};  // a wide table has no room for both
    }
    links.insert(links.end(), next, within_.end());
    found_.views.resize(links.size());
    if (second_.keys < second_.of)
      found_.findings.notes.push_back(
          second_.keys > 0
              ? concat("Products of two past values were looked for among the ", second_.keys, " of ", second_.of,
                       " at the shortest lags, and among those that act on an effect already.")
              : "Products of two past values were looked for only among those that act on an effect already: "
                "all of them take too long.");
    add_notes(found_, table_, lags_, given_all_, echoes_, explained_);
    return std::move(found_);
  }

  datasets::series::SeriesTable table_;  ///< without what is held fixed
  const methods::LagSettings& settings_;
  const std::vector<Index>& lags_;
  HeldFixed held_;
  std::set<Index> wanted_;
  methods::SearchMeter meter_;
  Doubts doubted_series_;  ///< of the table as it was measured
  Learned learned_;
  Matrix<double> residuals_;
  ResidualCorrelations correlations_;
  AttentionFindings found_;
  std::vector<TargetLinks> parts_;
  std::unique_ptr<RowsGiven> shared_;  ///< conditions of all targets, where they are the same
  SecondStage second_;
  std::vector<methods::Link> within_;
  bool given_all_ = false, weighed_ = false;
  std::optional<HiddenFactors> factor_given_;  ///< found before, and now held fixed
  Index echoes_ = 0, explained_ = 0;
};

}  // namespace

AttentionFindings attend_to_the_past(const datasets::series::SeriesTable& table, const methods::LagSettings& settings) {
  check_lags(table, settings);
  return Search(table, settings).find();
}

}  // namespace fovea::lag::attention
