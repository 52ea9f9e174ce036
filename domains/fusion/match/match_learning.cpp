#include "fovea/domains/fusion/match/match_learning.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/losses.hpp"

namespace fovea::fusion::match {

namespace {

/// A pair: the same ground, laid the same way.
struct TaughtPair {
  Index s1 = 0, s2 = 0;  ///< upper left pixels
  Orientation turn = 0;
};
struct PairGroup {
  std::size_t scene = 0;
  std::vector<TaughtPair> pairs;
};

/// Which patches of a scene teach.
std::vector<std::vector<std::uint8_t>> teaching_patches(const std::vector<PairScene>& scenes) {
  std::vector<std::vector<std::uint8_t>> marks;
  for (const PairScene& scene : scenes) {
    marks.emplace_back(scene.pixels(), 0);
    for (const Index pixel : patches_of(scene, Part::teaches, 1)) marks.back()[pixel] = 1;
  }
  return marks;
}

/// Patches side by side from a drawn corner on, a drawn choice of them.
PairGroup draw_group(const std::vector<PairScene>& scenes, const std::vector<std::vector<std::uint8_t>>& teach,
                     const TeachingPlan& plan, const Random& random) {
  PairGroup group;
  group.scene = random.below(scenes.size(), 0, 0);
  const PairScene& scene = scenes[group.scene];
  const std::vector<std::uint8_t>& marks = teach[group.scene];
  std::vector<std::pair<double, Index>> found;
  for (auto r = static_cast<Index>(random.below(kPatch, 0, 1)); r + kPatch <= scene.rows; r += kPatch)
    for (auto c = static_cast<Index>(random.below(kPatch, 0, 2)); c + kPatch <= scene.columns; c += kPatch) {
      const Index pixel = r * scene.columns + c;
      if (marks[pixel] != 0) found.emplace_back(random.uniform(static_cast<std::uint64_t>(pixel), 3), pixel);
    }
  std::sort(found.begin(), found.end());
  found.resize(std::min(std::ssize(found), plan.pairs));
  const auto wide = static_cast<std::uint64_t>(2 * plan.shift + 1);
  for (const auto& [draw, pixel] : found) {
    const auto entity = static_cast<std::uint64_t>(pixel);
    const Index moved = pixel + (static_cast<Index>(random.below(wide, entity, 4)) - plan.shift) * scene.columns +
                        static_cast<Index>(random.below(wide, entity, 5)) - plan.shift;
    const bool stays = moved < 0 || moved >= scene.pixels() || marks[moved] == 0;
    group.pairs.push_back({stays ? pixel : moved, pixel, static_cast<Orientation>(random.below(8, entity, 6))});
  }
  return group;
}

std::vector<PairGroup> draw_groups(const std::vector<PairScene>& scenes, const TeachingPlan& plan,
                                   const std::string& source, const Random& random) {
  const auto teach = teaching_patches(scenes);
  std::vector<PairGroup> groups;
  for (Index g = 0; g < plan.groups; ++g) {
    PairGroup group = draw_group(scenes, teach, plan, random.stream(concat("group ", g)));
    if (group.pairs.size() >= 2) groups.push_back(std::move(group));
  }
  if (groups.empty())
    throw DataError(concat(source,
                           ": no two patches of 16 x 16 pixels side by side teach, so there is nothing to tell "
                           "apart; give larger scenes, or a split with more of 0."));
  return groups;
}

Standards standards_of(const std::vector<PairScene>& scenes, const std::vector<PairGroup>& groups,
                       const MatchPlan& plan, Sensor sensor) {
  const std::size_t width = plan.inputs(sensor);
  const Standards none{std::vector<float>(width, 0), std::vector<float>(width, 1)};
  std::vector<double> sums(width, 0), squares(width, 0);
  double count = 0;
  Matrix<float> cells(plan.cells(), plan.inputs(sensor));
  for (std::size_t g = 0; g < std::min<std::size_t>(groups.size(), 20); ++g)
    for (const TaughtPair& pair : groups[g].pairs) {
      const PairScene& scene = scenes[groups[g].scene];
      write_cells(sensor == Sensor::s1 ? scene.s1 : scene.s2, scene.columns, sensor == Sensor::s1 ? pair.s1 : pair.s2,
                  0, plan, none, 0, cells);
      for (std::size_t c = 0; c < width; ++c)
        for (Index t = 0; t < cells.rows(); ++t) {
          const auto x = static_cast<double>(cells(t, static_cast<Index>(c)));
          sums[c] += x, squares[c] += x * x;
        }
      count += static_cast<double>(cells.rows());
    }
  Standards standards = none;
  for (std::size_t c = 0; c < width; ++c) {
    const double mean = sums[c] / count, variance = squares[c] / count - mean * mean;
    standards.mean[c] = static_cast<float>(mean);
    standards.deviation[c] = static_cast<float>(std::sqrt(std::max(variance, 1e-6)));
  }
  return standards;
}

/// Both embeddings of the groups' pairs, and what tells them apart.
learning::Variable<float> loss_of_groups(learning::Tape<float>& tape, const std::vector<PairScene>& scenes,
                                         const std::vector<PairGroup>& groups, std::span<const Index> examples,
                                         float total, const MatchModel& model, const MatchNet& net) {
  Index* offsets = tape.index_room(static_cast<Index>(examples.size()) + 1);
  offsets[0] = 0;
  for (std::size_t k = 0; k < examples.size(); ++k) offsets[k + 1] = offsets[k] + std::ssize(groups[examples[k]].pairs);
  const MatchPlan& plan = model.plan;
  const Index rows = offsets[examples.size()] * plan.cells();
  learning::Variable<float> s1 = tape.constant(rows, plan.inputs(Sensor::s1)),
                            s2 = tape.constant(rows, plan.inputs(Sensor::s2));
  Index row = 0;
  for (const Index k : examples) {
    const PairGroup& group = groups[k];
    const PairScene& scene = scenes[group.scene];
    for (const TaughtPair& pair : group.pairs) {
      write_cells(scene.s1, scene.columns, pair.s1, pair.turn, plan, model.s1, row, s1.value());
      write_cells(scene.s2, scene.columns, pair.s2, pair.turn, plan, model.s2, row, s2.value());
      row += plan.cells();
    }
  }
  return learning::contrastive_loss(net.s1(s1), net.s2(s2), tape.parameter(net.log_scale),
                                    std::span<const Index>(offsets, examples.size() + 1), std::span<const float>{},
                                    total);
}

}  // namespace

LearnedMatch learn_match(const std::vector<PairScene>& scenes, const TeachingPlan& plan, const std::string& source,
                         const Random& random, Workbench& bench) {
  LearnedMatch learned;
  learned.model.plan = plan.model;
  learning::TrainingSeries series(bench, plan.members);
  for (Index m = 0; m < plan.members; ++m) {
    const std::string name = concat("member ", m + 1);
    const Random own = random.stream(name);
    const std::vector<PairGroup> groups = draw_groups(scenes, plan, source, own.stream("groups"));
    if (m == 0) {
      learned.model.s1 = standards_of(scenes, groups, plan.model, Sensor::s1);
      learned.model.s2 = standards_of(scenes, groups, plan.model, Sensor::s2);
    }
    learning::Parameters<float> parameters;
    const MatchNet net(parameters, plan.model, own.stream("start"));
    learning::TrainingProblem problem;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      problem.tokens.push_back(std::ssize(groups[g].pairs) * plan.model.cells());
      problem.training.push_back(static_cast<Index>(g));
    }
    problem.loss = [&](learning::Tape<float>& tape, std::span<const Index> examples, float total) {
      return loss_of_groups(tape, scenes, groups, examples, total, learned.model, net);
    };
    learning::TrainingSettings settings;
    settings.name = name;
    settings.epochs = plan.epochs;
    settings.optimizer = learning::AdamW{.decay = plan.decay};
    settings.schedule.learning_rate = plan.learning_rate;
    settings.schedule.course = learning::RateCourse::cosine;
    settings.batches.examples = plan.batch;
    settings.batches.shard_tokens = 1;
    settings.restore_best = false;
    learned.reports.push_back(series.train(parameters, problem, settings, own.stream("training")));
    learned.model.members.push_back(std::move(parameters));
  }
  return learned;
}

}  // namespace fovea::fusion::match
