/// The experiment "opinion.measure": how polarised the answers of a survey or the sides of a network are, with
/// intervals, null models and changes. outcome.hpp says what it writes.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/base/place.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/config/keys.hpp"
#include "fovea/datasets/text/names.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/keys.hpp"
#include "fovea/domains/opinion/measure/findings.hpp"
#include "fovea/domains/opinion/measure/outcome.hpp"
#include "fovea/domains/opinion/measure/sample.hpp"
#include "fovea/domains/opinion/measures/measure_table.hpp"

namespace fovea::opinion::measure {

namespace {

struct Material {
  std::shared_ptr<const Answers> answers;
  std::shared_ptr<const Ties> ties;
};

bool is_number(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
}

/// What is read: a table, a network, or both.
struct Reading {
  NetworkPlan network;
  survey::AnswerColumns columns;
};

/// What is computed.
struct MeasureAsked {
  Plan plan;
  Index categories = 0;
  std::vector<std::string> measures;  ///< empty: all
  double camps_gap = 0, der_bandwidth = 0;
};

const Keys<MeasureAsked>& plan_keys() {
  using Asked = MeasureAsked;
  static const auto keys =
      Keys<Asked>()
          .key("measures", &Asked::measures, "names of fovea list measures; empty: all that apply")
          .key("bootstrap.draws", inside(&Asked::plan, &Plan::draws), Range::between(-1, 100000), "",
               "draws for the intervals; 0: no intervals; -1: 1000, of large inputs fewer, by the time they take")
          .key("bootstrap.level", inside(&Asked::plan, &Plan::level), Range::between(0.5, 0.999), "",
               "confidence level of the intervals")
          .key("null.draws", inside(&Asked::plan, &Plan::null_draws), Range::between(-1, 100000), "",
               "draws of the null model; 0: no null model; -1: 200, of large inputs fewer")
          .key(within(Range::at_least(0), kCampsGap), &Asked::camps_gap,
               "longest step inside a camp; 0: one step of the scale, else a tenth of the standard deviation")
          .key("der.bandwidth", &Asked::der_bandwidth, Range::at_least(0), "opinion",
               "of der; 0: the authors' rule for the mean group, at least half a step of the scale");
  return keys;
}

const Keys<MeasureAsked>& category_keys() {
  static const auto keys =
      Keys<MeasureAsked>().key("data.categories", &MeasureAsked::categories, Range::between(0, 1000), "",
                               "categories of the scale for agreement, at least 3; 0: the points of the scale, else 7");
  return keys;
}

const Keys<Reading>& table_keys() {
  static const auto keys =
      Keys<Reading>()
          .file(kDataFile, inside(&Reading::network, &NetworkPlan::file),
                "answers or nodes: a table with a header; .csv or .csv.gz; none, nor edges: the karate club")
          .group(survey::answer_keys(), &Reading::columns);
  return keys;
}

const Keys<NetworkPlan>& network_keys() {
  static const auto keys =
      Keys<NetworkPlan>()
          .file(kEdges, &NetworkPlan::edges)
          .key(kRelation, &NetworkPlan::relation)
          .added_later()
          .key(kUseWeights, &NetworkPlan::use_weights, "edges count by their weight")
          .key("network.node", &NetworkPlan::node, "column of data.file with the names of the nodes")
          .key("sides.column", &NetworkPlan::side,
               "column of data.file, or attribute of a graph document, with the side of each node or answer; empty: of "
               "nodes recognised; none: by opinion, or from the network")
          .key("sides.neutral", &NetworkPlan::neutral,
               "opinion between two sides; auto: the middle of data.scale, else 0 or the middle of the opinions")
          .key("walk.hubs", &NetworkPlan::hubs, Range::at_least(0), "",
               "hubs of each side where random walks end; 0: no walks");
  return keys;
}

MeasureAsked asked_of(const Config& config) { return plan_keys().read(config, category_keys().read(config)); }

Reading reading_of(const Config& config) {
  Reading reading = table_keys().read(config);
  NetworkPlan& network = reading.network;
  network = network_keys().read(config, network);
  network.value = reading.columns.value;
  network.missing = reading.columns.missing;
  network.scale = reading.columns.scale;
  reading.columns = survey::with_scale(reading.columns);
  reading.columns.side = network.side;
  if (!network.edges.empty()) reading.columns.node = network.node;
  return reading;
}

Plan plan_of(const Config& config) {
  Plan plan = asked_of(config).plan;
  plan.hubs = reading_of(config).network.hubs;
  return plan;
}

bool is_whole(double value) { return std::floor(value) == value; }

/// The step of a scale of few answers: 1 where it is given by whole numbers, else the least difference of two answers;
/// 0 where they are not on a scale.
double step_of(const Answers& answers, const survey::Scale& scale, bool given) {
  constexpr std::size_t kMostPoints = 101, kAnswersEach = 10;
  std::set<double> points;
  for (const double value : answers.value) {
    points.insert(value);
    if (points.size() > kMostPoints) return 0;
  }
  const bool whole = is_whole(scale.low) && is_whole(scale.high) && std::all_of(points.begin(), points.end(), is_whole);
  if (given && whole && scale.high - scale.low < static_cast<double>(kMostPoints)) return 1;
  if (points.size() < 2 || answers.value.size() < kAnswersEach * points.size()) return 0;
  double step = INFINITY;
  for (auto one = points.begin(), next = std::next(one); next != points.end(); ++one, ++next)
    step = std::min(step, *next - *one);
  for (const double point : points)
    if (const double steps = (point - scale.low) / step; std::abs(steps - std::round(steps)) > 1e-6) return 0;
  return step;
}

survey::Scale scale_of_answers(const std::string& ends, const Answers& answers, Results& results) {
  if (!ends.empty()) return survey::scale_of(ends);
  const auto [low, high] = std::minmax_element(answers.value.begin(), answers.value.end());
  if (*low == *high) return {*low - 0.5, *high + 0.5};  // said by say_if_constant()
  results.note(concat("The scale is taken to run from the least answer, ", *low, ", to the largest, ", *high,
                      "; give its ends with data.scale (--scale) if it is longer."));
  return {*low, *high};
}

void say_if_constant(const Answers& answers, Results& results) {
  const auto [low, high] = std::minmax_element(answers.value.begin(), answers.value.end());
  if (*low == *high && answers.value.size() > 1)
    results.note(concat("All answers are ", *low, ": there is no spread to measure, and none in the null model."));
}

measures::LineSettings line_settings(const MeasureAsked& asked, const std::string& ends, const Answers& answers,
                                     Results& results, double& step) {
  measures::LineSettings line;
  const survey::Scale scale = scale_of_answers(ends, answers, results);
  line.scale_low = scale.low;
  line.scale_high = scale.high;
  step = step_of(answers, scale, !ends.empty());
  const double points = step > 0 ? std::round((scale.high - scale.low) / step) + 1 : 7;
  line.categories = asked.categories > 0 ? asked.categories : static_cast<Index>(std::clamp(points, 3.0, 1000.0));
  constexpr Index kMostParts = 11;  // of more, sides of some hundred people hardly overlap whatever they think
  line.parts = asked.categories > 0 || line.categories <= kMostParts ? line.categories : kMostParts - 1;
  Answers together = answers;  // one group
  std::fill(together.group.begin(), together.group.end(), 0);
  together.groups.resize(1);
  const measures::Masses masses = masses_of(together, 0);
  line.der_bandwidth = line.camp_gap = 1;
  const auto names = measures::line_measures();
  const std::size_t sd_at = std::find(names.begin(), names.end(), "sd") - names.begin();
  const double sd = measures::measure_line(masses, line)[sd_at];
  double size = 0;
  for (const double of : effective_sizes(answers)) size += of / static_cast<double>(answers.groups.size());
  const double rule = measures::der_bandwidth(sd, std::floor(std::max(1.0, size)), line.der_alpha);
  line.der_bandwidth = std::max(rule, step / 2);
  if (!(line.der_bandwidth > 0)) line.der_bandwidth = 1;  // all answers are equal: der is 0
  if (asked.der_bandwidth > 0) line.der_bandwidth = asked.der_bandwidth;
  line.camp_gap = step > 0 ? step * (1 + 1e-9) : sd > 0 ? 0.1 * sd : 1;
  if (asked.camps_gap > 0) line.camp_gap = asked.camps_gap;
  results.scalar("der_bandwidth", line.der_bandwidth, "1", "bandwidth of der, the same for all groups");
  results.scalar("camp_gap", line.camp_gap, "1", "longest step inside a camp");
  return line;
}

/// Puts the chosen measures of both parts side by side, alphabetical.
Measured joined(const std::vector<std::string>& chosen, const Estimates* of_answers, const Estimates* of_ties,
                const std::vector<AnswerGroup>& groups) {
  Measured measured;
  measured.groups = groups;
  measured.estimate.resize(groups.size());
  for (const Change& change : of_answers != nullptr ? of_answers->changes : of_ties->changes)
    measured.changes.push_back({change.from, change.to, {}});
  for (const measures::MeasureEntry& entry : measures::measures()) {
    const std::string name(entry.name);
    if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), name) == chosen.end()) continue;
    for (const Estimates* of : {of_answers, of_ties}) {
      if (of == nullptr) continue;
      const std::size_t at = std::find(of->names.begin(), of->names.end(), name) - of->names.begin();
      if (at == of->names.size()) continue;
      measured.names.push_back(name);
      for (std::size_t g = 0; g < groups.size(); ++g) measured.estimate[g].push_back(of->group[g][at]);
      for (std::size_t c = 0; c < measured.changes.size(); ++c) measured.changes[c].of.push_back(of->changes[c].of[at]);
    }
  }
  return measured;
}

