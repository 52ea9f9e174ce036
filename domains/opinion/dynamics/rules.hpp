#pragma once
/// The four parts that a model is put together from: a score says whom an agent hears how much, a normaliser turns
/// scores into weights, a value map says what is heard, an update what is made of it.

#include <memory>
#include <string_view>

namespace fovea::opinion::dynamics {

/// score_ij of listener i and speaker j; d = |x_i - x_j|.
enum class Score {
  chosen,        ///< the one that ModelSettings::score names
  gaussian,      ///< -d^2 / 2
  dot_product,   ///< x_i . x_j
  cosine,        ///< x_i . x_j / (|x_i| |x_j|)
  log_distance,  ///< -log max(d, floor)
  sigmoid,       ///< -log(1 + exp(sharpness (d^2 - eps_i^2))): smooth bounded confidence
  top_hat,       ///< 0 where d <= eps_i, else nobody hears anything
  alike,         ///< 0: everybody is heard as loud
  formula        ///< as the config writes it
};

/// w_ij from e_ij = W_ij g_j exp(score_ij / T_i); W edge weights (1 without a network), g reach.
enum class Normaliser {
  softmax,  ///< e_ij / sum_k e_ik
  crowd     ///< e_ij / sum_k W_ik g_k: unnormalised, so that loud surroundings push harder
};

/// What is heard of x_j.
enum class Value {
  opinion,   ///< x_j
  saturated  ///< tanh(alpha x_j)
};

enum class Space { line, circle, sphere };  ///< line: of as many components as there are

class Dynamics;
struct CrowdParts;

/// How the next opinion of i comes from what it heard, h_i = sum_j w_ij value(x_j), and all that the program asks of
/// that; the table is in models.cpp. s stubbornness, x(0) anchors, xi standard normal.
struct Update {
  std::string_view name;
  std::unique_ptr<Dynamics> (*make)(CrowdParts parts);
  Space space = Space::line;
  bool hears = false;          ///< the next opinion is a sum over all whom an agent hears: weights, reach and attention
                               ///< have a meaning (of formulas: unless they are of pairs)
  bool imitates = false;       ///< opinions are taken over as they are, so that they stay among those of the start
  bool asks = false;           ///< one agent asks others: the network is cut between different opinions
  bool mutual = false;         ///< agents that meet move one another: the network cannot be directed
  bool one_component = false;  ///< opinions have one
  bool moves_edges = false;    ///< agents may move edges of the network, see knows_rewiring()
  bool has_feed = false;       ///< agents hear whom a feed recommends
  bool discrete = false;       ///< the noise is a standard deviation in each step; false: a diffusion
  bool by_panel = false;       ///< ModelSettings::panel agents have a majority: it is odd
  int least_agents = 0;        ///< without a network; by panel: as many as that

  static const Update replace;  ///< x <- (1 - s) h + s x(0) + noise xi
  static const Update relax;    ///< x <- x + dt (-x + (1 - s) K h + s x(0)) + sqrt(2 noise dt) xi
  static const Update turn;     ///< circle: theta <- theta + dt ((1 - s) K f + s sin(theta(0) - theta)) + sqrt(2 noise
                                ///< dt) xi
  static const Update project;  ///< sphere: x <- unit(x + P_x [dt ((1 - s) K h + s x(0)) + sqrt(2 noise dt) xi]), P_x y
                                ///< = y - x (x . y)
  static const Update pairs;    ///< two agents at a time, drawn at random
  static const Update contacts;  ///< contacts drawn anew in each step
  static const Update repel;     ///< two agents at a time, which move apart where they differ by too much
  static const Update adopt;     ///< one agent at a time takes over what all of a panel say
  static const Update group;     ///< the majority of a group at a time wins over the others
  static const Update outflow;   ///< two agents at a time that agree win over those around them
  static const Update formula;   ///< as the config writes it

  bool operator==(const Update& other) const { return name == other.name; }
};

/// Whether a negative weight of an edge has a meaning.
constexpr bool knows_repulsion(Score score) { return score == Score::alike || score == Score::formula; }

struct Rule {
  Score score = Score::chosen;
  Normaliser normaliser = Normaliser::softmax;
  Value value = Value::opinion;
  const Update& update = Update::replace;
  bool is_written() const { return score == Score::formula; }
  /// Whether two agents that meet are drawn by the score, not evenly.
  bool draws_by_score() const { return update == Update::pairs && score == Score::log_distance; }
};

}  // namespace fovea::opinion::dynamics
