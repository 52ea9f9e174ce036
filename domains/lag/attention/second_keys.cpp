#include "fovea/domains/lag/attention/second_keys.hpp"

#include <algorithm>
#include <cmath>

#include "fovea/core/kernels/exponential.hpp"
#include "fovea/core/statistics/distributions/tails.hpp"

namespace fovea::lag::attention {

namespace {

// What second_keys.hpp says of them.
constexpr double kJoin = 0.3, kSingles = 0.3, kNearest = 0.35, kFurther = 1 - kSingles - kNearest;
// Multiplications in single precision for all targets: a quarter of a second on one processor.
constexpr double kScreenBudget = 5e8;
// Of all targets' candidates, each of which about ten conditions are taken out of.
constexpr double kPoolBudget = 2e7;
constexpr Index kFewestCandidates = 8, kFirstCandidates = 64, kMostCandidates = 256;
// |t| in single precision, about no conditions, from which a candidate is worth a test: 1 % (of nearest products 10 %,
// since others that join may hide them at first).
constexpr float kWorth = 2.58F, kNearestWorth = 1.64F;
// Of a candidate's square: where conditions leave less, it says what they do.
constexpr double kLeastOfSecond = 0.02;

struct Candidate {
  SecondKey key;
  double weight = 0;
  float score = 0;
};

/// All second keys of a table in single precision: which are worth a test, and how many there are.
class Screen {
 public:
  Screen(const Learned& learned, const datasets::series::SeriesTable& table, const methods::LagSettings& settings,
         Index targets)
      : settings_(settings), series_(table.series()), longest_(settings.lags.back()), rows_(table.steps() - longest_) {
    const KeyProducts& products = *learned.products;
    values_.resize(table.steps(), series_);
    for (Index i = 0; i < series_; ++i)
      values_.col(i) = products.columns().col(products.pulled_column(i)).cast<float>();
    for (const bool wave : {false, true})
      singles_[wave ? 1 : 0] =
          values_.unaryExpr([wave](float z) { return (wave ? z : 1.0F) * exponential(-0.5F * z * z); });
    for (auto& single : singles_) single.rowwise() -= single.colwise().mean();
    const double each = static_cast<double>(rows_) * static_cast<double>(targets);
    keys_ = std::min(all_keys(), static_cast<Index>(std::sqrt(kScreenBudget / each)));
    if (keys_ < series_ || series_ < 2) keys_ = 0;
    past_.resize(rows_, keys_);
    for (Index k = 0; k < keys_; ++k) past_.col(k) = before(values_, k % series_, k / series_);
    const Eigen::MatrixXf squares = past_.cwiseAbs2(), means = past_.transpose() * past_ / rows_;
    norms_ = (squares.transpose() * squares - means.cwiseAbs2() * rows_).cwiseMax(0).cwiseSqrt();
    most_ = std::clamp(static_cast<Index>(kPoolBudget / each), kFewestCandidates, kMostCandidates);
  }

  Index all_keys() const { return series_ * std::ssize(settings_.lags); }
  Index keys() const { return keys_; }
  Index most() const { return most_; }

  double single_weight() const { return kSingles / static_cast<double>(2 * all_keys()); }
  double nearest_weight() const {
    return keys_ < 2 ? 0 : kNearest / (static_cast<double>(series_ * (series_ - 1)) / 2);
  }
  /// Of each product that is not of two series one lag back, and of how many a value is part.
  double further_weight(Index conditions) const {
    const auto pairs = [](Index k) { return static_cast<double>(k * (k - 1)) / 2; };
    return kFurther / std::max(pairs(keys_) - (keys_ > 0 ? pairs(series_) : 0) + pairs(conditions), 1.0);
  }
  /// Weights of all second keys of one (source, lag).
  double weight_of(Index place, Index conditions) const {
    const bool near = place == 0 && keys_ > 0;
    const auto others = static_cast<double>(near ? keys_ - series_ : std::max<Index>(keys_ - 1, 0));
    return 2 * single_weight() + (near ? nearest_weight() * static_cast<double>(series_ - 1) : 0) +
           further_weight(conditions) * (others + static_cast<double>(conditions));
  }

