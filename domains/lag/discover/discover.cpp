/// The experiment "lag.discover": which series drives which, at which lags, and with what significance.
/// discover_outcome.hpp has what it writes.

#include <malloc.h>

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/machine/memory_left.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/base/place.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/datasets/simulated/driven_units.hpp"
#include "fovea/domains/lag/attention/course/noise_course.hpp"
#include "fovea/domains/lag/attention/held_fixed.hpp"
#include "fovea/domains/lag/attention/memory_needed.hpp"
#include "fovea/domains/lag/discover/outcome.hpp"
#include "fovea/domains/lag/discover/promises.hpp"
#include "fovea/domains/lag/discover/settings.hpp"
#include "fovea/domains/lag/experiments.hpp"
#include "fovea/domains/lag/further/innovations.hpp"
#include "fovea/domains/lag/methods/finders.hpp"
#include "fovea/domains/lag/nature/shapes.hpp"
#include "fovea/domains/lag/series/experiment.hpp"
#include "fovea/domains/lag/series/lag_choice.hpp"
#include "fovea/domains/lag/series/lag_set.hpp"

namespace fovea::lag::discover {

namespace {

std::shared_ptr<const datasets::series::SeriesTable> made_table(const DiscoverSettings& asked, const Random& random) {
  const datasets::simulated::DrivenUnits units = datasets::simulated::river();
  datasets::series::SeriesTable table;
  table.names = units.names;
  table.values = datasets::simulated::simulate(units, asked.made_steps, random.stream("river"));
  return std::make_shared<const datasets::series::SeriesTable>(std::move(table));
}

/// What is known of the table beforehand: the links of made series.
void describe_table(const DiscoverSettings& asked, Discovery& discovery) {
  if (!asked.series.made()) return;
  for (const datasets::simulated::LaggedLink& link : datasets::simulated::river().links)
    discovery.truth.push_back({link.driver, link.target, link.lag});
  discovery.notes.push_back(
      "The series are simulated: a river with known links (rain, snow, two gauges, a harbour with tides, and an "
      "unrelated pump).");
}

constexpr Index kFewestForecasts = 20;
constexpr Index kSurelyEnough = 2 * kFewestForecasts;  // steps: choose_lags() takes at most a fifth of them, or 1

void check_length(const DiscoverSettings& asked, const datasets::series::SeriesTable& table,
                  const std::vector<Index>& lags) {
  const Index most = table.steps() - kFewestForecasts;
  if (lags.back() <= most) return;
  throw DataError(concat(asked.series.called(), ": has ", counted(table.steps(), "step"), ", but lags up to ",
                         lags.back(), " need at least ", lags.back() + kFewestForecasts,
                         most < 1 ? "; this is too short for any lag." : concat("; give lags up to ", most, ".")));
}

series::LagChoice lags_of_config(const DiscoverSettings& asked, const datasets::series::SeriesTable& table,
                                 const Matrix<double>& held) {
  if (!asked.lags.empty()) return {series::lag_set(asked.lags)};
  if (!asked.chooses_lags()) return {series::lag_set(concat("1-", asked.longest_lag))};
  return series::choose_lags(table, held);
}

/// The places of the series that are only given. Throws DataError where one is a target too, or none is left.
std::vector<Index> given_places(const DiscoverSettings& asked, const datasets::series::SeriesTable& table) {
  const std::vector<std::string>&given = asked.adjust.given, &targets = asked.targets;
  const std::string file = asked.series.called();
  for (const std::string& name : given)
    if (std::find(targets.begin(), targets.end(), name) != targets.end())
      throw DataError(concat(file, ": '", name,
                             "' is in adjust.given and in data.targets; a given series is no effect. "
                             "Take it out of one of them."));
  std::vector<Index> places = series::places_of(given, table, file);
  if (!places.empty() && std::ssize(places) >= table.series())
    throw DataError(concat(file, ": adjust.given names all ", counted(table.series(), "series", "series"),
                           "; leave at least one to be explained."));
  return places;
}

/// Rows and periods that the table must have.
void check_adjustments(const DiscoverSettings& asked, const datasets::series::SeriesTable& table) {
  try {
    nature::check_adjustments(nature::adjustments_asked(asked.adjust), table.steps());
  } catch (const ArgumentError& error) {
    throw DataError(concat(asked.series.called(), ": ", error.what()));
  }
}

/// What is held fixed in every test: courses that were found or asked for, and given series.
void hold_fixed(const DiscoverSettings& asked, const Matrix<double>& given, Discovery& discovery) {
  const datasets::series::SeriesTable& table = discovery.table;
  nature::Studied studied = nature::study(table, nature::adjustments_asked(asked.adjust));
  discovery.natures = std::move(studied.natures), discovery.adjustments = std::move(studied.adjustments);
  constexpr Index kSomeLags = 5, kMostRows = 12;
  const Matrix<double> none(table.steps(), 0);
  const auto held_up_to = [&](const std::vector<Index>& lags) {
    const Matrix<double> columns =
        nature::conditions(discovery.adjustments, table.steps(), std::min(kMostRows, lags.back()));
    return nature::independent_columns(
        nature::beside(columns, nature::given_conditions(given, lags, table.recording_starts)), none);
  };
  const series::LagChoice choice = lags_of_config(asked, table, held_up_to({1, kSomeLags}));
  discovery.settings.lags = choice.lags;
  discovery.settings.lags_tried = choice.tried;
  discovery.lag_reason = choice.reason;
  // Of given series as many steps as may be searched in the end (search_further_back).
  std::vector<Index> most = choice.lags;
  while (most.back() < choice.tried) most.push_back(most.back() + 1);
  discovery.settings.conditions = held_up_to(most);
}

/// Among what the courses that are held fixed leave of the series.
void look_for_walks(const DiscoverSettings& asked, Discovery& discovery) {
  const bool holds = methods::method_of(asked.method).find == &methods::find_by_attention;
  const bool of_line =
      holds && std::any_of(discovery.adjustments.begin(), discovery.adjustments.end(), [](const auto& one) {
        return one.kind == nature::CourseKind::trend || one.kind == nature::CourseKind::step;
      });
  datasets::series::SeriesTable left = discovery.table;
  if (holds)
    left.values = attention::HeldFixed(discovery.settings.conditions, left.steps()).taken_out_of_known(left.values);
  discovery.walks = series::may_wander(left, of_line);
  discovery.wandering = static_cast<Index>(discovery.walks->count);
  if (discovery.walks->holds()) discovery.notes.insert(discovery.notes.begin(), discovery.walks->sentence());
}

void check_required_lags(const knowledge::Knowledge& known, const std::vector<Index>& lags, const std::string& file) {
  for (const methods::Link& link : known.required())
    if (link.lag > 0 && !std::binary_search(lags.begin(), lags.end(), link.lag))
      throw DataError(concat(file, ": a link is required at lag ", link.lag, ", but the lags tested are ",
                             series::lag_set_text(lags), "; give lags with it."));
}

/// What the user knows: told to the search, and to the reader. A required lag must be tested; where the lags are chosen
/// from the data, all up to it are.
void use_knowledge(const DiscoverSettings& asked, Discovery& discovery) {
  const std::string file = asked.series.called();
  const knowledge::Knowledge known = knowledge::knowledge_of(asked.known, discovery.table.names, file);
  const std::vector<std::string> notes = known.notes();
  if (notes.empty()) return;
  discovery.notes.insert(discovery.notes.end(), notes.begin(), notes.end());
  std::vector<Index>& lags = discovery.settings.lags;
  if (asked.chooses_lags())
    while (lags.back() < known.longest_required()) lags.push_back(lags.back() + 1);
  check_required_lags(known, lags, file);
  knowledge::tell(known, discovery.settings);
  if (methods::method_of(asked.method).find != &methods::find_by_attention)
    discovery.notes.push_back("Only the attention heeds what is known; other methods have their textbook form.");
}

void note_groups(const DiscoverSettings& asked, Discovery& discovery) {
  if (asked.known.groups.empty()) return;
  const knowledge::Knowledge known = knowledge::knowledge_of(asked.known, discovery.table.names, asked.series.file);
  discovery.notes.push_back(known.links_between_groups(methods::counting_links(discovery.ours.findings)));
}

/// Peers that take no longer than the method itself; fewer where there are many lagged columns.
std::vector<std::string> usual_methods(const Discovery& discovery) {
  constexpr Index kFewColumns = 300, kSomeColumns = 2000;  // half a second each on one processor
  const Index columns = discovery.table.series() * static_cast<Index>(discovery.settings.lags.size());
  if (columns > kSomeColumns) return {};
  if (columns > kFewColumns) return {"cross_correlation", "prewhitened_cross_correlation"};
  return {"cross_correlation", "prewhitened_cross_correlation", "var_granger", "pcmci"};
}

std::vector<std::string> methods_beside(const DiscoverSettings& asked, const Discovery& discovery,
                                        const std::string& ours) {
  std::vector<std::string> names;
  for (const std::string& name : asked.beside) {
    const std::vector<std::string> meant = name == kUsual ? usual_methods(discovery) : std::vector<std::string>{name};
    for (const std::string& one : meant)
      if (one != ours && std::find(names.begin(), names.end(), one) == names.end()) names.push_back(one);
  }
  return names;
}

/// A forbidden link is none of another kind either.
void leave_out_forbidden(const methods::LagSettings& settings, further::FurtherFindings& found) {
  if (!settings.allowed) return;
  further::FurtherFindings kept;
  kept.notes = std::move(found.notes);
  for (std::size_t k = 0; k < found.links.size(); ++k) {
    const methods::Link& link = found.links[k];
    if (!settings.allowed(link.cause, link.effect, link.lag)) continue;
    kept.links.push_back(link);
    kept.sentences.push_back(std::move(found.sentences[k]));
  }
  found = std::move(kept);
}

/// The second look, at what the links found so far leave.
void look_further(const DiscoverSettings& asked, Discovery& discovery) {
  const methods::LagSettings& settings = discovery.settings;
  further::FurtherSettings wanted{.lags = settings.lags, .targets = settings.targets, .level = settings.level};
  wanted.changing = asked.looks_for(kChanging);
  wanted.variance = asked.looks_for(kVariance);
  if (!wanted.changing && !wanted.variance) return;
  wanted.known = methods::counting_links(discovery.ours.findings);
  discovery.further = further::further_effects(
      further::innovations_of(discovery.table, wanted.known, settings.conditions), discovery.table, wanted);
  leave_out_forbidden(settings, discovery.further);
}

/// While it lives each matrix product stays on the thread that asks for it: Eigen's threads wait for each other in busy
/// loops, which beside other work take several times what they save. The bits are the same.
struct OneThreadProducts {
  OneThreadProducts() { Eigen::setNbThreads(1); }
  ~OneThreadProducts() { Eigen::setNbThreads(0); }
};

// Bytes: columns that are shorter are taken from memory that was given back, whose pages need no clearing.
constexpr int kLongColumn = 1 << 25;

class Discover final : public series::SeriesExperiment<DiscoverSettings, discover_keys> {
 public:
  std::string_view name() const override { return "lag.discover"; }
  std::string_view summary() const override {
    return "which series drives which, at which lags, and with what significance";
  }
  int result_version() const override { return 9; }

