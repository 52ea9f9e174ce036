/// One crowd over several ranks: the bytes of one process, and what several refuse.

#include "fovea/core/lab/checkpoint/own_rows.hpp"
#include "fovea/domains/opinion/measures/crowd_moments.hpp"
#include "fovea/domains/opinion/measures/gap_camps.hpp"
#include "fovea/domains/opinion/simulate/settings.hpp"
#include "fovea/domains/opinion/society/block_sums.hpp"
#include "fovea/tests/support/ranks/thread_ranks.hpp"
#include "fovea/tests/support/runs/run.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::opinion {

namespace {

/// A state as all ranks have it, with the rows of all.
struct RankState {
  Dataset state;
  std::vector<double> rows;
};

/// The workbench of one rank; after so many checkpoints it keeps the state and stops.
class RankBench final : public Workbench {
 public:
  explicit RankBench(const Ranks& ranks, std::optional<RankState> from = {}, int stop_at = 0)
      : ranks_(ranks), from_(std::move(from)), stop_at_(stop_at) {}
  const Ranks& ranks() const override { return ranks_; }
  void own_rows(Matrix<double>& rows, RankPart part, Index total) override {
    if (rows.rows() != part.count || total != ranks_.total(part.count)) std::terminate();
    own_ = {&rows, part, total};
  }
  std::optional<Dataset> restored() override {
    if (!from_) return {};
    std::copy_n(from_->rows.begin() + own_.part.first, own_.part.count, own_.rows->data());
    return from_->state;
  }
  void checkpoint(const std::function<Dataset()>& state) override {
    if (++checkpoints_ != stop_at_) return;
    kept = {state(), ranks_.collect({own_.rows->data(), static_cast<std::size_t>(own_.rows->size())})};
    throw Interrupted("stopped by the test");
  }
  void progress(double) override {}
  void log(const std::string&) override {}
  RankState kept;

 private:
  const Ranks& ranks_;
  std::optional<RankState> from_;
  int stop_at_, checkpoints_ = 0;
  OwnRows own_;
};

struct RankCase {
  const char* name;
  std::string toml;
  std::vector<int> sizes;
};

/// Everything that a run writes, as one hash: of rank 0, "" where ranks differ in what they computed.
std::string hash_by_ranks(const Config& config, int size, int threads, const std::optional<RankState>& from = {}) {
  std::vector<std::string> own(size);
  std::string whole;
  support::as_ranks(size, threads, [&](const Ranks& ranks) {
    RankBench bench(ranks, from);
    const Experiment& experiment = support::experiment_of("opinion.simulate");
    Results results;
    experiment.run(config, {}, Random(1), results, bench);
    own[ranks.rank()] = content_hash(results.data);
    if (ranks.rank() > 0) return;
    experiment.conclude(results);
    results.data.documents["presentation"] = results.presentation();
    whole = content_hash(results.data);
  });
  const bool alike = std::all_of(own.begin(), own.end(), [&](const std::string& hash) { return hash == own[0]; });
  return alike ? whole : "";
}

RankState stopped_by_ranks(const Config& config, int size, int step) {
  RankState kept;
  std::vector<std::string> states(size);
  support::as_ranks(size, 1, [&](const Ranks& ranks) {
    RankBench bench(ranks, {}, step);
    Results results;
    try {
      support::experiment_of("opinion.simulate").run(config, {}, Random(1), results, bench);
    } catch (const Interrupted&) {
    }
    states[ranks.rank()] = content_hash(bench.kept.state);
    if (ranks.rank() == 0) kept = std::move(bench.kept);
  });
  for (const std::string& state : states) CHECK(state == states[0]);
  return kept;
}

Config ranked_config(const std::string& toml) {
  return support::config_of("opinion.simulate", "record.agents = 300\nrecord.states = 3\n" + toml);
}

const std::string kAttentive = "model.name = \"attention\"\n", kNormal = "start.kind = \"normal\"\n",
                  kFour = "agents.count = 110000\nrun.steps = 3\n",  // blocks
    kOneCamp = "camps.gap = 20\n";                                   // nobody looks for peaks, which takes longest

const std::string kNewcomers = FOVEA_SOURCE_DIR "/experiments/opinion/newcomers.csv";

std::string refused_by_ranks(const std::string& toml) {
  return refusal_of([&] { simulate::check_simulated_by_ranks(ranked_config(toml)); });
}

}  // namespace

