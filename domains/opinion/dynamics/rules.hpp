#pragma once
/// The four parts that a model is put together from: a score says whom an agent hears how much, a normaliser turns
/// scores into weights, a value map says what is heard, an update what is made of it.

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

/// The next opinion of i from what it heard, h_i = sum_j w_ij value(x_j); s stubbornness, x(0) anchors, xi standard
/// normal.
enum class Update {
  replace,   ///< x <- (1 - s) h + s x(0) + noise xi
  relax,     ///< x <- x + dt (-x + (1 - s) K h + s x(0)) + sqrt(2 noise dt) xi
  turn,      ///< circle: theta <- theta + dt ((1 - s) K f + s sin(theta(0) - theta)) + sqrt(2 noise dt) xi
  project,   ///< sphere: x <- unit(x + P_x [dt ((1 - s) K h + s x(0)) + sqrt(2 noise dt) xi]), P_x y = y - x (x . y)
  pairs,     ///< two agents at a time, drawn at random
  contacts,  ///< contacts drawn anew in each step
  repel,     ///< two agents at a time, which move apart where they differ by too much
  adopt,     ///< one agent at a time takes over what all of a panel say
  group,     ///< the majority of a group at a time wins over the others
  outflow,   ///< two agents at a time that agree win over those around them
  formula    ///< as the config writes it
};

/// Whether an agent's next opinion is a sum over all whom it hears: weights, reach and attention have a meaning. (Of
/// formulas: unless they are of pairs.)
constexpr bool hears(Update update) {
  return update == Update::replace || update == Update::relax || update == Update::turn || update == Update::project ||
         update == Update::formula;
}
/// Whether a negative weight of an edge has a meaning.
constexpr bool knows_repulsion(Score score) { return score == Score::alike || score == Score::formula; }
/// Whether opinions are taken over as they are, so that they stay among those of the start.
constexpr bool imitates(Update update) {
  return update == Update::adopt || update == Update::group || update == Update::outflow;
}

struct Rule {
  Score score = Score::chosen;
  Normaliser normaliser = Normaliser::softmax;
  Value value = Value::opinion;
  Update update = Update::replace;
};

}  // namespace fovea::opinion::dynamics
