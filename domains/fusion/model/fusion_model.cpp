#include "fovea/domains/fusion/model/fusion_model.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/learning/layers/initial.hpp"
#include "fovea/core/learning/layers/multi_head_attention.hpp"
#include "fovea/core/learning/normalized_rows.hpp"
#include "fovea/core/learning/operations.hpp"
#include "fovea/core/study/cases/target_rule.hpp"
#include "fovea/core/study/model/shared_keys.hpp"
#include "fovea/domains/fusion/model/arbiter.hpp"
#include "fovea/domains/fusion/model/fusion_task.hpp"
#include "fovea/domains/fusion/model/sensor_encoder.hpp"

namespace fovea::fusion::model {

namespace {

using learning::Tape;
using Float = learning::Variable<float>;
using Both = std::array<Float, kSensors>;

EncoderSettings encoder_settings(const ModelSettings& settings, const study::ModelShape& shape) {
  return {shape.inputs, settings.width, settings.heads, shape.times ? settings.dates : 1};
}

learning::AttentionSettings<float> cross_settings(const ModelSettings& settings) {
  learning::AttentionSettings<float> cross;
  cross.width = settings.width, cross.heads = settings.heads;
  return cross;
}

/// An encoder, what reads the other sensor, what makes features of all dates, and a head.
struct SensorParts {
  SensorEncoder encoder;
  learning::MultiHeadAttention<float> other;
  learning::Linear<float> features, head;
  SensorParts(const std::string& name, const ModelSettings& settings, const study::ModelShape& shape,
              learning::Parameters<float>& parameters, const Random& random)
      : encoder(parameters, name, encoder_settings(settings, shape), random.stream(name)),
        other(parameters, name + ".other", cross_settings(settings), random.stream(name + ".other")),
        features(parameters, name + ".features", encoder_settings(settings, shape).dates * settings.width,
                 settings.features, random.stream(name + ".features")),
        head(parameters, name + ".head", settings.features, shape.outputs, random.stream(name + ".head")) {}
};

/// The numbers of x, which learn nothing from what is computed of them: else one sensor would claim some classes as its
/// own and leave the others to the other sensor, as experts do.
Float as_it_is(Float x) {
  const Float copy = x.tape().constant(x.rows(), x.columns());
  std::copy_n(x.data(), x.rows() * x.columns(), copy.data());
  return copy;
}

constexpr double kFirstSharpness = 4;      // of probabilities
constexpr double kPrecisionSharpness = 2;  // numbers are weighed by their precisions at first

/// What the encoders say of a pass.
struct Seen {
  BothSensors* sensors;
  Both summaries;  ///< (B * dates) x width
};

class FusionModel final : public study::StudyModel {
 public:
  FusionModel(const ModelSettings& settings, const study::ModelShape& shape, learning::Parameters<float>& parameters,
              const Random& random)
      : dates_(encoder_settings(settings, shape).dates),
        dropout_(settings.dropout),
        alone_(static_cast<float>(settings.alone)),
        holes_(settings.holes),
        outputs_(shape.outputs),
        numbers_(shape.rule->real()),
        parts_{SensorParts("s1", settings, shape, parameters, random),
               SensorParts("s2", settings, shape, parameters, random)},
        arbiter_(parameters, "arbiter", numbers_ ? kPrecisionSharpness : kFirstSharpness) {
    require(shape.rule->named() || numbers_, "fusion model: targets must be classes or a number.");
    require(shape.classes == kSensorNames, "fusion model: tokens must be of the classes s1 and s2.");
    if (dates_ == 1) return;
    grid_ = parameters.add("dates", Matrix<float>::Zero(1, 2), learning::Decay::no, false);
    places_ = parameters.add("places", learning::normal_start<float>(dates_, settings.width, 0.1, random, "places"),
                             learning::Decay::no);
  }

  /// The dates lie evenly over those of the training part.
  void look(learning::Parameters<float>& parameters, const study::TrainingPart& training,
            const study::BatchMaker& batch) const override {
    if (dates_ == 1) return;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    Tape<float> tape;
    for (const Index item : training.items) {
      tape.begin(&parameters, {});
      for (const double time : batch(tape, {&item, 1}).tokens->times)
        low = std::min(low, time), high = std::max(high, time);
    }
    auto grid = parameters.matrix(*grid_);
    grid(0, 0) = static_cast<float>(low);
    grid(0, 1) = static_cast<float>(std::max(high - low, 1e-6) / static_cast<double>(dates_ - 1));
  }

