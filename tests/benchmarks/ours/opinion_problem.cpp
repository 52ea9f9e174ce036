#include "fovea/tests/benchmarks/ours/opinion_problem.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "fovea/core/attention/fast/line_attention.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/domains/opinion/dynamics/activity.hpp"
#include "fovea/domains/opinion/dynamics/dynamics.hpp"
#include "fovea/domains/opinion/dynamics/pairwise.hpp"
#include "fovea/domains/opinion/society/graph.hpp"
#include "fovea/domains/opinion/society/networks.hpp"
#include "fovea/tests/benchmarks/ours/numbers.hpp"
#include "fovea/tests/benchmarks/ours/opinion_files.hpp"

namespace fovea::bench {

namespace {

using namespace fovea::opinion;

constexpr Index kRowsChecked = 64;
constexpr double kActivityExponent = 2.1, kLeastActivity = 0.01;  // Baumann et al. 2020

double number_of(const Request& request, const std::string& field, double fallback) {
  return request.text(field, "").empty() ? fallback : request.number(field);
}

/// A crowd on the line and who knows whom; each model says what a step is.
class OpinionWork : public Work {
 public:
  explicit OpinionWork(const Request& request) : opinions_(request.count("agents"), 1) {
    const Random random = Random(1).stream("opinions");
    for (Index i = 0; i < opinions_.rows(); ++i) opinions_(i, 0) = random.uniform(static_cast<std::uint64_t>(i));
    start_ = opinions_;
    graph_.nodes = opinions_.rows();
    if (request.count("mean_degree", 0) > 0)
      graph_.edges = society::erdos_renyi(graph_.nodes, request.number("mean_degree"), Random(1).stream("network"));
  }
  std::vector<float> answer() const override { return {opinions_.data(), opinions_.data() + opinions_.size()}; }
  std::vector<double> answer_in_double() const override {
    return {opinions_.data(), opinions_.data() + opinions_.size()};
  }
  void write(const std::string& folder) const override {
    write_numbers(concat(folder, "/opinions"), start_.data(), start_.size());
    std::vector<Index> ends[2];
    for (const society::Edge& edge : graph_.edges)
      for (std::size_t side = 0; side < 2; ++side) ends[side].push_back(edge[side]);
    write_numbers(concat(folder, "/sources"), ends[0].data(), static_cast<Index>(ends[0].size()));
    write_numbers(concat(folder, "/targets"), ends[1].data(), static_cast<Index>(ends[1].size()));
  }
  Index rows() const override { return opinions_.rows(); }
  double pairs() const override {
    const auto agents = static_cast<double>(opinions_.rows());
    return on_a_network() ? agents + 2 * static_cast<double>(graph_.edges.size()) : agents * agents;
  }
  double largest_error() const override { throw ArgumentError("request: nobody knows the answer of this model."); }

 protected:
  bool on_a_network() const { return !graph_.edges.empty(); }

  Matrix<double> opinions_, start_;
  society::Graph graph_;
};

/// The same model as formulas.
void write_as_formula(dynamics::ModelSettings& settings) {
  dynamics::FormulaSettings& formula = settings.formula;
  if (settings.model == "hegselmann_krause") formula.influence = "d <= eps";
  if (settings.model == "degroot") formula.influence = "1";
  if (settings.model == "smooth_bounded_confidence") {
    formula.influence = "1 / (1 + exp(gamma * (d^2 - eps^2)))";
    formula.update = "x + dt * (-x + K * h)";
  }
  if (settings.model == "deffuant") {
    formula.step = "pairs";
    formula.update = "d < eps ? x_i + mu * (x_j - x_i) : x_i";
  }
  settings.model = "formula";
}

/// A step of a model, from the same start each time.
class Averaging : public OpinionWork {
 public:
  explicit Averaging(const Request& request) : OpinionWork(request) {
    settings_.model = request.text("model");
    settings_.temperature = number_of(request, "temperature", 0.01);
    settings_.confidence = number_of(request, "confidence", 0.2);
    settings_.stubbornness = number_of(request, "stubbornness", 0);
    settings_.fast = number_of(request, "fast", 1) != 0;
    if (number_of(request, "written", 0) != 0) write_as_formula(settings_);
    by_kernel_ = request.text("by", "model") == "kernel";
    require(!by_kernel_ || (settings_.model == "attention" && !on_a_network()), "request: by=kernel is for attention.");
    dynamics_ = dynamics::make_dynamics(settings_, dynamics::Agents{.start = start_},
                                        on_a_network() ? &graph_ : nullptr, Random(1));
  }
  void run() override {
    if (by_kernel_) return hear();
    begin_anew();
    dynamics_->step(opinions_, 0);
  }
  /// Of some agents, by a sum over all.
  double largest_error() const override {
    require(!on_a_network(), "request: on a network nothing is compared.");
    const Index each = std::max<Index>(opinions_.rows() / kRowsChecked, 1);
    double largest = 0;
    for (Index i = 0; i < opinions_.rows(); i += each)
      largest = std::max(largest, std::abs(opinions_(i, 0) - plain_step(start_(i, 0))));
    return largest;
  }

