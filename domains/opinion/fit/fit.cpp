/// The experiment "opinion.fit": the temperature and stubbornness that explain a series of samples of opinions.
///
/// One point writes, over "window" (the middle of its periods): temperature, stubbornness, each with _low and _high
/// (the ends of the profile-likelihood interval) and _open and _low_open (1: the data do not close it on that side),
/// correlation (of the estimates of log T and logit s), and over ("window", "explanation") log_likelihood and held_out,
/// both against the frozen explanation; unchanging_p (of the hypothesis that nothing moves) over "window";
/// measured_density and fitted_density over ("period", "opinion"), on a grid the shares of the answers; stayed over
/// "period". With a single window also scalars *_estimate, and deviance over (surface_stubbornness,
/// surface_temperature). Simulated: truth_temperature, truth_stubbornness, truth_moves.

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/fit/outcome.hpp"
#include "fovea/domains/opinion/fit/survey.hpp"

namespace fovea::opinion::fit {

namespace {

void add_truth_keys(Schema& schema) {
  schema.real("truth.temperature", 0.15, Range::positive(), "opinion^2", "simulated: T");
  schema.real("truth.stubbornness", 0.1, Range::between(0, 1), "", "simulated: s");
  schema.real("truth.drift", 0, Range::between(-10, 10), "opinion", "simulated: shift of all opinions in each step");
  schema.real("truth.growth", 0, Range::between(-1, 1), "",
              "simulated: growth of the logarithm of the distances from the mean in each step");
  schema.real("truth.noise", 0.1, Range::positive(), "opinion", "simulated: standard deviation of a measurement");
  schema.real("truth.separation", 1.2, Range::at_least(0), "opinion",
              "simulated: distance of the two halves at period 0");
  schema.real("truth.spread", 0.5, Range::positive(), "opinion",
              "simulated: standard deviation of each half at period 0");
  schema.integer("truth.agents", 2000, Range::between(10, 1e6), "", "simulated: agents");
  schema.integer("truth.periods", 12, Range::between(2, 1000), "", "simulated: number of samples");
  schema.integer("truth.sample", 2500, Range::between(4, 1e6), "", "simulated: agents measured in each period");
  schema.real("truth.turnover", 1, Range::between(0, 1), "",
              "simulated: share of the sample that is replaced in each period");
  schema.integer("truth.points", 0, Range::between(0, 101), "",
                 "simulated: points of the scale on which answers are given; 0: any number");
}

void add_survey_keys(Schema& schema) {
  schema.file("data.file", "file: a table of answers, a row each, or voteview's table of members; .csv or .csv.gz");
  survey::add_answer_keys(schema);
  schema.text("data.only", "", "file: the group of data.by whose rows count");
  schema.choice("data.answers", "found", {"found", "continuous"},
                "file: answers on a grid are recognised, or taken as continuous");
  schema.real(
      "data.cell", 0, Range::at_least(0), "answers",
      "file: width of the cells in which answers are counted; 0: a point of the scale, or what answers heap on");
}

SimulatedTruth truth_of(const Config& config) {
  SimulatedTruth truth;
  truth.temperature = config.real("truth.temperature");
  truth.stubbornness = config.real("truth.stubbornness");
  truth.drift = config.real("truth.drift");
  truth.growth = config.real("truth.growth");
  truth.noise = config.real("truth.noise");
  truth.separation = config.real("truth.separation");
  truth.spread = config.real("truth.spread");
  truth.agents = config.integer("truth.agents");
  truth.periods = config.integer("truth.periods");
  truth.sample = config.integer("truth.sample");
  truth.turnover = config.real("truth.turnover");
  truth.points = config.integer("truth.points");
  truth.steps_per_period = config.integer("fit.steps_per_period");
  return truth;
}

bool is_simulated(const Config& config) { return config.text("fit.data") == "simulated"; }

/// Voteview's table has no column of answers to be named.
bool is_survey(const Config& config) { return !is_simulated(config) && !config.text("data.value").empty(); }

OpinionSeries file_series(const Config& config) {
  if (is_survey(config))
    return survey_series(config.text("data.file"),
                         {survey::columns_of(config), config.text("data.only"),
                          config.text("data.answers") == "continuous", config.real("data.cell")});
  return senate_series(config.text("data.file"), config.text("fit.chamber"), config.integer("fit.first"),
                       config.integer("fit.last"));
}

class Fit : public Experiment {
 public:
  std::string_view name() const override { return "opinion.fit"; }
  std::string_view summary() const override {
    return "temperature and stubbornness estimated from repeated samples of opinions, with profile-likelihood "
           "intervals";
  }
  int result_version() const override { return 4; }