/// The null model of a star, or of any network that is the only one with its degrees, is itself.
void say_if_rigid(const Ties& ties, const Plan& plan, const Random& random, Results& results) {
  if (plan.null_draws == 0 || rewired(ties.graph, random).edges != ties.graph.edges) return;
  results.note(
      "No two edges of this network can exchange their ends, so there is no other one with the same degrees: the null "
      "model is the network itself and says nothing.");
}

/// What of the table is counts, and what of it is not used.
void say_how_rows_count(const Answers& answers, bool network, Results& results) {
  results.finding(CountsRead{answers.counts_name, answers.counted, std::ssize(answers.value)});
  if (network) return;  // that of its nodes is said with the edges
  const auto named = [](const auto& names) { return datasets::text::listed(names, &datasets::text::quoted, 5); };
  const bool alike = answers.weight.empty() && answers.counts_name.empty();
  results.finding(SurveyColumnsUnused{std::ssize(answers.unread), named(answers.unread),
                                      alike ? named(survey::weights_among(answers.unread)) : ""});
}

/// Why a measure cannot be asked for; empty: it can.
std::string refusal_of(const std::string& name, bool network, bool sides) {
  try {
    if (measures::find_measure(name).needs_network && !network)
      return concat("measures has ", name, ", which needs a network; give network.edges (--edges).");
  } catch (const ArgumentError& error) {
    return error.what();
  }
  const auto line = measures::line_measures(), between = measures::side_measures();
  const bool of_sides = std::find(between.begin(), between.end(), name) != between.end();
  if (of_sides && !sides)
    return concat("measures has ", name, ", which compares sides; name their column with sides.column (--sides).");
  const bool known = of_sides || std::find(line.begin(), line.end(), name) != line.end() ||
                     std::find(tie_measures().begin(), tie_measures().end(), name) != tie_measures().end();
  return known ? "" : concat("measures has ", name, ", which is of directions or of attention, not of a table.");
}

