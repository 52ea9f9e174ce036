#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/study/baselines/baselines.hpp"

namespace fovea::study {

namespace {

/// The means of one case, class after class: its number columns, its shares of categories, and how many tokens it has.
/// inputs: of numbers [value, mark 1 where there is none], of categories one column each.
void add_class_means(const Cases& cases, const Matrix<float>& inputs, Index item, Index per_class,
                     Eigen::Ref<Matrix<double>> row) {
  std::vector<double> counts(row.cols(), 0.0);
  for (Index i = cases.offsets[item]; i < cases.offsets[item + 1]; ++i) {
    const std::size_t token = i;
    if (!cases.ends.empty() && cases.times[token] > cases.ends[item]) continue;
    Index column = 0, to = per_class * static_cast<Index>(cases.kinds[token]);
    for (const Feature& feature : cases.features) {
      const bool number = feature.categories.empty(), there = !number || inputs(i, column + 1) == 0;
      const Index width = number ? 1 : static_cast<Index>(feature.categories.size());
      for (Index k = 0; k < width; ++k, ++to) {
        row(0, to) += static_cast<double>(inputs(i, column + k));
        counts[to] += there ? 1 : 0;
      }
      column += number ? 2 : width;
    }
    row(0, to) += 1;
  }
  for (Index c = 0; c < row.cols(); ++c) {
    if (c % per_class == per_class - 1)
      row(0, c) = logarithm(1 + row(0, c));
    else if (counts[c] > 0)
      row(0, c) /= counts[c];
  }
}

Matrix<double> mean_inputs_of_classes(const Cases& cases, const Matrix<float>& inputs,
                                      const std::vector<Index>& items) {
  Index per_class = 1;  // the number of tokens
  for (const Feature& feature : cases.features)
    per_class += feature.categories.empty() ? 1 : static_cast<Index>(feature.categories.size());
  Matrix<double> means =
      Matrix<double>::Zero(static_cast<Index>(items.size()), per_class * static_cast<Index>(cases.classes.size()));
  for (std::size_t k = 0; k < items.size(); ++k)
    add_class_means(cases, inputs, items[k], per_class, means.middleRows(static_cast<Index>(k), 1));
  return means;
}

}  // namespace

Matrix<double> mean_inputs(const Cases& cases, const Matrix<float>& inputs, const Target& target,
                           const std::vector<Index>& items) {
  const bool each_token = target.level == TargetLevel::per_token;
  if (!each_token && !cases.classes.empty()) return mean_inputs_of_classes(cases, inputs, items);
  Index rows = 0;
  for (const Index item : items) rows += each_token ? cases.size(item) : 1;
  Matrix<double> means = Matrix<double>::Zero(rows, inputs.cols() + (each_token ? 0 : 1));
  Index row = 0;
  for (const Index item : items) {
    const Index first = cases.offsets[item], size = cases.size(item);
    if (each_token) {
      means.middleRows(row, size) = inputs.middleRows(first, size).cast<double>();
      row += size;
      continue;
    }
    for (Index i = first; i < first + size; ++i) means.row(row).head(inputs.cols()) += inputs.row(i).cast<double>();
    if (size > 0) means.row(row) /= static_cast<double>(size);
    means(row, inputs.cols()) = logarithm(1 + static_cast<double>(size));
    ++row;
  }
  return means;
}

std::vector<std::string> mean_input_names(const Preparation& preparation, const Target& target) {
  std::vector<std::string> names;
  const std::size_t features = preparation.features.size();
  const bool each_token = target.level == TargetLevel::per_token;
  const bool classed = !each_token && !preparation.classes.empty();
  for (std::size_t s = 0; s < (classed ? preparation.scales.size() : features); ++s) {
    const std::size_t f = s % features;
    const std::string name = classed ? preparation.scale_name(s) : preparation.features[f].name;
    for (const std::string& category : preparation.features[f].categories) names.push_back(name + " = " + category);
    if (preparation.features[f].categories.empty()) names.push_back(name);
    if (preparation.features[f].categories.empty() && !classed && preparation.width(f) == 2)
      names.push_back(name + " missing");
    if (classed && f + 1 == features) names.push_back("number of " + preparation.classes[s / features]);
  }
  if (!each_token && !classed) names.emplace_back("number of tokens");
  return names;
}

}  // namespace fovea::study
