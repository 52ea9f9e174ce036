#include "fovea/domains/ehr/model/heads_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/layers/linear.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/domains/ehr/model/event_pooling.hpp"

namespace fovea::ehr::model {

namespace {

using learning::ClassHeadsSettings;
using learning::Tape;
using Float = learning::Variable<float>;

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kScaleOfForever = 1e6;  // units of time; a power law has no infinite scale
constexpr Index kRowsOfLook = 64;

/// Adds a head for each half-life and sharpness.
void add_heads(ClassHeadsSettings& heads, const std::vector<double>& half_lives, double sharpness) {
  heads.half_lives.insert(heads.half_lives.end(), half_lives.begin(), half_lives.end());
  heads.sharpness.insert(heads.sharpness.end(), half_lives.size(), sharpness);
}

/// What the kernel makes of heads that decay exponentially.
ClassHeadsSettings with_kernel(const HeadsModelSettings& settings, ClassHeadsSettings heads) {
  const Kernel kernel = settings.kernel;
  heads.time_rate = settings.time_rate;
  heads.learn_times = kernel != Kernel::fixed && kernel != Kernel::none;
  heads.shared_times = kernel == Kernel::shared;
  if (kernel == Kernel::none) {
    std::fill(heads.half_lives.begin(), heads.half_lives.end(), kForever);
    std::fill(heads.mass_half_lives.begin(), heads.mass_half_lives.end(), kForever);
  }
  if (kernel != Kernel::power_law) return heads;
  for (double& half_life : heads.half_lives) half_life = std::min(half_life, kScaleOfForever);
  heads.exponents.assign(heads.half_lives.size(), 1);
  return heads;
}

/// The heads on values: means at each half-life and over the whole record, then those that look for the largest and
/// the smallest.
ClassHeadsSettings heads_on_values(const HeadsModelSettings& settings, Index classes) {
  ClassHeadsSettings heads;
  heads.classes = classes;
  heads.mass_half_lives = settings.mass_half_lives;
  add_heads(heads, settings.half_lives, 0);
  if (settings.whole) add_heads(heads, {kForever}, 0);
  if (settings.sharpness > 0)
    for (const double sharpness : {settings.sharpness, -settings.sharpness})
      add_heads(heads, {kForever, settings.sharp_half_life}, sharpness);
  return with_kernel(settings, heads);
}

/// Where one softmax goes over all events, only masses, ages and numbers are left of the heads of each variable.
ClassHeadsSettings heads_of_variables(const HeadsModelSettings& settings, Index classes) {
  ClassHeadsSettings heads = heads_on_values(settings, classes);
  if (settings.over_all) heads.half_lives = heads.sharpness = heads.exponents = {};
  return heads;
}

std::optional<EventPooling> heads_over_all(const HeadsModelSettings& settings, Index classes,
                                           learning::Parameters<float>& parameters, const Random& random) {
  if (!settings.over_all) return std::nullopt;
  EventPoolingSettings events{.classes = classes, .half_lives = settings.half_lives, .time_rate = settings.time_rate};
  if (settings.whole) events.half_lives.push_back(kForever);
  return EventPooling(parameters, events, random);
}

/// Heads on squares: how much a variable varies, lately and in all.
ClassHeadsSettings heads_on_squares(const HeadsModelSettings& settings, Index classes) {
  ClassHeadsSettings heads;
  heads.classes = classes;
  add_heads(heads, {settings.sharp_half_life, kForever}, 0);
  return with_kernel(settings, heads);
}

/// The events of a pass, class by class, and when each case is asked.
struct Asked {
  std::vector<Index> event_offsets, query_offsets;
  std::vector<double> query_times;
};

/// Where the events of each class begin; the tokens of a case are in the order of their classes.
void lay_out_events(const study::Batch& batch, Index classes, std::vector<Index>& offsets) {
  const learning::Tokens& tokens = *batch.tokens;
  offsets.clear();
  for (Index b = 0; b < tokens.sets(); ++b) {
    Index i = tokens.offsets[b];
    const Index end = tokens.offsets[b + 1];
    for (Index c = 0; c < classes; ++c) {
      offsets.push_back(i);
      while (i < end && batch.kinds[i] == c) ++i;
    }
    require(i == end, "heads model: the tokens of a case must be in the order of their classes.");
  }
  offsets.push_back(tokens.count());
}

class Heads final : public study::StudyModel {
 public:
  Heads(const HeadsModelSettings& settings, const study::ModelShape& shape, learning::Parameters<float>& parameters,
        const Random& random)
      : classes_(static_cast<Index>(shape.classes.size())),
        heads_(parameters, "heads", heads_of_variables(settings, classes_)),
        squares_(settings.squares && !settings.over_all
                     ? std::make_optional<learning::ClassHeads<float>>(parameters, "squares",
                                                                       heads_on_squares(settings, classes_))
                     : std::nullopt),
        events_(heads_over_all(settings, classes_, parameters, random.stream("events"))),
        columns_(classes_ * (heads_.columns() + (squares_ ? squares_->columns() : 0)) +
                 (events_ ? events_->columns() : 0)),
        mean_(parameters.add("columns.mean", Matrix<float>::Zero(1, columns_), learning::Decay::no, false)),
        scale_(parameters.add("columns.scale", Matrix<float>::Ones(1, columns_), learning::Decay::no, false)),
        answer_(parameters, "answer", add_hidden(settings, parameters, random), shape.outputs, random.stream("answer")),
        linear_(parameters, "linear", columns_, shape.outputs, random.stream("linear")),
        settings_(settings) {}

