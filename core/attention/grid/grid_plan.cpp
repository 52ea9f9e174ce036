#include "fovea/core/attention/grid/grid_plan.hpp"

#include <algorithm>

namespace fovea {
namespace {

Index points_in(Index all, Index width, Index row) {
  return row < 0 ? 0 : std::clamp(all - row * width, Index(0), width);
}

}  // namespace

template <typename Real>
bool GridPlan<Real>::applies(const Problem<Real>& problem) {
  const AttentionSpec<Real>& spec = problem.spec();
  const auto windows = std::count_if(spec.modifiers.begin(), spec.modifiers.end(), [](const ModifierTerm<Real>& term) {
    return term.modifier->grid_window() != nullptr;
  });
  return windows == 1 && !problem.lists() && !spec.normalizer && spec.tolerance == 0 &&
         problem.score().comparison() == Comparison::product;
}

template <typename Real>
GridPlan<Real>::GridPlan(const Problem<Real>& problem) : problem_(problem) {
  alone_ = !problem.score().finishes();
  const auto& modifiers = problem.spec().modifiers;
  for (std::size_t m = 0; m < modifiers.size(); ++m) {
    const ScoreModifier<Real>& modifier = *modifiers[m].modifier;
    if (modifier.grid_window()) {
      window_ = modifier.grid_window();
      place_ = m;
    } else if (modifier.valid_keys()) {
      flags_.push_back(modifier.valid_keys());
    } else {
      alone_ = false;
    }
  }
}

template <typename Real>
const Real* GridPlan<Real>::bias(Index head) const {
  if (!window_->positions) return nullptr;
  return problem_.spec().modifiers[place_].parameters().data() +
         (window_->sharing == Sharing::per_head ? head * window_->entries() : 0);
}

template <typename Real>
Real* GridPlan<Real>::bias_gradient(Index head, ThetaGradients<Real>& theta) const {
  if (!window_->positions) return nullptr;
  return theta.modifier(place_).data() + (window_->sharing == Sharing::per_head ? head * window_->entries() : 0);
}

template <typename Real>
bool GridPlan<Real>::is_valid(Index key) const {
  return std::all_of(flags_.begin(), flags_.end(), [&](const std::uint8_t* flags) { return flags[key] != 0; });
}

template <typename Real>
Index GridPlan<Real>::queries_in(Index set, Index row) const {
  return points_in(problem_.first_query(set + 1) - problem_.first_query(set), window_->width_of_set(set), row);
}

template <typename Real>
Index GridPlan<Real>::keys_in(Index set, Index row) const {
  return points_in(problem_.first_key(set + 1) - problem_.first_key(set), window_->width_of_set(set), row);
}

template <typename Real>
std::vector<GridTask> GridPlan<Real>::tasks(Index rows, Index width, bool by_key) const {
  std::vector<GridTask> list;
  for (Index set = 0; set < problem_.set_count(); ++set) {
    Index points = problem_.first_query(set + 1) - problem_.first_query(set);
    if (by_key) points = std::max(points, problem_.first_key(set + 1) - problem_.first_key(set));
    const Index all = window_->width_of_set(set), used = std::min(all, points);
    const Index height = (points + all - 1) / all, classes = std::min(window_->dilation, height);
    for (Index head = 0; head < (by_key ? problem_.key_heads() : problem_.heads()); ++head)
      for (Index residue = 0; residue < classes; ++residue) {
        const Index members = (height - residue + window_->dilation - 1) / window_->dilation;
        for (Index first = 0; first < members; first += rows)
          for (Index x = 0; x < used; x += width)
            list.push_back({set, head, residue, first, std::min(rows, members - first), x, std::min(width, used - x)});
      }
  }
  return list;
}

template class GridPlan<float>;
template class GridPlan<double>;

}  // namespace fovea
