#include "fovea/core/study/trained/model_file.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/config/config_document.hpp"
#include "fovea/core/data/dataset_bytes.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/learning/model/model_file.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/cases/token_classes.hpp"
#include "fovea/core/study/model/model_variables.hpp"
#include "fovea/core/study/trained/study_keys.hpp"
#include "fovea/core/study/trees/companion_file.hpp"

namespace fovea::study {

namespace {

constexpr const char* kReady = "feature_ready";

constexpr const char* kKind = "fovea model";
constexpr const char* kHash = "model_hash";
constexpr std::int64_t kMostCoordinates = 1000;

std::string member_prefix(std::size_t member) { return concat("member_", member + 1); }

/// Of everything but itself.
std::string hash_of(Dataset data) {
  data.attributes.erase(kHash);
  return content_hash(data);
}

/// The config without the names of files: what they held is in the model.
std::string config_text(Config config) {
  for (const Parameter& parameter : config.schema().parameters())
    if (parameter.names_inputs()) set_paths(config, parameter, {}, {"default", 0, 0});
  return to_toml(config);
}

Dataset sealed(Dataset data) {
  data.attributes[kHash] = hash_of(data);
  return data;
}

void add_scales(Dataset& data, const std::vector<FeatureScale>& scales, const std::vector<std::string>& over) {
  std::vector<double> quantiles;
  std::vector<std::uint8_t> marked;
  for (const FeatureScale& scale : scales) {
    quantiles.insert(quantiles.end(), scale.quantiles.begin(), scale.quantiles.end());
    if (scale.quantiles.empty()) quantiles.insert(quantiles.end(), kClassQuantiles, kNan);
    marked.push_back(scale.marked ? 1 : 0);
  }
  rows(over, scales)
      .prefix("feature_")
      .number("mean", &FeatureScale::mean, "mean over the training part, in the feature's unit")
      .number("deviation", &FeatureScale::deviation, "standard deviation over the training part")
      .number("low", &FeatureScale::low, "smallest value of the training part")
      .number("high", &FeatureScale::high, "largest value of the training part")
      .write(data);
  data.add({"feature_marked", over, marked, "1", "1 where an extra column marks missing values", {}});
  if (over.size() == 1) return;
  data.dimension("share", kClassQuantiles);
  data.add({"feature_quantile", {"class", "feature", "share"}, quantiles, "1", "quantiles of the training part", {}});
}

void add_features(Dataset& data, const Preparation& preparation) {
  std::vector<std::string> categories;
  std::vector<std::int64_t> owners;
  for (std::size_t f = 0; f < preparation.features.size(); ++f) {
    const std::vector<std::string>& own = preparation.features[f].categories;
    owners.insert(owners.end(), own.size(), static_cast<std::int64_t>(f));
    categories.insert(categories.end(), own.begin(), own.end());
  }
  rows("feature", preparation.features, &Feature::name, "features of a token")
      .text("feature_unit", &Feature::unit, "unit of each feature")
      .write(data);
  if (preparation.classes.empty()) {
    add_scales(data, preparation.scales, {"feature"});
  } else {
    data.dimension("class", preparation.classes.size());
    data.add({"class", {"class"}, preparation.classes, "", "classes of tokens", {}});
    add_scales(data, preparation.scales, {"class", "feature"});
    std::vector<std::uint8_t> ready;
    for (const Feature& feature : preparation.features) ready.push_back(feature.ready ? 1 : 0);
    if (std::count(ready.begin(), ready.end(), 1) > 0)
      data.add({kReady, {"feature"}, ready, "1", "1 where models take a number of any class as it is", {}});
  }
  if (categories.empty()) return;
  data.dimension("category", categories.size());
  data.add({"category_name", {"category"}, categories, "", "categories of the categorical features", {}});
  data.add({"category_feature",
            {"category"},
            owners,
            "1",
            "index of the feature that each category belongs to, from 0",
            {}});
}

void add_number(Dataset& data, const std::string& name, double value, const std::string& meaning) {
  data.add({name, {}, std::vector<double>{value}, "1", meaning, {}});
}

// ---- reading

std::string attribute(const Dataset& data, const std::string& name) {
  const auto found = data.attributes.find(name);
  return found == data.attributes.end() ? "" : found->second;
}

void check_origin(const std::string& source, const Dataset& data, const LearnedTask& task) {
  const std::string experiment = experiment_of_model(source, data);
  if (experiment != task.name())
    throw DataError(concat(source, ": is a model of '", experiment, "', not of '", task.name(),
                           "'; use the experiment that trained it."));
  const std::string version = attribute(data, "result_version");
  if (version != concat(task.result_version()))
    throw DataError(concat(source, ": was trained by version '", shown(version), "' of ", task.name(),
                           ", but this is version ", task.result_version(),
                           ", which gives other results; train it again with: fovea run ", task.name()));
  if (attribute(data, kHash) != hash_of(data))
    throw DataError(concat(source,
                           ": its content does not match its hash, so it was damaged or changed; copy it again, or "
                           "train the model again."));
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The config in a model file: nothing that it says makes us open another file.
Config parse_model_config(const std::string& source, const std::string& text, const LearnedTask& task) {
  if (parse_document(text, "config").find("extends") != nullptr)
    throw DataError(concat(source, ": its config extends another file, but must be complete; train the model again."));
  const Schema schema = study_schema(task);
  const FindSchema find = [&](std::string_view name) { return name == task.name() ? &schema : nullptr; };
  Config config = parse_config(text, "config", "", find, {std::string(task.name())}, {});
  for (const Parameter& parameter : schema.parameters())
    if (parameter.names_inputs() && !paths_of(config, parameter).empty())
      throw DataError(concat(source, ": its config names a file in ", parameter.key, ", but a model needs none."));
  if (!config.sweep.empty() || config.seed_count)
    throw DataError(concat(source, ": its config is a sweep, but a model has one value for each key."));
  Complaints complaints;
  check_study(task, config, complaints);
  complaints.raise();
  return config;
}

Config read_model_config(const std::string& source, const Dataset& data, const LearnedTask& task) {
  const auto found = data.documents.find("config");
  if (found == data.documents.end() || data.documents.size() != (has_data_of_model(data) ? 2 : 1))
    throw DataError(concat(source, ": must have one document, its config, and may have another on its data, but has ",
                           data.documents.size(), "; train the model again."));
  try {
    return parse_model_config(source, found->second, task);
  } catch (const ConfigError& error) {
    throw DataError(concat(source, ": ", first_line(error.what()), " (in the config of the model; train it again)"));
  }
}

std::vector<Feature> read_features(ModelVariables& file) {
  const auto& names = file.names("feature", kMostColumns);
  const std::size_t count = names.size();
  if (count == 0) file.refuse("lists no feature, but a model has at least one.");
  if (std::set<std::string>(names.begin(), names.end()).size() != count)
    file.refuse("lists a feature twice; each name must occur once.");
  const auto& units = file.names("feature_unit", count);
  if (units.size() != count) file.refuse("has ", units.size(), " units for ", count, " features; each needs one.");
  std::vector<Feature> features(count);
  for (std::size_t f = 0; f < count; ++f) features[f] = {names[f], units[f], {}};
  if (!file.has("category_name")) return features;
  const auto& categories = file.names("category_name", kMostColumns - count);
  std::int64_t last = 0;
  const auto& owners = file.list<std::int64_t>("category_feature", {categories.size()});
  for (std::size_t k = 0; k < owners.size(); ++k) {
    if (owners[k] < last || owners[k] >= static_cast<std::int64_t>(count))
      file.refuse("/category_feature has ", owners[k], " behind ", last, ", but must ascend below the ", count,
                  " features.");
    last = owners[k];
    features[last].categories.push_back(categories[k]);
  }
  for (const Feature& feature : features)
    if (std::set<std::string>(feature.categories.begin(), feature.categories.end()).size() != feature.categories.size())
      file.refuse("feature '", shown(feature.name), "' has a category twice; each name must occur once.");
  return features;
}

double above_zero(ModelVariables& file, const std::string& name, double value) {
  if (!(value > 0 && std::isfinite(value))) file.refuse("/", name, " has the value ", value, ", but must be > 0.");
  return value;
}

double finite(ModelVariables& file, const std::string& name, double value) {
  if (!std::isfinite(value)) file.refuse("/", name, " has the value ", value, ", but must be finite.");
  return value;
}

std::vector<std::string> read_classes(ModelVariables& file, std::size_t features) {
  if (!file.has("class")) return {};
  const std::vector<std::string>& classes = file.names("class", kMostColumns / features);
  if (classes.empty()) file.refuse("has a list of classes without a class; it was not written by a run.");
  if (std::adjacent_find(classes.begin(), classes.end(), std::greater_equal<>()) != classes.end())
    file.refuse("lists its classes out of order; they must ascend, each once.");
  return classes;
}

void read_quantiles(ModelVariables& file, std::size_t features, std::size_t classes,
                    std::vector<FeatureScale>& scales) {
  const double* quantile = file.list<double>("feature_quantile", {classes, features, kClassQuantiles}).data();
  for (FeatureScale& scale : scales) {
    if (!std::isnan(scale.low)) scale.quantiles.assign(quantile, quantile + kClassQuantiles);
    for (const double x : scale.quantiles) finite(file, "feature_quantile", x);
    if (!std::is_sorted(scale.quantiles.begin(), scale.quantiles.end()))
      file.refuse("lists the quantiles of a class out of order; it was not written by a run.");
    quantile += kClassQuantiles;
  }
}

/// classes: 0 where tokens have none.
std::vector<FeatureScale> read_scales(ModelVariables& file, std::size_t features, std::size_t classes) {
  const std::vector<std::size_t> shape =
      classes == 0 ? std::vector<std::size_t>{features} : std::vector<std::size_t>{classes, features};
  const auto& mean = file.list<double>("feature_mean", shape);
  const auto& deviation = file.list<double>("feature_deviation", shape);
  const auto& low = file.list<double>("feature_low", shape);
  const auto& high = file.list<double>("feature_high", shape);
  const auto& marked = file.list<std::uint8_t>("feature_marked", shape);
  std::vector<FeatureScale> scales;
  for (std::size_t f = 0; f < mean.size(); ++f) {
    const bool range = std::isfinite(low[f]) && std::isfinite(high[f]) && low[f] <= high[f];
    if (!range && !(std::isnan(low[f]) && std::isnan(high[f])))
      file.refuse("the training range of feature ", f, " is ", low[f], " to ", high[f],
                  ", but must ascend, or be NaN where there was no value.");
    if (marked[f] > 1) file.refuse("/feature_marked has the value ", int{marked[f]}, ", but must be 0 or 1.");
    scales.push_back({finite(file, "feature_mean", mean[f]),
                      above_zero(file, "feature_deviation", deviation[f]),
                      low[f],
                      high[f],
                      marked[f] == 1,
                      {}});
  }
  if (classes > 0) read_quantiles(file, features, classes, scales);
  return scales;
}

Preparation read_preparation(ModelVariables& file) {
  Preparation preparation;
  preparation.features = read_features(file);
  preparation.classes = read_classes(file, preparation.features.size());
  preparation.scales = read_scales(file, preparation.features.size(), preparation.classes.size());
  if (!preparation.classes.empty() && file.has(kReady)) {
    const auto& ready = file.list<std::uint8_t>(kReady, {preparation.features.size()});
    for (std::size_t f = 0; f < ready.size(); ++f) preparation.features[f].ready = ready[f] != 0;
  }
  preparation.time_unit = file.scalar<std::string>("time_unit");
  if (preparation.time_unit.size() > kLongestText)
    file.refuse("/time_unit has ", preparation.time_unit.size(), " bytes, but at most ", kLongestText, " are allowed.");
  const auto coordinates = file.scalar<std::int64_t>("coordinates");
  if (coordinates < 0 || coordinates > kMostCoordinates)
    file.refuse("/coordinates has the value ", coordinates, ", but must be in [0, ", kMostCoordinates, "].");
  preparation.coordinates = static_cast<Index>(coordinates);
  preparation.target_mean = finite(file, "target_mean", file.scalar<double>("target_mean"));
  preparation.target_deviation = above_zero(file, "target_deviation", file.scalar<double>("target_deviation"));
  return preparation;
}

Calibration read_calibration(ModelVariables& file, const Target& target) {
  Calibration calibration;
  calibration.scale = above_zero(file, "calibration_scale", file.scalar<double>("calibration_scale"));
  if (file.has("calibration_shift_1"))
    for (Index k = 1; k <= target.rule().shifts(target); ++k) {
      const std::string name = concat("calibration_shift_", k);
      calibration.shifts.push_back(finite(file, name, file.scalar<double>(name)));
    }
  if (target.rule().real() && file.has("calibration_kept")) {
    calibration.kept = finite(file, "calibration_kept", file.scalar<double>("calibration_kept"));
    calibration.constant = finite(file, "calibration_constant", file.scalar<double>("calibration_constant"));
    if (!(calibration.kept >= 0 && calibration.kept <= 1))
      file.refuse("/calibration_kept is ", calibration.kept, ", but must be in 0 to 1; train the model again.");
  }
  if (!target.rule().binary() || !file.has("calibration_slope")) return calibration;
  calibration.line = true;
  calibration.intercept = finite(file, "calibration_intercept", file.scalar<double>("calibration_intercept"));
  calibration.slope = finite(file, "calibration_slope", file.scalar<double>("calibration_slope"));
  return calibration;
}

std::optional<double> read_threshold(ModelVariables& file, const Target& target) {
  if (!target.rule().binary() || !file.has("threshold")) return std::nullopt;
  const auto threshold = file.scalar<double>("threshold");
  if (!(threshold >= 0 && threshold <= 1))
    file.refuse("/threshold has the value ", threshold, ", but must be in [0, 1].");
  return threshold;
}

/// Numbers that the file has for a member: no model may have more.
Index numbers_held(const Dataset& data, const std::string& prefix) {
  std::size_t held = 0;
  for (const fovea::Variable& variable : data.variables())
    if (variable.name.starts_with(prefix + '.')) held += variable.size();
  return static_cast<Index>(held);
}

Member read_member(ModelVariables& file, const std::string& prefix, const Dataset& data, const LearnedTask& task,
                   const Config& config, const ModelShape& shape) {
  Member member;
  const Index held = numbers_held(data, prefix);
  if (shape.inputs > held)
    file.refuse("has ", held, " parameters of ", prefix, ", but its features make ", shape.inputs,
                " inputs, each of which has one or more.");
  member.parameters.limit(held);
  try {
    member.model = task.model(config, shape, member.parameters, Random(0));
    learning::load_model(data, prefix, member.parameters);
  } catch (const ArgumentError& error) {
    file.refuse("has ", held, " parameters of ", prefix, ", which do not fit its config: ", first_line(error.what()));
  } catch (const DataError& error) {
    file.refuse(error.what());
  }
  for (const auto& entry : member.parameters.entries()) file.use(prefix + '.' + entry.name);
  return member;
}

}  // namespace

std::string identity_of_model(const Dataset& file) {
  if (!has_data_of_model(file)) return content_hash(file);
  return content_hash(sealed(without_data_of_model(file)));
}

Dataset model_dataset(const LearnedTask& task, const TrainedModel& model) {
  Dataset data;
  data.attributes = {{"Conventions", kConventions},
                     {"kind", kKind},
                     {"experiment", std::string(task.name())},
                     {"result_version", concat(task.result_version())},
                     {"target", task.target(model.config).name}};
  data.documents["config"] = config_text(model.config);
  add_features(data, model.preparation);
  data.add({"time_unit", {}, std::vector<std::string>{model.preparation.time_unit}, "", "of the tokens' times", {}});
  data.add({"coordinates", {}, std::vector<std::int64_t>{model.preparation.coordinates}, "1", "of a token", {}});
  add_number(data, "target_mean", model.preparation.target_mean, "of the training part, in the target's unit");
  add_number(data, "target_deviation", model.preparation.target_deviation, "of the training part");
  add_number(data, "calibration_scale", model.calibration.scale, "divides logits, or multiplies deviations");
  if (model.calibration.line) {
    add_number(data, "calibration_intercept", model.calibration.intercept, "of the line of the mean logit");
    add_number(data, "calibration_slope", model.calibration.slope, "of the line of the mean logit");
  }
  if (model.calibration.kept < 1) {
    add_number(data, "calibration_kept", model.calibration.kept, "of the distance of a number from the constant");
    add_number(data, "calibration_constant", model.calibration.constant, "to which numbers fall back");
  }
  for (std::size_t k = 0; k < model.calibration.shifts.size(); ++k)
    add_number(data, concat("calibration_shift_", k + 1), model.calibration.shifts[k], "added to the logits of an end");
  if (model.threshold) add_number(data, "threshold", *model.threshold, "probability from which on class 1 is decided");
  for (std::size_t k = 0; k < model.members.size(); ++k)
    learning::add_model(data, member_prefix(k), model.members[k].parameters);
  if (model.trees) add_companion(data, *model.trees);
  add_data_of_model(data, model.data);
  return sealed(std::move(data));
}

std::string experiment_of_model(const std::string& source, const Dataset& data) {
  if (attribute(data, "kind") != kKind)
    throw DataError(
        concat(source, ": is no model file; give a run directory of a learned question, or the model.h5 in it."));
  const std::string experiment = attribute(data, "experiment");
  if (experiment.empty() || experiment.size() > kLongestText)
    throw DataError(concat(source, ": does not name the experiment that trained it; train the model again."));
  return shown(experiment, kLongestText);
}

TrainedModel read_model(const std::string& source, const Dataset& data, const LearnedTask& task) {
  check_origin(source, data, task);
  TrainedModel model{read_model_config(source, data, task), {}, {}, {}, {}, {}, {}};
  const Target target = task.target(model.config);
  if (attribute(data, "target") != target.name)
    throw DataError(concat(source, ": predicts '", shown(attribute(data, "target")),
                           "', but the target of its config is '", target.name, "'; train the model again."));
  ModelVariables file(source, data);
  model.preparation = read_preparation(file);
  model.calibration = read_calibration(file, target);
  model.threshold = read_threshold(file, target);
  const ModelShape shape = shape_of(model.preparation, target);
  const StudySettings settings = study_keys().read(model.config);
  const std::size_t members = settings.fitting.members;
  for (std::size_t k = 0; k < members; ++k)
    model.members.push_back(read_member(file, member_prefix(k), data, task, model.config, shape));
  if (settings.trees.any()) model.trees = read_companion(file, data, settings.trees, target, model.preparation);
  model.data = read_data_of_model(file, data);
  file.refuse_others();
  return model;
}

}  // namespace fovea::study
