/// The model that a config writes as formulas.

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/domains/opinion/dynamics/crowd_dynamics.hpp"
#include "fovea/domains/opinion/dynamics/draw.hpp"
#include "fovea/domains/opinion/dynamics/formula/formula_hearing.hpp"
#include "fovea/domains/opinion/dynamics/rewiring.hpp"

namespace fovea::opinion::dynamics {

namespace {

constexpr Index kPart = 4096;           // agents of a thread at once
constexpr Index kMeetingsAtOnce = 128;  // those of a block have no agent in common

FormulaSurroundings surroundings_of(const Agents& agents, const society::Graph* graph) {
  return {agents.start.cols(),          graph != nullptr,     !agents.temperature.empty(), !agents.confidence.empty(),
          !agents.stubbornness.empty(), !agents.reach.empty()};
}

/// What both steps share: controls that the formulas name, agents that may not move, results that must be finite.
class FormulaCrowd : public CrowdDynamics {
 public:
  explicit FormulaCrowd(CrowdParts parts)
      : CrowdDynamics(std::move(parts)),
        model_(settings_, surroundings_of(agents_, graph_)),
        uniform_(random_.stream("uniform")) {
    for (std::size_t i = 0; i < agents_.stubbornness.size(); ++i) {
      const bool moves = agents_.counted.empty() || agents_.counted[i] != 0;
      require(!moves || agents_.stubbornness[i] == 0 || model_.mentions("s"), "formula: agent ", i,
              " has the stubbornness ", agents_.stubbornness[i],
              ", but no formula reads s; let formula.update read it, or leave the stubbornness out.");
    }
    const auto& numbers = settings_.formula.parameters;
    const auto own = std::count_if(numbers.begin(), numbers.end(), [](auto& one) { return std::isnan(one.second); });
    require(own == std::ssize(agents_.own), "formula: formula.parameters has ", own,
            " numbers of each agent's own, but agents have ", agents_.own.size(), ".");
  }

  void set(Control control, double value) override {
    const std::string field = control == Control::temperature  ? "temperature"
                              : control == Control::noise      ? "noise"
                              : control == Control::confidence ? "confidence"
                                                               : "coupling";
    for (const FormulaName& name : formula_names())
      require(name.key != field || model_.mentions(name.name), "formula: ", field,
              " cannot be set, because no formula reads ", name.name, ".");
    CrowdDynamics::set(control, value);
  }

  /// What reads the time may stand still now and move later.
  bool never_rests() const override { return model_.is_drawn() || model_.mentions("t"); }

 protected:
  void retune() override { model_ = FormulaModel(settings_, surroundings_of(agents_, graph_)); }

  bool moves(Index i) const { return agents_.counted.empty() || agents_.counted[i] != 0; }

  [[noreturn]] void refuse(std::int64_t step, const std::string& what) const {
    throw ArgumentError(concat("formula: in step ", step, " ", what, ". Opinions must stay finite."));
  }
  std::string update_is(double value, Index i) const {
    return concat("formula.update = \"", model_.update.text(), "\" is ", std::isnan(value) ? "NaN" : plain_text(value),
                  " for agent ", i);
  }

  FormulaModel model_;
  Random uniform_;
};

/// All agents move at once. Matrices of one component are columns as they are; others are turned, component after
/// component.
class Together final : public FormulaCrowd {
 public:
  explicit Together(CrowdParts parts)
      : FormulaCrowd(std::move(parts)),
        hearing_(settings_, agents_, graph_),
        start_(columns(agents_.start)),
        unfollowing_(settings_.rewiring, {settings_.feed.homophily, settings_.feed.distance_floor}, random_) {
    give_formulas();
  }

  void step(Matrix<double>& opinions, std::int64_t step_number) override {
    require_sizes(opinions, opinions);
    follow_network();
    x_ = columns(opinions);
    if (!model_.hearing.empty()) hear(step_number);
    if (model_.update.reads("xi")) draw_normals(step_number);
    if (model_.update.reads("u")) draw_uniforms(step_number);
    move(static_cast<double>(step_number));
    const Index n = count();
    for (Index c = 0; c < opinions.cols(); ++c)
      for (Index i = 0; i < n; ++i) {
        if (!moves(i)) continue;
        const std::size_t k = c * n + i;
        if (!std::isfinite(next_[k])) refuse(step_number, what_moved(k, i));
        opinions(i, c) = next_[k];
      }
    if (rewires()) unfollowing_.step(opinions, rewiring_tolerance(), agents_.counted, *changing_, step_number);
  }

 private:
  static std::vector<double> columns(const Matrix<double>& rows) {
    std::vector<double> values(rows.size());
    for (Index c = 0; c < rows.cols(); ++c)
      for (Index i = 0; i < rows.rows(); ++i) values[c * rows.rows() + i] = rows(i, c);
    return values;
  }

