#pragma once
/// A logistic regression on decayed means, the likelihood that half-lives are asked of: one head of attention a
/// variable, read out by a line.
///
///   m_cv = sum_i 2^(-age_i / tau_v) x_i / sum_i 2^(-age_i / tau_v)          over the values of variable v in case c
///   log odds that case c ends in interval t, having passed those before
///        = a_t + sum_v b_v std(m_cv) + sum_v g_v std(log(1 + n_cv))         n_cv: how many values there are
///
/// std() subtracts the mean over the cases that have the variable and divides by their standard deviation, at each
/// half-life anew, so that b_v is the effect of one deviation; who has none adds 0. With one interval this is the
/// logistic regression of an outcome, with several the discrete-time hazard of one end (Singer & Willett 1993); an
/// interval in which another end came says nothing of it (Begg & Gray 1984).
///
/// Decay is sought over the whole line: ln 2 / tau_v = sinh(s_v) / W, W the span of the ages. s_v = 0 is the plain
/// mean, and below 0 older values weigh more. So a variable without decay lies within what is possible and not at its
/// edge, where a likelihood ratio does not follow the law of Wilks (Self & Liang 1987).

#include <Eigen/Core>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fovea/domains/ehr/decay/recency.hpp"

namespace fovea::ehr::decay {

/// What decayed means are made of, and what came of the cases.
struct DecayData {
  RecencyData events;           ///< outcomes: 1 where the end came; window: W, of the ages
  Index intervals = 1;          ///< T
  std::vector<Index> survived;  ///< a case: intervals it passed without the end; empty: T = 1, so 1 - outcome
  std::vector<Index> groups;  ///< a case: those of one group, such as visits of a patient, are not independent; or none
};

inline constexpr double kOldestAlone = -3;         ///< least s: weights rise e^10 fold over W
inline constexpr double kNewestAlone = 7;          ///< largest s: a half-life of W / 791
double half_life_of(double speed, double window);  ///< infinite where s <= 0

/// A variable that takes part.
struct DecayTerm {
  Index variable = 0;
  bool dated = true;     ///< whether its decay is sought: false for a static, which is a plain mean
  bool counted = false;  ///< whether log(1 + n) stands beside it
};
/// Those that differ between cases. dated: where smallest cases or more have two values of different age.
std::vector<DecayTerm> decay_terms(const DecayData& data, Index smallest);
/// How many numbers are fitted.
Index parameters_of(const DecayData& data, const std::vector<DecayTerm>& terms);

/// A point of the parameters: a (T), then b, g and s of each term.
struct DecayModel {
  Eigen::VectorXd intercepts, effects, counts, speeds;
};

/// The least loss, some parameters held: minus the log-likelihood, plus b^2 / 2 kEffectDeviation^2 for each b and g,
/// which keeps them finite where one variable determines the outcome, and moves the effects of usual data by nothing.
struct DecayFit {
  DecayModel model;
  double loss = 0;
};
inline constexpr double kEffectDeviation = 2.5;

/// What is held of a term in a fit: its speed, or b = 0 and with it the speed.
enum class Held { nothing, speed, absent };

/// The values of a term, case after case, of those that have one.
struct TermEvents {
  std::vector<Index> cases, first;              ///< first: of each case its first value, and behind the last the end
  std::vector<std::pair<double, double>> span;  ///< of each case its least and largest age
  std::vector<double> ages, values;
};

/// The regression with its columns at one point, which are made anew where a speed has changed.
class DecayRegression {
 public:
  /// The data must outlive it.
  DecayRegression(const DecayData& data, std::vector<DecayTerm> terms);
  const std::vector<DecayTerm>& terms() const { return terms_; }
  DecayModel start() const;  ///< base rates, no effects, plain means

  /// Downhill by damped Fisher scoring (Fisher 1925; Levenberg 1944) with exact derivatives, for as many looks at the
  /// data. held: one a term.
  DecayFit fit(const DecayModel& start, std::span<const Held> held, int most_looks = 100);

  /// What the mean of a term that is absent would add to the fit, at each of the speeds: its score over its
  /// deviation, with what the others have not yet settled taken off (Rao 1948; C(alpha): Neyman 1959). The deviation is
  /// the model's, or that of the scores of groups where it is larger (Rotnitzky & Jewell 1990).
  std::vector<double> score_roots(const DecayFit& without, std::span<const Held> held, Index term,
                                  std::span<const double> speeds);
  /// By how much the variance of the score of a speed, over groups, exceeds what the model says; at least 1.
  double overdispersion(const DecayFit& fit, std::span<const Held> held, Index term);

 private:
  struct Look;
  struct Score;
  Look look_at(const DecayModel& model, std::span<const Held> held);  // without its information
  void inform(Look& look, std::span<const Held> held) const;
  std::vector<Index> asked_columns(std::span<const Held> held) const;  // whose parameters may move
  std::vector<bool> free_of(const DecayModel& model, const Eigen::VectorXd& gradient, std::span<const Held> held) const;
  Score score_of(const Look& look, const std::vector<bool>& nuisance, const Eigen::VectorXd& column) const;
  void set_speed(Index term, double speed);
  Index cases() const { return data_.events.stays(); }
  Index size() const { return static_cast<Index>(terms_.size()); }

  const DecayData& data_;
  std::vector<DecayTerm> terms_;
  std::vector<double> speeds_;               ///< of means_ and slopes_
  Eigen::MatrixXd means_, slopes_, counts_;  ///< a column a term: std(m), its derivative by s, std(log(1 + n))
  std::shared_ptr<const std::vector<TermEvents>> events_;  ///< a term; shared by copies
  std::vector<Index> survived_, groups_;
  Eigen::MatrixXd information_;  ///< of the last fit, which asked for the columns asked_
  std::vector<Index> asked_;
};

}  // namespace fovea::ehr::decay