 private:
  /// On all threads, as a step is taken: a copy on one of them would count as a part of the step that does not scale.
  void begin_anew() {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < start_.size(); ++i) opinions_.data()[i] = start_.data()[i];
  }
  void hear() {
    const std::size_t size = start_.rows();
    const std::span<const double> x(start_.data(), size);
    line_.gaussian(x, x, x, {}, settings_.temperature, {opinions_.data(), size});
  }
  double plain_step(double x) const {
    long double weights = 0, values = 0;
    for (Index j = 0; j < start_.rows(); ++j) {
      const double d = start_(j, 0) - x;
      const double weight = settings_.model == "attention"        ? std::exp(-d * d / (2 * settings_.temperature))
                            : std::abs(d) <= settings_.confidence ? 1.0
                                                                  : 0.0;
      weights += weight;
      values += weight * start_(j, 0);
    }
    return static_cast<double>(values / weights);
  }

  dynamics::ModelSettings settings_;
  std::unique_ptr<dynamics::Dynamics> dynamics_;
  bool by_kernel_ = false;
  LineAttention line_;
};

/// As many meetings as agents.
class Meetings : public OpinionWork {
 public:
  explicit Meetings(const Request& request)
      : OpinionWork(request), bias_(rule(request), {number_of(request, "homophily", 1), 1e-5}, Random(2)) {
    by_bias_ = request.text("model") == "algorithmic_bias";
    if (on_a_network()) neighbours_ = society::adjacency(graph_);
  }
  void run() override {
    if (by_bias_ && on_a_network()) bias_.step(opinions_, neighbours_, step_);
    if (by_bias_ && !on_a_network()) bias_.step(opinions_, step_);
    if (!by_bias_) dynamics::meet_at_random(opinions_, bias_.rule(), Random(2), step_);
    ++step_;
  }

 private:
  static dynamics::PairRule rule(const Request& request) {
    dynamics::PairRule rule;
    rule.confidence = number_of(request, "confidence", 0.2);
    return rule;
  }

  dynamics::AlgorithmicBias bias_;
  bool by_bias_ = false;
  datasets::network::Adjacency neighbours_;
  std::int64_t step_ = 0;
};

class Talking : public OpinionWork {
 public:
  explicit Talking(const Request& request)
      : OpinionWork(request),
        crowd_(rule(request),
               dynamics::power_law_activities(opinions_.rows(), kActivityExponent, kLeastActivity, Random(3)), {},
               Random(2)) {
    opinions_ = 2 * start_.array() - 1;
  }
  void run() override { crowd_.step({opinions_.data(), static_cast<std::size_t>(opinions_.size())}, step_++); }

 private:
  static dynamics::ActivityRule rule(const Request& request) {
    dynamics::ActivityRule rule;
    rule.homophily = {number_of(request, "homophily", 1), 1e-10};  // the floor of Seldon
    rule.time_step = 0.01;
    return rule;
  }

  dynamics::ActivityDriven crowd_;
  std::int64_t step_ = 0;
};

}  // namespace

std::unique_ptr<Work> opinion_work(const Request& request) {
  const std::string model = request.text("model");
  if ((model == "deffuant" && request.text("by", "").empty()) || model == "algorithmic_bias")
    return std::make_unique<Meetings>(request);
  if (model == "activity") return std::make_unique<Talking>(request);
  if (model == "edge_list") return edge_list_work(request);
  if (model == "states") return states_work(request);
  return std::make_unique<Averaging>(request);
}

}  // namespace fovea::bench
