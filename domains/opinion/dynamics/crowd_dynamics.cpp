#include "fovea/domains/opinion/dynamics/crowd_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/rewiring.hpp"
#include "fovea/domains/opinion/society/block_sums.hpp"

namespace fovea::opinion::dynamics {

namespace {

Score score_of(const ModelEntry& entry, const ModelSettings& settings) {
  if (entry.rule.score != Score::chosen) return entry.rule.score;
  if (settings.score == "gaussian") return Score::gaussian;
  if (settings.score == "dot_product") return Score::dot_product;
  if (settings.score == "cosine") return Score::cosine;
  return Score::log_distance;
}

struct ControlText {
  const char* name;
  bool zero_allowed;
};

ControlText describe_control(Control control) {
  switch (control) {
    case Control::temperature:
      return {"temperature", false};
    case Control::noise:
      return {"noise", true};
    case Control::confidence:
      return {"confidence", false};
    default:
      return {"coupling", true};
  }
}

}  // namespace

CrowdDynamics::CrowdDynamics(CrowdParts parts)
    : entry_(*parts.entry),
      settings_(std::move(parts.settings)),
      agents_(std::move(parts.agents)),
      graph_(parts.graph),
      random_(parts.random),
      noise_(parts.random.stream("noise")),
      stubborn_(entry_.needs("stubbornness")) {
  if (rewires()) CrowdDynamics::change_network();
}

bool CrowdDynamics::never_rests() const {
  return entry_.rule.update == Update::contacts || course_of(settings_) == Course::fluctuating;
}

void CrowdDynamics::set(Control control, double value) {
  const auto [name, zero_allowed] = describe_control(control);
  require(entry_.needs(name), settings_.model, ": ", name, " cannot be set; this model reads ", entry_.reads, ".");
  require(std::isfinite(value) && (zero_allowed ? value >= 0 : value > 0), settings_.model, ": ", name, " = ", value,
          ", but must be ", zero_allowed ? ">= 0." : "> 0.");
  const bool own = control == Control::temperature  ? !agents_.temperature.empty()
                   : control == Control::confidence ? !agents_.confidence.empty()
                                                    : false;
  require(!own, settings_.model, ": ", name,
          " cannot be set, because the agents have values of their own; leave those out to set one for all.");
  switch (control) {
    case Control::temperature:
      settings_.temperature = value;
      break;
    case Control::noise:
      settings_.noise = value;
      break;
    case Control::confidence:
      settings_.confidence = value;
      break;
    case Control::coupling:
      settings_.coupling = value;
      break;
  }
  retune();
}

society::ChangingNetwork* CrowdDynamics::change_network() {
  if (graph_ != nullptr && changing_ == nullptr)
    changing_ = std::make_unique<society::ChangingNetwork>(*graph_, rewires() && settings_.rewiring.multiple);
  return changing_.get();
}

double CrowdDynamics::rewiring_tolerance() const {
  if (settings_.rewiring.tolerance > 0 || entry_.rule.update.imitates) return settings_.rewiring.tolerance;
  return settings_.confidence;
}

bool CrowdDynamics::settled(const Matrix<double>& opinions) const {
  const bool imitating = entry_.rule.update.imitates;
  if (!imitating && !rewires()) return true;
  const Rewiring& rule = settings_.rewiring;
  const bool anybody = graph_ == nullptr || (rewires() && rule.any && rule.to == "random");
  if (anybody) return (opinions.array() == opinions(0, 0)).all();
  const std::span<const society::Edge> edges = changing_ != nullptr ? changing_->edges() : graph_->edges;
  const double longest = imitating ? 0 : rewiring_tolerance();
  return std::none_of(edges.begin(), edges.end(), [&](const society::Edge& edge) {
    return distance_between(opinions, edge[0], edge[1]) > longest;
  });
}

void CrowdDynamics::follow_network() {
  if (changing_ == nullptr || changing_->version() == seen_version_) return;
  seen_version_ = changing_->version();
  present_ = changing_->graph();
  graph_ = &present_;
  retie();
}

Matrix<double> CrowdDynamics::transposed_jacobian(const Matrix<double>&, const Matrix<double>&) const {
  throw ArgumentError(concat(settings_.model,
                             ": this model has no derivative; the models with one are attention, degroot, "
                             "friedkin_johnsen, saturation, smooth_bounded_confidence and the transformers."));
}

void CrowdDynamics::draw_tremors(std::int64_t step) {
  const Index total = count() * agents_.start.cols();
  tremors_.resize(total);
#pragma omp parallel for schedule(static)
  for (Index first = 0; first < total; first += kTremorsTogether)
    draw_tremors(step, first, std::span(tremors_).subspan(first, std::min(kTremorsTogether, total - first)));
}

void CrowdDynamics::draw_tremors(std::int64_t step, Index first, std::span<double> part) const {
  const Index d = agents_.start.cols();
  noise_.normals(static_cast<std::uint64_t>(agents_.first * d + first), static_cast<std::uint64_t>(step), part);
  if (agents_.counted.empty()) return;
  for (std::size_t k = 0; k < part.size(); ++k)
    if (agents_.counted[(first + static_cast<Index>(k)) / d] == 0) part[k] = 0;
}

double CrowdDynamics::diffusion_step() const { return std::sqrt(2 * settings_.noise * settings_.time_step); }

HearingRule hearing_rule_of(const ModelEntry& entry, const ModelSettings& settings, const Agents& agents) {
  HearingRule rule;
  rule.score = score_of(entry, settings);
  rule.normaliser = entry.rule.normaliser;
  rule.confidence = settings.confidence;
  rule.sharpness = settings.sharpness;
  rule.distance_floor = settings.distance_floor;
  rule.self_weight = settings.self_weight;
  rule.reach = agents.reach;
  rule.confidences = agents.confidence;
  rule.ranks = agents.ranks;
  if (!entry.needs("temperature")) return rule;
  rule.temperature = settings.temperature;
  rule.temperatures = agents.temperature;
  return rule;
}

HearingRule hearing_rule_of(const Dynamics& crowd) {
  return hearing_rule_of(find_model(crowd.settings().model), crowd.settings(), crowd.agents());
}

void CrowdDynamics::require_sizes(const Matrix<double>& opinions, const Matrix<double>& v) const {
  const Index n = count(), d = agents_.start.cols();
  require(opinions.rows() == n && opinions.cols() == d && v.rows() == n && v.cols() == d, settings_.model,
          ": opinions are ", opinions.rows(), " x ", opinions.cols(), " and v is ", v.rows(), " x ", v.cols(),
          ", but both must be ", n, " x ", d, ".");
}

void require_finite(const Matrix<double>& opinions, const Agents& agents, std::string_view model, std::int64_t step) {
  const auto [agent, opinion] = society::first_not_finite(*agents.ranks, opinions, agents.first);
  require(agent < 0, model, ": after step ", step, " the opinion of agent ", agent, " became ", opinion,
          "; opinions must stay finite. Lower the coupling, raise the temperature or take a shorter time_step.");
}

Matrix<double> crowd_backward(const HearingRule& rule, const society::Graph* graph, const Matrix<double>& opinions,
                              const Matrix<double>& a) {
  const std::vector<double> audible = audible_reach(rule, opinions.rows(), graph);
  Matrix<double> result = Matrix<double>::Zero(opinions.rows(), opinions.cols());
  for_each_pair(graph, rule.self_weight, opinions.rows(), [&](Index i, Index j, double weight) {
    const double inverse = 1 / rule.temperature_of(i);
    const double e = weight * rule.reach_of(j) * std::exp(opinions.row(i).dot(opinions.row(j)) * inverse) /
                     audible[audible.size() == 1 ? 0 : static_cast<std::size_t>(i)];
    const double along = a.row(i).dot(opinions.row(j)) * inverse;
    result.row(j) += e * (a.row(i) + along * opinions.row(i));
    result.row(i) += e * along * opinions.row(j);
  });
  return result;
}

}  // namespace fovea::opinion::dynamics
