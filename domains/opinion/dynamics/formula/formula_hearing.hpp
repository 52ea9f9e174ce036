#pragma once
/// What agents hear in a model that is written as formulas. Opinions and what is heard are stored component after
/// component: entry (i, c) at c * N + i.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/domains/opinion/dynamics/formula/formula_model.hpp"
#include "fovea/domains/opinion/dynamics/hearing.hpp"

namespace fovea::opinion::dynamics {

class FormulaHearing {
 public:
  /// agents must outlive it. graph: nullptr for everybody.
  FormulaHearing(const ModelSettings& settings, const Agents& agents, const society::Graph* graph);
  void set_network(const society::Graph& graph);  ///< another one; not where everybody is heard
  void set_formulas(Formula influence, Formula value);

  /// O(N^2) without a network, O(N) where the influence is a number and the value one of the speaker; O(edges) on a
  /// network. Bits do not depend on the number of threads.
  void hear(std::span<const double> opinions, std::int64_t step, std::vector<double>& heard);

  /// Which formula is not finite for which pair, where what agent i heard at these opinions is not finite.
  std::string explain(std::span<const double> opinions, std::int64_t step, Index i) const;

 private:
  class Listening;
  struct Pair {
    Index i, j;
    double weight, distance = 0, dot = 0;
    void compare(const double* x, Index agents, Index components);
  };
  bool reads(std::string_view name) const;
  bool is_spoken() const;  ///< whether the value depends on the speaker alone
  void speak(std::span<const double> opinions, double step);
  double of_pair(const Formula& formula, const double* x, double step, Pair pair, Index c, FormulaRoom& room) const;
  double weight_of(Index entry) const;
  double own_value(const double* x, double step, Index i, Index c, FormulaRoom& room) const;

  const Agents& agents_;
  Index count_, components_;
  bool on_network_;
  FormulaNormaliser normaliser_;
  double self_weight_;
  SpeakerRows rows_;
  std::vector<std::string> own_names_;  ///< of the numbers in Agents::own
  std::optional<Formula> influence_, value_;
  double same_ = 0;             ///< influence of every pair where it is a number (softmax: 1), else NaN
  std::vector<double> spoken_;  ///< value of each speaker
};

}  // namespace fovea::opinion::dynamics