  bool can_be_asked_at_times() const override { return true; }
  Index handy_tokens() const override { return 65'536; }

  Float outputs(Tape<float>& tape, const study::Batch& batch, Float*) const override {
    const Float z = multiply_row(subtract_row(columns_of(tape, batch), tape.parameter(mean_)), tape.parameter(scale_));
    const Float kept = dropout(z, settings_.input_dropout);
    Float h = kept;
    for (const auto& layer : mix_) h = dropout(gelu(layer(h)), settings_.dropout);
    return add(answer_(h), linear_(kept));
  }

  /// The mean and the scale of the columns, with the heads as they start; a column that hardly varies is left out.
  void look(learning::Parameters<float>& parameters, const study::TrainingPart& part,
            const study::BatchMaker& batch) const override {
    const std::span<const Index> training = part.items;
    Vector<double> sum = Vector<double>::Zero(columns_), squares = sum;
    Tape<float> tape;
    for (std::size_t first = 0; first < training.size(); first += kRowsOfLook) {
      tape.begin(&parameters, {});
      const auto some = training.subspan(first, std::min<std::size_t>(kRowsOfLook, training.size() - first));
      const Matrix<double> rows = columns_of(tape, batch(tape, some)).value().template cast<double>();
      for (Index r = 0; r < rows.rows(); ++r) {
        sum += rows.row(r).transpose();
        squares += rows.row(r).cwiseAbs2().transpose();
      }
    }
    constexpr double kHardly = 1e-6;
    const auto count = static_cast<double>(training.size());
    for (Index c = 0; c < columns_; ++c) {
      const double mean = sum[c] / count, variance = squares[c] / count - mean * mean;
      parameters.matrix(mean_)(0, c) = static_cast<float>(mean);
      const bool seen = variance > kHardly && (settings_.presence || is_of_values(c));
      parameters.matrix(scale_)(0, c) = seen ? static_cast<float>(1 / std::sqrt(variance)) : 0.0F;
    }
  }

 private:
  /// Whether a column is pooled values or squares; the others say that something was measured, and when.
  bool is_of_values(Index column) const {
    const Index of_heads = classes_ * heads_.columns();
    if (events_ && column >= of_heads) return true;
    if (column >= of_heads)
      return (column - of_heads) % squares_->columns() < squares_->columns() - learning::pooled_columns(0, 0);
    const auto masses = static_cast<Index>(settings_.mass_half_lives.size());
    return column % heads_.columns() < heads_.columns() - learning::pooled_columns(0, masses);
  }

  /// Gives the width of the last hidden layer.
  Index add_hidden(const HeadsModelSettings& settings, learning::Parameters<float>& parameters, const Random& random) {
    Index width = columns_;
    for (const std::int64_t hidden : settings.hidden) {
      const std::string name = concat("mix_", mix_.size() + 1);
      mix_.emplace_back(parameters, name, width, static_cast<Index>(hidden), random.stream(name));
      width = static_cast<Index>(hidden);
    }
    return width;
  }

  static Float subtract_row(Float x, Float row) { return add_row(x, scale(row, -1.0F)); }

  /// Q x columns: the pooled values, their pooled squares, masses, ages and numbers.
  Float columns_of(Tape<float>& tape, const study::Batch& batch) const {
    Asked& asked = tape.kept<Asked>();
    lay_out_events(batch, classes_, asked.event_offsets);
    ask(tape, batch, asked);
    const learning::ClassEvents events{classes_, asked.event_offsets, batch.tokens->times};
    const learning::TimedQueries queries{asked.query_offsets, asked.query_times};
    const Float values = take_columns(batch.x, 0, 1);
    if (squares_ && !events_) return heads_.with_squares(values, *squares_, events, queries);
    const Float means = heads_(values, events, queries);
    if (!events_) return means;
    const std::array<Float, 2> both{
        means, (*events_)(values, batch.kinds, batch.tokens->times, batch.tokens->offsets, queries)};
    return learning::join_columns<float>(both);
  }

  void ask(const Tape<float>& tape, const study::Batch& batch, Asked& asked) const {
    asked.query_offsets.assign(1, 0);
    asked.query_times.clear();
    const learning::Pass& pass = tape.pass();
    const Random random = pass.random.stream("earlier");
    for (Index b = 0; b < batch.tokens->sets(); ++b) {
      if (!batch.at.empty()) {
        asked.query_times.insert(asked.query_times.end(), batch.at.begin(), batch.at.end());
      } else {
        const double end = batch.ends[b];
        asked.query_times.push_back(pass.training ? earlier_end(batch, b, random, pass.step) : end);
      }
      asked.query_offsets.push_back(static_cast<Index>(asked.query_times.size()));
    }
  }

  /// While learning: the case's end, or an earlier time of its record.
  double earlier_end(const study::Batch& batch, Index set, const Random& random, std::uint64_t step) const {
    const auto entity = static_cast<std::uint64_t>(batch.items[set]);
    const double end = batch.ends[set];
    if (random.uniform(entity, 2 * step) >= settings_.earlier) return end;
    const double first = study::start_of(batch.tokens->times, batch.tokens->offsets, set);
    const double start = std::fmin(first, end), share = random.uniform(entity, 2 * step + 1);
    return start + (end - start) * (settings_.earliest + (1 - settings_.earliest) * share);
  }

  Index classes_;
  learning::ClassHeads<float> heads_;
  std::optional<learning::ClassHeads<float>> squares_;
  std::optional<EventPooling> events_;
  Index columns_;
  learning::ParameterPlace mean_, scale_;
  std::vector<learning::Linear<float>> mix_;
  learning::Linear<float> answer_, linear_;
  HeadsModelSettings settings_;
};

}  // namespace

const Keys<HeadsModelSettings>& heads_model_keys() {
  using S = HeadsModelSettings;
  static const auto keys =
      Keys<S>()
          .choice("model.pooling", &S::over_all, {{"within variables", false}, {"over all events", true}},
                  "events over which attention weights sum to 1")
          .added_later()
          .choice("model.kernel", &S::kernel,
                  {{"exponential", Kernel::exponential},
                   {"power law", Kernel::power_law},
                   {"fixed", Kernel::fixed},
                   {"shared", Kernel::shared},
                   {"none", Kernel::none}},
                  "decay of the weight with age; fixed: half-lives stay at their initial values; shared: one set for "
                  "all variables")
          .key("model.half_lives", &S::half_lives, Range::positive(), "data.unit",
               "initial half-lives: one head per variable and value, plus one without decay")
          .key("model.sharpness", &S::sharpness, Range::at_least(0), "",
               "initial sharpness of the four heads for large and small values, per standard deviation; 0: no such "
               "heads")
          .key("model.sharp_half_life", &S::sharp_half_life, Range::positive(), "data.unit",
               "initial half-life of two of these four heads, and of one head on squared values")
          .key("model.mass_half_lives", &S::mass_half_lives, Range::positive(), "data.unit",
               "initial half-lives of the counts of how often a variable was measured")
          .key("model.presence", &S::presence,
               "whether the model sees how often and how recently a variable was measured, besides its values")
          .added_later()
          .key("model.time_rate", &S::time_rate, Range::positive(), "",
               "learning rate of the half-lives, relative to that of the other parameters")
          .key(study::kModelHidden, &S::hidden, "widths of the mixing layers; none: linear")
          .key("model.input_dropout", &S::input_dropout, Range::between(0, 0.9), "",
               "dropout rate of the pooled columns")
          .key(study::kModelDropout, &S::dropout, "dropout rate of the mixing layers")
          .key("model.earlier", &S::earlier, Range::between(0, 1), "",
               "share of training cases predicted at an earlier time")
          .key("model.earliest", &S::earliest, Range::between(0, 1), "",
               "earliest such time, as a share of the case's span");
  return keys;
}

std::unique_ptr<study::StudyModel> make_heads_model(const HeadsModelSettings& settings, const study::ModelShape& shape,
                                                    learning::Parameters<float>& parameters, const Random& random) {
  require(!shape.classes.empty(), "heads model: the cases have no classes; give each token one.");
  return std::make_unique<Heads>(settings, shape, parameters, random);
}

}  // namespace fovea::ehr::model
