#include "fovea/domains/fusion/flood/skies.hpp"

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/statistics/metrics.hpp"

namespace fovea::fusion::flood {

namespace {

/// Clouds and speckle that examine are drawn apart from those that teach.
Random examining(const study::StudyOutcome& outcome) { return Random(outcome.config.seed.value_or(1)).stream("skies"); }

double mean_where(const std::vector<double>& values, const std::vector<std::uint8_t>& marks, std::uint8_t wanted) {
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (marks[k] == wanted) sum += values[k], ++count;
  return count > 0 ? sum / count : kNan;
}

Index best_of(const Matrix<double>& probabilities, Index row) {
  Index best = 0;
  probabilities.row(row).maxCoeff(&best);
  return best;
}

}  // namespace

Skies::Skies(const study::StudyOutcome& outcome, Index most, bool cloudless)
    : outcome_(outcome), settings_(flood_keys().read(outcome.config)) {
  if (cloudless) settings_.simulation.cloud = 0;
  std::vector<std::string> notes;
  scenes_ = scenes_of(settings_, Random(outcome.config.seed.value_or(1)).stream("cases"), notes);
  chosen_ = choose_pixels(scenes_, settings_.choice);
  require(std::ssize(chosen_) == outcome.cases.count(), "Skies: the scenes have ", chosen_.size(),
          " pixels of the config, but ", outcome.cases.count(), " were examined.");
  const std::vector<Index>& tested = outcome.split.test;
  const double step = most > 0 ? std::max(1.0, static_cast<double>(tested.size()) / static_cast<double>(most)) : 1.0;
  for (double next = 0; next < static_cast<double>(tested.size()); next += step)
    items_.push_back(tested[static_cast<Index>(next)]);
  const std::vector<Index> groups = study::group_numbers(outcome.cases);
  std::vector<std::uint8_t> looked_at(chosen_.size(), 0);
  for (const Index item : items_) {
    looked_at[item] = 1;
    truth_.push_back(static_cast<Index>(outcome.cases.targets[item]));
    groups_.push_back(groups[item]);
  }
  for (std::size_t k = 0; k < chosen_.size(); ++k) chosen_[k].rendition = looked_at[k] != 0 ? 1 : -1;
  std::vector<double> counts(outcome.target.classes.size(), 0);
  for (const Index item : outcome.split.training) ++counts[static_cast<Index>(outcome.cases.targets[item])];
  most_frequent_ = std::max_element(counts.begin(), counts.end()) - counts.begin();
}

const TrainingScene& Skies::scene(const std::string& name) const {
  for (const TrainingScene& one : scenes_)
    if (one.name == name) return one;
  throw ArgumentError(concat("Skies: there is no scene '", name, "'."));
}

Random Skies::random() const { return examining(outcome_); }

std::vector<std::uint8_t> Skies::of_pixels(std::vector<std::uint8_t> TrainingScene::*map) const {
  std::vector<std::uint8_t> values;
  for (const Index item : items_) {
    const std::vector<std::uint8_t>& whole = scenes_[chosen_[item].scene].*map;
    values.push_back(whole.empty() ? 0 : whole[chosen_[item].pixel]);
  }
  return values;
}

std::vector<std::uint8_t> Skies::without_s2() const {
  std::vector<std::uint8_t> hidden;
  for (const Index item : items_) {
    const std::vector<std::uint8_t>& valid = scenes_[chosen_[item].scene].shown.s2_valid;
    hidden.push_back(valid.empty() || valid[chosen_[item].pixel] == 0 ? 1 : 0);
  }
  return hidden;
}

study::Cases Skies::taught() const {
  std::vector<ChosenPixel> pixels;
  for (const Index item : outcome_.split.training) pixels.push_back(chosen_[item]), pixels.back().rendition = 0;
  return cases_of_pixels(scenes_, pixels, {Rendition{}}, settings_.column_plan(), settings_.class_numbers(),
                         settings_.choice.block, examining(outcome_));
}

study::Cases Skies::shown(const Rendition& rendition) const {
  return cases_of_pixels(scenes_, chosen_, {Rendition{}, rendition}, settings_.column_plan(), settings_.class_numbers(),
                         settings_.choice.block, examining(outcome_));
}

SkyAnswers Skies::answers(const Rendition& rendition, Index without) const {
  const Random random = examining(outcome_);
  const study::Cases cases = model::without_sensor(shown(rendition), without);
  const model::SensorAnswers said = model::answers_of(outcome_, cases);
  SkyAnswers answers;
  answers.probabilities.resize(pixels(), said.probabilities.cols());
  std::vector<std::vector<std::uint8_t>> cloudy;
  for (const TrainingScene& scene : scenes_)
    cloudy.push_back(cloudy_pixels(scene, rendition, stream_of(scene, 1, random)));
  for (Index k = 0; k < pixels(); ++k) {
    const Index item = items_[k];
    if (cases.size(item) == 0) {
      answers.probabilities.row(k).setZero();
      answers.probabilities(k, most_frequent_) = 1;
    } else {
      answers.probabilities.row(k) = said.probabilities.row(item);
    }
    answers.trust_s2.push_back(said.trust(item, 1));
    const ChosenPixel& one = chosen_[item];
    const std::vector<std::uint8_t>& clouds = cloudy[one.scene];
    answers.cloudy.push_back(clouds.empty() ? 0 : clouds[one.pixel]);
  }
  return answers;
}

std::vector<Index> Skies::classes_of(const SkyAnswers& answers) const {
  std::vector<Index> classes;
  for (Index k = 0; k < pixels(); ++k) classes.push_back(best_of(answers.probabilities, k));
  return classes;
}

Confusion Skies::confusion_of(const SkyAnswers& answers, bool cloudy_alone) const {
  Confusion found(answers.probabilities.cols());
  for (Index k = 0; k < pixels(); ++k)
    if (!cloudy_alone || answers.cloudy[k] != 0) found.add(truth_[k], best_of(answers.probabilities, k));
  return found;
}

SkyQuality Skies::quality(const SkyAnswers& answers) const {
  SkyQuality quality;
  const Confusion all = confusion_of(answers), below = confusion_of(answers, true);
  quality.accuracy = all.accuracy(), quality.mean_iou = all.mean_intersection();
  quality.mean_iou_cloudy = below.total() > 0 ? below.mean_intersection() : kNan;
  quality.calibration_error = model::calibration_error(answers.probabilities, truth_);
  quality.trust_cloudy = mean_where(answers.trust_s2, answers.cloudy, 1);
  quality.trust_clear = mean_where(answers.trust_s2, answers.cloudy, 0);
  std::vector<double> doubt;
  std::vector<Index> outcomes;
  for (std::size_t k = 0; k < answers.cloudy.size(); ++k) {
    doubt.push_back(1 - answers.trust_s2[k]);
    outcomes.push_back(answers.cloudy[k] != 0 ? 1 : 0);
  }
  const auto below_clouds = std::count(outcomes.begin(), outcomes.end(), 1);
  quality.auroc = below_clouds == 0 || below_clouds == std::ssize(outcomes) ? kNan : auroc(doubt, outcomes);
  return quality;
}

BootstrapInterval Skies::mean_iou_interval(const SkyAnswers& answers) const {
  return confusion_interval(confusions_of_groups(truth_, classes_of(answers), classes(), groups_),
                            &Confusion::mean_intersection, examining(outcome_).stream("bootstrap"));
}

}  // namespace fovea::fusion::flood
