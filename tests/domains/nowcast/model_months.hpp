#pragma once
/// Months with few columns and events, a model of them, and the same computed from the definition in double.

#include <string>
#include <vector>

#include "fovea/core/study/ensemble/fitting.hpp"
#include "fovea/domains/nowcast/cases/month_cases.hpp"
#include "fovea/domains/nowcast/model/nowcast_model.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::nowcast {

/// Two columns, of which each month lacks one now and then, and up to six events of two kinds; every fifth month has
/// none.
study::Cases model_months(Index count, const Random& random);

std::vector<Index> all_months(const study::Cases& cases);

struct MadeModel {
  NowcastModelSettings settings;
  study::Cases cases;
  study::Target target{.name = "recession", .classes = {"no", "yes"}};
  study::Preparation preparation;
  study::Member member;

  MadeModel(const NowcastModelSettings& made, Index count);
  /// Every parameter away from its start; delays end in .5, between the ages of events.
  void move();
  /// The model's own look at its training part, all months with these targets.
  void look(std::span<const double> targets, std::span<const double> weights = {});

  Eigen::Map<Matrix<float>> table(const char* name) {
    return member.parameters.matrix(member.parameters.at(name).place);
  }
  study::Batch batch(learning::Tape<float>& tape, std::span<const Index> items) const;
  Matrix<double> outputs(const study::Cases& of, const std::vector<Index>& items, Index batch_tokens = 1000) const;
  Matrix<double> sides(const study::Cases& of) const;
  /// The log-odds of a month by the equations of nowcast_model.hpp, from parameters and sizes of tokens.
  double plain(std::span<const double> parameters, std::span<const double> sizes, Index month) const;
};

}  // namespace fovea::nowcast