  void retune() override {
    FormulaCrowd::retune();
    give_formulas();
  }
  void retie() override { hearing_.set_network(*graph_); }
  void give_formulas() {
    if (!model_.hearing.empty()) hearing_.set_formulas(model_.hearing[0], model_.hearing[1]);
  }

  void hear(std::int64_t step) {
    hearing_.hear(x_, step, heard_);
    for (std::size_t k = 0; k < heard_.size(); ++k)
      if (!std::isfinite(heard_[k])) refuse(step, hearing_.explain(x_, step, static_cast<Index>(k) % count()));
  }

  void draw_normals(std::int64_t step) {
    draw_tremors(step);
    normal_.resize(x_.size());
    for (Index c = 0; c < agents_.start.cols(); ++c)
      for (Index i = 0; i < count(); ++i) normal_[c * count() + i] = tremor(i, c);
  }
  void draw_uniforms(std::int64_t step) {
    drawn_.resize(x_.size());
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < drawn_.size(); ++k) drawn_[k] = uniform_.uniform(k, static_cast<std::uint64_t>(step));
  }

  void move(double step) {
    const Index n = count(), parts = (n + kPart - 1) / kPart;
    next_.resize(x_.size());
#pragma omp parallel
    {
      FormulaRoom room;
#pragma omp for schedule(static)
      for (Index part = 0; part < parts * agents_.start.cols(); ++part) {
        const Index first = part % parts * kPart, place = part / parts * n + first;
        const auto from = [](const std::vector<double>& values, Index k) {
          return values.empty() ? nullptr : values.data() + k;
        };
        const double component = static_cast<double>(part / parts + 1);
        std::vector<const double*> inputs(update_inputs::kTraits);
        inputs[update_inputs::kOpinion] = x_.data() + place;
        inputs[update_inputs::kHeard] = from(heard_, place);
        inputs[update_inputs::kStart] = start_.data() + place;
        inputs[update_inputs::kNormal] = from(normal_, place);
        inputs[update_inputs::kUniform] = from(drawn_, place);
        inputs[update_inputs::kComponent] = &component;
        inputs[update_inputs::kTime] = &step;
        for (const std::vector<double>* own : own_numbers(agents_)) inputs.push_back(from(*own, first));
        for (Index other = first; other < std::ssize(x_); other += n)
          for (const auto* all : {&x_, &heard_, &start_}) inputs.push_back(from(*all, other));
        model_.update.evaluate(inputs, std::min(kPart, n - first), room, next_.data() + place);
      }
    }
  }

  std::string what_moved(std::size_t k, Index i) const {
    return concat(update_is(next_[k], i), " (x = ", plain_text(x_[k]),
                  heard_.empty() ? "" : concat(", h = ", plain_text(heard_[k])), ", x0 = ", plain_text(start_[k]), ")");
  }

  FormulaHearing hearing_;
  std::vector<double> start_, x_, heard_, normal_, drawn_, next_;
  Unfollowing unfollowing_;
};

/// Two at a time. Meetings without an agent in common are computed at once, which changes nothing.
class Pairs final : public FormulaCrowd {
 public:
  explicit Pairs(CrowdParts parts)
      : FormulaCrowd(std::move(parts)), meetings_(random_.stream("meetings")), busy_(count()) {
    require(graph_ == nullptr || !graph_->directed,
            "formula: agents that meet move one another, so the network must not be directed.");
    require(count() >= 2, "formula: there is ", count(), " agent, but at least 2 are needed.");
    values_.resize(meeting_inputs::kTraits + own_numbers(agents_).size());
    for (std::vector<double>& values : values_) values.resize(2 * kMeetingsAtOnce);
  }

  void step(Matrix<double>& opinions, std::int64_t step_number) override {
    require_sizes(opinions, opinions);
    follow_network();
    if (graph_ != nullptr && graph_->edges.empty()) return;
    for (Index k = 0; k < count(); ++k) {
      const auto [i, j] = draw(k, step_number);
      const bool taken = busy_[i] == block_ || busy_[j] == block_;
      if (taken || std::ssize(agents_met_) == 2 * kMeetingsAtOnce) meet(opinions, step_number);
      if (agents_met_.empty()) first_meeting_ = k;
      agents_met_.insert(agents_met_.end(), {i, j});
      busy_[i] = busy_[j] = block_;
    }
    meet(opinions, step_number);
  }

 private:
  society::Edge draw(Index meeting, std::int64_t step) const {
    const auto [first, second] = meetings_.block(static_cast<std::uint64_t>(meeting), static_cast<std::uint64_t>(step));
    if (graph_ != nullptr) return graph_->edges[scaled(first, static_cast<Index>(graph_->edges.size()))];
    const Index i = scaled(first, count()), other = scaled(second, count() - 1);
    return {i, other + (other >= i ? 1 : 0)};
  }

