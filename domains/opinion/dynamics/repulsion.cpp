/// Assimilation and repulsion (Jager & Amblard 2004): two agents meet, as in Deffuant's model, and with d = x_j - x_i
///   x_i <- x_i + (1 - s_i) mu d   if |d| < eps_i,        x_i <- x_i - (1 - s_i) mu d   if |d| > U,        x_j
///   likewise:
/// a latitude of acceptance, one of rejection and one between them without effect. Opinions stay within [-1, 1], or
/// within the largest |x(0)| where that is more.

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/core/base/error.hpp"
#include "fovea/domains/opinion/dynamics/crowd_dynamics.hpp"
#include "fovea/domains/opinion/dynamics/draw.hpp"

namespace fovea::opinion::dynamics {

namespace {

class Repelling final : public CrowdDynamics {
 public:
  explicit Repelling(CrowdParts parts)
      : CrowdDynamics(std::move(parts)),
        meetings_(random_.stream("meetings")),
        limit_(std::max(1.0, agents_.start.cwiseAbs().maxCoeff())) {}

  /// As many meetings as agents: of two at random, or along an edge, all edges alike.
  void step(Matrix<double>& opinions, std::int64_t step_number) override {
    require_sizes(opinions, opinions);
    const auto step = static_cast<std::uint64_t>(step_number);
    if (graph_ != nullptr && graph_->edges.empty()) return;
    for (Index k = 0; k < count(); ++k) {
      const auto [first, second] = meetings_.block(static_cast<std::uint64_t>(k), step);
      if (graph_ != nullptr) {
        const auto& edge = graph_->edges[static_cast<std::size_t>(scaled(first, std::ssize(graph_->edges)))];
        meet(opinions.data()[edge[0]], opinions.data()[edge[1]], edge[0], edge[1]);
        continue;
      }
      const Index i = scaled(first, count()), other = scaled(second, count() - 1);
      const Index j = other + (other >= i ? 1 : 0);
      meet(opinions.data()[i], opinions.data()[j], i, j);
    }
  }

 private:
  void meet(double& x_i, double& x_j, Index i, Index j) const {
    const double d = x_j - x_i, of_i = pace(i, std::abs(d)) * d, of_j = pace(j, std::abs(d)) * d;
    x_i = std::clamp(x_i + of_i, -limit_, limit_);
    x_j = std::clamp(x_j - of_j, -limit_, limit_);
  }

  /// The share of the difference that an agent moves towards the other, or (negative) away.
  double pace(Index agent, double distance) const {
    const double bound =
        agents_.confidence.empty() ? settings_.confidence : agents_.confidence[static_cast<std::size_t>(agent)];
    const double way = distance < bound ? 1 : distance > settings_.rejection ? -1 : 0;
    return way * (1 - stubbornness(agent)) * settings_.convergence;
  }

  Random meetings_;
  double limit_;
};

}  // namespace

std::unique_ptr<Dynamics> make_repelling(CrowdParts parts) { return std::make_unique<Repelling>(std::move(parts)); }

}  // namespace fovea::opinion::dynamics
