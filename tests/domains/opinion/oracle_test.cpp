#include "fovea/domains/opinion/oracle/oracle.hpp"

#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/opinion/experiments.hpp"
#include "fovea/tests/support/runs/bench.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

std::string listed(const std::vector<std::string>& targets) {
  std::string list;
  for (const std::string& target : targets) list += (list.empty() ? "\"" : ", \"") + target + '"';
  return "targets = [" + list + "]\n";
}

Results asked(const std::vector<std::string>& targets, Workbench& bench) {
  const Config config = support::config_of("opinion.oracle", listed(targets));
  return support::point_of(*oracle::make_oracle(), config, bench);
}

}  // namespace

TEST_CASE("the oracle's table: names once, entries in order, statements of one line", "[oracle]") {
  std::set<std::string_view> names, entries;
  std::string_view last;
  for (const oracle::OracleTarget& target : oracle::oracle_targets()) {
    CAPTURE(target.name);
    CHECK(names.insert(target.name).second);
    CHECK((target.entry == last || entries.insert(target.entry).second));  // no entry is taken up again later
    last = target.entry;
    CHECK(target.measure != nullptr);
    CHECK_FALSE(target.statement.empty());
    CHECK_FALSE(target.source.empty());
    CHECK(target.statement.find('\n') == std::string_view::npos);
  }
  for (int entry = 1; entry <= 12; ++entry) CHECK(entries.contains(concat("E", entry)));
  for (const std::string_view name : names)
    for (const std::string_view other : names)  // a check's name says its target: none may begin like another
      CHECK((name == other || !other.starts_with(concat(name, "_"))));
}

TEST_CASE("targets are chosen by entry or name; what is neither is refused with the nearest", "[oracle]") {
  CHECK(oracle::chosen_targets({}).size() == oracle::oracle_targets().size());
  const auto chosen = oracle::chosen_targets({"folds", "E2"});
  REQUIRE(chosen.size() == 3);
  CHECK(chosen[0]->entry == "E2");
  CHECK(chosen[2]->name == "folds");
  CHECK_THROWS_WITH(
      oracle::chosen_targets({"fold"}),
      "targets: there is no 'fold'; it must be an entry such as E5 or a name such as folds. Did you mean 'folds'?");
}

TEST_CASE("the models answer what is known beforehand, as far as it is asked quickly", "[oracle]") {
  const auto bench = plain_workbench();
  const Results results =
      asked({"E1", "two_camps", "gaussian_crowd", "orthonormal_tokens", "tricritical", "E12", "voters", "majorities"},
            *bench);
  CHECK(results.checks().size() >= 25);
  for (const Check& check : results.checks()) {
    CAPTURE(check.name, check.predicted, check.measured, check.tolerance.size);
    CHECK(check.holds());
  }
  CHECK(results.verdict().starts_with("The models agree with all "));
  CHECK(results.data.at("target_failed").reals() == std::vector<double>(9, 0.0));
  CHECK(asked({"two_camps"}, *bench).verdict().starts_with("The models agree with the known result, in "));
}

TEST_CASE("the oracle's answers have the same bits for any number of threads, and after a stop", "[oracle][threads]") {
  const std::vector<std::string> targets{"contraction", "two_camps", "orthonormal_tokens", "voters"};
  const auto bench = plain_workbench();
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::string alone = asked(targets, *bench).presentation();
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    CHECK(asked(targets, *bench).presentation() == alone);
  }
  omp_set_num_threads(before);

  support::StoppingBench stopping(1);
  CHECK_THROWS_AS(asked(targets, stopping), Interrupted);
  REQUIRE(stopping.saved);
  CHECK(asked(targets, stopping).presentation() == alone);
  CHECK(std::is_sorted(stopping.fractions.begin(), stopping.fractions.end()));
  CHECK(stopping.fractions.back() == 1);
}

TEST_CASE("a wrong answer is a failed check, and an entry without its files says so", "[oracle]") {
  const oracle::OracleTarget& target = oracle::oracle_targets().front();
  Results results;
  const Config config = support::config_of("opinion.oracle");
  oracle::OracleSheet sheet(target, results, config, Random(1), [](double) {});
  sheet.compare("right", "right", 2.0, 2.0 + 1e-9, relative(1e-9));
  sheet.compare("wrong", "wrong", 2.0, 2.0 + 1e-9, relative(1e-10));
  sheet.compare("far", "far", 0.0, 1e-9, absolute(1e-10));
  sheet.claim("so", "so", true);
  sheet.claim("not_so", "not so", false);
  std::vector<bool> holds;
  for (const Check& check : results.checks()) holds.push_back(check.holds());
  CHECK(holds == std::vector<bool>{true, false, false, true, false});
  CHECK(results.checks()[1].name == "E1_contraction_wrong");

  const auto bench = plain_workbench();
  const Results without = asked({"data"}, *bench);
  CHECK(without.checks().empty());
  REQUIRE(without.notes().size() == 2);
  CHECK(without.notes()[0] == "Not compared: the US Senate's ideal points; set senate.members to its file.");
}
