#include "fovea/domains/imaging/inpaint/attended.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/parallel.hpp"
#include "fovea/core/lab/experiment.hpp"
#include "fovea/domains/imaging/inpaint/columns.hpp"

namespace fovea::imaging::inpaint {

namespace {

using Lesson = learning::ResidualLesson<float>;
using Traits = Eigen::Matrix<double, kTraits, 1>;

constexpr Index kMostLessons = 32, kLessonQueries = 96, kLessonKeys = 768;
constexpr double kHalfOctave = 0.34657359027997264;  // log sqrt 2: a Gaussian squared
constexpr float kFirstContext = 0;
constexpr std::array<float, 6> kFirstWidths{0.7F, 0.7F, 0.7F, 0.7F, 0.7F, 0.7F};

/// Columns in the units of their groups; those of contexts that do not help are 0.
Matrix<float> scaled(const Matrix<float>& columns, const std::vector<double>& scales) {
  Matrix<float> made(columns.rows(), columns.cols());
  for (Index c = 0; c < columns.cols(); ++c) made.col(c) = columns.col(c) * static_cast<float>(scales[c]);
  return made;
}

/// About so many of the keys at most; a mirrored hole has the mirrored ones.
std::vector<Index> thinned(const std::vector<Index>& rows, Index most, const PreparedHole& hole, const Box& box) {
  const auto nth = static_cast<std::uint64_t>((std::ssize(rows) + most - 1) / most);
  std::vector<Index> some;
  for (const Index row : rows)
    if (nth < 2 || mirrored_hash(hole.key_places[row], box) % nth == 0) some.push_back(row);
  return some;
}

Matrix<float> rows_of(const Matrix<float>& all, const std::vector<Index>& rows) {
  Matrix<float> some(std::ssize(rows), all.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) some.row(static_cast<Index>(k)) = all.row(rows[k]);
  return some;
}

/// A cut hole as a question to the keys of the others, none of which is one of its voxels.
struct CutLesson {
  Lesson rows;
  Eigen::VectorXd depths;  ///< of the queries
  double nearness = 1;
};

CutLesson cut_lesson(const PreparedHole& hole, Index cut, const std::vector<double>& scales, double unit) {
  std::set<Place> own;
  std::vector<Index> queries, keys;
  for (std::size_t k = 0; k < hole.key_cuts.size(); ++k)
    if (hole.key_cuts[k] == cut) own.insert(hole.key_places[k]), queries.push_back(static_cast<Index>(k));
  for (std::size_t k = 0; k < hole.key_cuts.size(); ++k)
    if (own.count(hole.key_places[k]) == 0) keys.push_back(static_cast<Index>(k));
  const Box box = box_of(hole.voxels);
  queries = thinned(queries, kLessonQueries, hole, box), keys = thinned(keys, kLessonKeys, hole, box);
  const auto one = static_cast<float>(1 / unit);
  CutLesson lesson{{scaled(rows_of(hole.rows.keys, queries), scales), scaled(rows_of(hole.rows.keys, keys), scales),
                    one * rows_of(hole.rows.left, keys), one * rows_of(hole.rows.left, queries)},
                   Eigen::VectorXd(std::ssize(queries)),
                   hole.nearness[cut]};
  for (std::size_t k = 0; k < queries.size(); ++k) lesson.depths[static_cast<Index>(k)] = hole.key_depths[queries[k]];
  return lesson;
}

/// Of each hole the nearest cuts, those of equal nearness together.
std::vector<CutLesson> lessons_of(const std::vector<const PreparedHole*>& holes, const std::vector<double>& scales,
                                  double unit) {
  const Index each = std::max<Index>(kMostLessons / std::ssize(holes), 4);
  std::vector<CutLesson> lessons;
  for (const PreparedHole* hole : holes) {
    std::vector<Index> order(hole->nearness.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return hole->nearness[a] > hole->nearness[b]; });
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (std::cmp_greater_equal(k, each) && hole->nearness[order[k]] < hole->nearness[order[k - 1]]) break;
      CutLesson lesson = cut_lesson(*hole, order[k], scales, unit);
      if (lesson.rows.queries.rows() > 0 && lesson.rows.keys.rows() >= 8) lessons.push_back(std::move(lesson));
    }
  }
  return lessons;
}

