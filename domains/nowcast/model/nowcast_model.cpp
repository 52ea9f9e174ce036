#include "fovea/domains/nowcast/model/nowcast_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/missing.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/linear/scaled_regression.hpp"
#include "fovea/domains/nowcast/cases/month_cases.hpp"

namespace fovea::nowcast {

namespace {

using learning::Tape;
using Float = learning::Variable<float>;

constexpr float kSilence = 40;    ///< S
constexpr float kUnseen = -60;    ///< score of a token that is no event: a weight of 1e-26
constexpr double kRise = 1;       ///< months in which a weight doubles before its delay is over
constexpr double kDelayUnit = 3;  ///< months of delay per unit that learns, so that all learn at a like pace
constexpr double kStart = 0.02;   ///< deviation of what starts at random
constexpr float kLeastWeight = 1e-30F;
constexpr Index kRowsOfLook = 64;
constexpr float kLn2 = std::numbers::ln2_v<float>;

/// What a class of tokens is.
struct Role {
  Index column = -1;     ///< of the ridge part
  bool nothing = false;  ///< else, without a column, an event
};

std::vector<Role> roles_of(const std::vector<std::string>& classes) {
  std::vector<Role> roles;
  Index columns = 0;
  for (const std::string& name : classes) {
    const bool column = name.starts_with(kColumnPrefix);
    roles.push_back({column ? columns++ : -1, name == kNothing});
  }
  return roles;
}

Index columns_in(const std::vector<Role>& roles) {
  return std::count_if(roles.begin(), roles.end(), [](const Role& role) { return role.column >= 0; });
}

/// What a pass knows of its tokens besides what is on the tape.
struct SeenTokens {
  std::vector<Index> rows;  ///< of the tables: the class of an event, -1 of other tokens
};

class NowcastModel final : public study::StudyModel {
 public:
  NowcastModel(const NowcastModelSettings& settings, const study::ModelShape& shape,
               learning::Parameters<float>& parameters, const Random& random)
      : settings_(settings), roles_(roles_of(shape.classes)), heads_(std::ssize(settings.delays)) {
    const auto classes = std::ssize(shape.classes), columns = columns_in(roles_);
    parameters.require_room(4 * classes * heads_ + 3 * columns + 3);
    const auto frozen = [&](const char* name, Index width) {
      return parameters.add(name, Matrix<float>::Zero(1, width), learning::Decay::no, false);
    };
    middle_ = frozen("ridge.middle", columns);
    factor_ = frozen("ridge.factor", columns);
    weight_ = frozen("ridge.weight", columns);
    intercept_ = frozen("ridge.intercept", 1);
    cases_ = frozen("cases", 1);
    const auto table = [&](const char* name, double deviation) {
      return parameters.add(name, learning::normal_start<float>(classes, heads_, deviation, random, name),
                            learning::Decay::no);
    };
    preference_ = table("events.preference", kStart);
    effect_ = table("events.effect", kStart);
    log_half_life_ = table("events.log_half_life", 0);
    delay_ = table("events.delay", 0);
    shift_ = parameters.add("events.intercept", Matrix<float>::Zero(1, 1), learning::Decay::no);
  }

  bool has_weights() const override { return true; }
  bool has_penalty() const override { return true; }
  std::vector<std::string> side_columns() const override { return {"ridge_part", "attention_part"}; }

  Float outputs(Tape<float>& tape, const study::Batch& batch, Float* scores) const override {
    return add(ridge(tape, batch), attention(tape, batch, scores));
  }
  Float sides(Tape<float>& tape, const study::Batch& batch) const override {
    const std::array<Float, 2> both{ridge(tape, batch), attention(tape, batch, nullptr)};
    return learning::join_columns<float>(both);
  }

