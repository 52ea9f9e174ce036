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
#include "fovea/core/config/keys.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/fit/data.hpp"
#include "fovea/domains/opinion/fit/outcome.hpp"
#include "fovea/domains/opinion/keys.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::fit {

namespace {

/// What is read; simulated: nothing.
struct FitSource {
  bool simulated = true;
  std::string chamber = "Senate";
  std::int64_t first = 46, last = 119;  ///< of voteview's table
  std::string file;
  SurveyPlan survey;
  /// Voteview's table has no column of answers to be named.
  bool is_survey() const { return !simulated && !survey.columns.value.empty(); }
};

struct FitAsked {
  FitSource source;
  FitModel model;
  Index window = 0, stride = 2, held_out = 1;
  bool drift = false, rivals = true;
  double noise = 0, level = 0.95;
  Index surface = 0;
  int permutations = 499;
  SimulatedTruth truth;
};

const Keys<SimulatedTruth>& truth_keys() {
  using Truth = SimulatedTruth;
  static const auto keys =
      Keys<Truth>()
          .choice("truth.scenario", &Truth::scenario, scenario_names(),
                  "simulated: own: what the other keys say; else T, s, drift and growth of a crowd without influence "
                  "(heaped to resampled) or with it")
          .key("truth.temperature", &Truth::temperature, Range::positive(), "opinion^2", "simulated: T")
          .key("truth.stubbornness", &Truth::stubbornness, Range::between(0, 1), "", "simulated: s")
          .key("truth.drift", &Truth::drift, Range::between(-10, 10), "opinion",
               "simulated: shift of all opinions in each step")
          .key("truth.growth", &Truth::growth, Range::between(-1, 1), "",
               "simulated: growth of the logarithm of the distances from the mean in each step")
          .key("truth.noise", &Truth::noise, Range::positive(), "opinion",
               "simulated: standard deviation of a measurement")
          .key("truth.separation", &Truth::separation, Range::at_least(0), "opinion",
               "simulated: distance of the two halves at period 0")
          .key("truth.spread", &Truth::spread, Range::positive(), "opinion",
               "simulated: standard deviation of each half at period 0")
          .key("truth.agents", &Truth::agents, Range::between(10, 1e6), "", "simulated: agents")
          .key("truth.periods", &Truth::periods, Range::between(2, 1000), "", "simulated: number of samples")
          .key("truth.sample", &Truth::sample, Range::between(4, 1e6), "", "simulated: agents measured in each period")
          .key("truth.turnover", &Truth::turnover, Range::between(0, 1), "",
               "simulated: share of the sample that is replaced in each period")
          .key("truth.points", &Truth::points, Range::between(0, 101), "",
               "simulated: points of the scale on which answers are given; 0: any number");
  return keys;
}

const Keys<FitSource>& voteview_keys() {
  using Source = FitSource;
  static const auto keys =
      Keys<Source>()
          .choice("fit.data", &Source::simulated, {{"simulated", true}, {"file", false}},
                  "what is fitted: a simulated crowd with known parameters, or a file")
          .key("fit.chamber", &Source::chamber, "voteview: rows of this chamber")
          .key("fit.first", &Source::first, Range::at_least(1), "", "voteview: first Congress; the 46th met in 1879")
          .key("fit.last", &Source::last, Range::at_least(1), "", "voteview: last Congress");
  return keys;
}

const Keys<FitSource>& survey_keys() {
  using Source = FitSource;
  static const auto keys =
      Keys<Source>()
          .file(kDataFile, &Source::file,
                "file: a table of answers, a row each, or voteview's table of members; .csv or .csv.gz")
          .group(survey::answer_keys(), inside(&Source::survey, &SurveyPlan::columns))
          .key("data.only", inside(&Source::survey, &SurveyPlan::only), "file: the group of data.by whose rows count")
          .choice("data.answers", inside(&Source::survey, &SurveyPlan::continuous),
                  {{"found", false}, {"continuous", true}},
                  "file: answers on a grid are recognised, or taken as continuous")
          .key("data.cell", inside(&Source::survey, &SurveyPlan::cell), Range::at_least(0), "answers",
               "file: width of the cells in which answers are counted; 0: a point of the scale, or what answers heap "
               "on");
  return keys;
}

const Keys<FitAsked>& fit_keys() {
  using Asked = FitAsked;
  static const auto keys =
      Keys<Asked>()
          .group(voteview_keys(), &Asked::source)
          .key("fit.window", &Asked::window, Range::at_least(0), "",
               "periods fitted together; 0: all but those held out")
          .key("fit.stride", &Asked::stride, Range::at_least(1), "", "periods from one window to the next")
          .key("fit.held_out", &Asked::held_out, Range::at_least(0), "",
               "periods after a window that are predicted, not fitted")
          .key("fit.components", inside(&Asked::model, &FitModel::components), Range::between(1, 2), "",
               "normal components of the initial distribution of a window")
          .key("fit.nodes", inside(&Asked::model, &FitModel::nodes), Range::between(11, 1001), "",
               "quadrature nodes for each of these components")
          .key("fit.steps_per_period", inside(&Asked::model, &FitModel::steps_per_period), Range::between(1, 100), "",
               "steps of the model in a period")
          .key("fit.drift", &Asked::drift,
               "fit attention together with a drift and a growth, instead of attention alone")
          .key("fit.rivals", &Asked::rivals,
               "fit the rival models as well: frozen, drift, uniform, attention, attention and drift")
          .key("fit.noise", &Asked::noise, Range::at_least(0), "opinion",
               "standard deviation of a measurement; 0: estimated")
          .key("fit.level", &Asked::level, Range::between(0.5, 0.999), "", "confidence level of the intervals")
          .key("fit.surface", &Asked::surface, Range::between(0, 60), "",
               "points along each axis of the likelihood surface; 0: no surface")
          .key("fit.permutations", &Asked::permutations, Range::between(99, 99999), "",
               "permutations of the answers in the test whether anything moves, at most")
          .group(survey_keys(), &Asked::source)
          .group(truth_keys(), &Asked::truth);
  return keys;
}

OpinionSeries file_series(FitSource source) {
  source.survey.columns = survey::with_scale(source.survey.columns);
  if (source.is_survey()) return survey_series(source.file, source.survey);
  return senate_series(source.file, source.chamber, source.first, source.last);
}

FitPlan plan_of(const FitAsked& asked, const OpinionSeries& series, bool preview) {
  FitPlan plan;
  plan.settings = {asked.model, asked.noise, asked.level, scale_of(series), series.grid};
  plan.permutations = asked.permutations;
  plan.explanation = asked.drift ? Explanation::attention_drift : Explanation::attention;
  plan.rivals = asked.rivals;
  plan.held_out = static_cast<std::size_t>(asked.held_out);
  plan.window = static_cast<std::size_t>(asked.window);
  if (plan.window > 0)
    plan.stride = static_cast<std::size_t>(asked.stride);
  else
    plan.window = series.times.size() - plan.held_out;
  plan.surface = asked.surface;
  plan.preview = preview;
  plan.truth_moves = asked.source.simulated && asked.truth.moves();
  return plan;
}

class Fit : public Experiment {
 public:
  std::string_view name() const override { return "opinion.fit"; }
  std::string_view summary() const override {
    return "temperature and stubbornness estimated from repeated samples of opinions, with profile-likelihood "
           "intervals";
  }
  int result_version() const override { return 6; }