TEST_CASE("a crowd has the same bytes for any number of ranks and threads", "[opinion][simulate][ranks]") {
  const RankCase one = GENERATE(
      RankCase{"plain", kFour + kAttentive + kOneCamp + "start.kind = \"uniform\"\n", {3}},
      RankCase{"noise and stubbornness",
               "agents.count = 250000\nrun.steps = 3\nmodel.noise = 0.05\nmodel.stubbornness = 0.3\n" + kAttentive,
               {2, 3, 4, 7}},
      RankCase{"shocks",
               kFour + kAttentive + kNormal + kOneCamp +
                   "shocks.steps = [1, 2]\nshocks.kinds = [\"shift\", \"temperature\"]\n"
                   "shocks.values = [0.5, 0.2]\nshocks.shares = [0.3, 1]\n",
               {2}},
      RankCase{"listeners far from all others", kFour + kAttentive + kNormal + "model.temperature = 0.05\n", {3}},
      RankCase{"two camps",
               kFour + kAttentive + "start.kind = \"two_camps\"\nmodel.temperature = 0.1\nmodel.noise = 0.01\n",
               {2}},
      RankCase{"saturation",
               kFour + kOneCamp + "model.name = \"saturation\"\nmodel.noise = 0.01\nmodel.coupling = 3\n",
               {4}},
      RankCase{"at rest", "agents.count = 70000\nrun.steps = 60\nstart.kind = \"even\"\n" + kAttentive, {3}},
      RankCase{"one mean",
               kFour + kNormal + kOneCamp +
                   "model.name = \"friedkin_johnsen\"\nmodel.noise = 0.1\nmodel.stubbornness = 0.5\n",
               {3}},
      RankCase{
          "one block, more ranks than blocks",
          "agents.count = 3000\nrun.steps = 2\nmodel.noise = 0.01\nmodel.temperature = 0.05\n" + kAttentive + kNormal,
          {3}});
  CAPTURE(one.name);
  const Config config = ranked_config(one.toml);
  const std::string alone = hash_by_ranks(config, 1, 2);
  for (const int size : one.sizes) {
    CAPTURE(size);
    CHECK(hash_by_ranks(config, size, size % 2 + 1) == alone);
  }
}

TEST_CASE("a crowd that was stopped goes on with another number of ranks", "[opinion][simulate][ranks]") {
  const Config config =
      ranked_config("agents.count = 110000\nrun.steps = 3\nmodel.noise = 0.02\n" + kOneCamp + kAttentive);
  const std::string whole = hash_by_ranks(config, 2, 1);
  const RankState three = stopped_by_ranks(config, 3, 2), one = stopped_by_ranks(config, 1, 2);
  CHECK(three.rows == one.rows);
  CHECK(content_hash(three.state) == content_hash(one.state));
  for (const int size : {1, 2}) CHECK(hash_by_ranks(config, size, 1, three) == whole);
}

TEST_CASE("moments and camps of many agents do not depend on who holds whom", "[opinion][measures][ranks]") {
  constexpr Index kAgents = 3 * kRankBlock + 1234;
  constexpr double kGap = 0.02, kRounding = 1e-12;  // sums of a hundred thousand
  Matrix<double> x(kAgents, 1);
  for (Index i = 0; i < kAgents; ++i)
    x(i, 0) = 3 + (i % 5 == 0 ? 1 : -1) + 0.1 * Random(5).normal(static_cast<std::uint64_t>(i));
  const measures::CrowdMoments line = measures::crowd_moments(x, alone());
  CHECK(std::abs(line.mean - x.mean()) < kRounding);
  CHECK(std::abs(line.variance - measures::variance(x)) < kRounding);
  CHECK(std::abs(line.bimodality - measures::bimodality(x)) < kRounding);
  const measures::GapCamps camps({x.data(), static_cast<std::size_t>(kAgents)}, kGap);
  REQUIRE(camps.camps().sizes.size() > 2);
  for (const int size : {2, 3, 4}) {
    std::vector<int> alike(size, 0);
    support::as_ranks(size, 1, [&](const Ranks& ranks) {
      const RankPart part = rank_part(kAgents, ranks);
      const Matrix<double> own = x.middleRows(part.first, part.count);
      const measures::CrowdMoments here = measures::crowd_moments(own, ranks);
      const measures::GapCamps found({own.data(), static_cast<std::size_t>(part.count)}, kGap, ranks, part.first);
      bool same = here.mean == line.mean && here.variance == line.variance && here.bimodality == line.bimodality;
      same = same && found.camps().sizes == camps.camps().sizes && found.camps().centres == camps.camps().centres;
      for (Index i = 0; i < part.count; ++i) same = same && found.camp_of(own(i, 0)) == camps.camp_of(own(i, 0));
      alike[ranks.rank()] = same ? 1 : 0;
    });
    CHECK(std::accumulate(alike.begin(), alike.end(), 0) == size);
  }
}

