#include "fovea/core/study/trained/model_text.hpp"

#include <algorithm>
#include <numeric>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/learning/model/safetensors.hpp"
#include "fovea/core/study/cases/target_rule.hpp"

namespace fovea::study {

namespace {

constexpr std::size_t kLongestSentence = 2000;

std::string level_name(const Target& target) { return target.level == TargetLevel::per_case ? "case" : "token"; }

Index parameters_of(const OpenModel& opened) {
  return opened.model.members.empty() ? 0 : opened.model.members.front().parameters.size();
}

std::string categories_text(const std::vector<std::string>& categories) {
  constexpr std::size_t kMostNamed = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(categories.size(), kMostNamed); ++k)
    text += (k == 0 ? "" : ", ") + json(categories[k]).text;
  return text + (categories.size() > kMostNamed ? concat(", ... ", categories.size(), " in all") : "");
}

/// A unit from a file, so that no letter of its commands the terminal.
std::string in_brackets(const std::string& unit) {
  const std::string quoted = json(unit).text;
  return " [" + quoted.substr(1, quoted.size() - 2) + "]";
}

/// `  "depth" [km]  1 to 24.5, may be missing`
std::string feature_line(const std::string& name, const Feature& feature, const FeatureScale& scale) {
  const std::string unit = feature.unit.empty() || feature.unit == "1" ? "" : in_brackets(feature.unit);
  const std::string values = feature.categories.empty() ? rounded_text(scale.low) + " to " + rounded_text(scale.high)
                                                        : "one of " + categories_text(feature.categories);
  return "  " + json(name).text + unit + "  " + values + (scale.marked ? ", may be missing" : "") + '\n';
}

Json feature_json(const std::string& name, const Feature& feature, const FeatureScale& scale) {
  JsonObject object;
  object.add("name", name).add("unit", feature.unit).add("categories", json_texts(feature.categories));
  object.add("mean", scale.mean).add("deviation", scale.deviation);
  object.add("low", scale.low).add("high", scale.high).add("may_be_missing", scale.marked);
  return object.done();
}

/// The numbers of the members that are wanted, from 0.
std::vector<std::size_t> chosen_members(const OpenModel& opened, const ExportedWeights& wanted) {
  const std::size_t count = opened.model.members.size();
  if (wanted.member > count)
    throw DataError(concat(opened.file, ": has ", counted(static_cast<std::int64_t>(count), "member"),
                           ", so there is no member ", wanted.member, "; count from 1."));
  if (wanted.member > 0) return {wanted.member - 1};
  if (!wanted.names.empty() && count > 1)
    throw DataError(concat(opened.file, ": has ", count, " members, but a file with the names of '", wanted.names,
                           "' holds one; say which with --member 1."));
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

learning::TensorFile tensors_of_member(const OpenModel& opened, const learning::Parameters<float>& parameters,
                                       const std::string& names) {
  if (names.empty()) return learning::tensors_of(parameters);
  const LearnedTask& task = opened.task;
  const std::vector<std::string> known = task.weight_names(opened.model.config);
  if (std::find(known.begin(), known.end(), names) != known.end())
    return task.named_weights(names, opened.model.config, parameters);
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  throw DataError(concat(opened.file, ": is a model of a shape that has no names '", names, "'; ",
                         list.empty() ? "leave out --names for ours." : "it has those of: " + list + "."));
}

}  // namespace

OpenModel open_model(const LearnedTask& task, const ModelFile& file) {
  return {task, file.path, identity_of_model(file.content), read_model(file.path, file.content, task)};
}

std::string model_text(const OpenModel& opened) {
  const Preparation& learned = opened.model.preparation;
  const Target target = opened.task.target(opened.model.config);
  std::string text = concat("model of ", opened.task.name(), ", result version ", opened.task.result_version(),
                            opened.model.config.preview ? ", of a preview (--quick)\n" : "\n");
  text += concat("target: ", json(target.name).text, ", ", std::string(target.rule().name()), ", one a ",
                 level_name(target));
  if (target.rule().real()) text += in_brackets(target.unit);
  if (target.rule().named()) text += ": " + categories_text(target.classes);
  text += concat("\nmembers: ", opened.model.members.size(), ", ", parameters_of(opened), " parameters each\n");
  const Calibration& calibration = opened.model.calibration;
  text +=
      calibration.line
          ? concat("calibration: line, intercept ", rounded_text(calibration.intercept), ", slope ",
                   rounded_text(calibration.slope), calibration.slope == 0 ? " (the base rate for every case)\n" : "\n")
          : concat("calibration: scale ", rounded_text(calibration.scale),
                   calibration.kept < 1 ? concat("; numbers keep ", rounded_text(calibration.kept),
                                                 " of their distance from ", rounded_text(calibration.constant), '\n')
                                        : "\n");
  if (opened.model.threshold) text += concat("threshold: ", rounded_text(*opened.model.threshold), '\n');
  if (!learned.time_unit.empty()) text += "times:" + in_brackets(learned.time_unit) + '\n';
  if (learned.coordinates > 0) text += concat("coordinates: ", learned.coordinates, '\n');
  text += learned.classes.empty()
              ? "features, with the range of the training part:\n"
              : "classes of tokens, with the limits of 99 % of their values in the training part:\n";
  for (std::size_t s = 0; s < learned.scales.size(); ++s)
    text += feature_line(learned.scale_name(s), learned.features[s % learned.features.size()], learned.scales[s]);
  if (!opened.model.data.reading.empty()) {
    text += "learned from:\n";
    for (const std::string& sentence : sentences_in(opened.file, opened.model.data.reading))
      text += "  " + shown(sentence, kLongestSentence) + '\n';
  }
  return text + "content " + opened.hash + '\n';
}

Json model_json(const OpenModel& opened) {
  const Preparation& learned = opened.model.preparation;
  const Target target = opened.task.target(opened.model.config);
  std::vector<Json> features;
  for (std::size_t s = 0; s < learned.scales.size(); ++s)
    features.push_back(
        feature_json(learned.scale_name(s), learned.features[s % learned.features.size()], learned.scales[s]));
  JsonObject about;
  about.add("name", target.name).add("kind", std::string(target.rule().name())).add("level", level_name(target));
  about.add("unit", target.unit).add("classes", json_texts(target.classes));
  JsonObject object;
  object.add("kind", "fovea model").add("experiment", std::string(opened.task.name()));
  object.add("result_version", opened.task.result_version()).add("target", about.done());
  object.add("features", json_list(features))
      .add("classes", json_texts(learned.classes))
      .add("time_unit", learned.time_unit);
  object.add("coordinates", learned.coordinates).add("members", opened.model.members.size());
  object.add("parameters", parameters_of(opened)).add("calibration_scale", opened.model.calibration.scale);
  if (opened.model.calibration.line)
    object.add("calibration_intercept", opened.model.calibration.intercept)
        .add("calibration_slope", opened.model.calibration.slope);
  if (opened.model.threshold) object.add("threshold", *opened.model.threshold);
  if (!opened.model.data.reading.empty())
    object.add("learned_from", json_texts(sentences_in(opened.file, opened.model.data.reading)));
  return object.add("config", to_toml(opened.model.config)).add("content_hash", opened.hash).done();
}

void export_safetensors(const OpenModel& opened, const std::string& path, const ExportedWeights& wanted) {
  const std::vector<std::size_t> members = chosen_members(opened, wanted);
  learning::TensorFile file;
  for (const std::size_t k : members) {
    learning::TensorFile one = tensors_of_member(opened, opened.model.members[k].parameters, wanted.names);
    for (learning::Tensor& tensor : one.tensors) {
      if (wanted.member == 0 && wanted.names.empty()) tensor.name = concat("member_", k + 1, ".", tensor.name);
      file.tensors.push_back(std::move(tensor));
    }
  }
  file.metadata = {{"experiment", std::string(opened.task.name())},
                   {"result_version", concat(opened.task.result_version())},
                   {"config", to_toml(opened.model.config)},
                   {"model_hash", opened.hash}};
  learning::write_safetensors(path, file);
}

}  // namespace fovea::study