/// Weighted mean, deviation and effective number 1 / sum w^2 of what a hole's keys answer.
struct Answer {
  Eigen::VectorXd mean, deviation, effective;
};

Answer answer_of(const Lesson& lesson, const std::vector<float>& log_widths) {
  Matrix<float> sums;
  const Matrix<float> moments = learning::attended_residuals(lesson, log_widths, &sums);
  std::vector<float> narrow = log_widths;
  for (float& width : narrow) width -= static_cast<float>(kHalfOctave);
  Matrix<float> squares;
  Lesson plain{lesson.queries, lesson.keys, Matrix<float>::Zero(lesson.left.rows(), 1), {}};
  learning::attended_residuals(plain, narrow, &squares);
  Answer answer;
  answer.mean = moments.col(0).cast<double>();
  answer.effective = (2 * sums.col(0).cast<double>().array() - squares.col(0).cast<double>().array()).exp();
  const auto few = answer.effective.array().max(1).inverse();
  answer.deviation = (moments.col(1).cast<double>().array() * (1 + few)).sqrt();
  return answer;
}

/// Log of the mean squared error of each lesson, if the answer's share is added.
Eigen::VectorXd losses_of(const std::vector<CutLesson>& lessons, const std::vector<Answer>& answers, double share) {
  Eigen::VectorXd losses(std::ssize(lessons));
  for (std::size_t k = 0; k < lessons.size(); ++k) {
    const Eigen::VectorXd wanted = lessons[k].rows.wanted.col(0).cast<double>();
    losses[static_cast<Index>(k)] =
        std::log((wanted - share * answers[k].mean).squaredNorm() / static_cast<double>(wanted.size()) + 1e-8);
  }
  return losses;
}

/// Mean of the first less the second, weighted by nearness, and its standard error.
std::array<double, 2> paired(const std::vector<CutLesson>& lessons, const Eigen::VectorXd& first,
                             const Eigen::VectorXd& second) {
  double weights = 0, sum = 0, squares = 0;
  for (std::size_t k = 0; k < lessons.size(); ++k) {
    const double difference = first[static_cast<Index>(k)] - second[static_cast<Index>(k)];
    weights += lessons[k].nearness, sum += lessons[k].nearness * difference;
  }
  const double mean = sum / weights;
  for (std::size_t k = 0; k < lessons.size(); ++k)
    squares += std::pow(lessons[k].nearness * (first[static_cast<Index>(k)] - second[static_cast<Index>(k)] - mean), 2);
  return {mean, std::sqrt(squares) / weights};
}

struct Taught {
  std::vector<float> log_widths;
  std::vector<Answer> answers;
};

Taught taught(const std::vector<CutLesson>& lessons, const std::vector<Index>& groups) {
  std::vector<const Lesson*> rows;
  std::vector<Index> all(lessons.size());
  std::iota(all.begin(), all.end(), 0);
  for (const CutLesson& lesson : lessons) rows.push_back(&lesson.rows);
  learning::WidthPlan plan;
  plan.groups = groups;
  plan.log_widths.assign(kFirstWidths.begin(), kFirstWidths.end());
  plan.log_widths.resize(1 + *std::max_element(groups.begin(), groups.end()), kFirstContext);
  plan.epochs = 24, plan.batch = std::ssize(lessons), plan.learning_rate = 0.15;
  const std::unique_ptr<Workbench> bench = plain_workbench();
  learning::TrainingSeries series(*bench, 1);
  Taught made{learning::learn_widths(rows, all, {}, plan, "widths", Random(1), series).log_widths,
              std::vector<Answer>(lessons.size())};
  for_each_task(std::ssize(lessons), true,
                [&](Index k) { made.answers[k] = answer_of(lessons[k].rows, made.log_widths); });
  return made;
}