  Float outputs(Tape<float>& tape, const study::Batch& batch, Float*) const override {
    return arbitration(seen(tape, batch)).answers;
  }

  Float outputs_to_learn(Tape<float>& tape, const study::Batch& batch,
                         std::vector<study::FurtherOutputs>& further) const override {
    const Seen all = seen(tape, batch);
    const Both alone{alone_answers(0, all), alone_answers(1, all)};
    if (alone_ > 0)
      for (std::size_t s = 0; s < kSensors; ++s) further.push_back({alone[s], alone_, (*all.sensors)[s].present});
    const Statements said = statements(all, alone);
    const Arbitration arbitrated = arbiter_(said, *all.sensors);
    if (numbers_) return arbitrated.answers;
    further.push_back({mixture_of_alone(alone, arbitrated.trust), 1});
    const Float trust = as_it_is(arbitrated.trust);
    return add(multiply_column(said.answers[0], take_columns(trust, 0, 1)),
               multiply_column(said.answers[1], take_columns(trust, 1, 1)));
  }

  std::vector<std::string> side_columns() const override { return {"trust_s1", "trust_s2"}; }
  Float sides(Tape<float>& tape, const study::Batch& batch) const override {
    return arbitration(seen(tape, batch)).trust;
  }

 private:
  Seen seen(Tape<float>& tape, const study::Batch& batch) const {
    require(batch.at.empty(), "fusion model: cases are asked at times, but this model sees whole cases.");
    BothSensors& sensors = tape.kept<BothSensors>();
    split_sensors(tape.pass(), batch, holes_, sensors);
    Dates dates;
    dates.count = dates_;
    if (dates_ > 1) {
      const Float grid = tape.parameter(*grid_);
      dates.first = static_cast<double>(grid.data()[0]), dates.step = static_cast<double>(grid.data()[1]);
    }
    return {&sensors, {parts_[0].encoder(batch.x, sensors[0], dates), parts_[1].encoder(batch.x, sensors[1], dates)}};
  }

  Float features(std::size_t sensor, Float summary) const {
    const Float rows = reshape(summary, summary.rows() / dates_, summary.columns() * dates_);
    return dropout(gelu(parts_[sensor].features(dropout(rows, dropout_))), dropout_);
  }
  Float answers(std::size_t sensor, Float seen) const { return parts_[sensor].head(seen); }

  Float alone_answers(std::size_t sensor, const Seen& all) const {
    return answers(sensor, features(sensor, all.summaries[sensor]));
  }

  /// log sum_s trust_s softmax(what sensor s says alone): its likelihood is largest where the trust lies on the sensor
  /// that is right by itself, and teaches the arbiter alone.
  Float mixture_of_alone(const Both& alone, Float trust) const {
    constexpr float kLeast = 1e-6F;
    const auto share = [&](std::size_t s) {
      return multiply_column(softmax_columns(as_it_is(alone[s])), take_columns(trust, static_cast<Index>(s), 1));
    };
    return log(scale(add(share(0), share(1)), 1.0F, kLeast));
  }

  /// The dates of every case with their places, in which the other sensor is looked for.
  Float placed(Float summary) const {
    if (dates_ == 1) return summary;
    Tape<float>& tape = summary.tape();
    Index* const rows = tape.index_room(summary.rows());
    for (Index i = 0; i < summary.rows(); ++i) rows[i] = i % dates_;
    return add(summary, gather_rows(tape.parameter(*places_), std::span<const Index>(rows, summary.rows())));
  }

