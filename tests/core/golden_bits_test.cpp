// Random streams and attention with the portable loops against hashes of old. Sums, products, quotients and square
// roots are rounded as IEEE 754 says and no call of the C library takes part, so the bits are those of any machine,
// compiler and optimization: where this test fails but the results of configs are as they were, look at what the
// compiler does.

#include "fovea/core/attention.hpp"
#include "fovea/core/base/instruction_set.hpp"
#include "fovea/core/base/storage.hpp"
#include "fovea/core/kernels/kernels.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

class PortableLoops {
 public:
  PortableLoops() { use_instruction_set(InstructionSet::portable); }
  ~PortableLoops() { use_instruction_set(before_); }
  PortableLoops(const PortableLoops&) = delete;
  PortableLoops& operator=(const PortableLoops&) = delete;

 private:
  const InstructionSet before_ = instruction_set();
};

template <typename Number>
void add(Sha256& hash, const Number* numbers, Index count) {
  const auto bytes = static_cast<std::size_t>(count) * sizeof(Number);
  hash.add({reinterpret_cast<const char*>(numbers), bytes});
}

/// Numbers in [-1, 1)
template <typename Real>
Matrix<Real> drawn(Index rows, Index columns, std::string_view purpose) {
  const Random random = Random(1).stream(purpose);
  Matrix<Real> matrix(rows, columns);
  for (Index at = 0; at < matrix.size(); ++at)
    matrix.data()[at] = static_cast<Real>(2 * random.uniform(static_cast<std::uint64_t>(at)) - 1);
  return matrix;
}

/// Of three sets, one without keys and one of several blocks: all that attention gives, forward and backward.
template <typename Real>
std::string attention_hash(const ScoreTerm<Real>& score, bool changed) {
  const PortableLoops portable;
  const std::vector<Index> queries{0, 40, 43, 60}, keys{0, 300, 300, 317};
  const Matrix<Real> q = drawn<Real>(60, 6, "queries"), k = drawn<Real>(317, 6, "keys"),
                     v = drawn<Real>(317, 10, "values"), g = drawn<Real>(60, 10, "gradient");
  AttentionSpec<Real> spec;
  spec.score = score;
  spec.heads = 2;
  spec.query_offsets = queries;
  spec.key_offsets = keys;
  const auto times = [](Index count) {
    Vector<Real> rising(count);
    for (Index i = 0; i < count; ++i) rising[i] = static_cast<Real>(i) / 8;
    return rising;
  };
  if (changed)
    spec.modifiers = {
        {causal<Real>(), {}}, {time_decay<Real>(times(60), times(317)), {-1}}, {temperature<Real>(), {1}}};
  const AttentionResult<Real> forward = attend(q, k, v, spec);
  const AttentionGradients<Real> back = attend_backward(q, k, v, spec, forward, g);
  Sha256 hash;
  for (const Matrix<Real>* part : {&forward.outputs, &forward.log_sum_exp, &back.queries, &back.keys, &back.values})
    add(hash, part->data(), part->size());
  for (const auto& theta : back.modifier_theta) add(hash, theta.data(), static_cast<Index>(theta.size()));
  return hash.hex();
}

}  // namespace

TEST_CASE("random streams have the bits of old on every machine", "[random][golden]") {
  const Random random = Random(20).stream("agents").stream("noise");
  Sha256 hash;
  for (std::uint64_t entity = 0; entity < 1000; ++entity) {
    const std::uint64_t whole[] = {random.bits(entity), random.block(entity, 3)[1],
                                   random.below(1 + entity, entity, 2)};
    const double real[] = {random.uniform(entity, 1), random.normal(entity, 4)};
    add(hash, whole, 3);
    add(hash, real, 2);
  }
  CHECK(hash.hex() == "8d7c60890f51243ef99cd677e0c34b5d887b4f4ae1f13fc4243149792eb4bef2");
}

TEST_CASE("exp and log of the portable loops have the bits of old on every machine", "[kernels][golden]") {
  const auto hash_of = [](auto zero) {
    using Real = decltype(zero);
    const Kernels<Real>& loops = *kernels_for<Real>(InstructionSet::portable);
    std::vector<Real> x(2000);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = static_cast<Real>(j) / 32 - 60;
    const auto count = static_cast<Index>(x.size());
    const Real sum = loops.exponentials(x.data(), count, 3, x.data());
    Sha256 hash;
    add(hash, &sum, 1);
    add(hash, x.data(), count);
    loops.logarithms(x.data(), count);
    add(hash, x.data(), count);
    return hash.hex();
  };
  CHECK(hash_of(0.0) == "4f04c5dd85209d3fda6a50ee3706d557b86a988864156016b67b0f565ff8c428");
  CHECK(hash_of(0.0F) == "b19a78d867081f8fef147d6d196059aca004339185c1a2f03cb96b4e58d88d40");
}

TEST_CASE("attention with the portable loops has the bits of old on every machine", "[attention][golden]") {
  CHECK(attention_hash<double>({dot_product_score<double>(), {}}, false) ==
        "bd4672ae80d5bb31bf71d400bfd91f56dd23730c6bf07c7f30c0620dc9ec2b3c");
  CHECK(attention_hash<double>({gaussian_score<double>(), {}}, true) ==
        "e62fddda9c2b8cff291ccc507e9e260b8b129bbf434a63e3b71f1a538cafcf9b");
  CHECK(attention_hash<double>({cosine_score<double>(), {}}, true) ==
        "341001f4ca433a4c93ee20cc7dd026b4fb51adff11ad3990863f15147614a5f0");
  CHECK(attention_hash<float>({dot_product_score<float>(), {}}, true) ==
        "5ccc1ebdea1db83263f47c459351ebcbec1dfe6480c7b392f61a665487003a64");
  CHECK(attention_hash<float>({gaussian_score<float>(), {}}, false) ==
        "056f12af83c4935c5c5f18af2ca0a832ca92122301b33df0f578915728261d4b");
  CHECK(attention_hash<float>({cosine_score<float>(), {}}, false) ==
        "f1e286f493e18f219cc074eef2d6f4c2264b96dfec9bae5c26e2f1f7ee2ed8a3");
}
