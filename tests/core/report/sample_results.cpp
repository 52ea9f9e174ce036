#include "sample_results.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fovea {
namespace {

constexpr double kSampleStubbornness = 0.05;
constexpr double kFold = 0.00896836;  ///< where consensus loses stability on cooling
constexpr std::size_t kBins = 61;
constexpr std::size_t kNodes = 34;

/// Uniform in [-1, 1), the same on every machine.
double noise(std::uint64_t i) {
  i = (i + 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL;
  i ^= i >> 31;
  i *= 0x94D049BB133111EBULL;
  i ^= i >> 29;
  return static_cast<double>(i >> 11) / 4503599627370496.0 - 1;
}

/// The spread u of the crowd at reduced temperature tau = s u^2 (1 - u) / (u - s), on the branch near consensus.
double consensus_spread(double tau) {
  double low = kSampleStubbornness + 1e-12, high = 0.106790;
  for (int i = 0; i < 80; ++i) {
    const double u = (low + high) / 2;
    (kSampleStubbornness * u * u * (1 - u) / (u - kSampleStubbornness) > tau ? low : high) = u;
  }
  return low;
}

double spread(std::size_t branch, double tau) {
  const bool polarized = branch == 1 || tau < kFold;
  return polarized ? (branch == 1 ? 0.97 : 0.9) - 2.2 * tau : consensus_spread(tau);
}

struct Shape {
  std::size_t seeds, temperatures, agents;
};

double temperature(const Shape& shape, std::size_t t) {
  return 0.003 * std::pow(0.06 / 0.003, static_cast<double>(t) / static_cast<double>(shape.temperatures - 1));
}

/// value(branch, seed, temperature, i) for each i < size, in the order of a sweep's merged array.
template <typename Value>
std::vector<double> swept(const Shape& shape, std::size_t size, Value value) {
  std::vector<double> out;
  out.reserve(2 * shape.seeds * shape.temperatures * size);
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t s = 0; s < shape.seeds; ++s) {
      for (std::size_t t = 0; t < shape.temperatures; ++t) {
        for (std::size_t i = 0; i < size; ++i) out.push_back(value(b, s, t, i));
      }
    }
  }
  return out;
}

double bell(double x, double width) {
  return std::exp(-x * x / (2 * width * width)) / (width * std::sqrt(2 * std::numbers::pi));
}

void add_lines(Results& results, const Shape& shape) {
  results.add("variance", {"branch", "seed", "temperature"},
              swept(shape, 1,
                    [&](auto b, auto s, auto t, auto) {
                      const double u = spread(b, temperature(shape, t));
                      return u * u * (1 + 0.03 * noise(1000 * b + 100 * s + t)) + 0.004 * (1 + noise(s + t));
                    }),
              "1", "variance of opinions");
  std::vector<double> theory;
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t t = 0; t < shape.temperatures; ++t) {
      const double tau = temperature(shape, t);
      theory.push_back(b == 0 && tau > kFold ? std::pow(consensus_spread(tau), 2) : std::nan(""));
    }
  }
  results.add("variance_theory", {"branch", "temperature"}, theory, "1", "closed form");
  results.add(
      "steps", {"branch", "seed", "temperature"},
      swept(shape, 1,
            [&](auto b, auto s, auto t, auto) {
              return std::round(40 + 25 / std::abs(temperature(shape, t) - kFold * (1 + static_cast<double>(b))) *
                                         (1 + 0.1 * noise(s + 7 * t)));
            }),
      "1", "steps until at rest");
  results.add("echo_chamber_index", {"branch", "seed", "temperature"},
              swept(shape, 1,
                    [&](auto b, auto s, auto t, auto) {
                      return 0.5 + 0.5 * spread(b, temperature(shape, t)) * (1 - 0.02 * std::abs(noise(s + 3 * t)));
                    }),
              "1", "share of attention inside one's camp");
}

