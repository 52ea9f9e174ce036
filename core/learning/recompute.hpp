#pragma once
/// Parts of a pass whose inner values are not kept, but computed again by backward() (Chen et al. 2016, "Training deep
/// nets with sublinear memory cost"). Results and gradients have the same bits as without.
///
///   const auto y = recomputed<float>({x, h}, [this](std::span<const Variable<float>> in) {
///     return std::vector{add(in[0], feed_forward_(in[1]))};
///   }, 448);

#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "fovea/core/learning/tape.hpp"

namespace fovea::learning {

/// What is computed: results from inputs, on the tape of these. object: what `call` reads.
template <typename Real>
struct InnerFunction {
  const void* object;
  std::vector<Variable<Real>> (*call)(const void* object, std::span<const Variable<Real>> inputs);
};

/// recomputed() of a function that lives until backward().
template <typename Real>
std::vector<Variable<Real>> recomputed_function(std::span<const Variable<Real>> inputs, InnerFunction<Real> function,
                                                Index rows_at_once);

/// The results of function(inputs), on a tape of its own within that of the inputs: what lies between inputs and
/// results is in memory only while it runs. Without gradients it runs once, with them once more in backward(). Inside,
/// parameters are those of the pass.
/// function      called with std::span<const Variable<Real>>, gives a std::vector of them. It is copied, so it holds
///               references, pointers and numbers alone, to what lives until backward().
/// rows_at_once  0: everything at once. Above: the inputs have equally many rows, each of which the function treats by
///               itself; so many at a time go through it and stay in the cache. A multiple of 64, as dropout asks for;
///               a parameter that the function uses twice takes its gradients in another order than without.
template <typename Real, typename Function>
std::vector<Variable<Real>> recomputed(std::span<const Variable<Real>> inputs, const Function& function,
                                       Index rows_at_once = 0) {
  static_assert(std::is_trivially_destructible_v<Function>, "a tape forgets what it holds");
  const void* kept = &function;
  if (!inputs.empty()) kept = new (inputs.front().tape().scratch().template take<Function>(1)) Function(function);
  return recomputed_function<Real>(
      inputs,
      {kept, [](const void* object,
                std::span<const Variable<Real>> in) { return (*static_cast<const Function*>(object))(in); }},
      rows_at_once);
}
template <typename Real, typename Function>
std::vector<Variable<Real>> recomputed(std::initializer_list<Variable<Real>> inputs, const Function& function,
                                       Index rows_at_once = 0) {
  return recomputed<Real>(std::span<const Variable<Real>>(inputs.begin(), inputs.size()), function, rows_at_once);
}

}  // namespace fovea::learning