  Schema schema() const override {
    Schema schema;
    fit_keys().declare(schema);
    return schema;
  }

  void check(const Config& config, Complaints& complaints) const override {
    const FitAsked asked = fit_keys().read(config);
    const FitSource& source = asked.source;
    society::KeyRules rules(config, complaints);
    rules.unless(source.simulated || !source.file.empty(), "data.file",
                 "data.file is empty: give a table of answers and name its columns by data.value and data.wave, or "
                 "voteview's table of members, Sall_members.csv or HSall_members.csv of voteview.com/data, as it is "
                 "or packed with gzip.");
    rules.unless(source.first <= source.last, "fit.last", "fit.last comes before fit.first.");
    check_survey(source, rules);
    if (source.simulated) check_periods(asked, asked.truth.periods, rules);
  }

  Inputs open(const Config& config) const override {
    const FitSource source = voteview_keys().read(config);
    return source.simulated ? Inputs{} : as_inputs(file_series(survey_keys().read(config, source)));
  }

  void check_inputs(const Config& config, const Inputs& inputs) const override {
    Complaints complaints;
    society::KeyRules rules(config, complaints);
    check_periods(fit_keys().read(config), inputs.as<OpinionSeries>()->times.size(), rules);
    rules.raise();
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    FitAsked asked = fit_keys().read(config);
    asked.truth = with_scenario(asked.truth);
    asked.truth.steps_per_period = asked.model.steps_per_period;
    const SimulatedTruth& truth = asked.truth;
    const bool simulated = asked.source.simulated;
    if (simulated) inputs = as_inputs(simulated_series(truth, random.stream("crowd")));
    require(!inputs.empty(), "opinion.fit: data.file was not opened; pass to run() what open() returns.");
    const OpinionSeries& series = *inputs.as<OpinionSeries>();
    const FitPlan plan = plan_of(asked, series, config.preview);
    const std::vector<ExplainedWindow> windows = explain_windows(plan, series, random.stream("permutations"), bench);
    write_windows(plan, series, windows, results);
    results.scalar("answer_points", static_cast<double>(series.grid.points.size()), "1",
                   "points of the grid on which answers lie; 0: they are continuous");
    for (const std::string& note : series.notes) results.note(note);
    if (!simulated) return;
    if (truth.scenario != "own" && windows.size() == 1) {
      results.scalar("truth_influence", truth.has_influence() ? 1 : 0, "1", "1 where opinions influence each other");
      results.scalar("influence_claimed", tells_influence(windows.front().evidence) ? 1 : 0, "1",
                     "1 where influence is claimed");
    }
    results.scalar("truth_moves", truth.moves() ? 1 : 0, "1", "1 where the simulated crowd moves");
    results.scalar("truth_temperature", truth.temperature, "opinion^2", "true temperature");
    results.scalar("truth_stubbornness", truth.stubbornness, "1", "true stubbornness");
  }