  void check_settings(const DiscoverSettings& asked, const Complain& complain) const override {
    check_rules(asked, complain);
  }

  /// As search() would, but for a choice of lags that cannot fail: it takes as long as reading does.
  void check_series(const DiscoverSettings& asked, const Inputs& inputs) const override {
    const std::shared_ptr<const datasets::series::SeriesFile> file = series::opened_series(inputs);
    series::refuse_uneven(asked.series, *file);
    series::places_of(asked.targets, file->table, asked.series.file);
    given_places(asked, file->table);
    check_adjustments(asked, file->table);
    const knowledge::Knowledge known = knowledge::knowledge_of(asked.known, file->table.names, asked.series.file);
    if (asked.chooses_lags() && file->table.steps() >= kSurelyEnough) return;
    const std::vector<Index> lags = lags_of_config(asked, file->table, {}).lags;
    if (!asked.chooses_lags()) check_required_lags(known, lags, asked.series.file);
    check_length(asked, file->table, lags);
  }

  void search(const DiscoverSettings& asked, Inputs inputs, const Random& random, Results& results,
              Workbench& bench) const override {
    bench.progress(0);
    const OneThreadProducts on_one;
    mallopt(M_MMAP_THRESHOLD, kLongColumn), mallopt(M_TRIM_THRESHOLD, 8 * kLongColumn);
    std::vector<std::string> notes;
    const std::shared_ptr<const datasets::series::SeriesTable> table =
        asked.series.made() ? made_table(asked, random)
                            : series::table_of(asked.series, asked.difference, std::move(inputs), notes);
    const std::vector<Index> given = given_places(asked, *table);
    nature::GivenColumns apart;
    apart.columns.resize(table->steps(), 0);
    if (!given.empty()) apart = nature::set_apart(*table, given);
    Discovery discovery(given.empty() ? *table : apart.table);
    if (!asked.series.made()) discovery.file = Place(asked.series.file).name();
    discovery.notes = std::move(notes);
    discovery.given = asked.adjust.given;
    const bool attention = methods::method_of(asked.method).find == &methods::find_by_attention;
    if (attention)
      check_memory(discovery, 1);  // that of one lag: how many are searched is not known before the courses
    prepare(asked, apart.columns, discovery);
    if (attention) check_memory(discovery, std::ssize(discovery.settings.lags));
    const std::vector<std::string> beside = methods_beside(asked, discovery, asked.method);
    double finished = 0;  // methods: a share each
    discovery.settings.told = [&](double part) {
      bench.progress((finished + part) / (1 + static_cast<double>(beside.size())));
    };
    const methods::MethodEntry& method = methods::method_of(asked.method);
    if (method.find == &methods::find_by_attention) {
      attend(method, discovery);
      search_further_back(method, discovery);
      look_further(asked, discovery);
    } else {
      discovery.ours = found_by(method, discovery, random);
    }
    if (!discovery.lag_reason.empty()) discovery.notes.push_back(discovery.lag_reason);
    note_groups(asked, discovery);
    if (method.conditional) {
      discovery.effects_random = random.stream("effects");
      discovery.effects = effects_of_links(discovery);
    }
    settle_promises(discovery);
    malloc_trim(0);  // a wide table has no room for what the search has given back and peers take anew
    for (const std::string& name : beside) {
      ++finished;
      discovery.settings.told(0);
      discovery.beside.push_back(found_by(methods::method_of(name), discovery, random));
      std::erase_if(discovery.beside.back().findings.links, [](const methods::Link& link) { return !link.counts; });
      discovery.beside.back().findings.links.shrink_to_fit();  // the page shows those that count alone
    }
    bench.progress(1);
    write_discovery(discovery, results);
  }

