#include "fovea/domains/fusion/moisture/row_memory.hpp"

#include <cmath>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/attention/scores.hpp"
#include "fovea/domains/fusion/moisture/moisture_cases.hpp"

namespace fovea::fusion::moisture {

namespace {

/// Whether a column says something else than the one before it in any row.
bool differs(const Matrix<float>& rows, Index column) {
  for (Index i = 0; i < rows.rows(); ++i) {
    const float now = rows(i, column), before = rows(i, column - 1);
    if (!std::isnan(now) && !std::isnan(before) && now != before) return true;
  }
  return false;
}

Matrix<double> scaled(const RowMemory& memory, const Matrix<float>& rows) {
  Matrix<double> keys(rows.rows(), std::ssize(memory.columns));
  for (std::size_t c = 0; c < memory.columns.size(); ++c)
    for (Index i = 0; i < rows.rows(); ++i) {
      const auto x = static_cast<double>(rows(i, memory.columns[c]));
      keys(i, static_cast<Index>(c)) = std::isnan(x) ? 0 : (x - memory.mean[c]) / memory.deviation[c];
    }
  return keys;
}

}  // namespace

RowMemory row_memory(const study::Cases& cases, const std::vector<Index>& items, Index months, double width) {
  const study::Cases chosen = study::selected(cases, items);
  const Matrix<float> rows = columns_of_moisture(chosen, months);
  RowMemory memory;
  memory.width = width;
  memory.values = chosen.targets;
  for (std::size_t f = 0; f < cases.features.size(); ++f) {
    if (sensor_of_feature(cases.features[f].name) >= 0 || !cases.features[f].categories.empty()) continue;
    for (Index month = 0; month < months; ++month) {
      const Index column = static_cast<Index>(f) * months + month;
      if (month > 0 && !differs(rows, column)) continue;
      double count = 0, sum = 0, squares = 0;
      for (Index i = 0; i < rows.rows(); ++i)
        if (const auto x = static_cast<double>(rows(i, column)); !std::isnan(x)) ++count, sum += x;
      for (Index i = 0; i < rows.rows(); ++i)
        if (const double x = static_cast<double>(rows(i, column)) - sum / count; !std::isnan(x)) squares += x * x;
      if (!(squares > 0)) continue;
      memory.columns.push_back(column);
      memory.mean.push_back(sum / count), memory.deviation.push_back(std::sqrt(squares / count));
    }
  }
  memory.keys = scaled(memory, rows);
  return memory;
}

std::vector<double> answers_of(const RowMemory& memory, const study::Cases& cases, Index months) {
  const Matrix<double> queries = scaled(memory, columns_of_moisture(cases, months)) / memory.width;
  const Matrix<double> keys = memory.keys / memory.width;
  const Matrix<double> values = Eigen::Map<const Matrix<double>>(memory.values.data(), std::ssize(memory.values), 1);
  AttentionSpec<double> spec;
  spec.score = {gaussian_score<double>(), {}};
  const Matrix<double> outputs = attend<double>(queries, keys, values, spec).outputs;
  return {outputs.data(), outputs.data() + outputs.rows()};
}

}  // namespace fovea::fusion::moisture
