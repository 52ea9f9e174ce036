#include "fovea/domains/lag/attention/second/second_keys.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/statistics/distributions/tails.hpp"
#include "fovea/domains/lag/attention/second/second_screen.hpp"

namespace fovea::lag::attention {

namespace {

// p-values over weights below which the first second key, and then others, join: second_keys.hpp.
constexpr double kOpens = 0.1, kJoins = 0.3;
// Candidates among which it is asked whether one would join.
constexpr Index kFirstCandidates = 64;
// Of a candidate's square: where conditions leave less, it says what they do.
constexpr double kLeastOfSecond = 0.02;

/// One target: its conditions, its candidates, and what is left of both.
class Target {
 public:
  Target(TargetLinks& part, const Screen& screen, const Learned& learned, const datasets::series::SeriesTable& table,
         const methods::LagSettings& settings, Index held)
      : part_(part),
        screen_(screen),
        learned_(learned),
        table_(table),
        settings_(settings),
        held_(held),
        rows_(*learned.products, table, settings.lags, part.target),
        target_(rows_.target()) {
    const Index n = rows_.count();
    double next = 0;
    for (Index r = 1; r < n; ++r) next += target_[r] * target_[r - 1];
    memory_ = std::clamp(next / std::max(target_.squaredNorm(), 1e-300), 0.0, 0.99);
  }

  /// Whether second keys became conditions.
  bool ask() {
    const Index n = rows_.count();
    if (target_.squaredNorm() <= 0 || n < 4 * (std::ssize(part_.conditions) + 3)) return false;
    find_candidates();
    start(kFirstCandidates);
    if (!join_next(kOpens, false)) return false;
    start(screen_.most());
    while (std::ssize(keys_) + std::ssize(seconds_) < n / 6 && join_next(kJoins, true)) continue;
    prune();
    if (seconds_.empty()) return false;
    part_.conditions = keys_;
    part_.seconds = seconds_;
    complete_contents(part_, learned_, series(), settings_.lags.size());
    for (auto& [place, tests] : part_.contents) tests.second = std::make_shared<SecondTest>();
    start(screen_.most());
    test_seconds();
    test_lines(rows_given(rows_, keys_, held_, {}, seconds_));
    return true;
  }

  /// What is left of the target where second keys are conditions.
  void enter_residuals(Matrix<double>& residuals) const {
    const std::vector<Index> steps = steps_with_past(table_, settings_.lags.back());
    Index row = 0;
    for (std::size_t r = 0; r < steps.size(); ++r)
      if (!std::isnan(table_.values(steps[r], part_.target)))
        residuals(static_cast<Index>(r), part_.target) = left_[row++];
  }

 private:
  Index lags() const { return std::ssize(settings_.lags); }
  Index series() const { return table_.series(); }
  Index degrees() const { return rows_.count() - 2 - held_ - std::ssize(keys_) - std::ssize(seconds_); }
  double line_weight() const { return 1 / static_cast<double>(series() * lags()); }

  void find_candidates() {
    std::vector<std::pair<Index, Index>> conditions;
    const Index width = kContents * series();
    for (const Index key : part_.conditions) conditions.emplace_back(key % width % series(), key / width);
    std::sort(conditions.begin(), conditions.end());
    conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
    conditions_ = std::ssize(conditions);
    const RowConditions given = rows_given(rows_, part_.conditions, held_).columns;
    const Eigen::VectorXd left = given.fit(target_).residuals;
    const Index longest = settings_.lags.back();
    Eigen::VectorXf every = Eigen::VectorXf::Zero(table_.steps() - longest);
    Index row = 0;
    for (const Index t : steps_with_past(table_, longest))
      if (!std::isnan(table_.values(t, part_.target))) every[t - longest] = static_cast<float>(left[row++]);
    candidates_ = screen_.best(every, part_.target, conditions);
    keys_ = part_.conditions;
    // Plain values that stand out most, of the first stage.
    std::vector<std::size_t> order(part_.links.size());
    for (std::size_t l = 0; l < order.size(); ++l) order[l] = l;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return part_.plain_t[a] > part_.plain_t[b]; });
    order.resize(std::min<std::size_t>(order.size(), screen_.most() / 2));
    for (const std::size_t l : order)
      lines_.push_back(learned_.products->key(part_.links[l].cause, l % lags(), Content::plain));
  }

