/// Columns of start.file: each model takes those that change something, and refuses the others.

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/dynamics/models.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/domains/opinion/society/agents_file.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion::agents_columns {
namespace {

constexpr int kPeople = 24;

/// Somebody's number of a column, within its range.
double number_of(const std::string& column, int person) {
  const double u = 0.5 + 0.45 * std::sin(3.0 + 5.0 * person);
  return column == "reach" ? 4 * u : column == "confidence" ? 0.1 + u : column == "temperature" ? 0.6 + u : u;
}

/// A table of people; column: one more, "" for none; empty: without values in it.
void put_people(const std::string& path, const dynamics::ModelEntry& entry, const std::string& column,
                bool empty = false) {
  const bool sphere = entry.rule.update == dynamics::Update::project;
  std::ofstream file(path);
  file << (sphere ? "node,opinion_1,opinion_2,opinion_3" : "node,opinion") << (column.empty() ? "" : "," + column)
       << '\n';
  for (int i = 0; i < kPeople; ++i) {
    file << "p" << i;
    for (int c = 0; c < (sphere ? 3 : 1); ++c)
      file << ',' << (entry.rule.update.imitates ? 2.0 * (i % 2) - 1 : std::sin(1 + 2.3 * i + 0.7 * c));
    if (!column.empty()) file << ',' << (empty ? "" : concat(number_of(column, i)));
    file << '\n';
  }
}

/// What is said of the inputs; "" for nothing.
std::string refusal_of(const Experiment& experiment, const Config& config) {
  return support::refusal_of<DataError>([&] { experiment.check_inputs(config, experiment.open(config)); });
}

class AgentsFile {
 public:
  society::Agents read(const std::string& text) const {
    std::ofstream(path) << text;
    society::Agents agents;
    agents.start = Matrix<double>::Zero(3, 1);
    society::add_traits(society::read_traits(path, {"a", "b", "c"}), {0.1, 2, 0.5}, agents);
    return agents;
  }
  std::string complaint(const std::string& text) const {
    const std::string what = support::refusal_of<DataError>([&] { read(text); });
    return what.empty() ? "nothing" : what.substr(path.size());
  }

 private:
  const support::TemporaryFolder folder;
  const std::string path = folder.file("agents.csv");
};

std::vector<float> opinions_of(const Experiment& experiment, const Config& config) {
  Results results;  // without the check of the inputs, which would refuse what is examined here
  experiment.run(config, experiment.open(config), Random(1), results, *plain_workbench());
  return std::get<std::vector<float>>(results.data.at("opinions").values);
}

}  // namespace

TEST_CASE("a column of start.file is read or refused, by every model as it changes the opinions",
          "[opinion][simulate][models][errors]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("people.csv");
  const auto experiment = simulate::make_simulate();
  struct Case {
    const dynamics::ModelEntry* entry;
    std::string more;
  };
  std::vector<Case> cases;
  for (const dynamics::ModelEntry& entry : dynamics::models()) cases.push_back({&entry, ""});
  const dynamics::ModelEntry& written = dynamics::find_model("formula");
  cases.push_back({&written, "formula.influence = \"d < eps\"\nformula.update = \"(1 - s) * h + s * x0\"\n"});
  cases.push_back(
      {&written, "formula.step = \"pairs\"\nformula.update = \"d < T ? x_i + (1 - s) * (x_j - x_i) / 2 : x_i\"\n"});
  cases.push_back({&written, "formula.update = \"(1 - s) * tanh(2 * x) + s * x0\"\n"});
  for (std::size_t number = 0; number < cases.size(); ++number)
    for (const char* column : {"stubbornness", "temperature", "confidence", "reach"}) {
      const auto& [entry, more] = cases[number];
      DYNAMIC_SECTION(number << ": " << entry->name << " with " << column) {
        put_people(path, *entry, "");
        const Config config = support::config_of(
            *experiment, concat("start.kind = \"file\"\nstart.file = \"", path, "\"\nrun.steps = 6\n",
                                "rest.tolerance = 0.0\nmodel.name = \"", entry->name, "\"\n",
                                entry->rule.update == dynamics::Update::project ? "model.components = 3\n" : "",
                                entry->needs("temperature") ? "model.temperature = 1.0\n" : "", more));
        const std::vector<float> usual = opinions_of(*experiment, config);
        put_people(path, *entry, column);
        const std::string refusal = refusal_of(*experiment, config);
        CHECK((opinions_of(*experiment, config) != usual) == refusal.empty());
        if (!refusal.empty()) {
          CHECK(refusal.find(concat("people.csv: has values in the column '", column, "', which model.name = \"",
                                    entry->name, "\"")) != std::string::npos);
          put_people(path, *entry, column, true);
          CHECK(refusal_of(*experiment, config).empty());
        }
      }
    }
}

TEST_CASE("what an agents' file is refused for names the columns that count", "[opinion][simulate][errors]") {
  const support::TemporaryFolder folder;
  const std::string path = folder.file("people.csv");
  const std::string start = concat("start.kind = \"file\"\nstart.file = \"", path, "\"\n");
  const auto said = [&](const Experiment& experiment, const std::string& more) {
    const std::string text = refusal_of(experiment, support::config_of(experiment, start + more));
    return text.substr(text.find("people.csv"));
  };
  put_people(path, dynamics::find_model("degroot"), "temperature");
  CHECK(
      said(*simulate::make_simulate(), "model.name = \"degroot\"\n") ==
      "people.csv: has values in the column 'temperature', which model.name = \"degroot\" does not read; of agents it "
      "reads stubbornness, reach. Remove the column, or leave its cells empty.");
  CHECK(said(*simulate::make_simulate(), "model.name = \"formula\"\nformula.influence = \"d < eps\"\n") ==
        "people.csv: has values in the column 'temperature', which model.name = \"formula\" as it is written does not "
        "read; of agents it reads stubbornness, confidence, reach. Remove the column, or leave its cells empty.");
  CHECK(said(*phase::make_phase(), "model.name = \"deffuant\"\nphase.control = \"confidence\"\n")
            .find("of agents it reads stubbornness, confidence.") != std::string::npos);
  put_people(path, dynamics::find_model("formula"), "stubbornness");
  const Config deaf =
      support::config_of(*phase::make_phase(), start + "model.name = \"formula\"\nformula.update = \"h\"\n");
  CHECK_THROWS_WITH(refusal_of(*phase::make_phase(), deaf), Catch::Contains("\"h\" reads no s, but agent 0 has"));
  put_people(path, dynamics::find_model("degroot"), "temperature");
  CHECK(said(*temperature::make_temperature(), "") ==
        "people.csv: has a column 'temperature', which opinion.simulate and opinion.phase read, but not this "
        "experiment; remove it.");
}

TEST_CASE("agents bring numbers of their own; empty cells are the usual", "[opinion][simulate]") {
  const AgentsFile file;
  const society::Agents agents = file.read(
      "node,opinion,kind,stubbornness,reach,confidence\nc,0,,0.7,,\na,1,bot,,50,0.3\n"
      "b,2,medium,0.9,,\n");
  CHECK(agents.stubbornness == std::vector<double>{1, 0.9, 0.7});
  CHECK(agents.reach == std::vector<double>{50, 1, 1});
  CHECK(agents.confidence == std::vector<double>{0.3, 0.5, 0.5});
  CHECK(agents.counted == std::vector<std::uint8_t>{0, 0, 1});
  CHECK(agents.temperature.empty());
  CHECK(file.read("node,kind\na,bot\nb,\nc,agent\n").stubbornness == std::vector<double>{1, 0.1, 0.1});
}

TEST_CASE("an agents' file with a mistake ends in the row, the value and the way out", "[opinion][simulate][errors]") {
  const AgentsFile file;
  CHECK(file.complaint("node,kind\na,robot\n") ==
        ":row 2, column 'kind': kind = 'robot', but must be agent, bot or medium.");
  CHECK(file.complaint("node,reach\na,1\nb,-2\n") ==
        ":row 3, column 'reach': reach = -2, but must be >= 0; leave the cell empty for the default.");
  CHECK(file.complaint("node,stubbornness\na,1.5\n") ==
        ":row 2, column 'stubbornness': stubbornness = 1.5, but must be in [0, 1]; leave the cell empty for the "
        "model's.");
  CHECK(file.complaint("node,temperature\nz,1\n") == ":row 2, column 'node': there is no agent 'z'.");
  CHECK(file.complaint("node,kind\na,bot\nb,bot\nc,medium\n") ==
        ": all rows are bots or media; at least one must be an agent.");
  CHECK(file.complaint("node,reach\na,0\nb,0\nc,0\n") ==
        ": every reach is 0, so no agent has any influence; at least one must be > 0.");
}

}  // namespace fovea::opinion::agents_columns
