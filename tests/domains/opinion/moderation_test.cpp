#include "fovea/domains/opinion/moderation/crowd.hpp"
#include "fovea/tests/support/test.hpp"

using namespace fovea::opinion;

namespace {

constexpr double kOfRoundings = 1e-12;

moderation::CrowdSettings small_crowd() {
  moderation::CrowdSettings settings;
  settings.honest = 60;
  settings.components = 3;
  settings.tolerance = 1e-4;
  return settings;
}

/// A step written out: all pairs, no engine.
Matrix<double> plain_attacked_step(const moderation::CrowdSettings& settings, const Matrix<double>& start,
                                   const Matrix<double>& opinions, Index attackers, double loudness,
                                   moderation::Defence defence) {
  const Vector<double> u = moderation::attackers_opinion(settings);
  Matrix<double> next(opinions.rows(), opinions.cols());
  for (Index i = 0; i < opinions.rows(); ++i) {
    const Vector<double> x = opinions.row(i).transpose();
    double sum = 0;
    Vector<double> heard = Vector<double>::Zero(x.size());
    for (Index j = 0; j < opinions.rows() + attackers; ++j) {
      const bool honest = j < opinions.rows();
      Vector<double> key = honest ? Vector<double>(opinions.row(j).transpose()) : Vector<double>(loudness * u);
      double score = x.dot(key);
      if (defence == moderation::Defence::clipping) score *= std::min(1.0, settings.clip / key.norm());
      if (defence == moderation::Defence::cosine) score /= x.norm() * key.norm();
      const double heat = defence == moderation::Defence::hotter ? settings.heat : 1;
      const double weight = std::exp(score / (heat * settings.temperature));
      sum += weight;
      heard += weight * (honest ? key : u);
    }
    next.row(i) = ((1 - settings.stubbornness) * heard / sum).transpose() + settings.stubbornness * start.row(i);
  }
  return next;
}

}  // namespace

TEST_CASE("a step under attack is what it says, behind every defence", "[moderation][twin]") {
  const moderation::CrowdSettings settings = small_crowd();
  const Matrix<double> start = moderation::honest_opinions(settings, Random(3));
  const Matrix<double> opinions = moderation::honest_opinions(settings, Random(4));
  for (const moderation::Defence defence : moderation::all_defences()) DYNAMIC_SECTION(moderation::name_of(defence)) {
      const moderation::AttackedStep step = moderation::AttackedCrowd(settings, start, 5, 2.5, defence).step(opinions);
      const Matrix<double> plain = plain_attacked_step(settings, start, opinions, 5, 2.5, defence);
      CHECK((step.opinions - plain).cwiseAbs().maxCoeff() < kOfRoundings);
    }
}

TEST_CASE("no key takes more than its bound, and clipping and cosine do not hear loudness", "[moderation][property]") {
  const moderation::CrowdSettings settings = small_crowd();
  const Matrix<double> start = moderation::honest_opinions(settings, Random(5));
  for (const moderation::Defence defence : moderation::all_defences()) DYNAMIC_SECTION(moderation::name_of(defence)) {
      const moderation::RestingCrowd loud = moderation::AttackedCrowd(settings, start, 3, 2, defence).rest();
      const moderation::RestingCrowd louder = moderation::AttackedCrowd(settings, start, 3, 8, defence).rest();
      CHECK(louder.at_rest);
      CHECK(loud.largest_weight <= loud.bound + kOfRoundings);
      CHECK(louder.largest_weight <= louder.bound + kOfRoundings);
      if (defence == moderation::Defence::clipping || defence == moderation::Defence::cosine)
        CHECK(std::abs(loud.shift - louder.shift) < kOfRoundings);
      else
        CHECK(louder.shift > loud.shift);
    }
}

TEST_CASE("without attackers and with the honest far louder nobody is captured", "[moderation][limit]") {
  const moderation::CrowdSettings settings = small_crowd();
  const Matrix<double> start = moderation::honest_opinions(settings, Random(6));
  const moderation::RestingCrowd calm =
      moderation::AttackedCrowd(settings, start, 0, 1, moderation::Defence::none).rest();
  CHECK(calm.captured == 0);
  CHECK(calm.on_attack == 0);
  const moderation::RestingCrowd hijacked =
      moderation::AttackedCrowd(settings, start, 1, 1000, moderation::Defence::none).rest();
  CHECK(hijacked.captured > 0.9);  // whoever looks away from the attacker at first is drawn along by the others
  CHECK_THROWS_AS(moderation::AttackedCrowd(settings, start, -1, 1, moderation::Defence::none), ArgumentError);
  CHECK_THROWS_AS(moderation::AttackedCrowd(settings, start, 1, 0, moderation::Defence::none), ArgumentError);
}

TEST_CASE("half of the attention goes over where theory says", "[moderation]") {
  moderation::CrowdSettings settings = small_crowd();
  settings.honest = 300;
  const Matrix<double> start = moderation::honest_opinions(settings, Random(7));
  constexpr double kOfThreeHundred = 0.08;  // one crowd: its sum of exponentials, and where its median agent stands
  const Index attackers = 3;
  CHECK(
      std::abs(moderation::measured_half_attention(settings, start, attackers) /
                   moderation::half_attention_loudness(settings, settings.temperature, static_cast<double>(attackers)) -
               1) < kOfThreeHundred);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {  // from the opinions drawn it is known better
    const Matrix<double> drawn = moderation::honest_opinions(settings, Random(seed));
    for (const Index number : {3, 30, 300}) {
      const double measured = moderation::measured_half_attention(settings, drawn, number);
      CHECK(std::abs(measured / moderation::half_attention_loudness(settings, drawn, static_cast<double>(number)) - 1) <
            0.05);
    }
  }
}

TEST_CASE("the louder the fewer: thresholds of theory fall with the number of attackers, and with cold",
          "[moderation]") {
  const moderation::CrowdSettings settings = small_crowd();
  CHECK(moderation::half_attention_loudness(settings, 0.25, 2) <
        moderation::half_attention_loudness(settings, 0.25, 1));
  CHECK(moderation::capture_loudness(settings, 2) < moderation::capture_loudness(settings, 1));
  CHECK(moderation::capture_loudness(settings, 1) <
        moderation::half_attention_loudness(settings, settings.temperature, 1));
  moderation::CrowdSettings hot = settings;
  hot.temperature = 1;
  CHECK(moderation::capture_loudness(settings, 1) < moderation::capture_loudness(hot, 1));
  CHECK(moderation::capture_number(settings, 20, moderation::Defence::none) == 1);
  CHECK(moderation::capture_number(settings, 20, moderation::Defence::clipping) <
        moderation::capture_number(settings, 20, moderation::Defence::cosine));
  CHECK(moderation::capture_number(settings, 2, moderation::Defence::clipping) ==
        moderation::capture_number(settings, 20, moderation::Defence::clipping));
  moderation::CrowdSettings across = settings;
  across.angle_degrees = 90;
  CHECK(std::isinf(moderation::half_attention_loudness(across, 0.25, 1)));
}