  /// The columns of the best candidates, and of lines, without what the conditions say.
  void start(Index most) {
    const Index seconds = std::min(most, std::ssize(candidates_));
    used_ = seconds;
    columns_.resize(rows_.count(), seconds + std::ssize(lines_));
    for (Index c = 0; c < columns_.cols(); ++c)
      columns_.col(c) = c < seconds ? rows_.second(candidates_[c].key) : rows_.key(lines_[c - seconds]);
    squares_ = columns_.colwise().squaredNorm().transpose();
    shrink_.resize(columns_.cols());
    for (Index c = 0; c < columns_.cols(); ++c) shrink_[c] = shrink(c);
    left_ = target_;
    taken_.resize(rows_.count(), 0);
    for (const Index key : keys_) take_out(rows_.key(key));
    for (const SecondKey& key : seconds_) take_out(rows_.second(key));
  }

  /// As KeyProducts::effective_rows.
  double shrink(Index c) const {
    const auto x = columns_.col(c);
    const Index n = x.size();
    const double own = n < 2 ? 0 : x.head(n - 1).dot(x.tail(n - 1)) / std::max(squares_[c], 1e-300);
    const double r = std::clamp(own * memory_, 0.0, 0.99);
    return std::sqrt(1 - 2 / std::max(static_cast<double>(n) * (1 - r) / (1 + r), 4.0));
  }

  void take_out(Eigen::VectorXd x) {
    const double square = x.squaredNorm();
    for (int twice = 0; twice < 2; ++twice) x -= taken_ * (taken_.transpose() * x).eval();
    if (x.squaredNorm() < kLeastLeft * square) return;
    x.normalize();
    left_ -= x * x.dot(left_);
    const Eigen::RowVectorXd along = x.transpose() * columns_;
    columns_.noalias() -= x * along;
    taken_.conservativeResize(Eigen::NoChange, taken_.cols() + 1);
    taken_.rightCols(1) = x;
  }

  bool says_more(Index c) const { return columns_.col(c).squaredNorm() > kLeastOfSecond * squares_[c]; }

  double student_p(Index c, double spread) const {
    const double r = columns_.col(c).dot(left_) / (columns_.col(c).norm() * spread);
    const auto d = static_cast<double>(degrees());
    const double t = std::abs(r) * std::sqrt(d / std::max(1 - r * r, 1e-300)) * shrink_[c];
    return student_two_sided(t, d);
  }

  /// Two-sided, by the variance of each product (White 1980), without what serial correlation adds: the errors of a
  /// model that still lacks conditions are always correlated.
  static double uneven_t(const Eigen::VectorXd& x, const Eigen::VectorXd& left) {
    const Eigen::ArrayXd products = x.cwiseProduct(left).array();
    const double square = (products - products.mean()).square().sum();
    return square > 0 ? products.sum() / std::sqrt(square) : 0;
  }
  static double uneven_p(const Eigen::VectorXd& x, const Eigen::VectorXd& left, Index degrees) {
    return student_two_sided(uneven_t(x, left), static_cast<double>(degrees));
  }

  /// The weakest of Student's t and of uneven_t with what is left and with its normal scores.
  static RowsTest weakest(const Eigen::VectorXd& x, const Eigen::VectorXd& left, double shrunk, Index degrees) {
    RowsTest test;
    test.correlation = std::clamp(x.dot(left) / std::max(x.norm() * left.norm(), 1e-300), -1.0, 1.0);
    const auto d = static_cast<double>(degrees);
    test.t = test.correlation * std::sqrt(d / std::max(1 - test.correlation * test.correlation, 1e-300));
    for (const double t : {uneven_t(x, left), uneven_t(x, normal_scores(left))})
      if (t * test.t <= 0 || std::abs(t) < std::abs(test.t)) test.t = t * test.t <= 0 ? 0 : t;
    test.t *= shrunk;
    test.p_value = student_two_sided(test.t, d);
    return test;
  }