class Measure : public Experiment {
 public:
  std::string_view name() const override { return "opinion.measure"; }
  std::string_view summary() const override {
    return "measures of polarization of a survey's answers or of the sides of a network, with intervals, null models "
           "and changes between waves";
  }
  int result_version() const override { return 4; }

  Schema schema() const override {
    Schema schema;
    table_keys().declare(schema);
    category_keys().declare(schema);
    network_keys().declare(schema);
    plan_keys().declare(schema);
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    const NetworkPlan network = reading_of(config).network;
    const MeasureAsked asked = asked_of(config);
    const bool file = !network.file.empty(), edges = !network.edges.empty();
    const auto refuse = [&](const char* key, const std::string& sentence) {
      complaints.add(config.source(key), sentence);
    };
    if (!network.scale.empty()) try {
        survey::scale_of(network.scale);
      } catch (const ArgumentError& error) {
        refuse("data.scale", concat("data.scale: ", error.what()));
      }
    if (network.neutral != "auto" && !is_number(network.neutral))
      refuse("sides.neutral", concat("sides.neutral = \"", network.neutral, "\", but must be a number or auto."));
    if (asked.categories == 1 || asked.categories == 2)
      refuse("data.categories", concat("data.categories = ", asked.categories, ", but must be 0 or at least 3."));
    for (const std::string& chosen : asked.measures)
      if (const std::string wrong =
              refusal_of(chosen, edges || !file, edges || (!network.side.empty() && network.side != "none"));
          !wrong.empty())
        refuse("measures", wrong);
    const survey::AnswerColumns columns = reading_of(config).columns;
    if (std::find(columns.by.begin(), columns.by.end(), network.side) != columns.by.end() ||
        (!network.side.empty() && network.side == columns.value))
      refuse("sides.column", concat("sides.column = \"", network.side,
                                    "\" is also in data.by or data.value, so that nothing is left to compare."));
    if (!file)
      for (const char* key : {"data.value", "data.by", "data.wave", "data.weight", "data.respondent", "data.scale"}) {
        const bool of_attributes = edges && (key == std::string("data.value") || key == std::string("data.scale"));
        if (!config.is_default(key) && !of_attributes)
          refuse(key, concat(key, " is given, but data.file is not; give the table."));
      }
    if (!edges)
      for (const char* key : {"network.relation", "network.use_weights", "sides.column", "sides.neutral"})
        if (!config.is_default(key) && !(file && key == std::string("sides.column")))
          refuse(key, concat(key, " is given, but network.edges is not; give the edges."));
  }

