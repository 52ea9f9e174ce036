/// What `lag.discover` says of tables whose links are known: of the pairs that it promises few are false, and it doubts
/// few tables in which nothing is wrong.

#include <bit>
#include <map>

#include "fovea/core/base/words.hpp"
#include "fovea/domains/lag/discover/link_rows.hpp"
#include "fovea/tests/support/folders.hpp"
#include "fovea/tests/support/kinds/kinds.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;

namespace {

constexpr Index kSetsOfKind = 40;
constexpr std::uint64_t kExaminedSeed = 62000;

std::string text_of_values(const Matrix<double>& values) {
  std::string text;
  for (Index j = 0; j < values.cols(); ++j) text += concat(j > 0 ? "," : "", "x", j + 1);
  for (Index t = 0; t < values.rows(); ++t)
    for (Index j = 0; j < values.cols(); ++j) text += concat(j > 0 ? "," : "\n", exact_text(values(t, j)));
  return text + '\n';
}

Results search_of(const Matrix<double>& values, int threads = 1) {
  const support::TemporaryFolder folder(support::memory_disk());
  support::put_file(folder.file("table.csv"), text_of_values(values));
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);  // one for many small tables: threads would wait for each other
  Results results =
      support::run_of("lag.discover", {concat("data.file=", folder.file("table.csv")), "method.beside=[]"});
  omp_set_num_threads(before);
  return results;
}

/// Ordered pairs of different series with a directed link that counts, and whether it is promised.
std::map<std::pair<std::string, std::string>, bool> found_pairs(const Results& results) {
  std::map<std::pair<std::string, std::string>, bool> pairs;
  const std::vector<discover::LinkRow> links = discover::read_links(results.data);
  for (std::size_t k = 0; k < links.size(); ++k) {
    if (links[k].self() || !links[k].directed) continue;
    bool& promised = pairs[{links[k].cause, links[k].effect}];
    promised = promised || results.data.at("link_promised").reals()[k] > 0;
  }
  return pairs;
}