  /// The best joins the conditions, if it is good enough.
  bool join_next(double below, bool lines_too) {
    if (degrees() < 1) return false;
    const double spread = left_.norm();
    if (!(spread * spread > kLeastLeft * kLeastLeft * target_.squaredNorm())) return false;
    double least = below;
    Index best = -1;
    for (Index c = 0; c < (lines_too ? columns_.cols() : used_); ++c) {
      const double weight = c < used_ ? candidates_[c].weight : line_weight();
      if (!says_more(c) || student_p(c, spread) >= least * weight) continue;
      const double p = uneven_p(columns_.col(c), left_, degrees()) / weight;
      if (p < least) least = std::max(p, student_p(c, spread) / weight), best = c;
    }
    if (best < 0) return false;
    if (!lines_too) return true;  // asked only whether one would
    if (best < used_) {
      seconds_.push_back(candidates_[best].key);
      take_out(rows_.second(seconds_.back()));
    } else {
      keys_.push_back(lines_[best - used_]);
      take_out(rows_.key(keys_.back()));
    }
    return true;
  }

  bool stays(Index key) const {
    if (key == learned_.products->key(part_.target, 0, Content::plain)) return true;
    const Index width = kContents * series();
    return std::any_of(settings_.required.begin(), settings_.required.end(), [&](const methods::Link& link) {
      return link.effect == part_.target && key % width == link.cause && settings_.lags[key / width] == link.lag;
    });
  }

  double weight_of(const SecondKey& key) const {
    for (const Candidate& candidate : candidates_)
      if (candidate.key.same(key)) return candidate.weight;
    return screen_.single_weight(key.form);
  }

  /// Conditions that are not needed beside the others leave, the least significant first.
  void prune() {
    while (!seconds_.empty()) {
      Eigen::MatrixXd x(rows_.count(), std::ssize(keys_) + std::ssize(seconds_));
      for (std::size_t c = 0; c < keys_.size(); ++c) x.col(static_cast<Index>(c)) = rows_.key(keys_[c]);
      const Index of_keys = std::ssize(keys_);
      for (Index c = of_keys; c < x.cols(); ++c) x.col(c) = rows_.second(seconds_[c - of_keys]);
      const Eigen::LLT<Eigen::MatrixXd> factor(x.transpose() * x);
      const Eigen::VectorXd effects = factor.solve(x.transpose() * target_), left = target_ - x * effects;
      double most = kJoins;
      Index worst = -1;
      for (Index c = 0; c < x.cols(); ++c) {
        if (c < of_keys && stays(keys_[c])) continue;
        const Eigen::VectorXd inverse = factor.solve(Eigen::VectorXd::Unit(x.cols(), c)),
                              own = x * inverse / inverse[c];
        const double weight = c < of_keys ? line_weight() : weight_of(seconds_[c - of_keys]);
        const double p = uneven_p(own, left + effects[c] * own, degrees() + 1) / weight;
        if (p > most) most = p, worst = c;
      }
      if (worst < 0) return;
      if (worst < of_keys) {
        keys_.erase(keys_.begin() + worst);
      } else {
        seconds_.erase(seconds_.begin() + (worst - of_keys));
      }
    }
  }

  /// The best second key of each (source, lag).
  void test_seconds() {
    const double spread = left_.norm();
    for (Index c = 0; c < used_; ++c) {
      const Candidate& candidate = candidates_[c];
      std::vector<SecondKey> others = seconds_;
      std::erase_if(others, [&](const SecondKey& key) { return key.same(candidate.key); });
      RowsTest test;
      if (others.size() < seconds_.size()) {
        const RowConditions given = rows_given(rows_, keys_, held_, {}, others).columns;
        test = weakest(given.fit(rows_.second(candidate.key)).residuals, given.fit(target_).residuals, shrink_[c],
                       degrees() + 1);
      } else if (says_more(c) && student_p(c, spread) <= kWorthConfirming) {
        test = weakest(columns_.col(c), left_, shrink_[c], degrees());
      } else {
        continue;
      }
      credit(candidate.key, candidate.weight, test);
      if (candidate.key.form == SecondForm::product) credit(candidate.key.turned(), candidate.weight, test);
    }
  }

