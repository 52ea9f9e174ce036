#include "fovea/domains/fusion/model/answer_maps.hpp"

#include <cmath>

#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"

namespace fovea::fusion::model {

MapPoint map_point(double truth, const SensorAnswers& said, Index row) {
  Index best = 0;
  said.probabilities.row(row).maxCoeff(&best);
  const auto answer = static_cast<double>(best);
  MapPoint point{truth, answer, answer == truth ? 0.0 : 1.0, said.trust(row, 1), 0};
  for (const double p : said.probabilities.row(row))
    if (p > 0) point.entropy -= p * std::log(p);
  return point;
}

std::map<std::string, std::string> class_flags(const std::vector<std::string>& classes,
                                               const std::vector<std::string>& colors) {
  std::string values, meanings, chosen;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const char* gap = c == 0 ? "" : " ";
    values += concat(gap, c), meanings += gap + classes[c], chosen += gap + colors[c % colors.size()];
  }
  return {{"flag_values", values}, {"flag_meanings", meanings}, {"flag_colors", chosen}};
}

void add_answer_maps(const std::vector<MapPoint>& points, const std::vector<std::string>& classes,
                     const std::vector<std::string>& colors, Results& results, bool with_entropy) {
  auto maps = rows({"row", "column"}, points);
  maps.number("truth", &MapPoint::truth, "true class")
      .number("answer", &MapPoint::answer, "class by the model")
      .number("wrong", &MapPoint::wrong, "where the class is wrong")
      .number("trust_map", &MapPoint::trust, "trust in S2");
  if (with_entropy) maps.number("entropy_map", &MapPoint::entropy, "entropy of the answer", "nat");
  maps.write(results);
  const auto describe = [&](const char* map) -> auto& { return results.data.at(map).attributes; };
  for (const char* map : {"truth", "answer"}) describe(map) = class_flags(classes, colors);
  describe("wrong") = class_flags({"right", "wrong"}, {"#e8ecef", "#c0392b"});
  describe("trust_map") = {{"valid_min", "0"}, {"valid_max", "1"}};
  if (with_entropy)
    describe("entropy_map") = {{"valid_min", "0"},
                               {"valid_max", plain_text(std::log(static_cast<double>(classes.size())))}};
}

}  // namespace fovea::fusion::model
