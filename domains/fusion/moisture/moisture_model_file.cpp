#include <cmath>

#include "fovea/core/study/model/model_variables.hpp"
#include "fovea/domains/fusion/model/sealed_model.hpp"
#include "fovea/domains/fusion/moisture/moisture_model.hpp"

namespace fovea::fusion::moisture {

namespace {

constexpr const char* kHash = "model_hash";
constexpr const char* kAttentionHash = "attention_hash";
constexpr std::int64_t kMostMonths = 1000;
constexpr double kRounding = 1e-9;  // of a sum of shares
/// Names of what stands beside the study's part.
bool is_own(const std::string& name) {
  return name == "months" || name == "constant_share" || name.starts_with("interval_") || name.starts_with("forest_") ||
         name.starts_with("rows_");
}

Dataset part_of(const Dataset& data, bool own) {
  Dataset part;
  for (const Dimension& dimension : data.dimensions())
    if (is_own(dimension.name) == own) part.dimension(dimension.name, dimension.size);
  for (const Variable& variable : data.variables())
    if (is_own(variable.name) == own) part.add(variable);
  return part;
}

/// What the study wrote of it.
Dataset attention_part(const Dataset& data) {
  Dataset part = part_of(data, false);
  part.attributes = data.attributes, part.documents = data.documents;
  part.attributes[kHash] = part.attributes[kAttentionHash];
  part.attributes.erase(kAttentionHash);
  return part;
}

void add_forest(Dataset& data, const study::BoostedTrees& forest) {
  data.dimension("forest_tree", forest.roots.size());
  data.dimension("forest_node", forest.column.size());
  data.add({"forest_base", {}, std::vector<double>{forest.base}, "%", "mean of the training part", {}});
  data.add({"forest_root", {"forest_tree"}, forest.roots, "1", "first node of each tree", {}});
  data.add({"forest_column", {"forest_node"}, forest.column, "1", "column that a node asks for; -1: a leaf", {}});
  data.add({"forest_value", {"forest_node"}, forest.value, "1", "threshold of a node, or what a leaf adds", {}});
  data.add({"forest_left", {"forest_node"}, forest.left, "1", "node for values below the threshold", {}});
  data.add({"forest_right", {"forest_node"}, forest.right, "1", "node for other values", {}});
  data.add({"forest_missing_left", {"forest_node"}, forest.missing_left, "1", "1: rows without a value go left", {}});
}

study::BoostedTrees read_forest(study::ModelVariables& file, const Dataset& data, Index columns) {
  const auto held = [&](const char* name) { return data.has(name) ? data.at(name).size() : 0; };
  const std::size_t trees = held("forest_root"), nodes = held("forest_column");
  study::BoostedTrees forest;
  forest.columns = columns;
  forest.base = file.scalar<double>("forest_base");
  forest.roots = file.list<std::int64_t>("forest_root", {trees});
  forest.column = file.list<std::int64_t>("forest_column", {nodes});
  forest.value = file.list<float>("forest_value", {nodes});
  forest.left = file.list<std::int64_t>("forest_left", {nodes});
  forest.right = file.list<std::int64_t>("forest_right", {nodes});
  forest.missing_left = file.list<std::uint8_t>("forest_missing_left", {nodes});
  const std::string fault = study::fault_of(forest, columns);
  if (!fault.empty()) file.refuse("its trees do not fit: ", fault, "; train the model again.");
  return forest;
}

void add_rows(Dataset& data, const RowMemory& rows) {
  data.dimension("rows_column", rows.columns.size());
  data.dimension("rows_row", rows.values.size());
  data.add({"rows_width", {}, std::vector<double>{rows.width}, "1", "width of the scores", {}});
  data.add({"rows_place", {"rows_column"}, rows.columns, "1", "column that is compared", {}});
  data.add({"rows_mean", {"rows_column"}, rows.mean, "1", "mean over the rows that taught", {}});
  data.add({"rows_deviation", {"rows_column"}, rows.deviation, "1", "standard deviation over them", {}});
  data.add({"rows_value", {"rows_row"}, rows.values, "%", "moisture", {}});
  data.add({"rows_key",
            {"rows_row", "rows_column"},
            std::vector<double>(rows.keys.data(), rows.keys.data() + rows.keys.size()),
            "1",
            "what rows are compared by, scaled",
            {}});
}

/// Finite numbers; above 0 where they divide.
const std::vector<double>& finite(study::ModelVariables& file, const char* name, const std::vector<std::size_t>& shape,
                                  bool above_zero = false) {
  const std::vector<double>& numbers = file.list<double>(name, shape);
  for (const double number : numbers)
    if (!std::isfinite(number) || (above_zero && !(number > 0)))
      file.refuse("/", name, " has ", number, ", but must have finite numbers", above_zero ? " above 0" : "",
                  "; train the model again.");
  return numbers;
}

RowMemory read_rows(study::ModelVariables& file, const Dataset& data, Index columns) {
  const auto held = [&](const char* name) { return data.has(name) ? data.at(name).size() : 0; };
  const std::size_t rows = held("rows_value"), width = held("rows_place");
  if (rows == 0 || width == 0) file.refuse("has a weight of rows, but no rows; train the model again.");
  RowMemory memory;
  memory.columns = file.list<std::int64_t>("rows_place", {width});
  for (const std::int64_t column : memory.columns)
    if (column < 0 || column >= columns)
      file.refuse("/rows_place has ", column, ", but there are ", columns, " columns; train the model again.");
  memory.mean = finite(file, "rows_mean", {width});
  memory.deviation = finite(file, "rows_deviation", {width}, true);
  memory.values = finite(file, "rows_value", {rows});
  memory.keys = Eigen::Map<const Matrix<double>>(finite(file, "rows_key", {rows, width}).data(),
                                                 static_cast<Index>(rows), static_cast<Index>(width));
  memory.width = finite(file, "rows_width", {}, true)[0];
  return memory;
}

double at_least_zero(study::ModelVariables& file, const char* name) {
  const double number = file.scalar<double>(name);
  if (!(std::isfinite(number) && number >= 0))
    file.refuse("/", name, " has the value ", number, ", but must be finite and at least 0; train the model again.");
  return number;
}

}  // namespace

Dataset moisture_model_dataset(const study::LearnedTask& task, const MoistureModel& model) {
  Dataset data = study::model_dataset(task, model.attention);
  data.attributes[kAttentionHash] = data.attributes[kHash];
  const auto number = [&](const char* name, double value, const char* meaning) {
    data.add({name, {}, std::vector<double>{value}, "1", meaning, {}});
  };
  data.add({"months", {}, std::vector<std::int64_t>{model.months}, "1", "months of a row that the forest sees", {}});
  number("forest_share", model.forest_share, "weight of the forest in a prediction");
  number("rows_share", model.rows_share, "weight of the rows that taught in a prediction");
  number("constant_share", model.constant_share, "weight of the mean of the training rows in a prediction");
  number("interval_low", model.low, "deviations from the lower end to the prediction");
  number("interval_high", model.high, "deviations from the prediction to the upper end");
  if (model.forest_share > 0) add_forest(data, *model.forest);
  if (model.rows_share > 0) add_rows(data, *model.rows);
  fusion::model::seal(data);
  return data;
}

MoistureModel read_moisture_model(const std::string& source, const Dataset& data, const study::LearnedTask& task) {
  fusion::model::check_seal(source, data);
  MoistureModel model{study::read_model(source, attention_part(data), task), {}, {}, 0, 0, 0, 0, 0, 0};
  const Dataset part = part_of(data, true);
  study::ModelVariables file(source, part);
  const auto months = file.scalar<std::int64_t>("months");
  if (months < 1 || months > kMostMonths)
    file.refuse("/months is ", months, ", but must be in 1 to ", kMostMonths, "; train the model again.");
  model.months = months;
  model.forest_share = at_least_zero(file, "forest_share"), model.rows_share = at_least_zero(file, "rows_share");
  if (part.has("constant_share")) model.constant_share = at_least_zero(file, "constant_share");  // older files: 0
  if (model.forest_share + model.rows_share + model.constant_share > 1 + kRounding)
    file.refuse("/forest_share, /rows_share and /constant_share are together above 1; train the model again.");
  model.low = at_least_zero(file, "interval_low"), model.high = at_least_zero(file, "interval_high");
  const Index columns = std::ssize(model.attention.preparation.features) * model.months;
  if (model.forest_share > 0) model.forest = read_forest(file, part, columns);
  if (model.rows_share > 0) model.rows = read_rows(file, part, columns);
  file.refuse_others();
  return model;
}

}  // namespace fovea::fusion::moisture