  /// penalty / (2 N) sum of squares: the mean log loss of N cases and a normal prior (MacKay 1992).
  Float penalty(const study::Batch& batch, Float, std::span<const Index>, std::span<const float>) const override {
    Tape<float>& tape = batch.x.tape();
    Float sum = squares(tape, effect_);
    for (const learning::ParameterPlace& place : {preference_, log_half_life_, delay_})
      sum = add(sum, squares(tape, place));
    const float cases = std::max(1.0F, tape.parameter(cases_).value()(0, 0));
    return learning::scale(sum, static_cast<float>(settings_.penalty) / (2 * cases));
  }

  void look(learning::Parameters<float>& parameters, const study::TrainingPart& training,
            const study::BatchMaker& batch) const override {
    Matrix<double> rows = Matrix<double>::Constant(std::ssize(training.items), columns_in(roles_), kNan);
    Tape<float> tape;
    for (Index first = 0; first < rows.rows(); first += kRowsOfLook) {
      const auto some = training.items.subspan(first, std::min(kRowsOfLook, rows.rows() - first));
      tape.begin(&parameters, {});
      const study::Batch seen = batch(tape, some);
      for (Index b = 0; b < std::ssize(some); ++b)
        for (Index i = seen.tokens->offsets[b]; i < seen.tokens->offsets[b + 1]; ++i)
          if (const Index column = roles_[seen.kinds[i]].column; column >= 0)
            rows(first + b, column) = static_cast<double>(seen.x.value()(i, 0));
    }
    put_ridge(parameters, rows, training);
    parameters.matrix(cases_)(0, 0) = static_cast<float>(rows.rows());
  }

 private:
  /// Where all outcomes are the same the intercept says their share, with half an outcome of each kind added.
  void put_ridge(learning::Parameters<float>& parameters, const Matrix<double>& rows,
                 const study::TrainingPart& training) const {
    std::vector<Index> taught;
    double ones = 0;
    for (Index i = 0; i < rows.rows(); ++i)
      if (!std::isnan(training.targets[i])) taught.push_back(i), ones += training.targets[i];
    const ScaledRegression ridge = fit_scaled_regression(
        rows, training.targets, taught,
        {.penalty = settings_.ridge_penalty, .middle = Middle::median, .clip = settings_.clip}, training.weights);
    const bool learned = ridge.coefficients.size() > 0;
    for (Index k = 0; k < rows.cols(); ++k) {
      const double deviation = learned ? ridge.scale.deviation[k] : 0;
      parameters.matrix(middle_)(0, k) = learned ? static_cast<float>(ridge.scale.middle[k]) : 0.0F;
      parameters.matrix(factor_)(0, k) = deviation > 0 ? static_cast<float>(1 / deviation) : 0.0F;
      parameters.matrix(weight_)(0, k) = learned ? static_cast<float>(ridge.coefficients[k]) : 0.0F;
    }
    const double zeros = static_cast<double>(taught.size()) - ones;
    parameters.matrix(intercept_)(0, 0) =
        static_cast<float>(learned ? ridge.coefficients[rows.cols()] : std::log((ones + 0.5) / (zeros + 0.5)));
  }

  static Float squares(Tape<float>& tape, const learning::ParameterPlace& place) {
    const Float all = tape.parameter(place);
    return learning::linear(learning::reshape(all, 1, place.size()), learning::reshape(all, place.size(), 1));
  }

  /// B x 1. Within the clip a column is a line through its value, so that gradients by the inputs are right.
  Float ridge(Tape<float>& tape, const study::Batch& batch) const {
    const auto middle = tape.parameter(middle_).value(), factor = tape.parameter(factor_).value(),
               weight = tape.parameter(weight_).value();
    const Float slope = tape.constant(batch.x.rows(), 1), shift = tape.constant(batch.x.rows(), 1);
    const auto clip = settings_.clip > 0 ? static_cast<float>(settings_.clip) : std::numeric_limits<float>::max();
    for (Index i = 0; i < batch.x.rows(); ++i) {
      const Index k = roles_[batch.kinds[i]].column;
      slope.data()[i] = shift.data()[i] = 0;
      if (k < 0) continue;
      const float z = (batch.x.value()(i, 0) - middle(0, k)) * factor(0, k);
      if (std::abs(z) <= clip) {
        slope.data()[i] = weight(0, k) * factor(0, k);
        shift.data()[i] = -slope.data()[i] * middle(0, k);
      } else {
        shift.data()[i] = weight(0, k) * std::copysign(clip, z);
      }
    }
    const Float parts = learning::add(learning::multiply(learning::take_columns(batch.x, 0, 1), slope), shift);
    return learning::add_row(learning::sum_of_sets(parts, learning::Offsets(batch.tokens->offsets)),
                             tape.parameter(intercept_));
  }