void add_fields(Results& results, const Shape& shape) {
  std::vector<double> centres;
  for (std::size_t i = 0; i < kBins; ++i) centres.push_back(-3 + 6 * static_cast<double>(i) / (kBins - 1));
  results.coordinate("opinion", centres, "1", "opinion x");
  results.add("density", {"branch", "seed", "temperature", "opinion"},
              swept(shape, kBins,
                    [&](auto b, auto s, auto t, auto i) {
                      const double u = spread(b, temperature(shape, t)), half = u > 0.5 ? 0.85 * u : 0;
                      const double width = u > 0.5 ? 0.22 : std::max(u, 0.1);
                      return (bell(centres[i] - half, width) + bell(centres[i] + half, width)) / 2 *
                             (1 + 0.08 * noise(s * 977 + i + t));
                    }),
              "1", "density of opinions");
  const double last = static_cast<double>(shape.agents - 1);
  results.add("attention", {"branch", "seed", "temperature", "query", "key"},
              swept(shape, shape.agents * shape.agents,
                    [&](auto b, auto, auto t, auto i) {
                      const double tau = temperature(shape, t), u = spread(b, tau);
                      const auto opinion = [&](std::size_t k) {
                        return u * 2.2 * std::tanh(3 * (static_cast<double>(k) / last - 0.5));
                      };
                      const double gap = opinion(i / shape.agents) - opinion(i % shape.agents);
                      return std::exp(-gap * gap / (2 * (tau * 6 + 0.004))) / static_cast<double>(shape.agents);
                    }),
              "1", "attention weight");
}

void add_network(Results& results, const Shape& shape) {
  std::vector<double> x, y, value;
  std::vector<std::string> names;
  std::vector<std::uint8_t> group;
  std::vector<std::int64_t> source, target;
  for (std::size_t i = 0; i < kNodes; ++i) {
    const bool second = i >= kNodes / 2;
    const double angle = 2.4 * static_cast<double>(i % 17),
                 radius = 0.25 * std::sqrt(static_cast<double>(i % 17) + 0.5);
    x.push_back((second ? 1.1 : -1.1) + radius * std::cos(angle));
    y.push_back(radius * std::sin(angle));
    names.push_back("member " + std::to_string(i + 1));
    group.push_back(second ? 1 : 0);
    for (std::size_t j = 0; j < i; ++j) {
      if (noise(i * 40 + j) > ((j >= kNodes / 2) == second ? 0.5 : 0.965))
        source.push_back(static_cast<std::int64_t>(i)), target.push_back(static_cast<std::int64_t>(j));
    }
  }
  results.coordinate("node", names, "", "member");
  results.add("node_x", {"node"}, x, "1", "x");
  results.add("node_y", {"node"}, y, "1", "y");
  results.add("group", {"node"}, group, "1", "true side");
  results.data.at("group").attributes = {{"flag_values", "0 1"}, {"flag_meanings", "instructor officer"}};
  std::vector<std::uint8_t> known(kNodes, 0);
  known.front() = known.back() = 1;
  results.add("known", {"node"}, known, "1", "known side: 1 where it is given");
  results.data.dimension("edge", source.size());
  results.add("edge_source", {"edge"}, source, "1", "edge from");
  results.add("edge_target", {"edge"}, target, "1", "edge to");
  results.add("node_opinion", {"branch", "seed", "temperature", "node"},
              swept(shape, kNodes,
                    [&](auto b, auto s, auto t, auto i) {
                      return spread(b, temperature(shape, t)) * (i < kNodes / 2 ? -1 : 1) *
                             (0.75 + 0.25 * noise(i * 31 + s));
                    }),
              "1", "opinion");
}

void add_words(Results& results) {
  results.check({"cooling_jump", "temperature at which consensus breaks",
                 "Friedkin and Johnsen 1990 with attention; derived in the README, eq. 7", kFold, 0.0089702,
                 relative(0.005)});
  results.check({"two_camps", "gap after one step is d tanh(d^2 / 4T)", "Cheng 1995, eq. 3", 0.7615941559, 0.7615941559,
                 relative(1e-12)});
  results.check({"gaussian_crowd", "standard deviation after one step is s^3 / (s^2 + T)", "Carreira-Perpinan 2006",
                 0.3333, 0.33336, relative(1e-3)});
  results.headline({.variable = "jump_temperature",
                    .label = "Consensus breaks at T",
                    .predicted = "jump_predicted",
                    .half_width = "jump_half_width",
                    .meaning = "First temperature on cooling where the variance leaves the consensus branch."});
  results.headline({.variable = "polarized_share",
                    .label = "Polarized at the lowest T",
                    .meaning = "Share of agents farther than one starting deviation from the mean."});
  results.headline({.variable = "loop_area",
                    .label = "Area of the loop",
                    .meaning = "Between the cooling and the heating branch, over ln T."});
  results.note("Heating was stopped at T = 0.06; the polarized branch was still stable there.");
  results.note("Averages are over random seeds; bands show the standard error of the mean.");
  results.verdict(
      "Consensus breaks at T = 0.00897, 0.02 % from the closed form, and does not return on heating: the transition is "
      "first order.");
}

