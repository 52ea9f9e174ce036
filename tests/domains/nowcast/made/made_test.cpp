/// A simulated economy whose causes are known: its months as cases, and what is found of it.

#include <fstream>
#include <limits>
#include <map>
#include <set>

#include "fovea/core/data/view.hpp"
#include "fovea/domains/nowcast/cases/month_cases.hpp"
#include "fovea/domains/nowcast/made/made_cases.hpp"
#include "fovea/domains/nowcast/made/made_findings.hpp"
#include "fovea/tests/support/folders.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::nowcast::made {
namespace {

MadeCases few_months(const std::string& hidden = "") {
  return made_cases({.file = "", .months = 1000, .window = 24}, Random(3), hidden);
}

TEST_CASE("a month of a simulated economy sees its events of the window, and the token of none", "[nowcast][made]") {
  const MadeCases made = few_months();
  const study::Cases& cases = made.cases;
  CHECK_NOTHROW(study::check_cases("made", cases));
  for (Index b = 0; b < cases.count(); ++b) {
    const Index month = made.months[b];
    Index seen = 0;
    for (Index i = cases.offsets[b]; i < cases.offsets[b + 1]; ++i) {
      const std::string& name = cases.classes[cases.kinds[i]];
      if (made.events[i] < 0) {
        CHECK(name == kNothing);
        continue;
      }
      const datasets::simulated::MadeEvent& event = made.economy.events[made.events[i]];
      ++seen;
      CHECK(name == made.economy.settings.kinds[event.kind].name);
      CHECK((static_cast<double>(event.month) == cases.times[i] && event.month <= month && event.month > month - 24));
      CHECK(cases.values(i, 0) == static_cast<float>(event.size));
    }
    CHECK(seen + 1 == cases.size(b));
    CHECK(seen == std::count_if(made.economy.events.begin(), made.economy.events.end(),
                                [&](const auto& event) { return event.month <= month && event.month > month - 24; }));
    CHECK(cases.targets[b] == made.economy.labels[month]);
    CHECK(cases.ends[b] == static_cast<double>(month));
  }
}

TEST_CASE("no two parts of a simulated economy see the same event, and they follow in time", "[nowcast][made]") {
  const MadeCases made = few_months();
  std::map<std::string, std::set<Index>> events;
  std::vector<std::string> order;
  for (Index b = 0; b < made.cases.count(); ++b) {
    const std::string& part = made.cases.parts[b];
    if (order.empty() || order.back() != part) order.push_back(part);
    events[part].insert(made.events.begin() + made.cases.offsets[b], made.events.begin() + made.cases.offsets[b + 1]);
  }
  CHECK(order == std::vector<std::string>{"training", "validation", "test"});
  CHECK(made.months.size() == 1000 - 2 * 24);
  for (auto& [part, seen] : events) {
    seen.erase(-1);
    CHECK(seen.size() > 10);
    for (const auto& [other, there] : events)
      if (part != other)
        for (const Index event : seen) CHECK(there.count(event) == 0);
  }
}

TEST_CASE("a hidden cause keeps its effect, but no month sees it", "[nowcast][made]") {
  const MadeCases all = few_months(), hidden = few_months("credit");
  CHECK(hidden.cases.targets == all.cases.targets);
  CHECK(hidden.cases.classes.size() + 1 == all.cases.classes.size());
  CHECK(std::count(hidden.cases.classes.begin(), hidden.cases.classes.end(), "credit") == 0);
  Index credit = 0;
  for (const std::uint16_t kind : all.cases.kinds) credit += all.cases.classes[kind] == "credit" ? 1 : 0;
  CHECK(credit > 100);
  CHECK(hidden.cases.tokens() == all.cases.tokens() - credit);
}

TEST_CASE("known causes are found again, and what follows a hidden one is warned of", "[nowcast][made]") {
  const Results results =
      support::run_of("nowcast.made", {"economy.months=3000", "training.epochs=150", "ensemble.members=1"});
  const auto of = [&](const char* name) { return view(results.data, name).values(); };
  CHECK(of("made_auroc")[0] > of("bayes_auroc")[0] - 0.04);
  CHECK(of("made_auroc")[0] < of("bayes_auroc")[0] + 0.01);
  CHECK(of("cause_first")[0] > 0.8);
  CHECK(of("recession_months")[0] > 100);
  const std::vector<double> delay = of("delay"), known = of("known_delay"), effect = of("effect");
  for (int kind = 0; kind < 3; ++kind) {
    CHECK(std::abs(delay[kind] - known[kind]) < 2);
    CHECK(effect[kind] > 2);
  }
  for (int kind = 3; kind < 6; ++kind) CHECK(std::abs(effect[kind]) < 1.5);
  CHECK(results.checks().size() == 8);
  const auto warning = results.found<FollowsHiddenCause>();
  REQUIRE(warning);
  CHECK((warning->follower == "sentiment" && warning->cause == "credit"));
  CHECK((warning->hidden > 0.1 && warning->known < 0.1));
}

TEST_CASE("nowcast.made refuses files, folds, trees, and a model without delays", "[nowcast][made]") {
  const support::TemporaryFolder folder;
  const std::string file = folder.file("months.csv");
  std::ofstream(file) << "id,size\n1,1\n";
  CHECK(refusal_of<DataError>([&] { support::run_of("nowcast.made", {"data.file=" + file}); }) ==
        file +
            ": nowcast.made has simulated months alone, whose causes are known; for months of your own use "
            "nowcast.recession.");
  CHECK(support::complaints_of("nowcast.made", {"split.folds=3"}).find("one test part") != std::string::npos);
  CHECK(support::complaints_of("nowcast.made", {"trees.rounds=5"}).find("about attention alone") != std::string::npos);
  CHECK(support::complaints_of("nowcast.made", {"model.delays=[]"}).find("model.delays is empty") != std::string::npos);
}

TEST_CASE("known causes are claimed within all bounds alone", "[nowcast][made]") {
  CHECK(KnownCauses{0.8, 0.25, 1, 0.88, 0.9}.holds());
  CHECK_FALSE(KnownCauses{0.79, 0.25, 1, 0.88, 0.9}.holds());
  CHECK_FALSE(KnownCauses{0.8, 0.25, 1.01, 0.88, 0.9}.holds());
  CHECK_FALSE(KnownCauses{0.8, 0.25, 1, 0.879, 0.9}.holds());
  CHECK_FALSE(KnownCauses{0.8, std::numeric_limits<double>::infinity(), 1, 0.88, 0.9}.holds());
  CHECK_FALSE(FollowsHiddenCause{"a", "b", 0.3, 0.02, 0.2}.holds());  // others get as much
  CHECK_FALSE(FollowsHiddenCause{"a", "b", 0.3, 0.2, 0.02}.holds());  // also where the cause is known
}

}  // namespace
}  // namespace fovea::nowcast::made