/// The share of the answer that is best on the lessons, each weighted by nearness over its error.
double best_share(const std::vector<CutLesson>& lessons, const std::vector<Answer>& answers) {
  double products = 0, squares = 0;
  for (std::size_t k = 0; k < lessons.size(); ++k) {
    const Eigen::VectorXd wanted = lessons[k].rows.wanted.col(0).cast<double>();
    const double weight = lessons[k].nearness / (wanted.squaredNorm() + 1e-8);
    products += weight * wanted.dot(answers[k].mean), squares += weight * answers[k].mean.squaredNorm();
  }
  return squares > 0 ? std::clamp(products / squares, 0.0, 1.0) : 0;
}

/// Root mean square of a row's columns of a group.
double roughness(const Matrix<float>& columns, Index row, const std::vector<Index>& groups, Index group) {
  double squares = 0, count = 0;
  for (Index c = 0; c < columns.cols(); ++c)
    if (groups[c] == group) squares += std::pow(static_cast<double>(columns(row, c)), 2), ++count;
  return std::sqrt(squares / count);
}

/// What the size of an error is told by, see Attention::spread.
Traits traits(const Lesson& lesson, const Answer& answer, const Eigen::VectorXd& depths, Index row) {
  const std::vector<Index> groups = column_groups(0);
  Matrix<float> columns = lesson.queries.block(row, 0, 1, std::ssize(groups));
  const auto log_rough = [&](Index group) { return std::log(roughness(columns, 0, groups, group) + 0.01); };
  return {1,
          std::log(answer.deviation[row] + 0.02),
          std::log(depths[row]),
          std::log(std::max(answer.effective[row], 1.0)),
          log_rough(own_slice),
          log_rough(neighbour_slices),
          log_rough(between_guesses)};
}

/// sigma by least squares on log |error|, then the quantile of |error| / sigma that holds 90 %, by nearness.
void calibrate(const std::vector<CutLesson>& lessons, const std::vector<Answer>& answers, Attention& attention) {
  Eigen::Matrix<double, kTraits, kTraits> products = Eigen::Matrix<double, kTraits, kTraits>::Zero();
  Traits aims = Traits::Zero();
  const auto for_all = [&](const auto& take) {
    for (std::size_t k = 0; k < lessons.size(); ++k)
      for (Index i = 0; i < lessons[k].depths.size(); ++i) {
        const double error =
            std::abs(static_cast<double>(lessons[k].rows.wanted(i, 0)) - attention.share * answers[k].mean[i]);
        take(lessons[k].nearness, error, traits(lessons[k].rows, answers[k], lessons[k].depths, i));
      }
  };
  for_all([&](double weight, double error, const Traits& x) {
    products += weight * x * x.transpose(), aims += weight * std::log(error + 0.02) * x;
  });
  products.diagonal().tail(kTraits - 1).array() += 0.01 * products(0, 0);
  const Traits fit = products.ldlt().solve(aims);
  std::copy(fit.begin(), fit.end(), attention.spread.begin());
  std::vector<std::array<double, 2>> ratios;
  double total = 0;
  for_all([&](double weight, double error, const Traits& x) {
    ratios.push_back({error / std::exp(fit.dot(x)), weight}), total += weight;
  });
  std::sort(ratios.begin(), ratios.end());
  double sum = 0;
  for (const auto& [ratio, weight] : ratios) {
    attention.quantile = ratio, sum += weight;
    if (sum >= 0.9 * total) break;
  }
}

}  // namespace