Figure curves(const std::string& variable, const std::string& title, const std::string& caption) {
  return {.kind = "lines",
          .name = variable,
          .title = title,
          .caption = caption,
          .variables = {variable},
          .x = "temperature",
          .hue = "branch",
          .log_x = true,
          .marks = {"jump_predicted"}};
}

void add_figures(Results& results) {
  Figure lines = curves("variance", "Polarization against temperature",
                        "Variance of opinions on cooling and on heating; dashed: closed form of the consensus branch. "
                        "The branches differ: a loop.");
  lines.references = {"variance_theory"};
  const Figure density{.kind = "histogram",
                       .name = "density",
                       .title = "Density of opinions",
                       .caption = "One camp above the tipping point, two below.",
                       .variables = {"density"},
                       .x = "opinion"};
  const Figure attention{.kind = "heatmap",
                         .name = "attention",
                         .title = "Who listens to whom",
                         .caption = "Attention weights of a sample of agents, sorted by opinion.",
                         .variables = {"attention"},
                         .x = "key",
                         .y = "query"};
  const Figure network{.kind = "network",
                       .name = "network",
                       .title = "Members and their sides",
                       .caption = "Colour: opinion; shape: the side each member really took.",
                       .variables = {"node_opinion", "group", "known"},
                       .x = "node",
                       .position_x = "node_x",
                       .position_y = "node_y",
                       .edge_source = "edge_source",
                       .edge_target = "edge_target"};
  Figure steps = curves("steps", "Steps until at rest", "Slowing down near the tipping point.");
  steps.log_y = true;
  const Figure map{.kind = "heatmap",
                   .name = "density_map",
                   .title = "Density over temperature",
                   .caption = "Each column is the density at one temperature.",
                   .variables = {"density"},
                   .x = "temperature",
                   .y = "opinion"};
  const Figure table{.kind = "table",
                     .name = "table",
                     .title = "Measures",
                     .caption = "Mean over seeds and its standard error.",
                     .variables = {"variance", "echo_chamber_index", "steps"},
                     .x = "temperature"};
  for (const Figure& figure : {lines, density, attention, network, steps, map, table}) results.figure(figure);
}

}  // namespace

Results sample_results(std::size_t seeds, std::size_t temperatures, std::size_t agents) {
  const Shape shape{seeds, temperatures, agents};
  Results results;
  results.data.attributes["title"] = "Polarization against temperature";
  results.coordinate("branch", std::vector<std::string>{"cooling", "heating"}, "", "branch");
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < seeds; ++i) numbers.push_back(static_cast<std::int64_t>(i + 1));
  results.coordinate("seed", numbers, "1", "seed");
  std::vector<double> grid;
  for (std::size_t t = 0; t < temperatures; ++t) grid.push_back(temperature(shape, t));
  results.coordinate("temperature", grid, "1", "temperature T");
  results.data.dimension("query", agents);
  results.data.dimension("key", agents);
  add_lines(results, shape);
  add_fields(results, shape);
  add_network(results, shape);
  results.scalar("jump_temperature", 0.0089702, "1", "jump of the variance on cooling");
  results.scalar("jump_predicted", kFold, "1", "predicted tipping point");
  results.scalar("jump_half_width", 0.000012, "1", "half of the bracket");
  results.scalar("loop_area", 2.137, "1", "area of the loop");
  std::vector<double> shares;
  for (std::size_t s = 0; s < seeds; ++s) shares.push_back(0.83 + 0.01 * noise(s));
  results.add("polarized_share", {"seed"}, shares, "1", "polarized share");
  results.data.documents["resolved_toml"] =
      "experiment = \"opinion.temperature\"\nseed = 7\n\n[crowd]\nagents = 4000\nstubbornness = 0.05 # s\nstart = "
      "\"quantiles\"\n\n[sweep]\ntemperature = [0.06,\n  0.003]\n";
  results.data.documents["defaults_toml"] =
      "experiment = \"opinion.temperature\"\n\n[crowd]\nagents = 1000\nstubbornness = 0.05\nstart = \"quantiles\"\n";
  add_words(results);
  add_figures(results);
  return results;
}

}  // namespace fovea
