/// The experiment "opinion.simulate": any model, any population, opinions over time.

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/cost.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_keys.hpp"
#include "fovea/domains/opinion/dynamics/model_keys.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/simulate/coevolution_keys.hpp"
#include "fovea/domains/opinion/simulate/outcome.hpp"
#include "fovea/domains/opinion/society/population_keys.hpp"

namespace fovea::opinion::simulate {

namespace {

class Simulation {
 public:
  Simulation(Crowd& crowd, Recorder& recorder, const Random& random, Workbench& bench)
      : crowd_(crowd), recorder_(recorder), shocks_(random.stream("shocks")), bench_(bench) {
    if (crowd.events().empty()) bench.own_rows(crowd.opinions(), crowd.part(), crowd.size());
    if (const std::optional<Dataset> saved = bench.restored()) {
      restore_state(*saved, *this);
      repeat_controls();
      recorder.follow(crowd_);
    } else {
      recorder.record(crowd_);
    }
  }

  void visit(Archive archive) {
    archive("steps", end_.steps);
    archive("at_rest", end_.at_rest);
    crowd_.visit(archive);
    archive("recorder", recorder_);
  }

  SimulateEnd run() {
    const SimulateSettings& settings = recorder_.settings();
    while (end_.steps < settings.steps && !end_.at_rest) {
      advance();
      const bool due = std::binary_search(settings.grid.begin(), settings.grid.end(), end_.steps);
      if (due || end_.at_rest) recorder_.record(crowd_);
      bench_.checkpoint([this] { return saved_state(*this); });
      bench_.progress(static_cast<double>(end_.steps) / static_cast<double>(settings.steps));
    }
    recorder_.fill();
    bench_.progress(1);
    crowd_.dynamics().end_steps();
    before_ = Matrix<double>();
    return end_;
  }

 private:
  void advance() {
    const SimulateSettings& settings = recorder_.settings();
    if (crowd_.take_events(end_.steps)) recorder_.begin(crowd_);
    for (std::size_t k = 0; k < settings.shocks.size(); ++k)
      if (settings.shocks[k].step == end_.steps) apply(settings.shocks[k], k);
    if (!may_rest()) {
      crowd_.dynamics().step(crowd_.opinions(), end_.steps++);
      return;
    }
    const Matrix<double>* before = crowd_.dynamics().previous();
    if (before == nullptr) before = &(before_ = crowd_.opinions());
    crowd_.dynamics().step(crowd_.opinions(), end_.steps++);
    const double change = dynamics::largest_change(*before, crowd_.opinions());
    end_.at_rest =
        crowd_.ranks().largest_of(change) <= settings.tolerance && crowd_.dynamics().settled(crowd_.opinions());
  }

  /// Nothing is drawn that could move the crowd again, and neither shock nor event is to come.
  bool may_rest() const {
    const SimulateSettings& settings = recorder_.settings();
    if (settings.tolerance == 0 || crowd_.dynamics().never_rests()) return false;
    if (crowd_.has_events_until(end_.steps + 1, settings.steps)) return false;
    return settings.shocks.empty() || settings.shocks.back().step <= end_.steps;
  }

  void apply(const Shock& shock, std::size_t number) {
    if (shock.kind != "shift" && shock.kind != "set") return crowd_.dynamics().set(control_of(shock.kind), shock.value);
    const std::vector<std::uint8_t>& counted = crowd_.dynamics().agents().counted;
    for (Index i = 0; i < crowd_.opinions().rows(); ++i) {
      if (!counted.empty() && counted[i] == 0) continue;
      if (shocks_.uniform(static_cast<std::uint64_t>(crowd_.number_of(i)), number) >= shock.share) continue;
      double& opinion = crowd_.opinions()(i, 0);
      opinion = shock.kind == "set" ? shock.value : opinion + shock.value;
    }
  }

  /// Shocks that turned a control before are turned again: the controls are no part of the state.
  void repeat_controls() {
    for (const Shock& shock : recorder_.settings().shocks)
      if (shock.step < end_.steps && shock.kind != "shift" && shock.kind != "set")
        crowd_.dynamics().set(control_of(shock.kind), shock.value);
  }