  std::vector<double>& values(meeting_inputs::Place place) { return values_[place]; }

  void meet(Matrix<double>& opinions, std::int64_t step) {
    const auto size = agents_met_.size();
    if (size == 0) return;
    gather(opinions);
    for (Index c = 0; c < opinions.cols(); ++c) {
      for (std::size_t k = 0; k < size; ++k) {
        values(meeting_inputs::kOwn)[k] = opinions(agents_met_[k], c);
        values(meeting_inputs::kOther)[k] = opinions(agents_met_[k ^ 1], c);
        values(meeting_inputs::kStart)[k] = agents_.start(agents_met_[k], c);
      }
      draw_numbers(opinions.cols(), c, step);
      evaluate(c, step);
    }
    for (std::size_t k = 0; k < size; ++k)
      for (Index c = 0; c < opinions.cols(); ++c) {
        if (!moves(agents_met_[k])) continue;
        const double next = next_[c][k];
        if (!std::isfinite(next)) refuse(step, what_met(opinions, next, k, c));
        moved_.push_back(next);
      }
    write(opinions);
    agents_met_.clear();
    ++block_;
  }

  void write(Matrix<double>& opinions) {
    auto next = moved_.cbegin();
    for (const Index i : agents_met_)
      for (Index c = 0; c < opinions.cols() && moves(i); ++c) opinions(i, c) = *next++;
    moved_.clear();
  }

  /// What is the same for all components.
  void gather(const Matrix<double>& opinions) {
    const std::vector<const std::vector<double>*> own = own_numbers(agents_);
    for (std::size_t k = 0; k < agents_met_.size(); ++k) {
      const Index i = agents_met_[k], j = agents_met_[k ^ 1];
      values(meeting_inputs::kDistance)[k] =
          opinions.cols() == 1 ? std::abs(opinions(i, 0) - opinions(j, 0)) : (opinions.row(i) - opinions.row(j)).norm();
      values(meeting_inputs::kFirst)[k] = k % 2 == 0 ? 1 : 0;
      for (std::size_t m = 0; m < own.size(); ++m)
        if (!own[m]->empty()) values_[meeting_inputs::kTraits + m][k] = (*own[m])[i];
    }
  }

  void draw_numbers(Index components, Index c, std::int64_t step) {
    const bool normal = model_.update.reads("xi"), uniform = model_.update.reads("u");
    for (std::size_t k = 0; k < agents_met_.size() && (normal || uniform); ++k) {
      const auto number = static_cast<std::uint64_t>((2 * first_meeting_ + static_cast<Index>(k)) * components + c);
      if (normal) values(meeting_inputs::kNormal)[k] = noise_.normal(number, static_cast<std::uint64_t>(step));
      if (uniform) values(meeting_inputs::kUniform)[k] = uniform_.uniform(number, static_cast<std::uint64_t>(step));
    }
  }

  void evaluate(Index c, std::int64_t step) {
    const auto number = static_cast<double>(step), component = static_cast<double>(c + 1);
    std::vector<const double*> inputs;
    for (const std::vector<double>& values : values_) inputs.push_back(values.data());
    inputs[meeting_inputs::kComponent] = &component;
    inputs[meeting_inputs::kTime] = &number;
    if (std::ssize(next_) <= c) next_.emplace_back(2 * kMeetingsAtOnce);
    model_.update.evaluate(inputs, std::ssize(agents_met_), room_, next_[c].data());
  }

  std::string what_met(const Matrix<double>& opinions, double value, std::size_t k, Index c) const {
    return concat(update_is(value, agents_met_[k]), " (x_i = ", plain_text(opinions(agents_met_[k], c)),
                  ") that meets agent ", agents_met_[k ^ 1], " (x_j = ", plain_text(opinions(agents_met_[k ^ 1], c)),
                  ")");
  }

  Random meetings_;
  std::vector<std::int64_t> busy_;  ///< the block in which each agent was met last
  std::int64_t block_ = 1;
  Index first_meeting_ = 0;
  std::vector<Index> agents_met_;  ///< of the block, two by two
  std::vector<std::vector<double>> values_;
  std::vector<std::vector<double>> next_;  ///< of each component
  std::vector<double> moved_;
  FormulaRoom room_;
};

}  // namespace

std::unique_ptr<Dynamics> make_formula(CrowdParts parts) {
  require(parts.settings.formula.step == "together" || parts.settings.formula.step == "pairs", "formula.step = \"",
          parts.settings.formula.step, "\", but must be together or pairs.");
  if (parts.settings.formula.step == "pairs") return std::make_unique<Pairs>(std::move(parts));
  return std::make_unique<Together>(std::move(parts));
}

}  // namespace fovea::opinion::dynamics