  Schema schema() const override {
    Schema schema;
    schema.choice("fit.data", "simulated", {"simulated", "file"},
                  "what is fitted: a simulated crowd with known parameters, or a file");
    schema.text("fit.chamber", "Senate", "voteview: rows of this chamber");
    schema.integer("fit.first", 46, Range::at_least(1), "", "voteview: first Congress; the 46th met in 1879");
    schema.integer("fit.last", 119, Range::at_least(1), "", "voteview: last Congress");
    schema.integer("fit.window", 0, Range::at_least(0), "", "periods fitted together; 0: all but those held out");
    schema.integer("fit.stride", 2, Range::at_least(1), "", "periods from one window to the next");
    schema.integer("fit.held_out", 1, Range::at_least(0), "", "periods after a window that are predicted, not fitted");
    schema.integer("fit.components", 2, Range::between(1, 2), "",
                   "normal components of the initial distribution of a window");
    schema.integer("fit.nodes", 81, Range::between(11, 1001), "", "quadrature nodes for each of these components");
    schema.integer("fit.steps_per_period", 1, Range::between(1, 100), "", "steps of the model in a period");
    schema.flag("fit.drift", false, "fit attention together with a drift and a growth, instead of attention alone");
    schema.flag("fit.rivals", true,
                "fit the rival models as well: frozen, drift, uniform, attention, attention and drift");
    schema.real("fit.noise", 0, Range::at_least(0), "opinion", "standard deviation of a measurement; 0: estimated");
    schema.real("fit.level", 0.95, Range::between(0.5, 0.999), "", "confidence level of the intervals");
    schema.integer("fit.surface", 0, Range::between(0, 60), "",
                   "points along each axis of the likelihood surface; 0: no surface");
    schema.integer("fit.permutations", 499, Range::between(99, 99999), "",
                   "permutations of the answers in the test whether anything moves, at most");
    add_survey_keys(schema);
    add_truth_keys(schema);
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    if (!is_simulated(config) && config.text("data.file").empty())
      complaints.add(
          config.source("data.file"),
          "data.file is empty: give a table of answers and name its columns by data.value and data.wave, or "
          "voteview's table of members, Sall_members.csv or HSall_members.csv of voteview.com/data, as it is "
          "or packed with gzip.");
    if (config.integer("fit.first") > config.integer("fit.last"))
      complaints.add(config.source("fit.last"), "fit.last comes before fit.first.");
    check_survey(config, complaints);
    if (is_simulated(config)) check_periods(config, config.integer("truth.periods"), complaints);
  }

  Inputs open(const Config& config) const override {
    return is_simulated(config) ? Inputs{} : as_inputs(file_series(config));
  }