Attention learned_attention(const std::vector<const PreparedHole*>& holes, Index contexts, bool attends) {
  Attention attention;
  std::vector<Index> groups = column_groups(contexts);
  Index rows = 0, columns = std::ssize(groups);
  for (const PreparedHole* hole : holes) rows += hole->rows.keys.rows();
  Matrix<float> keys(rows, columns);
  double squares = 0;
  rows = 0;
  for (const PreparedHole* hole : holes) {
    keys.middleRows(rows, hole->rows.keys.rows()) = hole->rows.keys;
    squares += hole->rows.left.cast<double>().squaredNorm();
    if (hole->key_depths.size() > 0) attention.deepest = std::max(attention.deepest, hole->key_depths.maxCoeff());
    rows += hole->rows.keys.rows();
  }
  attention.contexts.assign(contexts, 1);
  attention.log_widths.assign(columns, 0);
  attention.scales.assign(columns, 1);
  if (rows == 0) return attention;
  attention.scales = column_scales(keys, groups);
  attention.unit = std::max(std::sqrt(squares / static_cast<double>(rows)), 1e-12);
  std::vector<CutLesson> lessons = lessons_of(holes, attention.scales, attention.unit);
  attention.lessons = std::ssize(lessons);
  if (lessons.empty()) return attention;
  Taught best = taught(lessons, groups);
  for (Index k = 0; k < contexts; ++k) {
    std::vector<double> without = attention.scales;
    for (std::size_t c = 0; c < groups.size(); ++c)
      if (groups[c] == first_context + k) without[c] = 0;
    std::vector<CutLesson> fewer = lessons_of(holes, without, attention.unit);
    Taught other = taught(fewer, groups);
    const auto [gain, error] = paired(lessons, losses_of(fewer, other.answers, 1), losses_of(lessons, best.answers, 1));
    if (gain > error) continue;
    attention.contexts[k] = 0;
    attention.scales = std::move(without), lessons = std::move(fewer), best = std::move(other);
  }
  attention.log_widths = best.log_widths;
  if (attends) attention.share = best_share(lessons, best.answers);
  const auto [gain, error] =
      paired(lessons, losses_of(lessons, best.answers, 0), losses_of(lessons, best.answers, attention.share));
  attention.gain = gain * 10 / std::log(10.0), attention.gain_error = error * 10 / std::log(10.0);
  if (!(gain > error)) attention.share = attention.gain = attention.gain_error = 0;
  calibrate(lessons, best.answers, attention);
  return attention;
}

Eigen::VectorXd key_shares(const PreparedHole& hole, const Attention& attention) {
  const auto narrowed = [&](const Matrix<float>& columns) {
    Matrix<double> made = scaled(columns, attention.scales).cast<double>();
    for (Index c = 0; c < made.cols(); ++c) made.col(c) *= std::exp(-static_cast<double>(attention.log_widths[c]));
    return made;
  };
  const Matrix<double> queries = narrowed(hole.rows.queries), keys = narrowed(hole.rows.keys);
  Eigen::VectorXd shares = Eigen::VectorXd::Zero(keys.rows());
  if (keys.rows() == 0 || attention.lessons == 0) return shares;
  for (Index i = 0; i < queries.rows(); ++i) {
    const Eigen::ArrayXd scores = -0.5 * (keys.rowwise() - queries.row(i)).rowwise().squaredNorm().array();
    const Eigen::ArrayXd weights = (scores - scores.maxCoeff()).exp();
    shares += (weights / weights.sum() / static_cast<double>(queries.rows())).matrix();
  }
  return shares;
}

AttendedHole attended_hole(const PreparedHole& hole, const Attention& attention) {
  AttendedHole made{hole.mixed, Eigen::VectorXd::Constant(hole.mixed.size(), std::numeric_limits<double>::quiet_NaN())};
  if (hole.rows.keys.rows() == 0 || attention.lessons == 0) return made;
  const Lesson lesson{scaled(hole.rows.queries, attention.scales),
                      scaled(hole.rows.keys, attention.scales),
                      hole.rows.left / static_cast<float>(attention.unit),
                      {}};
  const Answer answer = answer_of(lesson, attention.log_widths);
  made.values += attention.share * attention.unit * answer.mean;
  const Eigen::Map<const Traits> spread(attention.spread.data());
  for (Index i = 0; i < made.values.size(); ++i)
    made.half_widths[i] =
        attention.quantile * attention.unit * std::exp(spread.dot(traits(lesson, answer, hole.depths, i)));
  return made;
}

}  // namespace fovea::imaging::inpaint