  void credit(const SecondKey& key, double weight, const RowsTest& test) {
    SecondTest& best = *part_.contents[key.source * lags() + key.place].second;
    const double trials = screen_.weight_of(key.place, conditions_) / weight;
    const double log10_p =
        log10_student_two_sided(test.t, static_cast<double>(std::max<Index>(degrees(), 1))) + std::log10(trials);
    if (test.p_value * trials > best.p_value || (test.p_value * trials == best.p_value && log10_p >= best.log10_p))
      return;
    best = {key,
            key.other >= 0 ? settings_.lags[key.other_place] : 0,
            test.correlation,
            test.t,
            std::min(test.p_value * trials, 1.0),
            trials,
            log10_p};
  }

  /// The tests of the first stage, given second keys too.
  void test_lines(const RowsGiven& given) {
    const KeyProducts& products = *learned_.products;
    const Confirmation all(rows_, given);
    for (std::size_t l = 0; l < part_.links.size(); ++l)
      for (const Content content : kAllContents) {
        ContentTests& tests = part_.contents[l];
        CorrelationTest& test = tests.of(content);
        if (tests.share(content) <= 0 || test.p_value == 1) continue;  // nothing, or left to its twin
        const Index source = part_.links[l].cause, key = products.key(source, l % lags(), content);
        const std::vector<Index> kept = without_twin(given.keys, key, series());
        const RowsTest again = kept.size() == given.keys.size() ? all.test(key) : without(kept, key);
        test.degrees = given.degrees(rows_.count());
        test.correlation = again.correlation;
        const double fewest = products.effective_rows(source, content, part_.target, rows_.count());
        test.t = again.t * std::sqrt(1 - 2 / std::max(fewest, 4.0));
        test.p_value = std::max(again.p_value, student_two_sided(test.t, static_cast<double>(test.degrees)));
        tests.decider(content) = again.decided;
        if (content == Content::plain) part_.plain_t[l] = std::abs(test.t);
      }
  }

  RowsTest without(const std::vector<Index>& kept, Index key) const {
    const RowsGiven fewer = rows_given(rows_, kept, held_, {}, part_.seconds);
    return Confirmation(rows_, fewer).test(key);
  }

  TargetLinks& part_;
  const Screen& screen_;
  const Learned& learned_;
  const datasets::series::SeriesTable& table_;
  const methods::LagSettings& settings_;
  Index held_;
  TargetRows rows_;
  Eigen::VectorXd target_, left_, squares_, shrink_;
  double memory_ = 0;
  std::vector<Candidate> candidates_;
  Index used_ = 0, conditions_ = 0;  ///< of the candidates, those in columns_; distinct (source, lag) of conditions
  std::vector<Index> lines_, keys_;
  std::vector<SecondKey> seconds_;
  Eigen::MatrixXd columns_, taken_;  ///< taken_: orthonormal, of the conditions
};

}  // namespace

SecondStage ask_again(std::vector<TargetLinks>& parts, const Learned& learned,
                      const datasets::series::SeriesTable& table, const methods::LagSettings& settings, Index held,
                      Matrix<double>& residuals) {
  if (!settings.products || parts.empty()) return {};
  const Screen screen(learned, table, settings, std::ssize(parts));
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < parts.size(); ++k) {
    Target target(parts[k], screen, learned, table, settings, held);
    if (!target.ask()) continue;
    target.enter_residuals(residuals);
    enter_tests(parts[k], settings.level);
  }
  return {screen.keys(), screen.all_keys()};
}

}  // namespace fovea::lag::attention
