/// example: small data to try the commands on, written by the generators of the domains.

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

constexpr const char* kAll = "all";

std::vector<Example> all_examples() {
  std::vector<Example> all;
  for (const Domain& domain : domains()) all.insert(all.end(), domain.examples.begin(), domain.examples.end());
  return all;
}

std::vector<std::string> files_of(const Example& example) {
  std::vector<std::string> files{example.name};
  files.insert(files.end(), example.beside.begin(), example.beside.end());
  return files;
}

/// "gauges.csv", or "gauges".
std::vector<Example> examples_called(const std::string& word) {
  std::vector<Example> all = all_examples();
  if (word == kAll) return all;
  std::vector<std::string> names{kAll};
  for (const Example& example : all) {
    if (example.name == word || example.name.substr(0, example.name.find('.')) == word) return {example};
    names.push_back(example.name);
  }
  const std::string close = nearest(word, names);
  throw UsageError(concat("there is no example '", word, "'; ",
                          close.empty() ? "see: fovea example" : "did you mean '" + close + "'?"));
}

int list_examples(const Arguments& arguments) {
  const std::vector<Example> all = all_examples();
  if (arguments.has("json")) {
    std::vector<Json> items;
    for (const Example& example : all)
      items.push_back(JsonObject()
                          .add("name", example.name)
                          .add("meaning", example.meaning)
                          .add("files", json_texts(files_of(example)))
                          .add("commands", json_texts(example.commands))
                          .done());
    std::cout << json_list(items).text << '\n';
    return kDone;
  }
  std::size_t width = 0;
  for (const Example& example : all) width = std::max(width, example.name.size());
  std::string text;
  for (const Example& example : all) {
    text +=
        sentence("  " + example.name + std::string(width - example.name.size() + 2, ' ') + example.meaning, width + 4);
    for (const std::string& command : example.commands) text += std::string(width + 4, ' ') + command + '\n';
  }
  std::cout << text << "To write one, or all of them: fovea example NAME [FOLDER], fovea example all [FOLDER]\n";
  return kDone;
}

int example(const Arguments& arguments) {
  if (arguments.positional.empty()) return list_examples(arguments);
  if (arguments.has("json")) throw UsageError("--json is for the list of examples; leave the name out.");
  const std::vector<Example> chosen = examples_called(arguments.positional[0]);
  const std::string folder = arguments.positional.size() > 1 ? arguments.positional[1] : ".";
  const auto place = [&](const std::string& name) { return (fs::path(folder) / name).lexically_normal().string(); };
  for (const Example& one : chosen)
    for (const std::string& name : files_of(one))
      if (fs::exists(place(name)) && !arguments.has("force"))
        throw StorageError(
            concat(place(name), ": is there already; give another folder, or --force to write it anew."));
  make_folder(folder);
  Console console(arguments);
  for (const Example& one : chosen) {
    one.write(folder);
    for (const std::string& name : files_of(one)) std::cout << place(name) << '\n';
    if (chosen.size() == 1)
      for (const std::string& command : one.commands) console.say("next  " + command);
  }
  if (chosen.size() > 1) console.say("what each is for: fovea example");
  return kDone;
}

}  // namespace

std::vector<Command> example_commands() {
  return {{"example",
           "list small data to try the commands on, or write them",
           "[NAME|all [FOLDER]]",
           0,
           2,
           {"fovea example", "fovea example gauges.csv", "fovea example all data"},
           {{"force", 'f', "", "write over files that are there", false}, kJson},
           "The data are simulated, so what is known of them is exact; all are under a megabyte together. FOLDER: "
           "where they\n"
           "are written (default: the current one).",
           &example}};
}

}  // namespace fovea::command
