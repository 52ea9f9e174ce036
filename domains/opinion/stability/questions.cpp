#include "fovea/domains/opinion/stability/questions.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/base/missing.hpp"
#include "fovea/domains/opinion/theory/circle.hpp"
#include "fovea/domains/opinion/theory/theory.hpp"

namespace fovea::opinion::stability {

namespace {

/// The found eigenvalue that is nearest to an expected one: those of a step about a symmetric state come in an order
/// that may differ from the modes'.
std::size_t nearest_pair(const LeadingEigenvalues& found, double expected) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < found.pairs.size(); ++k)
    if (std::abs(found.pairs[k].value - expected) < std::abs(found.pairs[best].value - expected)) best = k;
  return best;
}

constexpr double kShown = 3;  // shapes are shown within 3 sd of the anchors

class Consensus : public StableState {
 public:
  explicit Consensus(const StateSettings& settings)
      : stubbornness_(settings.stubbornness), state_(settings.kind, settings.agents, stubbornness_) {
    for (int n = 0; n < settings.modes; ++n) modes_.push_back(n);
  }

  bool follow(double temperature) override {
    temperature_ = temperature;
    const Matrix<double> before = state_.opinions();
    if (state_.rest_at(temperature)) return true;
    state_.set_state(before);
    return false;
  }
  std::vector<double> eigenvalues() override {
    return matched(backward_eigenvalues(state_.dynamics(), state_.opinions(), static_cast<int>(modes_.size()) + 2));
  }
  std::vector<double> forward_eigenvalues() override {
    forward_ = stability::forward_eigenvalues(state_.dynamics(), state_.opinions(), static_cast<int>(modes_.size()) + 2,
                                              std::sqrt(temperature_));
    return matched(forward_);
  }
  double theory(int place, double temperature) const override {
    const double u = theory::gaussian_state_u(temperature, stubbornness_);
    return (1 - stubbornness_) * theory::displacement_growth(place, u * u / (u * u + temperature));
  }
  bool stable_when_hot() const override { return true; }
  double predicted_loss() const override { return theory::consensus_ends(stubbornness_).tau; }
  const std::vector<double>& modes() const override { return modes_; }
  std::vector<double> places() const override {
    std::vector<double> shown;
    for (Index i : shown_agents()) shown.push_back(state_.anchors()(i, 0));
    return shown;
  }
  std::vector<double> shapes() const override {
    std::vector<double> all;
    for (const double n : modes_) {
      const auto& pair = forward_.pairs[nearest_pair(forward_, theory(static_cast<int>(n), temperature_))];
      std::vector<double> shape;
      for (const Index i : shown_agents()) shape.push_back(pair.vector[i].real());
      append_scaled(all, shape);
    }
    return all;
  }
  std::vector<double> shape_theory(double temperature) const override {
    const double u = state_.slope();
    std::vector<double> all;
    for (const double n : modes_) {
      const std::vector<double> mode = theory::displacement_mode(static_cast<int>(n), u * u, temperature);
      std::vector<double> shape;
      for (const double anchor : places()) {
        double value = 0;
        for (std::size_t k = mode.size(); k-- > 0;) value = value * u * anchor + mode[k];
        shape.push_back(value);
      }
      append_scaled(all, shape);
    }
    return all;
  }

 private:
  std::vector<double> matched(const LeadingEigenvalues& found) const {
    std::vector<double> values;
    for (const double n : modes_)
      values.push_back(found.pairs[nearest_pair(found, theory(static_cast<int>(n), temperature_))].value.real());
    return values;
  }
  std::vector<Index> shown_agents() const {
    std::vector<Index> shown;
    const Matrix<double>& anchors = state_.anchors();
    for (Index i = 0; i < anchors.rows(); ++i)
      if (std::abs(anchors(i, 0)) <= kShown) shown.push_back(i);
    return shown;
  }
  /// Largest value 1, and positive at the right end.
  static void append_scaled(std::vector<double>& all, const std::vector<double>& shape) {
    double largest = 0;
    for (const double value : shape) largest = std::max(largest, std::abs(value));
    if (shape.back() < 0) largest = -largest;
    for (const double value : shape) all.push_back(value / largest);
  }