  void check_inputs(const Config& config, const Inputs& inputs) const override {
    Complaints complaints;
    check_periods(config, inputs.as<OpinionSeries>()->times.size(), complaints);
    complaints.raise();
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    const bool simulated = is_simulated(config);
    if (simulated) inputs = as_inputs(simulated_series(truth_of(config), random.stream("crowd")));
    require(!inputs.empty(), "opinion.fit: data.file was not opened; pass to run() what open() returns.");
    const OpinionSeries& series = *inputs.as<OpinionSeries>();
    FitPlan plan;
    plan.settings.model = {config.integer("fit.components"), config.integer("fit.nodes"),
                           config.integer("fit.steps_per_period")};
    plan.settings.noise = config.real("fit.noise");
    plan.settings.level = config.real("fit.level");
    plan.settings.scale = scale_of(series);
    plan.settings.grid = series.grid;
    plan.permutations = static_cast<int>(config.integer("fit.permutations"));
    plan.explanation = config.flag("fit.drift") ? Explanation::attention_drift : Explanation::attention;
    plan.rivals = config.flag("fit.rivals");
    plan.held_out = static_cast<std::size_t>(config.integer("fit.held_out"));
    plan.window = static_cast<std::size_t>(config.integer("fit.window"));
    if (plan.window > 0)
      plan.stride = static_cast<std::size_t>(config.integer("fit.stride"));
    else
      plan.window = series.times.size() - plan.held_out;
    plan.surface = config.integer("fit.surface");
    plan.truth_moves = simulated && truth_of(config).moves();
    const std::vector<ExplainedWindow> windows = explain_windows(plan, series, random.stream("permutations"), bench);
    write_windows(plan, series, windows, results);
    results.scalar("answer_points", static_cast<double>(series.grid.points.size()), "1",
                   "points of the grid on which answers lie; 0: they are continuous");
    for (const std::string& note : series.notes) results.note(note);
    if (!simulated) return;
    results.scalar("truth_moves", truth_of(config).moves() ? 1 : 0, "1", "1 where the simulated crowd moves");
    results.scalar("truth_temperature", config.real("truth.temperature"), "opinion^2", "true temperature");
    results.scalar("truth_stubbornness", config.real("truth.stubbornness"), "1", "true stubbornness");
  }

  void conclude(Results& merged) const override { conclude_fit(merged); }

 private:
  /// Keys that the chosen kind of data does not read, and columns that need each other.
  static void check_survey(const Config& config, Complaints& complaints) {
    const auto unused = [&](const char* key, const std::string& why) {
      if (!config.is_default(key)) complaints.add(config.source(key), concat(key, " is not read: ", why));
    };
    if (!is_survey(config))
      for (const char* key : {"data.wave", "data.weight", "data.respondent", "data.by", "data.only", "data.scale",
                              "data.levels", "data.missing", "data.answers", "data.cell"})
        unused(key, "it describes a table of answers, which fit.data = \"file\" and data.value ask for.");
    if (is_survey(config))
      for (const char* key : {"fit.chamber", "fit.first", "fit.last"})
        unused(key, "it is of voteview's table, but data.value names a column of another one.");
    if (!config.text("data.only").empty() && config.texts("data.by").empty())
      complaints.add(config.source("data.only"), "data.only names a group, but data.by names no column.");
    if (is_survey(config) && config.text("data.wave") == "none")
      complaints.add(config.source("data.wave"), "data.wave = \"none\", but a fit needs waves; name their column.");
    if (config.real("data.cell") > 0 && config.text("data.answers") == "continuous")
      complaints.add(config.source("data.cell"), "data.cell is not read: data.answers = \"continuous\" has no cells.");
    if (const std::string& scale = config.text("data.scale"); !scale.empty()) try {
        survey::scale_of(scale);
      } catch (const ArgumentError& error) {
        complaints.add(config.source("data.scale"), concat("data.scale: ", error.what()));
      }
  }

  static void check_periods(const Config& config, std::size_t periods, Complaints& complaints) {
    const std::size_t held_out = config.integer("fit.held_out");
    const std::size_t window = config.integer("fit.window");
    const std::size_t fitted = window == 0 && periods > held_out ? periods - held_out : window;
    if (fitted < 2 || fitted > periods)
      complaints.add(config.source(window == 0 ? "fit.held_out" : "fit.window"),
                     concat("a window has ", fitted, " of the ", periods, " periods; it must have at least 2.",
                            window == 0 && held_out > 0 && periods > 1 ? " Set fit.held_out = 0 to fit all." : ""));
  }
};

}  // namespace

std::unique_ptr<Experiment> make_fit() { return std::make_unique<Fit>(); }

}  // namespace fovea::opinion::fit