/// The same bits, NaN where the other is: what was not tested.
bool same_bits_of(const Results& one, const Results& other, const char* array) {
  const std::vector<double>&a = one.data.at(array).reals(), &b = other.data.at(array).reals();
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

struct Promises {
  Index found = 0, promised = 0, wrong = 0;
};

Promises promises_of(const char* kind) {
  Promises all;
  for (Index set = 0; set < kSetsOfKind; ++set) {
    const support::kinds::KnownTable drawn = support::kinds::draw_table(kind, set, Random(kExaminedSeed));
    for (const auto& [pair, promised] : found_pairs(search_of(drawn.table.values))) {
      const bool is_true = std::any_of(drawn.links.begin(), drawn.links.end(), [&](const auto& link) {
        return drawn.table.names[link.cause] == pair.first && drawn.table.names[link.effect] == pair.second;
      });
      ++all.found;
      all.promised += promised ? 1 : 0;
      all.wrong += promised && !is_true ? 1 : 0;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("Of 200 tables with links at most 7 % of the promised pairs are false", "[kept_promises][long]") {
  constexpr double kMostFalse = 0.07, kLeastPromised = 0.8;  // of a level of .05; of the pairs of linear tables
  constexpr double kByChance = 2;                            // pairs of a kind, where few are promised
  Promises all;
  std::string by_kind;
  for (const char* kind : {"driven_linear", "driven_bent", "driven_product", "driven_noisy", "driven_flow"}) {
    const Promises of = promises_of(kind);
    by_kind += concat(kind, ": ", of.found, " found, ", of.promised, " promised, ", of.wrong, " of these false\n");
    INFO(by_kind);
    CHECK(static_cast<double>(of.wrong) <= kMostFalse * static_cast<double>(of.promised) + kByChance);
    if (kind == std::string("driven_linear"))
      CHECK(static_cast<double>(of.promised) >= kLeastPromised * static_cast<double>(of.found));
    all.promised += of.promised;
    all.wrong += of.wrong;
  }
  INFO(by_kind);
  CHECK(static_cast<double>(all.wrong) <= kMostFalse * static_cast<double>(all.promised));
}

TEST_CASE("Of 200 linear tables at most 5 % are doubted", "[kept_promises][long]") {
  constexpr Index kMostDoubted = kSetsOfKind * 5 / 20;
  Index doubted = 0;
  std::string by_kind;
  for (const char* kind : {"driven_linear", "driven_heavy", "driven_uneven", "driven_season", "driven_sparse"})
    for (Index set = 0; set < kSetsOfKind; ++set) {
      const support::kinds::KnownTable drawn = support::kinds::draw_table(kind, set, Random(kExaminedSeed));
      const Results results = search_of(drawn.table.values);
      if (!results.data.has("doubt_reason")) continue;
      ++doubted;
      by_kind += concat(kind, ' ', set, ": ", discover::words(results.data, "doubt_reason").front(), '\n');
    }
  INFO(by_kind);
  CHECK(doubted <= kMostDoubted);
}

TEST_CASE("Other units give the same links but for rounding, any number of threads the same bits", "[kept_promises]") {
  constexpr double kUnitRounding = 1e-6;  // of log10 p: long sums of values that are rounded in another place
  for (const char* kind : {"driven_linear", "driven_product", "driven_uneven"}) {
    const Matrix<double> values = support::kinds::draw_table(kind, 0, Random(7300)).table.values;
    const Results one = search_of(values);
    const auto numbers = [](const Results& results, const char* array) { return results.data.at(array).reals(); };
    for (const int threads : {2, 3, 5}) {
      const Results many = search_of(values, threads);
      for (const char* array : {"p_value", "q_value", "strength", "counts"}) CHECK(same_bits_of(one, many, array));
    }
    Matrix<double> to_one = values, to_deviations = values;
    for (Index j = 0; j < values.cols(); ++j) {
      const auto x = values.col(j).array();
      to_one.col(j) = (x - x.minCoeff()) / (x.maxCoeff() - x.minCoeff());
      to_deviations.col(j) = (x - x.mean()) / std::sqrt((x - x.mean()).square().mean());
    }
    for (const Matrix<double>* rescaled : {&to_one, &to_deviations}) {
      const Results other = search_of(*rescaled);
      CHECK(found_pairs(one) == found_pairs(other));
      CHECK(same_bits_of(one, other, "counts"));
      const std::vector<double> p = numbers(one, "p_value"), again = numbers(other, "p_value");
      double furthest = 0;
      for (std::size_t k = 0; k < p.size(); ++k)
        if (p[k] > 0 && again[k] > 0) furthest = std::max(furthest, std::fabs(std::log10(p[k] / again[k])));
      CHECK(furthest < kUnitRounding);
    }
  }
}

TEST_CASE("The search goes on further back where what it found shows a memory there", "[kept_promises]") {
  constexpr Index kSeries = 30, kSteps = 600;
  int extended = 0, without = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Matrix<double> values(kSteps, kSeries);
    for (Index t = 0; t < kSteps; ++t)
      for (Index i = 0; i < kSeries; ++i)
        values(t, i) = Random(6400 + seed).normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t));
    // After 3 steps too weak to be seen among all pairs and lags, but not among those of a cause that was found.
    for (Index t = 3; t < kSteps; ++t) values(t, 1) += 0.5 * values(t - 1, 0) + 0.18 * values(t - 3, 0);
    const Results results = search_of(values);
    const auto& notes = results.notes();
    const auto note = std::ranges::find_if(notes, [](const std::string& n) { return n.starts_with("Largest lag"); });
    REQUIRE(note != notes.end());
    const bool further = note->find("with fewer, x2 depends on x1 3 steps before, beyond what") != std::string::npos;
    CHECK(further == (note->find("with fewer") != std::string::npos));
    if (further) CHECK(note->starts_with("Largest lag 5 steps"));
    extended += further ? 1 : 0;
    without += note->find("given the values up to there") != std::string::npos ? 1 : 0;
  }
  CHECK(extended >= 1);
  CHECK(without >= 2);
}

TEST_CASE("a hidden factor asks for all lags that were tried, independent noise for the fewest", "[lag][promises]") {
  const auto reason = [](double factor) {
    const Random random(62901);
    Matrix<double> values(400, 8);
    for (Index t = 0; t < 400; ++t)
      for (Index i = 0; i < 8; ++i)
        values(t, i) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(t)) +
                       factor * random.normal(8, static_cast<std::uint64_t>(t));
    std::string all;
    const Results found = search_of(values);
    for (const std::string& note : found.notes()) all += note;
    return all;
  };
  CHECK_THAT(reason(2), Catch::Contains("Largest lag 5 steps: with fewer, a hidden factor seems to move the series."));
  CHECK_THAT(reason(0), Catch::Contains("Largest lag 1 step: given") && !Catch::Contains("hidden factor seems"));
}
