#include "fovea/domains/ehr/risk/half_lives.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/distributions/normal.hpp"
#include "fovea/domains/ehr/model/heads_model.hpp"

namespace fovea::ehr::risk {

namespace {

constexpr double kLevel = 0.9;
constexpr double kReadingRate = 20;  ///< one head alone has to find its half-life in a few hundred steps

/// As many groups as there are, drawn with replacement; the cases of a group come together.
std::vector<Index> resampled(const study::Cases& cases, const Random& random) {
  std::map<Index, std::vector<Index>> members;
  const std::vector<Index> groups = study::group_numbers(cases);
  for (std::size_t b = 0; b < groups.size(); ++b) members[groups[b]].push_back(static_cast<Index>(b));
  std::vector<Index> drawn;
  for (std::uint64_t k = 0; k < members.size(); ++k) {
    const std::vector<Index>& group = members[static_cast<Index>(random.below(members.size(), k))];
    drawn.insert(drawn.end(), group.begin(), group.end());
  }
  return drawn;
}

/// log tau of each class, of one model.
std::vector<double> read_once(const std::string& name, const study::StudyOutcome& outcome, double window,
                              const Random& random) {
  model::HeadsModelSettings settings = model::heads_model_keys().read(outcome.config);
  settings.over_all = false;
  settings.kernel = model::Kernel::exponential;
  settings.half_lives = {kStarts[0] * window * std::pow(kStarts[1] / kStarts[0], random.uniform(0))};
  settings.whole = settings.squares = false;
  settings.sharpness = 0;
  settings.time_rate = kReadingRate;
  std::vector<study::Member> members(1);
  const study::Preparation& preparation = outcome.model.preparation;
  auto made = model::make_heads_model(settings, study::shape_of(preparation, outcome.target), members[0].parameters,
                                      random.stream("start"));
  const model::HeadsModel& reader = *made;
  members[0].model = std::move(made);
  const study::Split split{resampled(outcome.cases, random.stream("bootstrap")), {}, {}};
  study::fit_members(members, name, outcome.target, preparation, outcome.cases, outcome.inputs, split,
                     study::fitting_keys().read(outcome.config), random.stream("training"), outcome.trainings);
  std::vector<double> logs;
  const Matrix<double> times = reader.half_lives(members[0].parameters);
  for (Index c = 0; c < times.rows(); ++c) logs.push_back(std::log(times(c, 0)));
  return logs;
}

/// Whether cases have two values of the class, one case or smallest_cell of them: without them weights have nothing to
/// choose from.
std::vector<bool> can_tell(const study::Cases& cases, const Matrix<float>& inputs) {
  std::vector<Index> holders(cases.classes.size()), last(cases.classes.size(), -1);
  for (Index b = 0; b < cases.count(); ++b)
    for (Index i = cases.offsets[b] + 1; i < cases.offsets[b + 1]; ++i) {
      const std::uint16_t kind = cases.kinds[i];
      if (kind != cases.kinds[i - 1] || inputs(i, 1) != 0) continue;
      if (last[kind] != b) ++holders[kind];
      last[kind] = b;
    }
  std::vector<bool> several;
  for (const Index count : holders) several.push_back(count >= std::max<Index>(1, cases.smallest_cell));
  return several;
}

HalfLife summary(const std::vector<double>& logs, double window) {
  const auto count = static_cast<double>(logs.size());
  double mean = 0, squares = 0;
  for (const double log : logs) mean += log / count;
  for (const double log : logs) squares += (log - mean) * (log - mean);
  const double reach = normal_quantile((1 + kLevel) / 2) * std::sqrt(squares / (count - 1));
  const double high = std::exp(mean + reach);
  return {std::exp(mean), std::exp(mean - reach), high > 2 * window ? std::numeric_limits<double>::infinity() : high};
}

}  // namespace

std::vector<HalfLife> half_lives(const study::StudyOutcome& outcome, Index members, double window,
                                 const Random& random) {
  require(members >= 2, "half_lives: there are ", members, " members, but a spread needs at least 2.");
  std::vector<std::vector<double>> logs(outcome.cases.classes.size());
  for (Index m = 0; m < members; ++m) {
    const std::vector<double> read =
        read_once(concat("half_lives_", m + 1), outcome, window, random.stream(concat("member ", m + 1)));
    for (std::size_t c = 0; c < logs.size(); ++c) logs[c].push_back(read[c]);
  }
  const std::vector<bool> tells = can_tell(outcome.cases, outcome.inputs);
  std::vector<HalfLife> found;
  for (std::size_t c = 0; c < logs.size(); ++c)
    found.push_back(tells[c] ? summary(logs[c], window) : HalfLife{kNan, kNan, kNan});
  return found;
}

}  // namespace fovea::ehr::risk