  /// B x 1; scores: N x 1, where asked for.
  Float attention(Tape<float>& tape, const study::Batch& batch, Float* scores) const {
    const SeenTokens& seen = see(tape, batch);
    const std::span<const Index> rows(seen.rows);
    const auto drawn = [&](Float table) { return learning::gather_rows(table, rows); };
    const Float all = learning::add(drawn(tape.parameter(preference_)), constant_scores(tape, batch));
    const Float late = learning::subtract(ages(tape, batch), drawn(learning::relu(delays(tape))));
    const Float rate = learning::scale(learning::exp(learning::scale(tape.parameter(log_half_life_), -1.0F)),
                                       kLn2 / static_cast<float>(settings_.half_life));
    const Float fall = learning::multiply(drawn(rate), learning::relu(late));
    const Float rise = learning::scale(learning::relu(learning::scale(late, -1.0F)), kLn2 / static_cast<float>(kRise));
    const Float score = learning::subtract(all, learning::add(fall, rise));
    const Float value =
        learning::multiply_column(drawn(tape.parameter(effect_)), learning::take_columns(batch.x, 0, 1));
    const learning::Offsets offsets(batch.tokens->offsets);
    Float sum = head(value, score, 0, offsets);
    for (Index h = 1; h < heads_; ++h) sum = learning::add(sum, head(value, score, h, offsets));
    if (scores != nullptr) *scores = log_weights(tape, score, offsets);
    return learning::add_row(learning::scale(sum, kSilence / 2), tape.parameter(shift_));
  }
  static Float head(Float value, Float score, Index h, learning::Offsets offsets) {
    return learning::attention_pooling(learning::take_columns(value, h, 1), learning::take_columns(score, h, 1),
                                       offsets);
  }

  const SeenTokens& see(Tape<float>& tape, const study::Batch& batch) const {
    SeenTokens& seen = tape.kept<SeenTokens>();
    seen.rows.clear();
    for (const std::uint16_t kind : batch.kinds)
      seen.rows.push_back(roles_[kind].column >= 0 || roles_[kind].nothing ? -1 : Index{kind});
    return seen;
  }
  Float constant_scores(Tape<float>& tape, const study::Batch& batch) const {
    const Float scores = tape.constant(batch.x.rows(), heads_);
    for (Index i = 0; i < batch.x.rows(); ++i) {
      const Role& role = roles_[batch.kinds[i]];
      const float score = role.nothing ? std::log(kSilence) : role.column >= 0 ? kUnseen : 0.0F;
      std::fill_n(scores.data() + i * heads_, heads_, score);
    }
    return scores;
  }
  /// Months from the release of each event to its case's end; 0 of other tokens.
  Float ages(Tape<float>& tape, const study::Batch& batch) const {
    const Float ages = tape.constant(batch.x.rows(), heads_);
    for (Index b = 0; b < batch.tokens->sets(); ++b)
      for (Index i = batch.tokens->offsets[b]; i < batch.tokens->offsets[b + 1]; ++i)
        std::fill_n(ages.data() + i * heads_, heads_, static_cast<float>(batch.ends[b] - batch.tokens->times[i]));
    return ages;
  }
  Float delays(Tape<float>& tape) const {
    const Float start = tape.constant(1, heads_);
    for (Index h = 0; h < heads_; ++h) start.data()[h] = static_cast<float>(settings_.delays[h]);
    return learning::add_row(learning::scale(tape.parameter(delay_), static_cast<float>(kDelayUnit)), start);
  }
  /// The log of each token's weight, mean over heads.
  Float log_weights(Tape<float>& tape, Float score, learning::Offsets offsets) const {
    const Float logs = tape.constant(score.rows(), 1);
    for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
      const Index first = offsets[b], count = offsets[b + 1] - first;
      Vector<float> mean = Vector<float>::Zero(count);
      for (Index h = 0; h < heads_; ++h) {
        const Vector<float> e =
            (score.value().col(h).segment(first, count).array() - score.value().col(h).segment(first, count).maxCoeff())
                .exp();
        mean += e / (e.sum() * static_cast<float>(heads_));
      }
      for (Index i = 0; i < count; ++i) logs.data()[first + i] = std::log(std::max(mean[i], kLeastWeight));
    }
    return logs;
  }

