#pragma once
/// A crowd under attack: loud accounts and bots against honest agents, and what moderation does.
///
/// N honest agents with opinions x_i in R^D hear each other and n attackers, who never move (stubbornness 1):
///   x_i <- (1 - s) (sum_j w_ij x_j + sum_a w_ia u) + s x_i(0),   w_ij ~ exp(x_i . x_j / T),   w_ia ~ exp(x_i . R u /
///   T):
/// an attacker says u, |u| = 1, with loudness R, the norm of its key. Honest agents are as loud as their opinions are
/// long. A reach r, r times as many listeners or copies, multiplies exp(x . R u / T) and is exactly r times as many
/// attackers. It is no model of dynamics/: there an agent says what it is heard by, here an attacker says u and is
/// heard by R u, and what is asked is how much weight it gets.

#include <string>
#include <vector>

#include "fovea/core/attention/attend.hpp"
#include "fovea/core/base/random.hpp"

namespace fovea::opinion::moderation {

enum class Defence {
  none,
  clipping,  ///< no key is longer than `clip` (modifier key_norm_clipping)
  cosine,    ///< the angle instead of the product: loudness is not heard
  hotter     ///< T times `heat`
};
std::string name_of(Defence defence);
const std::vector<Defence>& all_defences();

struct CrowdSettings {
  Index honest = 300;
  Index components = 2;       ///< D >= 2
  double spread = 0.3;        ///< sd of each component about m = (1, 0, ...)
  double temperature = 0.25;  ///< T
  double stubbornness = 0.2;  ///< s of the honest
  double angle_degrees = 60;  ///< between u and m
  double clip = 1.5;          ///< largest norm behind clipping
  double heat = 4;            ///< T is multiplied by it
  double tolerance = 1e-5;    ///< at rest: no opinion moves further in a step
  Index most_steps = 400;
};

/// m + spread * standard normal, N x D.
Matrix<double> honest_opinions(const CrowdSettings& settings, const Random& random);
Vector<double> honest_mean(const CrowdSettings& settings);        ///< m
Vector<double> attackers_opinion(const CrowdSettings& settings);  ///< u, in the plane of the first two components

/// One step of attention, and who took it.
struct AttackedStep {
  Matrix<double> opinions;        ///< after it
  std::vector<double> on_attack;  ///< weight that each honest agent gives to all attackers together
};

struct RestingCrowd {
  Matrix<double> opinions;
  double on_attack = 0;       ///< mean weight on the attackers, at rest
  double captured = 0;        ///< share of the honest who end nearer to u than to m
  double shift = 0;           ///< of the mean from m towards u: 0 none, 1 all the way
  double variance = 0;        ///< of the honest, a component
  double largest_weight = 0;  ///< of one key, at rest
  double bound = 0;           ///< which it cannot exceed (core/attention/hijacking.hpp)
  Index steps = 0;
  bool at_rest = false;
};

class AttackedCrowd {
 public:
  /// attackers n >= 0, loudness R > 0.
  AttackedCrowd(const CrowdSettings& settings, Matrix<double> start, Index attackers, double loudness, Defence defence);
  AttackedStep step(const Matrix<double>& opinions) const;
  RestingCrowd rest() const;

 private:
  AttentionResult<double> attention(const Matrix<double>& opinions) const;
  Matrix<double> with_attackers(const Matrix<double>& opinions, double length) const;

  const CrowdSettings& settings_;
  Matrix<double> start_;
  Index attackers_;
  double loudness_;
  AttentionSpec<double> spec_;
};

/// R_half of moderation.md: the loudness at which an agent at m gives half of its attention to n attackers at once.
/// +inf where u and m are at right angles or more.
double half_attention_loudness(const CrowdSettings& settings, double temperature, double attackers);

/// The same for the honest agents as they were drawn: m and the variance of a component are those of `start`, and the
/// loudness is the median over the agents x of (T ln(N / n) + x . m + |x|^2 spread^2 / 2T) / (x . u), +inf for x . u <=
/// 0.
double half_attention_loudness(const CrowdSettings& settings, const Matrix<double>& start, double attackers);

/// A crowd without spread, q(0) = m, under the attack of `attackers` (any number > 0):
///   q <- (1 - s) ((1 - w) q + w u) + s m,   w / (1 - w) = (attackers / N) exp((score(q, R u) - score(q, q)) / T),
/// with the scores and the T of the defence. True: it ends nearer to u than to m.
bool point_crowd_follows(const CrowdSettings& settings, const Vector<double>& m, double attackers, double loudness,
                         Defence defence);

/// The least loudness with which the point crowd follows, without a defence: where the branch of fixed points that
/// begins at m ends. +inf where none up to 1e4 does.
double capture_loudness(const CrowdSettings& settings, double attackers);
/// The same for the honest agents as they were drawn: m is the mean of `start`.
double capture_loudness(const CrowdSettings& settings, const Matrix<double>& start, double attackers);
/// The least number of attackers, at least 1, whom the point crowd follows.
double capture_number(const CrowdSettings& settings, double loudness, Defence defence);

/// The same, measured: of one step, for the median agent; and at rest. By bisection to 0.1 %.
double measured_half_attention(const CrowdSettings& settings, const Matrix<double>& start, Index attackers);
double measured_capture(const CrowdSettings& settings, const Matrix<double>& start, Index attackers);
/// The least number of attackers, up to 4 N, who capture more than half of the honest.
Index measured_capture_number(const CrowdSettings& settings, const Matrix<double>& start, double loudness,
                              Defence defence);

}  // namespace fovea::opinion::moderation
