#include "fovea/core/study/predict/new_files.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/config/config_document.hpp"
#include "fovea/core/study/trained/study_keys.hpp"

namespace fovea::study {

namespace {

/// The model's config with the files of new cases, and none of the training data's.
Config config_of_files(const LearnedTask& task, Config config, const std::string& data, const std::string& targets) {
  const Schema schema = study_schema(task);
  for (const Parameter& parameter : schema.parameters())
    if (parameter.names_inputs()) set_paths(config, parameter, {}, {data, 0, 0});
  set_paths(config, data_parameter(task, config), {data}, {data, 0, 0});
  if (targets.empty()) return config;
  const Parameter* const key = config.parameter(task.targets_key());
  if (key == nullptr)
    throw DataError(concat(targets, ": the targets of ", task.name(),
                           " stand in the file of its cases; give no other file of them."));
  set_paths(config, *key, {targets}, {targets, 0, 0});
  return config;
}

/// Keys of how files are read stand beside the key of the files.
void check_is_of_reading(const LearnedTask& task, const Config& config, const std::string& setting) {
  const std::string key = setting.substr(0, setting.find('=')), files = task.data_key();
  const std::string table = files.substr(0, files.find('.') + 1);
  const Parameter* const found = config.parameter(key);
  if (found != nullptr && found->names_inputs())
    throw ConfigError(concat("--set ", setting, ": names a file, but the cases are those of DATA; leave it out."));
  if (!key.starts_with(table))
    throw ConfigError(concat("--set ", setting, ": is not about how the cases are read, but the rest is the model's; ",
                             "only keys of ", table, "* can be set."));
}

}  // namespace

Config config_of_new_files(const LearnedTask& task, const Config& config, const NewFiles& files) {
  Config replaced = config_of_files(task, config, files.data, files.targets);
  if (files.set.empty()) return replaced;
  for (const std::string& setting : files.set) check_is_of_reading(task, replaced, setting);
  const Schema schema = study_schema(task);
  Overrides given;
  given.set = files.set;
  Config changed = parse_config(
      to_toml(replaced), "the model's config", "", [&](std::string_view) { return &schema; }, {}, given);
  changed =
      config_of_files(task, std::move(changed), files.data, files.targets);  // with their names as they were given
  Complaints complaints;
  check_study(task, changed, complaints);
  complaints.raise();
  if (task.target(changed) != task.target(config))
    throw ConfigError(concat("--set ", files.set.back(), ": changes what is predicted; train another model for it."));
  return changed;
}

}  // namespace fovea::study