  Crowd& crowd_;
  Recorder& recorder_;
  Random shocks_;
  Workbench& bench_;
  SimulateEnd end_;
  Matrix<double> before_;
};

std::vector<Event> simulated_events(const SimulateAsked& asked, const SimulateFiles& files,
                                    const society::Population& population, const dynamics::Agents& agents) {
  if (!files.events) return {};
  const std::vector<std::string> names = simulated_names(asked, population, agents.count());
  return events_of(*files.events, {names, agents, population.graph.get(), asked.model, asked.steps});
}

/// About so many agents, ready to move or to be recorded. Without events, which name agents.
struct Stage {
  Stage(SimulateAsked asked, const SimulateFiles& files, Index count) : model(asked.model) {
    asked.population.agents = count;
    asked.agents_max = 0;
    society::Population population = society::make_population(asked.population, files.population.get(), random);
    graph = population.graph;
    settings = simulate_settings(asked, population);
    agents = simulated_agents(asked, population, files.traits);
    const Index there = agents.count();
    if (count >= there || graph != nullptr) return;
    std::vector<Index> some;
    for (Index k = 0; k < count; ++k) some.push_back(k * there / count);
    agents = society::some_of(agents, some);
  }
  void make_crowd() {
    crowd.emplace(model, std::move(agents), graph.get(), std::vector<Event>{}, random);
    recorder.emplace(*crowd, settings);
  }
  const Random random{1};
  dynamics::ModelSettings model;
  SimulateSettings settings;
  std::shared_ptr<const society::Graph> graph;
  dynamics::Agents agents;
  std::unique_ptr<dynamics::Dynamics> dynamics;
  std::optional<Crowd> crowd;
  std::optional<Recorder> recorder;
};

RunCost simulation_cost(const SimulateAsked& asked, const SimulateFiles& files) {
  const bool read = asked.population.is_read();
  const Index agents = !read ? asked.population.agents : std::ssize(files.population->names);
  const auto stage = [&](Index count) { return std::make_shared<Stage>(asked, files, count); };
  // The agents of a network, and networks of many edges, are not there in part.
  const bool whole = read && asked.population.network.kind != society::NetworkKind::none;
  const Index fewest = whole ? agents : asked.population.network.is_drawn() ? 4096 : 256;
  const CrowdCost steps = crowd_cost(
      agents,
      [&](Index count) {
        const auto one = stage(count);
        one->dynamics = dynamics::make_dynamics(asked.model, std::move(one->agents), one->graph.get(), one->random);
        return std::shared_ptr<dynamics::Dynamics>(one, one->dynamics.get());
      },
      static_cast<double>(asked.steps), asked.shock_steps.empty() && asked.events.empty() ? asked.tolerance : 0,
      fewest);
  if (steps.seconds == 0) return {};
  const WorkCost record = work_cost(
      agents,
      [&](Index count) {
        const auto one = stage(count);
        one->make_crowd();
        return [one] { one->recorder->record(*one->crowd); };
      },
      fewest);
  const double states = std::min(static_cast<double>(asked.states_max), steps.most_steps + 1);
  const double kept = static_cast<double>(std::min(agents, asked.agents_max) * asked.population.components);
  // A copy of the opinions, which measures beyond the standard ones sort and give back; the crowd itself is in both,
  // and they are the same.
  const double sorted =
      asked.measures.empty() ? 0 : static_cast<double>(agents * asked.population.components) * sizeof(double);
  return {steps.least_steps * steps.seconds + states * record.seconds,
          steps.most_steps * steps.seconds + states * record.seconds,
          std::max(steps.bytes, record.bytes) + sorted + 2 * states * kept * sizeof(float)};
}

class Simulate final : public Experiment {
 public:
  std::string_view name() const override { return "opinion.simulate"; }
  std::string_view summary() const override {
    return "opinions over time by any model: camps, trajectories, bots, media and shocks";
  }
  int result_version() const override { return 5; }
  Schema schema() const override { return simulate_schema(); }
  void check(const Config& config, Complaints& complaints) const override { check_simulate(config, complaints); }