  /// What one sensor says once it has seen the other: unchanged where the other is missing.
  Float informed(std::size_t sensor, const Seen& all) const {
    const std::vector<float>& there = (*all.sensors)[1 - sensor].present;
    Tape<float>& tape = all.summaries[0].tape();
    auto &queries = tape.kept<learning::Tokens>(), &keys = tape.kept<learning::Tokens>();
    queries = {}, keys = {};
    queries.offsets.push_back(0), keys.offsets.push_back(0);
    auto& rows = tape.kept<std::vector<Index>>();
    rows.clear();
    const Float shown = tape.constant(all.summaries[0].rows(), 1);
    for (std::size_t b = 0; b < there.size(); ++b) {
      const Index first = static_cast<Index>(b) * dates_;
      queries.offsets.push_back(first + dates_);
      for (Index a = 0; a < dates_; ++a) {
        shown.data()[first + a] = there[b];
        if (there[b] > 0) rows.push_back(first + a);
      }
      keys.offsets.push_back(static_cast<Index>(rows.size()));
    }
    if (rows.empty()) return all.summaries[sensor];
    const Float told =
        parts_[sensor].other(placed(all.summaries[sensor]), queries,
                             gather_rows(placed(all.summaries[1 - sensor]), std::span<const Index>(rows)), keys);
    return add(all.summaries[sensor], multiply_column(told, shown));
  }

  Float doubt(Float alone) const {
    return numbers_ ? scale(take_columns(as_it_is(alone), 1, 1), 0.5F) : entropies(as_it_is(alone));
  }
  Statements statements(const Seen& all, const Both& alone) const {
    return {{answers(0, features(0, informed(0, all))), answers(1, features(1, informed(1, all)))},
            {doubt(alone[0]), doubt(alone[1])}};
  }
  Arbitration arbitration(const Seen& all) const {
    return arbiter_(statements(all, {alone_answers(0, all), alone_answers(1, all)}), *all.sensors);
  }

  Index dates_;
  double dropout_;
  float alone_;
  SensorDropout holes_;
  Index outputs_;
  bool numbers_;
  std::array<SensorParts, kSensors> parts_;
  Arbiter arbiter_;
  std::optional<learning::ParameterPlace> grid_, places_;
};

}  // namespace

const Keys<ModelSettings>& model_keys() {
  using S = ModelSettings;
  static const auto keys =
      Keys<S>()
          .key(study::kModelWidth.within(Range::between(1, 512)), &S::width)
          .key(study::kModelHeads, &S::heads)
          .key("model.dates", &S::dates, Range::between(2, 1000), "",
               "reference dates, evenly spaced, at which series are encoded")
          .key("model.features", &S::features, Range::between(1, 4096), "", "features of each sensor")
          .key(study::kModelDropout, &S::dropout)
          .key("training.drop_sensor", inside(&S::holes, &SensorDropout::sensor), Range::between(0, 1), "",
               "probability that a training case with both sensors loses one of them")
          .key("training.drop_dates", inside(&S::holes, &SensorDropout::dates), Range::between(0, 0.9), "",
               "probability that a token of a training case is left out")
          .key("training.drop_gap", inside(&S::holes, &SensorDropout::gap), Range::between(0, 1), "",
               "probability that a training case loses a stretch of S2, up to half of its time")
          .key("training.alone", &S::alone, Range::at_least(0), "",
               "weight of the loss of each sensor's own answer, relative to that of the fused one");
  return keys;
}

void check_heads(const ModelSettings& settings, const Complain& complain) {
  if (settings.width % settings.heads != 0)
    complain("model.heads", concat("model.heads must divide model.width, which is ", settings.width, "."));
}

Config with_names(Config config, const Named& named) {
  const auto complete = [&](const char* key, const std::vector<std::string>& texts) {
    if (!texts.empty() && config.texts(key).empty()) config.set(key, ConfigValue(texts), {});
  };
  complete("data.classes", named.classes), complete("data.bands", named.bands);
  return config;
}

std::unique_ptr<study::CaseReader> reader_with(study::Cases cases, study::Reading reading) {
  cases.reading = std::move(reading);
  return study::reader_of(std::move(cases));
}

study::Target target_of_classes(const std::string& name, std::vector<std::string> classes) {
  study::Target target{.kind = study::TargetKind::classes, .name = name, .classes = std::move(classes)};
  target.probability_prefix = "probability_";
  return target;
}

std::unique_ptr<study::StudyModel> make_model(const ModelSettings& settings, const study::ModelShape& shape,
                                              learning::Parameters<float>& parameters, const Random& random) {
  return std::make_unique<FusionModel>(settings, shape, parameters, random);
}

}  // namespace fovea::fusion::model