  Inputs open(const Config& config) const override {
    Material material;
    const auto [network, columns] = reading_of(config);
    if (!network.file.empty())
      material.answers = std::make_shared<const Answers>(survey::read_answers(network.file, columns));
    if (material.answers) sides_of(*material.answers, network.file, !network.edges.empty());  // or refuses them
    if (!network.edges.empty() || network.file.empty())
      material.ties = std::make_shared<const Ties>(read_ties(network, material.answers));
    return as_inputs(std::move(material));
  }

  RunCost cost(const Config& config, const Inputs& inputs) const override {
    if (inputs.empty()) return {};
    const auto material = inputs.as<Material>();
    Plan plan = plan_of(config);
    plan_draws(material->answers.get(), material->ties.get(), plan);
    const double seconds = plan.seconds / static_cast<double>(thread_count());
    return {seconds, seconds, 0};
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    require(!inputs.empty(), "opinion.measure: the files were not opened; pass to run() what open() returns.");
    const auto material = inputs.as<Material>();
    const MeasureAsked asked = asked_of(config);
    const Reading reading = reading_of(config);
    Plan plan = plan_of(config);
    std::vector<AnswerGroup> groups{{"all", "", ""}};
    std::optional<Answers> answers;
    std::optional<Estimates> of_answers, of_ties;
    double step = 0;
    NodeSides sides;
    if (material->answers) {
      for (const std::string& note : material->answers->notes) results.note(note);
      say_how_rows_count(*material->answers, material->ties != nullptr, results);
      if (!material->answers->value.empty()) answers = with_opinions(*material->answers);
      if (answers) sides = sides_of(*answers, config.text("data.file"), material->ties != nullptr);
      groups = material->answers->groups;
    }
    plan_draws(answers ? &*answers : nullptr, material->ties.get(), plan);
    results.finding(DrawsByTime{plan.draws, plan.null_draws, asked.plan.draws < 0 ? kUsualDraws : plan.draws,
                                asked.plan.null_draws < 0 ? kUsualNullDraws : plan.null_draws});
    DrawsDone done;
    if (const auto saved = bench.restored()) restore_state(*saved, done);
    plan.done = &done;
    plan.progress = [&](double share) {
      bench.progress(share);
      bench.checkpoint([&] { return saved_state(done); });
    };
    const double share_of_answers = material->ties ? 0.2 : 1;
    if (answers) {
      plan.to = share_of_answers;
      plan.line = line_settings(asked, reading.columns.scale, *answers, results, step);
      say_if_constant(*answers, results);
      of_answers = estimate_answers(*answers, plan, step, random.stream("answers"), sides);
    }
    if (material->ties) {
      for (const Finding& finding : material->ties->findings) results.record(finding);
      for (const std::string& note : material->ties->notes) results.note(note);
      plan.from = answers ? share_of_answers : 0;
      plan.to = 1;
      of_ties = estimate_ties(*material->ties, groups, plan, random.stream("ties"));
      say_if_rigid(*material->ties, plan, random.stream("ties"), results);
    }
    Measured measured =
        joined(asked.measures, of_answers ? &*of_answers : nullptr, of_ties ? &*of_ties : nullptr, groups);
    if (answers) measured.few = few_groups(*answers, results);
    if (!sides.side.empty()) {
      measured.side_column = answers->side_name.empty() ? "the nodes" : answers->side_name;
      measured.side_names = sides.side_names;
    }
    if (measured.names.empty())
      throw DataError(concat(config.text("data.file"),
                             ": has no opinions, and all measures chosen are of opinions; name their column with "
                             "data.value (--value)."));
    results.title(concat(Place(config.text(config.text("data.file").empty() ? "network.edges" : "data.file")).name(),
                         ": polarization of ",
                         answers && !answers->value_name.empty() ? answers->value_name : "the network"));
    write_measured(measured, answers ? &*answers : nullptr, sides, material->ties.get(), plan, step, results);
  }
};

}  // namespace

std::unique_ptr<Experiment> make_measure() { return std::make_unique<Measure>(); }

}  // namespace fovea::opinion::measure