  void check_ranks(const Config& config) const override { check_simulated_by_ranks(config); }

  Inputs open(const Config& config) const override {
    SimulateFiles files = open_simulation(config);
    return files.population || files.events ? as_inputs(std::move(files)) : Inputs{};
  }

  void check_inputs(const Config& config, const Inputs& inputs) const override {
    const auto files = inputs.as<SimulateFiles>();
    const SimulateAsked asked = simulate_asked(config);
    Complaints complaints;
    society::KeyRules rules(config, complaints);
    if (files->population != nullptr)
      dynamics::check_signs(asked.model, asked.population, files->population->graph.get(), rules);
    dynamics::check_traits(asked.model, asked.population, files->traits);
    const Random random(config.seed.value_or(1));
    society::Population population = society::make_population(asked.population, files->population.get(), random);
    const dynamics::Agents agents = simulated_agents(asked, population, files->traits);
    dynamics::check_stubbornness(asked.model, asked.population, agents, rules);
    simulated_events(asked, *files, population, agents);
  }

  RunCost cost(const Config& config, const Inputs& inputs) const override {
    const SimulateFiles files = inputs.empty() ? SimulateFiles{} : *inputs.as<SimulateFiles>();
    return simulation_cost(simulate_asked(config), files);
  }

  void run(const Config& config, Inputs inputs, const Random& random, Results& results,
           Workbench& bench) const override {
    if (!bench.ranks().alone()) check_ranks(config);
    const SimulateAsked asked = simulate_asked(config);
    const SimulateFiles files = inputs.empty() ? SimulateFiles{} : *inputs.as<SimulateFiles>();
    Complaints none;
    const std::vector<std::string> idle = idle_keys(asked.model, society::KeyRules(config, none));
    try {
      run_in_memory(asked, files, idle, random, results, bench);
    } catch (const std::bad_alloc&) {
      throw std::runtime_error(concat("there was not enough memory for agents.count = ", asked.population.agents,
                                      " (or the agents of the ", "files) with record.agents = ", asked.agents_max,
                                      " trajectories of record.states = ", asked.states_max,
                                      " states; lower one of these keys."));
    }
  }

  void conclude(Results& merged) const override { conclude_simulation(merged); }

 private:
  static void run_in_memory(const SimulateAsked& asked, const SimulateFiles& files,
                            const std::vector<std::string>& idle, const Random& random, Results& results,
                            Workbench& bench) {
    const Ranks& ranks = bench.ranks();
    society::Population population = society::make_population(asked.population, files.population.get(), random, ranks);
    const std::shared_ptr<const society::Graph> graph = population.graph;
    const SimulateSettings settings = simulate_settings(asked, population);
    dynamics::Agents agents = simulated_agents(asked, population, files.traits);
    agents.ranks = &ranks;
    if (!ranks.alone()) agents.first = rank_part(asked.population.agents, ranks).first;
    std::vector<Event> events = simulated_events(asked, files, population, agents);
    Crowd crowd(asked.model, std::move(agents), graph.get(), std::move(events), random.stream("model"));
    Recorder recorder(crowd, settings);
    const SimulateEnd end = Simulation(crowd, recorder, random, bench).run();
    if (crowd.dynamics().changed_network() != nullptr) {
      check_network(*graph, crowd, results);
      const society::ChangingNetwork last(crowd.network_of_those_there(), asked.model.rewiring.multiple);
      population.graph = std::make_shared<const society::Graph>(last.graph());
    }
    write_simulation(asked, population, crowd, recorder, files.events ? &*files.events : nullptr, end, idle,
                     random.stream("modes"), results);
  }
};

}  // namespace

std::unique_ptr<Experiment> make_simulate() { return std::make_unique<Simulate>(); }

}  // namespace fovea::opinion::simulate
