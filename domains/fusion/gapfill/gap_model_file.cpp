#include "fovea/domains/fusion/gapfill/gap_model_file.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/study/model/model_variables.hpp"
#include "fovea/domains/fusion/model/sealed_model.hpp"

namespace fovea::fusion::gapfill {

namespace {

constexpr std::size_t kMostBands = 500;
constexpr std::int64_t kMostSeasons = 100, kMostMembers = 100;

/// Numbers of each band, finite and at least 0.
std::vector<double> per_band(study::ModelVariables& file, const std::string& name, std::size_t bands) {
  const std::vector<double>& numbers = file.list<double>(name, {bands});
  for (const double number : numbers)
    if (!std::isfinite(number) || number < 0)
      file.refuse("/", name, " has ", number, ", but must have finite numbers of at least 0; train the model again.");
  return numbers;
}

std::vector<GapMember> read_members(study::ModelVariables& file, Index columns) {
  const auto count = file.scalar<std::int64_t>("members");
  if (count < 1 || count > kMostMembers)
    file.refuse("/members is ", count, ", but must be in 1 to ", kMostMembers, "; train the model again.");
  const std::size_t members = count, width = columns;
  const std::vector<float>& widths = file.list<float>("log_width", {members, width});
  for (const float number : widths)
    if (!(std::abs(number) <= 50))
      file.refuse("/log_width has ", number, ", but must be in -50 to 50; train the model again.");
  const std::vector<double>& ridges = file.list<double>("ridge", {members});
  std::vector<GapMember> all;
  for (std::size_t m = 0; m < members; ++m) {
    if (!(ridges[m] > 0 && ridges[m] <= 1e6))
      file.refuse("/ridge has ", ridges[m], ", but must be above 0 and at most 1e6; train the model again.");
    const auto begin = widths.begin() + static_cast<std::ptrdiff_t>(m * width);
    all.push_back({ridges[m], {begin, begin + static_cast<std::ptrdiff_t>(width)}});
  }
  return all;
}

}  // namespace

Dataset gap_model_dataset(const GapModel& model, std::string_view experiment, int result_version) {
  Dataset data = fusion::model::new_model(experiment, result_version);
  data.dimension("band", model.plan.bands.size());
  data.add({"band", {"band"}, model.plan.bands, "", "optical bands", {}});
  data.dimension("s1_band", model.plan.s1_bands.size());
  data.add({"s1_band", {"s1_band"}, model.plan.s1_bands, "", "bands of S1", {}});
  data.add({"seasons", {}, std::vector<std::int64_t>{model.plan.seasons}, "1", "parts of the series of S1", {}});
  data.add({"members", {}, std::vector<std::int64_t>{std::ssize(model.members)}, "1", "members", {}});
  data.add({"near_days", {}, std::vector<double>{model.plan.near_days}, "d", "S1 within so many days", {}});
  data.add({"trusted", {}, std::vector<double>{model.trusted}, "1", "least clear share of a date that helps", {}});
  std::vector<float> widths;
  std::vector<double> ridges;
  for (const GapMember& member : model.members) {
    widths.insert(widths.end(), member.log_widths.begin(), member.log_widths.end());
    ridges.push_back(member.ridge);
  }
  data.dimension("member", model.members.size());
  data.add({"ridge", {"member"}, ridges, "1", "penalty of the trend", {}});
  data.dimension("column", model.plan.count());
  data.add({"log_width", {"member", "column"}, widths, "1", "logarithms of the widths", {}});
  data.add({"scale", {"band"}, model.scale, "1", "of the weighted deviation", {}});
  data.add({"floor", {"band"}, model.floor, "1", "added to the weighted variance", {}});
  data.add({"alone", {"band"}, model.alone, "1", "error of interpolation alone", {}});
  fusion::model::seal(data);
  return data;
}

GapModel read_gap_model(const std::string& source, const Dataset& data, int result_version) {
  fusion::model::check_model(source, data, "fusion.gapfill", result_version);
  study::ModelVariables file(source, data);
  GapModel model;
  model.plan.bands = file.names("band", kMostBands);
  model.plan.s1_bands = file.names("s1_band", kMostBands);
  model.plan.seasons = file.scalar<std::int64_t>("seasons");
  model.plan.near_days = file.scalar<double>("near_days");
  model.trusted = file.scalar<double>("trusted");
  if (model.plan.bands.empty() || model.plan.seasons < 0 || model.plan.seasons > kMostSeasons ||
      !(model.plan.near_days >= 0) || !(model.trusted >= 0 && model.trusted <= 1))
    file.refuse("has no bands, or seasons, near_days or trusted out of range; train the model again.");
  model.members = read_members(file, model.plan.count());
  model.scale = per_band(file, "scale", model.plan.bands.size());
  model.floor = per_band(file, "floor", model.plan.bands.size());
  model.alone = per_band(file, "alone", model.plan.bands.size());
  file.refuse_others();
  return model;
}

std::string gap_model_text(const GapModel& model) {
  std::string text = "model of fusion.gapfill: fills gaps of the bands";
  for (const std::string& band : model.plan.bands) text += " " + band;
  text += model.plan.s1_bands.empty() ? "\nwithout S1\n" : "\nwith S1 in";
  for (const std::string& band : model.plan.s1_bands) text += " " + band;
  if (!model.plan.s1_bands.empty()) text += '\n';
  text += counted(std::ssize(model.members), "member") + " with the penalties";
  for (const GapMember& member : model.members) text += " " + rounded_text(member.ridge);
  text += "\nlearned widths, standard deviations (row, column: 20 pixels):\n";
  const std::vector<std::string> names = model.plan.names();
  for (std::size_t c = 0; c < names.size(); ++c) {
    double sum = 0;
    for (const GapMember& member : model.members) sum += static_cast<double>(member.log_widths[c]);
    text +=
        concat("  ", names[c], "  ", rounded_text(std::exp(sum / static_cast<double>(model.members.size())), 3), '\n');
  }
  return text;
}

}  // namespace fovea::fusion::gapfill