  /// The best candidates by their |t| and weight; left: what is left of the target, one value a row, 0 where there is
  /// none.
  std::vector<Candidate> best(const Eigen::VectorXf& left, Index target,
                              const std::vector<std::pair<Index, Index>>& conditions) const {
    std::vector<Candidate> found;
    const float scale = std::sqrt(static_cast<float>(rows_)) / std::max(left.norm(), 1e-30F);
    const auto add = [&](const SecondKey& key, float sum, float norm, double weight, float worth) {
      const float t = norm > 0 ? std::abs(sum) * scale / norm : 0;
      if (!(t > worth)) return;
      found.push_back({key, weight, 0.5F * t * t + static_cast<float>(logarithm(weight))});
    };
    for (Index i = 0; i < series_; ++i)
      for (Index l = 0; l < std::ssize(settings_.lags); ++l) {
        if (!is_allowed(i, l, target)) continue;
        for (const SecondForm form : {SecondForm::bump, SecondForm::wave}) {
          const Eigen::VectorXf x = before(singles_[form == SecondForm::wave ? 1 : 0], i, l);
          add({form, i, l}, x.dot(left), x.norm(), single_weight(), kWorth);
        }
      }
    const auto n = static_cast<Index>(conditions.size());
    if (keys_ > 0) {
      const Eigen::MatrixXf sums = (past_.array().colwise() * left.array()).matrix().transpose() * past_;
      for (Index b = 0; b < keys_; ++b)
        for (Index a = 0; a < b; ++a) {
          const bool near = b < series_;
          if (!is_allowed(a % series_, a / series_, target) || !is_allowed(b % series_, b / series_, target)) continue;
          add({SecondForm::product, a % series_, a / series_, b % series_, b / series_}, sums(a, b), norms_(a, b),
              near ? nearest_weight() : further_weight(n), near ? kNearestWorth : kWorth);
        }
    }
    for (Index b = 0; b < n; ++b)
      for (Index a = 0; a < b; ++a) {
        const auto& [i, l] = conditions[a];
        const auto& [k, m] = conditions[b];
        if (std::max(l * series_ + i, m * series_ + k) < keys_) continue;
        if (!is_allowed(i, l, target) || !is_allowed(k, m, target)) continue;
        const Eigen::VectorXf x = before(values_, i, l).cwiseProduct(before(values_, k, m));
        add({SecondForm::product, i, l, k, m}, x.dot(left), (x.array() - x.mean()).matrix().norm(), further_weight(n),
            kWorth);
      }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    if (std::ssize(found) > most_) found.resize(most_);
    return found;
  }

 private:
  bool is_allowed(Index cause, Index place, Index effect) const {
    return !settings_.allowed || settings_.allowed(cause, effect, settings_.lags[place]);
  }
  Eigen::VectorXf before(const Eigen::MatrixXf& courses, Index series, Index place) const {
    return courses.col(series).segment(longest_ - settings_.lags[place], rows_);
  }

  const methods::LagSettings& settings_;
  Index series_, longest_, rows_, keys_ = 0, most_ = 0;
  Eigen::MatrixXf values_, past_, norms_;
  std::array<Eigen::MatrixXf, 2> singles_;
};

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
    for (ContentTests& tests : part_.contents) tests.second = asked();
    const Index n = rows_.count();
    if (target_.squaredNorm() <= 0 || n < 4 * (std::ssize(part_.conditions) + 3)) return false;
    find_candidates();
    start(kFirstCandidates);
    const bool some = join_next(false);
    if (some) {
      start(screen_.most());
      while (std::ssize(keys_) + std::ssize(seconds_) < n / 6 && join_next(true)) continue;
      prune();
    }
    const bool chosen = !seconds_.empty();
    if (chosen) {
      part_.conditions = keys_;
      part_.seconds = seconds_;
      start(screen_.most());
    } else if (some) {
      keys_ = part_.conditions;
      start(screen_.most());
    }
    const RowsGiven given = rows_given(rows_, part_.conditions, held_, {}, part_.seconds);
    test_seconds(given);
    if (chosen) test_lines(given);
    return chosen;
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

