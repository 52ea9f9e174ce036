/// Which significant links are promised, and what is said where some are not.

#include "fovea/domains/lag/discover/promises.hpp"

#include "fovea/domains/lag/discover/findings.hpp"
#include "fovea/domains/lag/discover/link_rows.hpp"
#include "fovea/domains/lag/discover/verdict.hpp"
#include "fovea/domains/lag/door/promise.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::lag;
using attention::Doubt, attention::DoubtKind;

namespace {

/// Four series and four links, one of them within a step without a direction.
struct Made {
  datasets::series::SeriesTable table;
  discover::Discovery discovery{table};

  Made() {
    table.names = {"x1", "x2", "x3", "x4"};
    table.values = Matrix<double>::Random(60, 4);
    discovery.settings.lags = {1, 2};
    discovery.settings.contemporaneous = true;
    discovery.surrogates.draws = 40;
    discovery.doubts.resize(4);
    discovery.ours = {
        "attention",
        "made",
        {{link(0, 1, 1, .4), link(1, 1, 1, .8), link(1, 3, 2, .5), link(2, 3, 1, .3), link(0, 2, 0, -.3)}, {}}};
  }
  static methods::Link link(Index cause, Index effect, Index lag, double strength) {
    methods::Link made{cause, effect, lag, strength};
    made.p_value = made.q_value = 1e-4;
    made.counts = true;
    made.directed = lag > 0;
    return made;
  }
  /// Of the links in their order.
  std::string promised() {
    discover::settle_promises(discovery);
    std::string marks;
    for (const methods::Link& one : discovery.ours.findings.links) marks += one.promised ? 'y' : 'n';
    return marks;
  }
  Results results() {
    discover::settle_promises(discovery);
    Results results;
    discover::write_discovery(discovery, results);
    return results;
  }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string promise_of(const Results& results) { return door::promise_of_links(results, {}); }

}  // namespace

TEST_CASE("links into a doubted series are not promised, nor any where the table keeps no rate", "[lag][promises]") {
  Made made;
  CHECK(made.promised() == "yyyyy");
  made.discovery.doubts[3] = {{.kind = DoubtKind::product, .series = 2, .other = 1, .effect = 3}};
  CHECK(made.promised() == "yynny");
  made.discovery.doubts[0] = {{.kind = DoubtKind::noise, .series = 0, .size = 0.2}};
  CHECK(made.promised() == "yynnn");  // the link without direction leads into x1 too
  made.discovery.doubts = {};
  CHECK(made.promised() == "yyyyy");  // methods that ask for no doubts
  made.discovery.ours.findings.links[0].counts = false;
  CHECK(made.promised() == "nyyyy");
  for (const int why : {0, 1, 2, 3}) {
    Made none;
    if (why == 0) none.discovery.surrogates.kept = false;
    if (why == 1) none.discovery.shared.found = true;
    if (why == 2) none.discovery.hidden.found = true;
    if (why == 3) none.discovery.ours.name = "pcmci_plus";
    CHECK(none.promised() == "nnnnn");
  }
}

TEST_CASE("the first sentence says why links are not promised and how many, and no other contradicts it",
          "[lag][promises]") {
  Made made;
  const Results all = made.results();
  CHECK(all.verdict().starts_with("4 significant links among 4 series (FDR 5 %, lags 0 to 2 steps)"));
  CHECK(has(all.verdict(), "On 40 surrogates"));
  CHECK(promise_of(all).starts_with("It covers all 4 significant links between series: of the pairs"));
  CHECK_FALSE(has(all.notes().front(), "Of the others"));
  CHECK_FALSE(all.data.has("doubt"));

  made.discovery.doubts[3] = {{.kind = DoubtKind::product, .series = 2, .other = 1, .effect = 3},
                              {.kind = DoubtKind::memory, .series = 1, .lag = 4, .effect = 3}};
  const Results some = made.results();
  CHECK(some.verdict().starts_with(
      "x4 answers more than lines show, such as x3 times x2 (and 1 further reason, see the notes): 2 "
      "of 4 links are not promised. 4 significant links among 4 series (FDR 5 % of the 2 "
      "promised, lags 0 to 2 steps)"));
  CHECK(has(some.verdict(), "On 40 surrogates"));
  CHECK(promise_of(some).starts_with("It covers 2 of the 4 significant links between series"));
  CHECK(has(some.notes()[0] + some.notes()[1],
            "Links into x4 are not promised: x4 answers more than lines show, such as x3 times x2"));
  const auto of = [&](const char* name) { return std::get<std::vector<std::string>>(some.data.at(name).values); };
  CHECK(of("doubt_series") == std::vector<std::string>{"x4", "x4"});
  CHECK(of("doubt_kind") == std::vector<std::string>{"product", "memory"});
  CHECK(of("found_text")[3 * 4 + 1] == "2?***");
  CHECK(of("found_text")[1 * 4 + 0] == "1***");
  CHECK(of("link_promise") == std::vector<std::string>{"yes", "yes", "no", "no", "yes"});

  for (std::vector<Doubt>& doubts : made.discovery.doubts)
    doubts = {{.kind = DoubtKind::noise, .series = 1, .size = 0.25}};
  const Results none = made.results();
  std::string noisy = attention::reason_of(made.discovery.doubts[0][0], made.table.names);
  noisy[0] = static_cast<char>(std::toupper(noisy[0]));  // no name
  CHECK(none.verdict().starts_with(
      noisy + ": none of 4 links is promised. 4 significant links among 4 series (FDR unknown, lags"));
  CHECK_FALSE(has(none.verdict(), "surrogates"));
  CHECK(promise_of(none).starts_with("None: " + noisy));
  CHECK(std::none_of(none.notes().begin(), none.notes().end(),
                     [](const auto& note) { return has(note, "at most 5 %"); }));
}

TEST_CASE("a table without links is promised to have none, whatever is doubted", "[lag][promises]") {
  Made made;
  for (methods::Link& link : made.discovery.ours.findings.links) link.counts = false;
  made.discovery.doubts[3] = {{.kind = DoubtKind::few_values, .series = 3, .size = 2}};
  const Results results = made.results();
  CHECK(has(results.verdict(), "No significant link among 4 series (FDR 5 %"));
  CHECK_FALSE(has(results.verdict(), "promised"));
  CHECK(promise_of(results).starts_with("No steady link between series is significant"));
}

TEST_CASE("reasons of one kind are one in words, and each by itself in the result", "[lag][promises]") {
  Made made;
  made.discovery.doubts.resize(4);
  made.discovery.doubts[1].push_back({.kind = DoubtKind::square, .series = 0, .effect = 1});
  made.discovery.doubts[3].push_back({.kind = DoubtKind::product, .series = 0, .other = 1, .effect = 3});
  const Results results = made.results();
  CHECK_FALSE(has(results.verdict(), "further reason"));
  std::string notes;
  for (const std::string& note : results.notes()) notes += note + '\n';
  CHECK(has(notes, "are not promised, of which one shows why: "));
  CHECK(results.data.at("doubt").size() == 2);
  made.discovery.doubts[3].clear();
  notes.clear();
  const Results of_one = made.results();
  for (const std::string& note : of_one.notes()) notes += note + '\n';
  CHECK_FALSE(has(notes, "of which one shows why"));
}

TEST_CASE("where no link is significant a doubt comes first, and without one none is named", "[lag][promises]") {
  Made made;
  for (methods::Link& link : made.discovery.ours.findings.links) link.counts = false;
  CHECK(made.results().verdict().starts_with("No significant link among 4 series"));
  made.discovery.doubts.resize(4);
  made.discovery.doubts[2].push_back({.kind = DoubtKind::gaps, .series = 2, .size = 0.4});
  CHECK(has(made.results().verdict(), "missing: that no link is significant does not say that there is none."));
  CHECK_FALSE(made.results().verdict().starts_with("No significant link"));
}

TEST_CASE("what may have no effect is not said to drive, but a bent response is", "[lag][promises]") {
  Made made;
  made.discovery.effects.emplace().skill.assign(4, kNan);
  auto& effects = made.discovery.effects->links;
  effects[{0, 1, 1}].effect = {0.1, -0.1, 0.3};
  effects[{1, 3, 2}].effect = {0.2, 0.1, 0.3};
  CHECK(made.promised() == "nyyyy");
  const std::string verdict = made.results().verdict();
  CHECK(verdict.starts_with(
      "The 95 % interval of the effect of x1 on x2 after 1 step holds 0: 1 of 4 links is not promised."));
  CHECK(has(verdict, "x1 may drive x2"));
  CHECK_FALSE(has(verdict, "x2 may drive"));
  made.discovery.ours.findings.links[0].bent = true;  // a slope says nothing of it
  CHECK(made.promised() == "yyyyy");
  CHECK(has(made.results().verdict(), "x1 drives x2"));
}

TEST_CASE("series move together within a step, or against each other, by the sign", "[lag][promises]") {
  Made made;
  const auto said = [&](double strength) {
    made.discovery.ours.findings.links[4].strength = strength;
    return discover::sentence_of(made.discovery, made.discovery.ours.findings.links[4]);
  };
  CHECK(said(-.3) == "x1 and x3 move against each other within a step");
  const Results against = made.results();
  CHECK(said(.3) == "x1 and x3 move together within a step");
  for (const Results& results : {against, made.results()}) {
    const std::vector<discover::LinkRow> rows = discover::read_links(results.data);
    CHECK(std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !row.directed; }) == 1);
    CHECK(std::all_of(rows.begin(), rows.end(), [](const auto& row) { return row.promised; }));
  }
}