  NowcastModelSettings settings_;
  std::vector<Role> roles_;
  Index heads_;
  learning::ParameterPlace middle_, factor_, weight_, intercept_, cases_, shift_;
  learning::ParameterPlace preference_, effect_, log_half_life_, delay_;  ///< classes x heads
};

}  // namespace

const Keys<NowcastModelSettings>& nowcast_model_keys() {
  using S = NowcastModelSettings;
  static const auto keys =
      Keys<S>()
          .key("model.ridge_penalty", &S::ridge_penalty, Range::positive(), "",
               "ridge penalty of the classical columns, in their deviations")
          .key("model.clip", &S::clip, Range::at_least(0), "deviations",
               "at which classical columns are clipped; 0: never")
          .key("model.penalty", &S::penalty, Range::at_least(0), "",
               "penalty of the squares of what attention to events learns")
          .key("model.half_life", &S::half_life, Range::positive(), "months", "initial half-life of events")
          .key("model.delays", &S::delays, Range::at_least(0), "months",
               "initial delays, a head for each, after which an event weighs most; a head that starts at 0 keeps it");
  return keys;
}

std::unique_ptr<study::StudyModel> make_nowcast_model(const NowcastModelSettings& settings,
                                                      const study::ModelShape& shape,
                                                      learning::Parameters<float>& parameters, const Random& random) {
  require(shape.times && !shape.classes.empty(), "nowcast model: the cases need times and classes of tokens.");
  return std::make_unique<NowcastModel>(settings, shape, parameters, random);
}

double effect_at(const learning::Parameters<float>& parameters, const NowcastModelSettings& settings, Index kind,
                 double age) {
  const auto at = [&](const char* name, Index head) {
    return static_cast<double>(parameters.matrix(parameters.at(name).place)(kind, head));
  };
  double sum = 0;
  for (Index h = 0; h < std::ssize(settings.delays); ++h) {
    const double late = age - std::max(0.0, settings.delays[h] + kDelayUnit * at("events.delay", h));
    const double half_life = settings.half_life * std::exp(at("events.log_half_life", h));
    const double halvings = late > 0 ? late / half_life : -late / kRise;
    sum += at("events.effect", h) * std::exp(at("events.preference", h)) * std::exp2(-halvings) / 2;
  }
  return sum;
}

Memory memory_of(const learning::Parameters<float>& parameters, const NowcastModelSettings& settings, Index kind,
                 Index window) {
  const auto effect = [&](double age) { return effect_at(parameters, settings, kind, age); };
  constexpr double kStep = 0.05;  // months
  Memory memory;
  memory.half_life = std::numeric_limits<double>::infinity();
  for (double age = 0; age < static_cast<double>(window); age += kStep)
    if (const double here = effect(age); std::abs(here) > std::abs(memory.effect))
      memory.effect = here, memory.delay = age;
  for (double age = memory.delay; age < static_cast<double>(window); age += kStep)
    if (std::abs(effect(age)) <= std::abs(memory.effect) / 2) {
      memory.half_life = age - memory.delay;
      break;
    }
  return memory;
}

}  // namespace fovea::nowcast