  RowsTest weaker(const Vector<double>& x, const Vector<double>& left, const Vector<double>& scores, double shrunk,
                  Index degrees) const {
    RowsTest of_values = rows_test(x, left, degrees, {});
    const RowsTest of_scores = rows_test(x, scores, degrees, {});
    if (of_scores.p_value > of_values.p_value) of_values.t = of_scores.t, of_values.p_value = of_scores.p_value;
    of_values.t *= shrunk;
    of_values.p_value = std::max(of_values.p_value, student_two_sided(of_values.t, static_cast<double>(degrees)));
    return of_values;
  }

  /// The best joins the conditions, if it is good enough.
  bool join_next(bool lines_too) {
    if (degrees() < 1) return false;
    const double spread = left_.norm();
    if (!(spread * spread > kLeastLeft * kLeastLeft * target_.squaredNorm())) return false;
    const Vector<double> left = left_, scores = normal_scores(left);
    double least = kJoin;
    Index best = -1;
    for (Index c = 0; c < (lines_too ? columns_.cols() : used_); ++c) {
      const double weight = c < used_ ? candidates_[c].weight : line_weight();
      if (!says_more(c) || student_p(c, spread) >= least * weight) continue;
      const double p = weaker(columns_.col(c), left, scores, shrink_[c], degrees()).p_value / weight;
      if (p < least) least = p, best = c;
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
    return screen_.single_weight();
  }

  /// Conditions that are not needed beside the others leave, the least significant first.
  void prune() {
    while (!seconds_.empty()) {
      const RowsGiven given = rows_given(rows_, keys_, held_, {}, seconds_);
      const RowConditions::TargetFit fit{given.columns.fit(target_), std::nullopt};
      const Index of_keys = std::ssize(keys_), all = given.columns.count();
      double most = kJoin;
      Index worst = -1;
      for (Index c = 0; c < all; ++c) {
        if (c < of_keys && stays(keys_[c])) continue;
        const double weight = c < of_keys ? line_weight() : weight_of(seconds_[c - of_keys]);
        const double p = given.columns.test_condition(fit, c, given.degrees(rows_.count()) + 1).p_value / weight;
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
  void test_seconds(const RowsGiven& given) {
    const Vector<double> left = left_, scores = normal_scores(left);
    const RowConditions::TargetFit fit{given.columns.fit(target_), std::nullopt};
    const double spread = left_.norm();
    for (Index c = 0; c < used_; ++c) {
      const Candidate& candidate = candidates_[c];
      const auto place =
          std::find_if(seconds_.begin(), seconds_.end(), [&](const SecondKey& key) { return key.same(candidate.key); });
      const bool condition = place != seconds_.end();
      if (!condition && (!says_more(c) || student_p(c, spread) > kWorthConfirming)) continue;
      const Index of = std::ssize(keys_) + (place - seconds_.begin());
      const RowsTest test = condition ? given.columns.test_condition(fit, of, degrees() + 1)
                                      : weaker(columns_.col(c), left, scores, shrink_[c], degrees());
      credit(candidate.key, candidate.weight, test);
      if (candidate.key.form == SecondForm::product) credit(candidate.key.turned(), candidate.weight, test);
    }
  }

  void credit(const SecondKey& key, double weight, const RowsTest& test) {
    SecondTest& best = part_.contents[key.source * lags() + key.place].second;
    const double trials = screen_.weight_of(key.place, conditions_) / weight;
    const double log10_p =
        log10_student_two_sided(test.t, static_cast<double>(std::max<Index>(degrees(), 1))) + std::log10(trials);
    if (test.p_value * trials > best.p_value || (test.p_value * trials == best.p_value && log10_p >= best.log10_p))
      return;
    best = {true,
            key,
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
    if (target.ask()) target.enter_residuals(residuals);
    enter_tests(parts[k]);
  }
  return {screen.keys(), screen.all_keys()};
}

}  // namespace fovea::lag::attention