TEST_CASE("sums over one block are those in order, and keep what overflows", "[opinion][measures][ranks]") {
  std::vector<double> table{0.1, -3e200, 1e-300, 0.0, 1e308, 1e308};
  CHECK(society::add_blocks(alone(), std::span(table).first(4), 4) == std::vector<double>{0.1, -3e200, 1e-300, 0.0});
  CHECK(society::add_blocks(alone(), table, 6)[0] == 0.1);
  table[1] = -std::numeric_limits<double>::infinity();
  const std::vector<double> sums = society::add_blocks(alone(), table, 3);
  CHECK(sums[0] == 0.1);
  CHECK(sums[1] == std::numeric_limits<double>::infinity());
}

TEST_CASE("an opinion that is not finite is named by its number in the whole crowd", "[opinion][ranks][errors]") {
  constexpr Index kAgents = 2 * kRankBlock, kBad = kRankBlock + 7;
  std::vector<std::string> refusals(2);
  support::as_ranks(2, 1, [&](const Ranks& ranks) {
    const RankPart part = rank_part(kAgents, ranks);
    Matrix<double> own = Matrix<double>::Zero(part.count, 1);
    if (ranks.rank() == 1) own(kBad - part.first, 0) = std::numeric_limits<double>::infinity();
    const auto [agent, opinion] = society::first_not_finite(ranks, own, part.first);
    refusals[ranks.rank()] = concat(agent, " ", opinion);
  });
  for (const std::string& refusal : refusals) CHECK(refusal == concat(kBad, " inf"));
}

TEST_CASE("several ranks refuse what one process computes, a sentence for each key", "[opinion][simulate][ranks]") {
  for (const std::string& toml :
       {kAttentive, kAttentive + "shocks.steps = [1]\nshocks.kinds = [\"set\"]\nshocks.values = [0.5]\n",
        std::string("model.name = \"saturation\"\nstart.kind = \"even\"\n"), std::string("model.name = \"degroot\"\n")})
    CHECK_NOTHROW(simulate::check_simulated_by_ranks(ranked_config(toml)));
  struct Refused {
    std::string toml, sentence;
  };
  const std::string one = " needs one process, fovea run; several compute a crowd together ";
  for (const Refused& refused :
       {Refused{"model.name = \"deffuant\"\n",
                "model.name = \"deffuant\"" + one + "by attention, saturation, degroot "},
        Refused{"model.name = \"hegselmann_krause\"\n", "model.name = \"hegselmann_krause\"" + one},
        Refused{"model.name = \"transformer_line\"\n", "model.name = \"transformer_line\"" + one},
        Refused{"model.name = \"baumann\"\n", "model.name = \"baumann\"" + one},
        Refused{kAttentive + "model.score = \"dot_product\"\n", "model.score = \"dot_product\"" + one},
        Refused{kAttentive + "model.fast = false\n", "model.fast = false" + one},
        Refused{kAttentive + kNormal + "model.components = 2\n", "model.components = 2" + one},
        Refused{kAttentive + "network.kind = \"erdos_renyi\"\n", "network.kind = \"erdos_renyi\"" + one},
        Refused{kAttentive + "start.kind = \"two_opinions\"\n", "start.kind = \"two_opinions\"" + one},
        Refused{kAttentive + "bots.opinions = [1]\n", "bots.opinions" + one + "without bots."},
        Refused{kAttentive + "media.opinions = [1]\n", "media.opinions" + one + "without media."},
        Refused{kAttentive + "events.file = \"" + kNewcomers + "\"\n", "newcomers.csv\"" + one + "without events."},
        Refused{kAttentive + "feed.size = 5\n", "feed.size = 5" + one},
        Refused{kAttentive + "record.measures = [\"dip\"]\n", "record.measures" + one}})
    CHECK_THAT(refused_by_ranks(refused.toml), Catch::Contains(refused.sentence));
  CHECK_THROWS_AS(support::experiment_of("opinion.phase").check_ranks(support::config_of("opinion.phase")),
                  ConfigError);
}

TEST_CASE("one process over a crowd with fine gaps sorts, several ask for wider ones", "[opinion][measures][ranks]") {
  Matrix<double> x(2 * kRankBlock, 1);
  for (Index i = 0; i < x.rows(); ++i) x(i, 0) = Random(5).uniform(static_cast<std::uint64_t>(i));
  const auto span = [](const Matrix<double>& opinions) {
    return std::span<const double>(opinions.data(), static_cast<std::size_t>(opinions.size()));
  };
  CHECK(measures::GapCamps(span(x), 1e-9).camps().agents() == x.rows());
  support::as_ranks(2, 1, [&](const Ranks& ranks) {
    const RankPart part = rank_part(x.rows(), ranks);
    const Matrix<double> own = x.middleRows(part.first, part.count);
    const std::string refusal = refusal_of([&] { measures::GapCamps(span(own), 1e-9, ranks, part.first); });
    if (refusal.find("give a wider camps.gap") == std::string::npos) std::terminate();
  });
}

}  // namespace fovea::opinion
