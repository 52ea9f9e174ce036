/// report, inspect, export: what can be done with a result.

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/json_text.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/dataset_csv.hpp"
#include "fovea/core/data/dataset_flags.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/lab/directory/folder_lock.hpp"
#include "fovea/core/lab/door.hpp"
#include "fovea/core/lab/run_point.hpp"
#include "fovea/core/lab/runner.hpp"
#include "fovea/core/report/graphml.hpp"
#include "fovea/core/report/headline_values.hpp"
#include "fovea/datasets/recognise/file_kind.hpp"
#include "fovea/datasets/text/file_format.hpp"
#include "fovea/domains/registry.hpp"
#include "fovea/experiments/commands/command_table.hpp"
#include "fovea/experiments/commands/export_figures.hpp"
#include "fovea/experiments/commands/file_doors.hpp"
#include "fovea/experiments/commands/find/last_run.hpp"
#include "fovea/experiments/commands/find/open_model.hpp"
#include "fovea/experiments/commands/open_result.hpp"
#include "fovea/experiments/console.hpp"
#include "fovea/experiments/exit_codes.hpp"

namespace fovea::command {

namespace {

namespace fs = std::filesystem;

int report(const Arguments& arguments) {
  Console console(arguments);
  const RunDirectory directory(
      run_called(arguments.positional.empty() ? "" : arguments.positional[0], Wanted::any, console));
  result_file(directory.path());
  const FolderLock lock(directory, FolderLock::Who::alone);
  redraw_report(directory);
  std::cout << directory.report() << '\n';
  return kDone;
}

std::string type_name(const Values& values) {
  constexpr const char* kNames[] = {"double", "float", "int64", "uint8", "text"};
  return kNames[values.index()];
}

Json attributes_json(const std::map<std::string, std::string>& attributes) {
  JsonObject object;
  for (const auto& [name, text] : attributes) object.add(name, text);
  return object.done();
}

JsonObject inspection_json(const Dataset& data) {
  JsonObject dimensions;
  for (const Dimension& dimension : data.dimensions()) dimensions.add(dimension.name, dimension.size);
  std::vector<Json> variables;
  for (const Variable& variable : data.variables()) {
    JsonObject object;
    object.add("name", variable.name).add("type", type_name(variable.values));
    object.add("dimensions", json_texts(variable.dimensions)).add("units", variable.units);
    object.add("long_name", variable.long_name).add("attributes", attributes_json(variable.attributes));
    object.add("coordinate", data.is_coordinate(variable));
    variables.push_back(object.done());
  }
  std::vector<std::string> documents;
  for (const auto& [name, text] : data.documents) documents.push_back(name);
  JsonObject object;
  object.add("dimensions", dimensions.done()).add("variables", json_list(variables));
  object.add("attributes", attributes_json(data.attributes)).add("documents", json_texts(documents));
  object.add("content_hash", content_hash(data));
  object.add("numbers_hash", numbers_hash(data)).add("words_hash", words_hash(data));
  return object;
}

std::string variable_line(const Dataset& data, const Variable& variable) {
  std::string shape;
  for (const std::string& dimension : variable.dimensions)
    shape += concat(shape.empty() ? "" : ", ", dimension, ": ", data.size_of(dimension));
  const std::string units = variable.units.empty() ? "" : " [" + variable.units + "]";
  return concat("  ", data.is_coordinate(variable) ? "* " : "  ", variable.name, "(", shape, ") ",
                type_name(variable.values), units, "  ", variable.long_name, '\n');
}

std::string inspection_text(const Dataset& data) {
  std::string text = "dimensions:\n";
  for (const Dimension& dimension : data.dimensions()) text += concat("  ", dimension.name, ": ", dimension.size, '\n');
  text += "variables (* coordinates):\n";
  for (const Variable& variable : data.variables()) text += variable_line(data, variable);
  text += "attributes:\n";
  for (const auto& [name, value] : data.attributes) text += "  " + name + ": " + value + '\n';
  text += "documents:\n";
  for (const auto& [name, document] : data.documents) text += concat("  ", name, ": ", document.size(), " bytes\n");
  return text + "content " + content_hash(data) + '\n';
}

std::string model_text(const ModelFile& file) { return open_model(file).predictor->text(file); }

Json model_json(const ModelFile& file) {
  const std::optional<Json> told = open_model(file).predictor->json(file);
  return told ? *told : inspection_json(file.content).done();
}

ModelFile model_beside(const std::string& path) {
  const Place file = model_file(path);
  return {file.path(), read_dataset(file)};
}

/// A result, and the model beside it where the run left one.
int inspect_result(const Arguments& arguments) {
  const std::string path = arguments.positional[0];
  const Place file = result_file(path);
  const Dataset data = read_dataset(file);
  if (is_model(data)) {
    const ModelFile model{file.path(), data};
    std::cout << (arguments.has("json") ? model_json(model).text + '\n' : model_text(model));
    return kDone;
  }
  const bool has_model = fs::is_directory(path) && exists(RunDirectory(path).model());
  if (arguments.has("json")) {
    JsonObject object = inspection_json(data);
    object.add("findings", Json{findings_json(presented(data).findings())});
    if (has_model) object.add("model", model_json(model_beside(path)));
    std::cout << object.done().text << '\n';
  } else {
    std::cout << inspection_text(data);
    if (has_model) std::cout << model_text(model_beside(path));
  }
  return kDone;
}

/// Whether an option of this inspection is given, by which it is asked for.
bool is_asked_for(const Inspection& one, const Arguments& arguments) {
  return std::any_of(one.options.begin(), one.options.end(),
                     [&](const Option& option) { return arguments.has(option.name); });
}

/// What a domain says of data files; nullptr for what is a result or a model, or ought to be one.
const Inspection* inspection_of(const Arguments& arguments) {
  const std::string& path = arguments.positional[0];
  if (exists(RunDirectory(path).result())) return nullptr;
  const bool is_text =
      datasets::text::format_of_bytes(datasets::text::front_of(path)) == datasets::text::FileFormat::text;
  const auto first = [](const auto& fits) -> const Inspection* {
    for (const Domain& domain : domains())
      for (const Inspection& one : domain.inspections)
        if (fits(one)) return &one;
    return nullptr;
  };
  if (const Inspection* one = first([&](const Inspection& it) { return !it.takes_any && it.knows(path); })) return one;
  const bool may_be_asked_for = is_text && fs::is_regular_file(path);
  if (const Inspection* one =
          first([&](const Inspection& it) { return may_be_asked_for && !it.takes_any && is_asked_for(it, arguments); }))
    return one;
  return first([&](const Inspection& it) {
    return it.takes_any && (it.knows(path) || (may_be_asked_for && is_asked_for(it, arguments)));
  });
}

/// A config: what it asks, and the commands that take it.
bool inspect_config(const std::string& path) {
  if (datasets::kind_of_file(path) != datasets::FileKind::config) return false;
  const Config config = all_experiments().read(path, {});
  std::cout << path << ": a config of " << config.experiment
            << (config.title.empty() ? "" : ", \"" + config.title + '"') << ".\n  fovea check " << path
            << "\n  fovea run " << path << '\n';
  return true;
}

/// What is neither data that are known nor HDF5 is called by its name, where it has one.
void check_is_result(const std::string& path) {
  if (!fs::is_regular_file(path)) return;
  const std::string front = datasets::text::front_of(path);
  if (fs::file_size(path) == 0) throw DataError(path + ": is empty; get the file again.");
  if (datasets::text::format_of_bytes(front) == datasets::text::FileFormat::hdf5) return;
  for (const std::string& way : ways_with(path)) throw DataError(concat(path, ": is no result and no model. ", way));
  if (const std::string foreign = datasets::text::foreign_format(front, path); !foreign.empty())
    throw DataError(concat(path, ": ", foreign));
  datasets::kind_or_fault(path);
  if (!path.ends_with(".h5"))
    throw DataError(path + ": is no result, no model and no known file of data; which are known: fovea help inspect");
}

int inspect(const Arguments& given) {
  Console console(given);
  Arguments arguments = given;
  std::string& path = arguments.positional[0];
  path = run_called(path, Wanted::any, console);
  if (const Inspection* data = inspection_of(arguments)) {
    const Form form = form_of(arguments);
    std::string text = data->text(arguments, form, output_width());
    std::cout << (form == Form::text ? plain_minus(std::move(text)) : text);
    if (data->takes_any && form == Form::text)
      for (const std::string& way : ways_with(path)) std::cout << way << '\n';
    return kDone;
  }
  for (const Domain& domain : domains())
    for (const Inspection& one : domain.inspections)
      for (const Option& option : one.options)
        if (arguments.has(option.name))
          throw UsageError(
              concat("'--", option.name, "' is for data files, but ", arguments.positional[0], " is none."));
  if (arguments.positional.size() > 1)
    throw UsageError("several files are inspected together only if they are data; give one result or model.");
  if (!arguments.has("json") && inspect_config(path)) return kDone;
  check_is_result(path);
  return inspect_result(arguments);
}

int export_model(const Arguments& arguments) {
  if (arguments.has("csv") || arguments.has("variable") || arguments.has("output"))
    throw UsageError("--safetensors writes a model and --csv a result; give one of them.");
  ExportedWeights wanted;
  wanted.names = arguments.text("names", "");
  if (arguments.has("member")) wanted.member = arguments.integer("member", 1, 1);
  const OpenModel model = open_model(arguments.positional[0]);
  model.predictor->export_weights(model.file, arguments.text("safetensors", ""), wanted);
  std::cout << arguments.text("safetensors", "") << '\n';
  return kDone;
}

/// The network of a result, for programs that draw and measure graphs.
int export_network(const Arguments& arguments) {
  for (const char* option : {"csv", "variable", "output", "safetensors", "names", "member"})
    if (arguments.has(option))
      throw UsageError(concat("--graphml writes the network of a result; give it without --", option, "."));
  const Place file = result_file(arguments.positional[0]);
  write_file(arguments.text("graphml", ""), graphml_of(presented(read_dataset(file)), file.path()));
  std::cout << arguments.text("graphml", "") << '\n';
  return kDone;
}

/// The result with categories as words, as users of xarray select and plot them.
int export_netcdf(const Arguments& arguments) {
  for (const char* option : {"csv", "variable", "output", "safetensors", "names", "member"})
    if (arguments.has(option))
      throw UsageError(concat("--netcdf writes the arrays of a result; give it without --", option, "."));
  Dataset data = with_words(read_dataset(result_file(arguments.positional[0])));
  data.documents.clear();  // they go with the hash of the result itself
  write_dataset(arguments.text("netcdf", ""), data);
  std::cout << arguments.text("netcdf", "") << '\n';
  return kDone;
}

int export_result(const Arguments& given) {
  Console console(given);
  Arguments arguments = given;
  arguments.positional[0] = run_called(given.positional[0], Wanted::any, console);
  if (arguments.has("figures") || arguments.has("width")) {
    const Place file = result_file(arguments.positional[0]);
    const bool is_run = fs::is_directory(arguments.positional[0]);  // which has what depends on the machine, too
    return export_figures(arguments, is_run ? read_results(RunDirectory(arguments.positional[0])).with_machine()
                                            : presented(read_dataset(file)));
  }
  if (arguments.has("graphml")) return export_network(arguments);
  if (arguments.has("netcdf")) return export_netcdf(arguments);
  if (arguments.has("safetensors")) return export_model(arguments);
  for (const char* option : {"names", "member"})
    if (arguments.has(option))
      throw UsageError(concat("--", option, " is about the weights of a model; add --safetensors FILE."));
  if (!arguments.has("csv"))
    throw UsageError(
        "'export' writes CSV, netCDF, figures, a network or a model; say which with --csv, --netcdf FILE, --figures "
        "svg|pdf|png, --graphml FILE or --safetensors FILE. See: fovea help export");
  if (arguments.has("variable") && arguments.has("output"))
    throw UsageError("--variable writes to stdout and --output to a folder; give one of them.");
  const Place file = result_file(arguments.positional[0]);
  const Results results = presented(read_dataset(file));
  const Dataset data = with_words(results.data);
  if (arguments.has("variable")) {
    const std::string name = arguments.text("variable", "");
    if (!data.has(name)) {
      std::vector<std::string> names;
      for (const Variable& variable : data.variables()) names.push_back(variable.name);
      const std::string close = nearest(name, names);
      throw UsageError(concat(file, ": has no variable '", name, "'; ",
                              close.empty() ? "see: fovea inspect " + file.path() : "did you mean '" + close + "'?"));
    }
    std::cout << to_csv(data, name);
    return kDone;
  }
  const std::string folder = arguments.text("output", "csv");
  make_folder(folder);
  if (!results.headlines().empty()) {
    write_file(folder + "/headlines.csv", headlines_csv(results));
    std::cout << folder << "/headlines.csv\n";
  }
  for (const std::string& path : export_csv(data, folder)) std::cout << path << '\n';
  return kDone;
}

Command inspect_command() {
  Command command{
      "inspect",     "show what a result file, a model or a data file contains",
      "FILE|DIR...", 1,
      1000,          {"fovea inspect runs/opinion.temperature-1a2b3c4d", "fovea inspect result.h5 --json"},
      {kJson},       "A result or a model need not be trusted: it is read by a child process with limits. Data files:",
      &inspect};
  for (const Domain& domain : domains())
    for (const Inspection& one : domain.inspections) {
      command.details += "\n" + one.files + ".";
      command.examples.insert(command.examples.end(), one.examples.begin(), one.examples.end());
      for (const Option& option : one.options)  // several kinds of files may have the same
        if (std::none_of(command.options.begin(), command.options.end(),
                         [&](const Option& known) { return known.name == option.name; }))
          command.options.push_back(option);
    }
  return command;
}

Command export_command() {
  return {"export",
          "write a result as CSV or netCDF, its figures, its network as GraphML, or a model as SafeTensors",
          "FILE|DIR",
          1,
          1,
          {"fovea export runs/opinion.temperature-1a2b3c4d --csv -o tables",
           "fovea export result.h5 --csv --variable variance > variance.csv",
           "fovea export runs/opinion.temperature-1a2b3c4d --figures pdf",
           "fovea export runs/opinion.temperature-1a2b3c4d --figures png --width 2400 -o talk",
           "fovea export runs/opinion.temperature-1a2b3c4d --netcdf words.nc",
           "fovea export runs/opinion.simulate-1a2b3c4d --graphml network.graphml",
           "fovea export model.h5 --safetensors model.safetensors",
           "fovea export runs/particle.toptag-1a2b3c4d --safetensors part.safetensors --names part"},
          {{"csv", 0, "", "write CSV, first headlines.csv: one row per value, coordinates first, categories as words",
            false},
           {"variable", 0, "NAME", "only this one, to stdout", false},
           {"output", 'o', "DIR", "folder for the files (default: csv, or figures)", false},
           {"figures", 0, "FORMAT", "svg, or beside it pdf or png, drawn by rsvg-convert or cairosvg", false},
           {"width", 0, "PX", "of a PNG (default 1440)", false},
           {"netcdf", 0, "FILE", "the arrays for xarray, with categories as words where result.h5 has flags", false},
           {"graphml", 0, "FILE", "the network with all that the result knows of its nodes and edges", false},
           {"safetensors", 0, "FILE", "the parameters of a model's members, for other programs", false},
           {"names", 0, "NAMES",
            "the names of another program: part (weaver-core's ParticleTransformer) for a model of that shape", false},
           {"member", 0, "K", "this member alone, from 1, without member_K before its names", false}},
          "With --names the file holds one member and can be read by that program, and by the key model.weights.",
          &export_result};
}

}  // namespace

std::vector<Command> result_commands() {
  return {
      {"report",
       "draw the page and the figures again from the result file",
       "[RUN]",
       0,
       1,
       {"fovea report", "fovea report runs/opinion.temperature-1a2b3c4d"},
       {},
       "RUN is a run directory, or the name of an experiment or a config: then its last run in runs (default: of all).",
       &report},
      compare_command(),
      inspect_command(),
      export_command()};
}

}  // namespace fovea::command