 private:
  static void check_memory(const Discovery& discovery, Index lags) {
    const Index series = discovery.table.series(), targets = std::ssize(discovery.settings.targets);
    attention::check_memory({discovery.table.steps(), series, targets > 0 ? targets : series, lags}, thread_count(),
                            static_cast<double>(memory_left()));
  }

  /// On the rows as they were tested: in units of the noise, where these were weighed by it.
  static effects::Effects effects_of_links(const Discovery& discovery) {
    const std::vector<methods::Link> links = methods::counting_links(discovery.ours.findings);
    if (discovery.noise.size() == 0)
      return effects::effects_of(discovery.table, discovery.settings, links, discovery.effects_random);
    methods::LagSettings weighed = discovery.settings;
    weighed.conditions = attention::conditions_in_units_of_noise(weighed.conditions, discovery.noise);
    return effects::effects_of(attention::in_units_of_noise(discovery.table, discovery.noise), weighed, links,
                               discovery.effects_random);
  }

  /// The method's findings together with what its attention says of each link.
  static void attend(const methods::MethodEntry& method, Discovery& discovery) {
    attention::AttentionFindings found = attention::attend_to_the_past(discovery.table, discovery.settings);
    discovery.ours = {std::string(method.name), std::string(method.meaning), std::move(found.findings)};
    discovery.views = std::move(found.views);
    discovery.hidden = found.hidden;
    discovery.surrogates = found.surrogates;
    discovery.shared = found.shared;
    discovery.doubts = std::move(found.doubts);
    discovery.noise = std::move(found.noise);
  }

