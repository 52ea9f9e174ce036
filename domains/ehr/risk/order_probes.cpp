/// Whether the order of the stays tells the outcome.

#include <algorithm>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/data/rows.hpp"
#include "fovea/core/study/scores/scores.hpp"
#include "fovea/domains/ehr/findings.hpp"
#include "fovea/domains/ehr/record/interval_text.hpp"
#include "fovea/domains/ehr/risk/examined.hpp"

namespace fovea::ehr::risk {

namespace {

struct Probe {
  std::string name;
  std::vector<Index> places;
};

bool whole_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Numbers of any length: without leading zeros the longer one is larger.
bool smaller_number(const std::string& a, const std::string& b) {
  const std::size_t from_a = std::min(a.find_first_not_of('0'), a.size()),
                    from_b = std::min(b.find_first_not_of('0'), b.size());
  if (a.size() - from_a != b.size() - from_b) return a.size() - from_a < b.size() - from_b;
  return a.compare(from_a, std::string::npos, b, from_b, std::string::npos) < 0;
}

/// Places that ascend are a risk that ascends.
study::Predictions as_risks(const std::vector<Index>& places) {
  study::Predictions risks;
  risks.mean.resize(std::ssize(places), 1);
  const double step = 1 / (1.0 + static_cast<double>(*std::max_element(places.begin(), places.end())));
  for (std::size_t k = 0; k < places.size(); ++k)
    risks.mean(static_cast<Index>(k), 0) = (static_cast<double>(places[k]) + 0.5) * step;
  risks.spread = Matrix<double>::Zero(risks.mean.rows(), 1);
  return risks;
}

std::vector<Probe> probes_of(const Examined& examined) {
  std::vector<std::string> ids;
  std::vector<Index> rows;
  for (const Index item : examined.items) {
    ids.push_back(examined.cases.ids[item]);
    rows.push_back(static_cast<Index>(rows.size()));
  }
  std::vector<Index> numbers = places_of_ids(ids);
  if (numbers == rows) return {{"record number, as the rows", std::move(rows)}};
  return {{"order of the rows", std::move(rows)}, {"record number", std::move(numbers)}};
}

}  // namespace

std::vector<Index> places_of_ids(const std::vector<std::string>& ids) {
  const bool numbers = std::all_of(ids.begin(), ids.end(), whole_number);
  std::vector<std::size_t> order(ids.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  const auto before = [&](std::size_t a, std::size_t b) {
    return numbers ? smaller_number(ids[a], ids[b]) : ids[a] < ids[b];
  };
  std::stable_sort(order.begin(), order.end(), before);
  std::vector<Index> places(ids.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    places[order[k]] = k > 0 && !before(order[k - 1], order[k]) ? places[order[k - 1]] : static_cast<Index>(k);
  return places;
}

void write_order_probes(const Examined& examined, const Random& random, Results& results) {
  const auto outcomes = std::count(examined.outcomes.begin(), examined.outcomes.end(), 1.0);
  if (outcomes < kSmallestCell || std::ssize(examined.outcomes) - outcomes < kSmallestCell) return;
  struct ProbeScore {
    std::string name;
    study::ScoreValue auroc;
    std::string interval() const { return record::interval_text(auroc.low, auroc.high); }
  };
  std::vector<ProbeScore> list;
  for (const Probe& probe : probes_of(examined)) {
    const study::ScoreValue auroc = study::scored(examined.target, as_risks(probe.places), examined.outcomes,
                                                  examined.groups, kExaminationDraws, random)
                                        .front();
    list.push_back({probe.name, auroc});
    results.finding(OutcomeFollowsOrder{probe.name, auroc.value, auroc.low, auroc.high});
  }
  rows("probe", list, &ProbeScore::name, "what the outcome is predicted from")
      .interval("probe_auroc", &ProbeScore::auroc, "AUROC")
      .text("probe_auroc_interval", &ProbeScore::interval, "95 % interval")
      .write(results)
      .table(results, {.name = "order_probes",
                       .title = "Does the order predict the outcome?",
                       .caption = "AUROC of what no model sees, with its 95 % interval; 0.5: no information.",
                       .digits = 3});
}

}  // namespace fovea::ehr::risk