  double stubbornness_, temperature_ = 0;
  AnchoredState state_;
  std::vector<double> modes_;
  LeadingEigenvalues forward_;
};

/// Without noise the step's eigenvalue of mode k is 1 + dt k^2 I_k / (beta I_0); noise D takes exp(-k^2 D dt) off the
/// crowd's density at each step.
class Disorder : public StableState {
 public:
  explicit Disorder(const StateSettings& settings) : noise_(settings.noise), state_(settings.agents, kDt) {
    for (int k = 1; k <= settings.modes; ++k) modes_.push_back(k);
  }

  bool follow(double temperature) override {
    state_.set_temperature(temperature);
    temperature_ = temperature;
    return true;
  }
  std::vector<double> eigenvalues() override {
    return by_mode(backward_eigenvalues(state_.dynamics(), state_.angles(), wanted()));
  }
  std::vector<double> forward_eigenvalues() override {
    forward_ = stability::forward_eigenvalues(state_.dynamics(), state_.angles(), wanted(), 1.0);
    return by_mode(forward_);
  }
  double theory(int place, double temperature) const override {
    const int k = place + 1;
    return damped(1 + kDt * theory::circle_growth(k, 1 / temperature, theory::CircleWeights::softmax), k);
  }
  bool stable_when_hot() const override { return false; }  // in the cold tokens hear but their own surroundings
  double predicted_loss() const override {
    double low = 1e-3, high = 1e3;  // the rate of mode 1, I_1 / (beta I_0), rises with T to 1 / 2
    for (int round = 0; round < 200; ++round) {
      const double middle = 0.5 * (low + high);
      (theory(0, middle) > 1 ? high : low) = middle;
    }
    return 0.5 * (low + high);
  }
  const std::vector<double>& modes() const override { return modes_; }
  std::vector<double> places() const override {
    return {state_.angles().data(), state_.angles().data() + state_.angles().rows()};
  }
  std::vector<double> shapes() const override {
    std::vector<double> all;
    for (const double k : modes_) {
      for (Index i = 0; i < state_.angles().rows(); ++i) {
        const auto* pair = pair_of(forward_, static_cast<int>(k));
        all.push_back(pair == nullptr ? kNan : pair->vector[i].real() / pair->vector.cwiseAbs().maxCoeff());
      }
    }
    return all;
  }
  std::vector<double> shape_theory(double) const override { return {}; }

 private:
  static constexpr double kDt = 0.05;
  int wanted() const { return 2 * static_cast<int>(modes_.size()) + 8; }  // each mode twice: sine and cosine
  double damped(double value, int k) const { return value * std::exp(-k * k * noise_ * kDt); }
  const EigenPair* pair_of(const LeadingEigenvalues& found, int k) const {
    for (const EigenPair& pair : found.pairs)
      if (state_.mode_of(pair.vector) == k) return &pair;
    return nullptr;
  }
  std::vector<double> by_mode(const LeadingEigenvalues& found) const {
    std::vector<double> values;
    for (const double k : modes_) {
      const EigenPair* pair = pair_of(found, static_cast<int>(k));
      values.push_back(pair == nullptr ? kNan : damped(pair->value.real(), static_cast<int>(k)));
    }
    return values;
  }

  double noise_, temperature_ = 1;
  UniformCircle state_;
  std::vector<double> modes_;
  LeadingEigenvalues forward_;
};

}  // namespace

std::unique_ptr<StableState> make_consensus(const StateSettings& settings) {
  return std::make_unique<Consensus>(settings);
}

std::unique_ptr<StableState> make_disorder(const StateSettings& settings) {
  return std::make_unique<Disorder>(settings);
}

}  // namespace fovea::opinion::stability
