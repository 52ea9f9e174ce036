#include "fovea/domains/opinion/measure/outcome.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/least_value.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/domains/opinion/measures/measure_table.hpp"
#include "fovea/domains/opinion/society/graph.hpp"

namespace fovea::opinion::measure {

namespace {

constexpr Index kMostDrawn = 2000;  // nodes: more are a cloud
constexpr std::size_t kBins = 40;   // of answers that are not on a scale
constexpr const char* kMain[] = {"random_walk_controversy",
                                 "modularity",
                                 "distance_of_means",
                                 "overlap",
                                 "eta_squared",
                                 "agreement",
                                 "bimodality",
                                 "sd"};

std::size_t place_of(const Measured& measured, const std::string& name) {
  return (std::find(measured.names.begin(), measured.names.end(), name) - measured.names.begin());
}

bool has(const Measured& measured, const std::string& name) { return place_of(measured, name) < measured.names.size(); }

std::string in_a_sentence(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// Estimates of every measure, each with those of all groups (or steps) side by side.
template <typename Groups, typename Of>
std::vector<Estimate> by_measure(const Groups& groups, std::size_t measures, const Of& of) {
  std::vector<Estimate> all;
  for (std::size_t m = 0; m < measures; ++m)
    for (const auto& group : groups) all.push_back(of(group)[m]);
  return all;
}

Estimate itself(const Estimate& estimate) { return estimate; }

void write_estimates(const Measured& measured, const Plan& plan, Results& results) {
  const std::string level = plain_text(100 * plan.level) + " % ";
  results.coordinate("measure", measured.names, "", "measure");
  rows("group", measured.groups, &AnswerGroup::name, "group of answers")
      .text(
          "group_place", [](const AnswerGroup& group) { return group.place.empty() ? "all" : group.place; },
          "group without the wave")
      .write(results);
  rows({"measure", "group"},
       by_measure(
           measured.estimate, measured.names.size(), [](const auto& group) -> auto& { return group; }))
      .interval("value", &itself, "value")
      .ends(level + "interval from: lower end", level + "interval to: upper end")
      .end_names("low", "high")
      .number("null_mean", &Estimate::null_mean, "mean of the null model")
      .number("null_low", &Estimate::null_low, level + "range of the null model, lower end")
      .number("null_high", &Estimate::null_high, level + "range of the null model, upper end")
      .number("null_p", &Estimate::p, "p-value of the null model, both sides")
      .write(results);
  std::vector<double> least(measured.names.size(), 0);
  for (const auto& group : measured.estimate)
    for (std::size_t m = 0; m < least.size(); ++m)
      if (!std::isnan(group[m].p)) least[m] = std::max(least[m], group[m].least_p);
  if (plan.null_draws > 0) set_least(results.data.at("null_p"), "measure", least);
}

void write_changes(const Measured& measured, Results& results) {
  if (measured.changes.empty()) return;
  const auto step = [&](const Change& change) {
    const AnswerGroup &from = measured.groups[change.from], &to = measured.groups[change.to];
    return concat(to.place.empty() ? "" : to.place + ": ", from.wave, " to ", to.wave);
  };
  rows("step", measured.changes, step, "from one wave to the next").write(results);
  rows({"measure", "step"},
       by_measure(
           measured.changes, measured.names.size(), [](const Change& change) -> auto& { return change.of; }))
      .interval("change", &itself, "change from wave to wave")
      .ends("interval, lower end", "interval, upper end")
      .write(results);
  results.scalar("no_change", 0, "", "no change");
}

/// Shares of the answers of each group, and of each of its sides, at the points of the scale or in bins of equal width.
void write_answers(const Answers& answers, const NodeSides& sides, const Plan& plan, double step, Results& results) {
  const double low = plan.line.scale_low, high = plan.line.scale_high;
  const std::size_t bins =
      step > 0 ? static_cast<std::size_t>(std::lround((high - low) / step)) + 1 : std::size_t{kBins};
  const double width = step > 0 ? step : (high - low) / static_cast<double>(bins);
  const std::size_t groups = answers.groups.size(), parts = sides.side_names.size();
  std::vector<double> centre, share(groups * bins, 0), total(groups, 0), count(groups, 0),
      side_share(groups * parts * bins, 0), side_total(groups * parts, 0);
  for (std::size_t b = 0; b < bins; ++b)
    centre.push_back(low + (step > 0 ? static_cast<double>(b) : static_cast<double>(b) + 0.5) * width);
  for (std::size_t row = 0; row < answers.value.size(); ++row) {
    const std::size_t g = answers.group[row];
    const auto bin = static_cast<std::size_t>(
        std::clamp(std::floor((answers.value[row] - centre[0]) / width + 0.5), 0.0, static_cast<double>(bins - 1)));
    share[g * bins + bin] += answers.weight_of(row);
    total[g] += answers.weight_of(row);
    count[g] += 1;
    if (parts == 0 || sides.side[row] < 0) continue;
    const std::size_t part = g * parts + static_cast<std::size_t>(sides.side[row]);
    side_share[part * bins + bin] += answers.weight_of(row);
    side_total[part] += answers.weight_of(row);
  }
  for (std::size_t k = 0; k < share.size(); ++k) share[k] /= total[k / bins];
  for (std::size_t k = 0; k < side_share.size(); ++k) side_share[k] /= side_total[k / bins];  // NaN where nobody is
  results.add("answers", {"group"}, count, "1", "answers");
  results.add("effective_size", {"group"}, effective_sizes(answers), "1", "answers of equal weight that say as much");
  results.coordinate("answer", centre, "", answers.value_name.empty() ? "answer" : answers.value_name);
  results.add("answer_share", {"group", "answer"}, share, "1", "share of the answers");
  Figure figure{.kind = "lines",
                .name = "answers",
                .title = "The answers",
                .caption = concat(step > 0 ? "Share of each point of the scale" : "Share of each bin",
                                  answers.weight.empty() ? "." : ", by weight."),
                .variables = {"answer_share"},
                .x = "answer"};
  if (parts > 0) {
    results.coordinate("side", sides.side_names, "", "side");
    results.add("side_share", {"group", "side", "answer"}, side_share, "1", "share of the answers of its side");
    Figure by_side = figure;
    by_side.name = "sides", by_side.title = "The answers of each side", by_side.variables = {"side_share"};
    if (parts <= kMostLines) by_side.hue = "side";
    results.figure(by_side);
  }
  if (groups > 1 && groups <= kMostLines) figure.hue = "group";
  results.figure(figure);
}

/// node_side, and what is drawn: opinions, else sides by name; of several groups over these as well.
void write_nodes(const Ties& ties, Results& results) {
  const bool one = ties.groups.empty();
  const std::vector<NodeSides> groups = one ? std::vector<NodeSides>{ties} : ties.groups;
  const Over nodes = one ? Over("node") : Over{"group", "node"};
  std::vector<std::pair<Index, std::string>> sides;
  std::vector<double> opinion;
  for (const NodeSides& of : groups) {
    for (const Index s : of.side) sides.emplace_back(s, s < 0 ? "" : of.side_names[s]);
    opinion.insert(opinion.end(), of.opinion.begin(), of.opinion.end());
  }
  using Side = std::pair<Index, std::string>;
  rows(nodes, sides)
      .integer("node_side", &Side::first, "side of the node, the largest is 0; -1: not known")
      .text("node_shown", &Side::second, "side of the node")
      .shown({.array = opinion.empty()})
      .write(results);
  if (!opinion.empty()) results.add("node_opinion", nodes.names, opinion, "opinion", "opinion of the node");
}

void write_network(const Ties& ties, Results& results) {
  results.coordinate("node", ties.names, "", "node");
  write_nodes(ties, results);
  society::write_edges(ties.graph, "number of the node", results);
  results.scalar("nodes", static_cast<double>(ties.graph.nodes), "1", "nodes");
  results.scalar("edges", static_cast<double>(ties.graph.edges.size()), "1", "edges");
  if (ties.graph.nodes > kMostDrawn) return;
  society::write_places(ties.graph, "node", results);
  const bool opinions = results.data.has("node_opinion");
  results.figure({.kind = "network",
                  .name = "network",
                  .title = "The network and its sides",
                  .caption = opinions ? "Colour: the opinion of each node." : "Colour: the side of each node.",
                  .variables = {opinions ? "node_opinion" : "node_shown"},
                  .x = "node",
                  .position_x = "node_x",
                  .position_y = "node_y",
                  .edge_source = "edge_source",
                  .edge_target = "edge_target"});
}

std::string null_words(const Measured& measured, const Ties* ties) {
  const std::string sides = measured.side_column.empty() ? "" : "; of what compares sides, the sides shuffled";
  if (ties != nullptr && measured.groups.size() > 1)
    return concat("a network of the same degrees with other neighbours and the same sides",
                  has(measured, "sd") ? "; of opinions alone, the same ones shuffled over the groups" : "", sides);
  if (ties != nullptr)
    return ties->from == SidesFrom::network
               ? "a network of the same degrees with other neighbours, its sides found in the same way"
               : "a network of the same degrees with other neighbours and the same sides";
  return (measured.groups.size() > 1 ? "the same answers shuffled over the groups"
                                     : "a normal opinion of the same mean and sd on the same scale") +
         sides;
}

/// Of a single group the measures whose range is a part of [-1, 1], on one axis.
void write_bounded(const Measured& measured, Results& results) {
  std::vector<std::pair<std::string, Estimate>> kept;
  for (std::size_t m = 0; m < measured.names.size(); ++m) {
    const measures::MeasureEntry& entry = measures::find_measure(measured.names[m]);
    if (entry.low < -1 || entry.high > 1 || std::isnan(measured.estimate[0][m].value)) continue;
    kept.emplace_back(in_a_sentence(measured.names[m]), measured.estimate[0][m]);
  }
  if (kept.empty()) return;
  using Kept = std::pair<std::string, Estimate>;
  rows("bounded_measure", kept, &Kept::first, "measure between -1 and 1")
      .interval("bounded_value", &Kept::second, "value")
      .ends("interval, lower end", "interval, upper end")
      .end_names("bounded_low", "bounded_high")
      .number(
          "bounded_null", [](const Kept& one) { return one.second.null_mean; }, "null model, mean")
      .write(results);
}

void add_figures(const Measured& measured, const Ties* ties, Results& results) {
  const bool one = measured.groups.size() == 1;
  if (one) write_bounded(measured, results);
  if (!one || results.data.has("bounded_value"))
    results.figure({.kind = "intervals",
                    .name = "measures",
                    .title = one ? "The measures and their null model" : "Each group and its null model",
                    .caption = "Value with its interval; the other sign is the mean of the null model: " +
                               null_words(measured, ties) + ".",
                    .variables = {one ? "bounded_value" : "value"},
                    .references = {one ? "bounded_null" : "null_mean"},
                    .x = one ? "bounded_measure" : "group",
                    .band_low = one ? "bounded_low" : "low",
                    .band_high = one ? "bounded_high" : "high",
                    .value_label = "value",
                    .groups = one ? "" : "group_place"});
  if (!measured.changes.empty())
    results.figure({.kind = "intervals",
                    .name = "changes",
                    .title = "Change from wave to wave",
                    .caption = "Difference from the wave before, with its interval: one that excludes 0 is a change.",
                    .variables = {"change"},
                    .references = {"no_change"},
                    .x = "step",
                    .band_low = "change_low",
                    .band_high = "change_high",
                    .value_label = "change"});
  results.figure({.kind = "table",
                  .name = "numbers",
                  .title = "The numbers",
                  .caption = "Null model: " + null_words(measured, ties) + ".",
                  .variables = {"value", "low", "high", "null_mean", "null_p"},
                  .x = "measure"});
}

std::string value_words(const Estimate& estimate) {
  std::string text = plain_text(estimate.value);
  if (!std::isnan(estimate.low)) text += concat(" (", plain_text(estimate.low), " to ", plain_text(estimate.high), ")");
  return text;
}

/// "agreement 0.41 (0.38 to 0.44), 0.52 in the null model"
std::string sentence_of_one(const Measured& measured) {
  std::string text;
  int named = 0;
  for (const char* name : kMain) {
    if (!has(measured, name) || named == 3) continue;
    const Estimate& estimate = measured.estimate[0][place_of(measured, name)];
    if (std::isnan(estimate.value)) continue;
    text += concat(named++ == 0 ? "" : "; ", in_a_sentence(name), " ", value_words(estimate));
    if (!std::isnan(estimate.null_mean)) text += concat(", in the null model ", plain_text(estimate.null_mean));
  }
  return text;
}

/// "a, b and c".
std::string in_words(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + in_a_sentence(names[k]);
  return text;
}

/// Of unchanging answers 1 - level of the intervals leave 0 out, so how many are expected is said as well.
std::string sentence_of_changes(const Measured& measured, double level) {
  std::size_t asked = 0, changed = 0;
  const Estimate* largest = nullptr;
  std::string where;
  std::vector<std::string> names;
  for (const char* name : kMain)
    if (has(measured, name)) names.emplace_back(name);
  for (const std::string& name : names) {
    const std::size_t m = place_of(measured, name);
    for (const Change& change : measured.changes) {
      const Estimate& of = change.of[m];
      if (std::isnan(of.low) || !measured.speaks(name, change.from) || !measured.speaks(name, change.to)) continue;
      ++asked;
      if (of.low <= 0 && of.high >= 0) continue;
      ++changed;
      const auto size = [](const Estimate& e) { return std::abs(e.value) / std::max(1e-300, e.high - e.low); };
      if (largest != nullptr && size(of) <= size(*largest)) continue;
      largest = &of;
      const AnswerGroup &from = measured.groups[change.from], &to = measured.groups[change.to];
      where = concat(in_a_sentence(name), " from ", from.name, " to ", to.name);
    }
  }
  if (asked == 0) return "";
  std::string text = concat("Of ", asked, " changes of ", in_words(names), " from wave to wave, ", changed,
                            changed == 1 ? " has" : " have", " an interval that excludes 0; ",
                            plain_text((1 - level) * static_cast<double>(asked)), " are expected by chance");
  if (largest != nullptr) text += concat("; the clearest is that of ", where, ", ", value_words(*largest));
  return text;
}

std::string sentence_of_groups(const Measured& measured) {
  for (const char* name : kMain) {
    if (!has(measured, name)) continue;
    const std::size_t m = place_of(measured, name), all = measured.groups.size();
    std::vector<std::size_t> known;
    for (std::size_t g = 0; g < all; ++g)
      if (measured.speaks(name, g) && !std::isnan(measured.estimate[g][m].value)) known.push_back(g);
    if (known.size() < 2) continue;
    const auto [least, most] = std::minmax_element(known.begin(), known.end(), [&](std::size_t a, std::size_t b) {
      return measured.estimate[a][m].value < measured.estimate[b][m].value;
    });
    return concat(known.size(), known.size() < all ? concat(" of ", all) : "", " groups: ", in_a_sentence(name),
                  " ranges from ", value_words(measured.estimate[*least][m]), " in ", measured.groups[*least].name,
                  " to ", value_words(measured.estimate[*most][m]), " in ", measured.groups[*most].name);
  }
  return "";
}

std::string verdict_of(const Measured& measured, double level) {
  std::string text = measured.groups.size() == 1 ? sentence_of_one(measured) : sentence_of_groups(measured);
  if (const std::string changes = sentence_of_changes(measured, level); !changes.empty())
    text += (text.empty() ? "" : ". ") + changes;
  if (text.empty()) return "Measured: see the table.";
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

void add_headlines(const Measured& measured, Results& results) {
  if (measured.groups.size() > 1) return;
  int named = 0;
  for (const char* name : kMain) {
    if (!has(measured, name) || named == 3) continue;
    const Estimate& estimate = measured.estimate[0][place_of(measured, name)];
    if (std::isnan(estimate.value)) continue;
    ++named;
    const measures::MeasureEntry& entry = measures::find_measure(name);
    results.scalar(concat("all_", name), estimate.value, std::string(entry.unit), name);
    results.scalar(concat("all_", name, "_half_width"), (estimate.high - estimate.low) / 2, std::string(entry.unit),
                   "half width of its interval");
    std::string label = in_a_sentence(name);
    label[0] = static_cast<char>(label[0] - 'a' + 'A');
    results.headline({.variable = concat("all_", name),
                      .label = label,
                      .half_width = concat("all_", name, "_half_width"),
                      .meaning = concat(entry.definition, " (", entry.source, ").")});
  }
}

}  // namespace

bool Measured::speaks(const std::string& measure, std::size_t group) const {
  if (few.empty() || few[group] == 0) return true;
  return std::find(tie_measures().begin(), tie_measures().end(), measure) != tie_measures().end();
}

void write_measured(const Measured& measured, const Answers* answers, const NodeSides& sides, const Ties* ties,
                    const Plan& plan, double step, Results& results) {
  write_estimates(measured, plan, results);
  write_changes(measured, results);
  add_headlines(measured, results);
  const bool by_side = !measured.side_column.empty();
  if (by_side) write_sides(measured, *answers, sides, plan, results);
  if (by_side) write_answers(*answers, sides, plan, step, results);
  write_over_waves(measured, answers != nullptr ? answers->wave_name : "wave", results);
  add_figures(measured, ties, results);
  if (answers != nullptr && !by_side) write_answers(*answers, sides, plan, step, results);
  if (ties != nullptr) write_network(*ties, results);
  const std::string of_sides = results.verdict();
  results.verdict(concat(of_sides, of_sides.empty() ? "" : " ", verdict_of(measured, plan.level)));
}

}  // namespace fovea::opinion::measure