  void conclude(Results& merged) const override { conclude_fit(merged); }

 private:
  /// Keys that the chosen kind of data does not read, and columns that need each other.
  static void check_survey(const FitSource& source, society::KeyRules& rules) {
    const SurveyPlan& plan = source.survey;
    const auto unused = [&](const char* key, const char* why) {
      rules.unless(!rules.given(key), key, key, " is not read: ", why);
    };
    if (source.simulated) unused("data.file", "fit.data = \"simulated\"; set fit.data = \"file\".");
    if (!source.is_survey())
      for (const char* key : {"data.wave", "data.weight", "data.respondent", "data.by", "data.only", "data.scale",
                              "data.levels", "data.missing", "data.answers", "data.cell"})
        unused(key, "it describes a table of answers, which fit.data = \"file\" and data.value ask for.");
    if (source.is_survey())
      for (const char* key : {"fit.chamber", "fit.first", "fit.last"})
        unused(key, "it is of voteview's table, but data.value names a column of another one.");
    rules.unless(plan.only.empty() || !plan.columns.by.empty(), "data.only",
                 "data.only names a group, but data.by names no column.");
    rules.unless(!source.is_survey() || plan.columns.wave != "none", "data.wave",
                 "data.wave = \"none\", but a fit needs waves; name their column.");
    rules.unless(plan.cell == 0 || !plan.continuous, "data.cell",
                 "data.cell is not read: data.answers = \"continuous\" has no cells.");
    if (!plan.columns.scale.empty()) try {
        survey::scale_of(plan.columns.scale);
      } catch (const ArgumentError& error) {
        rules.unless(false, "data.scale", "data.scale: ", error.what());
      }
  }

  static void check_periods(const FitAsked& asked, std::size_t periods, society::KeyRules& rules) {
    const std::size_t held_out = asked.held_out, window = asked.window;
    const std::size_t fitted = window == 0 && periods > held_out ? periods - held_out : window;
    rules.unless(fitted >= 2 && fitted <= periods, window == 0 ? "fit.held_out" : "fit.window", "a window has ", fitted,
                 " of the ", periods, " periods; it must have at least 2.",
                 window == 0 && held_out > 0 && periods > 1 ? " Set fit.held_out = 0 to fit all." : "");
  }
};

}  // namespace

std::unique_ptr<Experiment> make_fit() { return std::make_unique<Fit>(); }

}  // namespace fovea::opinion::fit