  /// Where what was found shows a memory at lags that were tried for the choice, but are not searched, or a hidden
  /// factor, which such a memory may be, all that were tried are searched.
  static void search_further_back(const methods::MethodEntry& method, Discovery& discovery) {
    std::vector<Index>& lags = discovery.settings.lags;
    const Index tried = discovery.settings.lags_tried;
    const attention::Doubt memory = attention::furthest_memory(discovery.doubts, tried);
    const bool remembered = memory.lag > lags.back();
    if (lags.back() >= tried || !(remembered || discovery.hidden.found)) return;
    while (lags.back() < tried) lags.push_back(lags.back() + 1);
    const std::vector<std::string>& names = discovery.table.names;
    discovery.lag_reason = concat("Largest lag ", series::lag_text(discovery.table, tried), ": with fewer, ",
                                  remembered ? concat(names[memory.effect], " depends on ", names[memory.series], " ",
                                                      counted(memory.lag, "step"), " before, beyond what explains it.")
                                             : "a hidden factor seems to move the series.");
    attend(method, discovery);
  }

  static void prepare(const DiscoverSettings& asked, const Matrix<double>& given, Discovery& discovery) {
    describe_table(asked, discovery);
    check_adjustments(asked, discovery.table);
    hold_fixed(asked, given, discovery);
    if (!asked.series.made()) look_for_walks(asked, discovery);
    discovery.lags_chosen = asked.chooses_lags();
    discovery.settings.contemporaneous = asked.contemporaneous;
    discovery.settings.targets = series::places_of(asked.targets, discovery.table, asked.series.file);
    discovery.settings.level = asked.level;
    discovery.settings.surrogates = asked.surrogates;
    discovery.settings.products = asked.looks_for(kProduct);
    use_knowledge(asked, discovery);
    discovery.shown = asked.shown;
    check_length(asked, discovery.table, discovery.settings.lags);
  }

  static MethodOutcome found_by(const methods::MethodEntry& method, const Discovery& discovery, const Random& random) {
    return {std::string(method.name), std::string(method.meaning),
            method.find(discovery.table, discovery.settings, random.stream(method.name))};
  }
};

}  // namespace

std::unique_ptr<Experiment> make_discover() { return std::make_unique<Discover>(); }

}  // namespace fovea::lag::discover
