#pragma once
/// A crowd in motion, whatever the model: x <- F(x, step). The models are listed in models.inl, one line each, as
/// score, normaliser, value and update; their equations stand in models.md.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fovea/core/base/matrix.hpp"
#include "fovea/core/base/random.hpp"
#include "fovea/domains/opinion/dynamics/coevolution.hpp"
#include "fovea/domains/opinion/society/agents.hpp"
#include "fovea/domains/opinion/society/changing_network.hpp"

namespace fovea::opinion::dynamics {

using society::Agents;

/// The model "formula": what stands in the config, see formula_model.hpp.
struct FormulaSettings {
  std::string influence = "exp(-d^2 / (2 * T))";
  std::string normaliser = "share";  ///< share, softmax, crowd or sum
  std::string value = "x_j";
  std::string update = "(1 - s) * h + s * x0 + noise * xi";
  std::string step = "together";                             ///< together or pairs
  std::vector<std::pair<std::string, double>> parameters{};  ///< numbers by names of the config's own; NaN: each
                                                             ///< agent has its own, in Agents::own
};

/// The switch and the numbers of all models; a model reads those that its line of models.inl names.
struct ModelSettings {
  std::string model = "attention";  ///< a name of models.inl
  std::string score = "gaussian";   ///< attention: gaussian, dot_product, cosine, log_distance
  double temperature = 1;           ///< T > 0 of the score; the transformer's beta is 1 / T
  double confidence = 0.2;          ///< eps > 0: Hegselmann-Krause, Deffuant, smooth bounded confidence, Jager-Amblard
  double sharpness = 100;           ///< of smooth bounded confidence, >= 0; 0: everybody alike
  double stubbornness = 0;          ///< s in [0, 1]
  double coupling = 1;              ///< K or lambda: weight of the influence in a relaxing update
  double steepness = 1;             ///< alpha of tanh(alpha x)
  double convergence = 0.5;         ///< mu in (0, 1/2]: Deffuant, algorithmic bias, Jager-Amblard
  double homophily = 1;             ///< exponent of the distance: Baumann's beta, algorithmic bias' gamma, >= 0
  double distance_floor = 1e-6;     ///< smaller distances count as this one, > 0
  double self_weight = 1;           ///< W_ii > 0 on a network: how loud one hears oneself
  double time_step = 0.05;          ///< dt of the models in continuous time, > 0
  double noise = 0;                 ///< per step sd (discrete time) or diffusion D (continuous time), >= 0
  double activity_exponent = 2.1;   ///< Baumann: activities ~ a^-gamma
  double activity_least = 0.01;     ///< Baumann: on [activity_least, 1]
  double reciprocity = 0.5;         ///< Baumann: probability that a contact is heard back
  Index contacts = 10;              ///< Baumann: contacts of an active agent
  Index panel = 3;                  ///< q-voter: agents asked; majority: agents of a group, odd
  double independence = 0;          ///< voter, q-voter: probability in [0, 1] of an opinion at random instead
  double rejection = 1;             ///< Jager and Amblard: agents that differ by more move apart, >= confidence
  FormulaSettings formula{};        ///< formula
  Rewiring rewiring{};              ///< of the network, by the models that know it
  Feed feed{};                      ///< of recommended agents, by the models that know it
  bool fast = true;                 ///< O(N) sums where there are any; false: every pair, by the engine
};

constexpr Index kLargestPanel = 64;

/// How a crowd moves once it has begun.
enum class Course {
  determined,  ///< nothing is drawn: the start decides all
  drawn,       ///< meetings, contacts or updates are drawn, and it comes to rest, or may
  fluctuating  ///< it is pushed for ever, by noise or independence
};
Course course_of(const ModelSettings& settings);

/// What an experiment turns while a crowd is in motion.
enum class Control { temperature, noise, confidence, coupling };

class Dynamics {
 public:
  virtual ~Dynamics() = default;
  /// One step in place (opinions.data() may be another afterwards). step_number (0, 1, ...) numbers the random draws,
  /// so that a resumed run goes on as it would have; bits do not depend on the number of threads.
  virtual void step(Matrix<double>& opinions, std::int64_t step_number) = 0;
  /// From now on. Throws ArgumentError for a control that the model has not, or a value outside its range.
  virtual void set(Control control, double value) = 0;
  /// J'v of one noiseless step at `opinions`: (J'v)_j = sum_i v_i dF_i / dx_j, N x D. Throws ArgumentError for a model
  /// that is random or has no derivative.
  virtual Matrix<double> transposed_jacobian(const Matrix<double>& opinions, const Matrix<double>& v) const = 0;
  virtual const Agents& agents() const = 0;
  /// x(0) to begin from. A model that never looks back at it gives up its own, agents().start, where it may.
  virtual Matrix<double> first_opinions() { return agents().start; }
  /// The opinions before the last step, where the model has them still; nullptr: it has not.
  virtual const Matrix<double>* previous() const { return nullptr; }
  /// Gives back the memory that only steps need; another step takes it again.
  virtual void end_steps() {}
  virtual const ModelSettings& settings() const = 0;
  virtual bool never_rests() const { return false; }  ///< whether draws may move a crowd that happened to stand still
  virtual std::vector<double> activities() const { return {}; }  ///< of each agent; empty where the model has none
  /// The network as it changes: made from the graph by the first call, and read by the model from then on. It may be
  /// changed between steps, and its state is part of a checkpoint. nullptr: everybody hears everybody.
  virtual society::ChangingNetwork* change_network() { return nullptr; }
  /// The same; nullptr where the network is that of the start, or none.
  virtual const society::ChangingNetwork* changed_network() const { return nullptr; }
  /// Whether no later step can change anything, given that the last one changed no opinion: agents that imitate hear
  /// their own opinion alone, and no edge is long enough to be cut.
  virtual bool settled(const Matrix<double>&) const { return true; }
};

/// graph: who hears whom besides oneself; nullptr: everybody. It must outlive the
/// dynamics. An agent's own stubbornness counts in every model, that of the settings where the model reads it. Throws
/// ArgumentError where the sizes or ranges do not fit, the model is unknown, or it cannot be had on a network or with
/// so many components.
std::unique_ptr<Dynamics> make_dynamics(const ModelSettings& settings, Agents agents, const society::Graph* graph,
                                        const Random& random);

/// The largest change of any component between two states of one size: the crowd is at rest when a step changes less
/// than a tolerance. NaN counts as infinity.
double largest_change(const Matrix<double>& before, const Matrix<double>& after);

}  // namespace fovea::opinion::dynamics
