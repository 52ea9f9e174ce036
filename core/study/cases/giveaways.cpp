#include "fovea/core/study/cases/giveaways.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "fovea/core/statistics/metrics.hpp"
#include "fovea/core/study/cases/reading_findings.hpp"
#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

namespace {

constexpr Index kMostAsked = 100'000;
constexpr double kMostHave = 0.9;  // a mean of fewer cases is that of a choice of them

/// What a case has of one input.
struct Holding {
  std::size_t asked = 0;  ///< the place among the asked cases
  double tokens = 0, values = 0, sum = 0;
  double mean() const { return sum / values; }
};

/// Which cases are asked, and their outcomes.
struct Asked {
  std::vector<Index> items;
  std::vector<double> outcomes;
  bool real = false;
};

Asked asked_cases(const Cases& cases, const Target& target) {
  Asked asked;
  asked.real = target.rule().real();
  const Index step = 1 + cases.count() / (kMostAsked + 1);
  for (Index b = 0; b < cases.count(); b += step) {
    if (std::isnan(cases.targets[b])) continue;
    asked.items.push_back(b);
    asked.outcomes.push_back(cases.targets[b]);
  }
  return asked;
}

/// Of each class, or of each feature, the cases that have it, ascending.
std::vector<std::vector<Holding>> holdings_of(const Cases& cases, const Asked& asked) {
  const bool classed = !cases.classes.empty();
  std::vector<std::vector<Holding>> all(classed ? cases.classes.size() : cases.features.size());
  const auto see = [&](std::vector<Holding>& one, std::size_t place, float value) {
    if (one.empty() || one.back().asked != place) one.push_back({place});
    one.back().tokens += 1;
    if (std::isnan(value)) return;
    one.back().values += 1;
    one.back().sum += static_cast<double>(value);
  };
  for (std::size_t place = 0; place < asked.items.size(); ++place) {
    const Index b = asked.items[place];
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i) {
      if (classed) {
        see(all[cases.kinds[i]], place, cases.values.cols() == 0 ? std::nanf("") : cases.values(i, 0));
        continue;
      }
      for (std::size_t f = 0; f < all.size(); ++f)
        if (const float value = cases.values(i, static_cast<Index>(f)); !std::isnan(value)) see(all[f], place, value);
    }
  }
  return all;
}

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    for (std::size_t k = first; k < end; ++k) ranks[order[k]] = 0.5 * static_cast<double>(first + end - 1);
    first = end;
  }
  return ranks;
}

/// |Spearman's correlation|; NaN where one of the two is constant.
double rank_agreement(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks_of(a), y = ranks_of(b);
  const double middle = 0.5 * static_cast<double>(x.size() - 1);
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - middle) * (x[k] - middle);
    yy += (y[k] - middle) * (y[k] - middle);
    xy += (x[k] - middle) * (y[k] - middle);
  }
  return std::abs(xy) / std::sqrt(xx * yy);
}

class Looking {
 public:
  Looking(Cases& cases, const Target& target)
      : reading_(cases.reading), target_(target), asked_(asked_cases(cases, target)) {
    for (const double outcome : asked_.outcomes) ones_ += outcome;
  }

  void at(const std::string& input, const std::vector<Holding>& held) {
    const std::size_t all = asked_.items.size();
    if (static_cast<Index>(held.size()) < kFewestToTell) return;  // too few to tell ten of each side
    if (held.size() < all && may_tell(held) && told(input, "whether it is there", counts(held, false), asked_.outcomes))
      return;
    if (static_cast<double>(held.size()) < kMostHave * static_cast<double>(all)) return;
    std::vector<double> means, outcomes;
    for (const Holding& one : held)
      if (one.values > 0) means.push_back(one.mean()), outcomes.push_back(asked_.outcomes[one.asked]);
    if (static_cast<double>(means.size()) >= kMostHave * static_cast<double>(all) &&
        told(input, held_once(held) ? "its value" : "its mean", means, outcomes))
      return;
    if (!held_once(held)) told(input, "how often it is there", counts(held, true), asked_.outcomes);
  }
  const Asked& asked() const { return asked_; }

 private:
  static bool held_once(const std::vector<Holding>& held) {
    return std::all_of(held.begin(), held.end(), [](const Holding& one) { return one.tokens <= 1; });
  }
  std::vector<double> counts(const std::vector<Holding>& held, bool each_token) const {
    std::vector<double> counts(asked_.items.size(), 0);
    for (const Holding& one : held) counts[one.asked] = each_token ? one.tokens : 1;
    return counts;
  }
  /// Without sorting: the area of what is there or not is (1 + share among ones - share among zeros) / 2.
  bool may_tell(const std::vector<Holding>& held) const {
    if (asked_.real) return true;
    double ones = 0;
    for (const Holding& one : held) ones += asked_.outcomes[one.asked];
    const double all = static_cast<double>(held.size());
    return std::abs(ones / ones_ - (all - ones) / (static_cast<double>(asked_.items.size()) - ones_)) >
           2 * kTellsAlone - 1.001;
  }
  bool told(const std::string& input, const std::string& how, const std::vector<double>& scores,
            const std::vector<double>& outcomes) {
    TellsOutcomeAlone found{input, how, target_.name};
    found.cases = static_cast<Index>(outcomes.size());
    found.ranks = asked_.real;
    if (asked_.real) {
      found.fewest = found.cases;
      found.score = found.cases < 2 ? 0 : rank_agreement(scores, outcomes);
    } else {
      const std::vector<Index> classes(outcomes.begin(), outcomes.end());
      const Index ones = std::count(classes.begin(), classes.end(), 1);
      found.fewest = std::min(ones, found.cases - ones);
      if (found.fewest < kFewestToTell) return false;
      const double area = auroc(scores, classes);
      found.score = std::max(area, 1 - area);
    }
    if (!found.holds()) return false;
    reading_.finding(found);
    return true;
  }

  Reading& reading_;
  const Target& target_;
  Asked asked_;
  double ones_ = 0;
};

}  // namespace

void look_for_giveaways(Cases& cases, const Target& target) {
  const bool can_ask = target.rule().real() || target.rule().binary();
  if (!can_ask || target.level != TargetLevel::per_case || cases.targets.empty()) return;
  Looking looking(cases, target);
  if (static_cast<Index>(looking.asked().items.size()) < 2 * kFewestToTell) return;
  const std::vector<std::vector<Holding>> held = holdings_of(cases, looking.asked());
  for (std::size_t k = 0; k < held.size(); ++k)
    if (!held[k].empty()) looking.at(cases.classes.empty() ? cases.features[k].name : cases.classes[k], held[k]);
}

}  // namespace fovea::study
