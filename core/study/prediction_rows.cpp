#include "fovea/core/study/prediction_rows.hpp"

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::study {

namespace {

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + '"';
}

/// Everything behind the id and the token.
std::string predicted_columns(const Target& target, const Predictions& predictions, Index row) {
  const auto mean = predictions.mean.row(row), spread = predictions.spread.row(row);
  if (target.kind == TargetKind::binary) {
    const bool decided = !predictions.decisions.empty();
    return ',' + exact_text(mean(0)) + ',' + exact_text(spread(0)) +
           (decided ? ',' + exact_text(predictions.decisions[static_cast<std::size_t>(row)]) : "") + '\n';
  }
  if (target.kind == TargetKind::number)
    return ',' + exact_text(mean(0)) + ',' + exact_text(predictions.deviation[static_cast<std::size_t>(row)]) + ',' +
           exact_text(spread(0)) + '\n';
  Index likeliest = 0;
  mean.maxCoeff(&likeliest);
  std::string text = ',' + csv_text(target.classes[static_cast<std::size_t>(likeliest)]);
  for (Index k = 0; k < mean.size(); ++k) text += ',' + exact_text(mean(k));
  return text + ',' + exact_text(spread(likeliest)) + '\n';
}

}  // namespace

std::string prediction_header(const Target& target, bool decided) {
  std::string text = target.level == TargetLevel::per_token ? "id,token," : "id,";
  if (target.kind == TargetKind::binary)
    return text + (decided ? "probability,spread,decision\n" : "probability,spread\n");
  if (target.kind == TargetKind::number) return text + "prediction,deviation,spread\n";
  text += "class,";
  for (const std::string& name : target.classes) text += csv_text("p_" + name) + ',';
  return text + "spread\n";
}

std::string prediction_rows(const Target& target, const Cases& cases, const Predictions& predictions) {
  const bool tokens = target.level == TargetLevel::per_token;
  const Index rows = tokens ? cases.tokens() : cases.count();
  require(predictions.mean.rows() == rows, "predictions: there are ", predictions.mean.rows(), " rows for ", rows,
          tokens ? " tokens" : " cases", "; each needs one.");
  std::string text;
  for (Index item = 0, row = 0; item < cases.count(); ++item) {
    const std::string id = csv_text(cases.ids[static_cast<std::size_t>(item)]);
    for (Index token = 0; token < (tokens ? cases.size(item) : 1); ++token, ++row)
      text += (tokens ? id + ',' + exact_text(token) : id) + predicted_columns(target, predictions, row);
  }
  return text;
}

}  // namespace fovea::study
