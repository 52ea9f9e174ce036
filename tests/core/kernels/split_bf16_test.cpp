// Products on bf16 tiles: the parts of a float, the packing, and each unit that this machine has.

#include "fovea/core/kernels/split_bf16.hpp"

#include <bit>

#include "fovea/tests/support/amx_trap.hpp"
#include "fovea/tests/support/plain_attention.hpp"
#include "fovea/tests/support/test.hpp"

using test::random_matrix;

namespace {

// What split_bf16.hpp states.
constexpr double kLeftOut[] = {0, 0, 0x1p-15 + 0x1p-34, 0x1p-24 + 0x1p-34};
constexpr double kRest[] = {0, 0, 0x1p-17, 0};
constexpr Index kProductCount[] = {0, 0, 3, 6};

std::vector<const SplitKernels*> units() {
  std::vector<const SplitKernels*> found;
  for (const TileUnit unit : {TileUnit::emulated, TileUnit::avx512_bf16, TileUnit::amx})
    if (const SplitKernels* kernel = split_kernels_for(unit)) found.push_back(kernel);
  return found;
}

double number(Bf16 half) { return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16); }

/// The parts of one number.
std::vector<double> parts_of(const SplitKernels& kernel, int parts, float x) {
  std::vector<Bf16> tiles(left_room(parts, 1, 1));
  kernel.pack_left(parts, 1, 1, &x, 1, tiles.data());
  std::vector<double> found;
  for (int p = 0; p < parts; ++p) found.push_back(number(tiles[p * kTileSize]));
  return found;
}

struct Product {
  Matrix<float> a, b;  ///< rows x terms, columns x terms: keys are rows as well
};

Product random_product(Index rows, Index columns, Index terms) {
  return {random_matrix(rows, terms, 3).cast<float>(), random_matrix(columns, terms, 4).cast<float>()};
}

/// start + A B^T, with B packed from its rows (as keys are) or from those of its transpose (as values are).
Matrix<float> multiplied(const SplitKernels& kernel, int parts, const Product& p, bool keys, float start = 0) {
  const Index rows = p.a.rows(), columns = p.b.rows(), terms = p.a.cols();
  std::vector<Bf16> left(left_room(parts, rows, terms), Bf16{0x7fc0});
  std::vector<Bf16> right(std::max(column_tile_room(parts, columns, terms), row_tile_room(parts, columns, terms)),
                          Bf16{0x7fc0});
  kernel.pack_left(parts, rows, terms, p.a.data(), terms, left.data());
  const Matrix<float> turned = p.b.transpose();
  if (keys)
    kernel.pack_columns(parts, columns, terms, p.b.data(), terms, right.data());
  else
    kernel.pack_rows(parts, columns, terms, turned.data(), columns, right.data());
  Matrix<float> c = Matrix<float>::Constant(whole_tiles(rows, 16) * 16, whole_tiles(columns, 16) * 16, start);
  kernel.product(parts, rows, columns, terms, left_tiles(left.data(), parts, terms),
                 keys ? column_tiles(right.data(), parts, terms) : row_tiles(right.data(), parts, columns), start != 0,
                 c.data(), c.cols());
  return c.topLeftCorner(rows, columns);
}

}  // namespace

TEST_CASE("a float is the sum of its bf16 parts to the stated rest, and every unit splits alike",
          "[attention][kernel][split]") {
  const Matrix<double> noise = random_matrix(2000, 1, 9);
  for (const SplitKernels* kernel : units())
    for (const int parts : {2, 3})
      for (Index k = 0; k < noise.size(); ++k) {
        const float x = std::ldexp(static_cast<float>(noise(k, 0)), static_cast<int>(k % 150) - 70);
        const std::vector<double> found = parts_of(*kernel, parts, x);
        double rest = static_cast<double>(x), most = std::abs(rest) * (1 + 0x1p-8);
        for (const double part : found) {
          if (std::abs(part) > most) FAIL_CHECK(x << " has a part " << part);
          rest -= part;
          most = std::abs(static_cast<double>(x)) * 0x1p-8;
        }
        if (!(std::abs(rest) <= kRest[parts] * std::abs(static_cast<double>(x)) * (1 + 0x1p-8)))
          FAIL_CHECK(x << " leaves " << rest << " after " << parts);
        if (found != parts_of(*units().front(), parts, x)) FAIL_CHECK(x << " is split in two ways");
      }
}

TEST_CASE("splitting rounds ties to even, saturates, and keeps infinity and NaN", "[attention][kernel][split][limit]") {
  const float most = std::numeric_limits<float>::max(), infinity = std::numeric_limits<float>::infinity();
  for (const SplitKernels* kernel : units()) {
    CHECK(parts_of(*kernel, 2, 1 + 0x1p-8F) == std::vector<double>{1, 0x1p-8});
    CHECK(parts_of(*kernel, 2, 1 + 0x3p-8F) == std::vector<double>{1 + 0x1p-6, -0x1p-8});
    CHECK(parts_of(*kernel, 2, -1 - 0x1p-8F) == std::vector<double>{-1, -0x1p-8});
    CHECK(parts_of(*kernel, 2, most)[0] == number(0x7f7f));
    CHECK(std::abs(parts_of(*kernel, 2, -most)[0] + parts_of(*kernel, 2, -most)[1] + static_cast<double>(most)) <
          0x1p-17 * static_cast<double>(most));
    CHECK(parts_of(*kernel, 2, infinity) == std::vector<double>{static_cast<double>(infinity), 0});
    CHECK(parts_of(*kernel, 3, -infinity) == std::vector<double>{-static_cast<double>(infinity), 0, 0});
    CHECK(parts_of(*kernel, 2, 0x1p-127F) == std::vector<double>{0, 0});
    for (const std::uint32_t nan : {0x7fc00000U, 0x7f800001U, 0x7fffffffU, 0xffffffffU})
      CHECK(std::isnan(parts_of(*kernel, 2, std::bit_cast<float>(nan))[0]));
  }
}

TEST_CASE("tiles of small whole numbers are multiplied exactly, in every shape and both packings",
          "[attention][kernel][split][twin]") {
  for (const SplitKernels* kernel : units())
    for (const auto& [rows, columns, terms] : {std::array<Index, 3>{1, 1, 1},
                                               {3, 5, 2},
                                               {16, 16, 32},
                                               {17, 33, 31},
                                               {32, 48, 33},
                                               {40, 70, 95},
                                               {14, 256, 64}}) {
      Product p = random_product(rows, columns, terms);
      p.a = (p.a * 100).array().round();
      p.b = (p.b * 100).array().round();
      const Matrix<float> expected = p.a * p.b.transpose();
      for (const int parts : {2, 3})
        for (const bool keys : {true, false}) {
          CHECK(test::same_bits(multiplied(*kernel, parts, p, keys), expected));
          CHECK(test::same_bits<float>(multiplied(*kernel, parts, p, keys, 7), expected.array() + 7));
        }
    }
}

TEST_CASE("products stay within the stated bound of exact ones, with 2 and 3 parts",
          "[attention][kernel][split][twin]") {
  const Index terms = 64;
  const Product p = random_product(50, 300, terms);
  const Matrix<double> a = p.a.cast<double>(), b = p.b.cast<double>();
  const Matrix<double> exact = a * b.transpose(), size = a.cwiseAbs() * b.cwiseAbs().transpose();
  for (const SplitKernels* kernel : units())
    for (const int parts : {2, 3}) {
      const double bound = kLeftOut[parts] + 0x1p-24 * static_cast<double>(kProductCount[parts] * terms);
      const Matrix<double> error = (multiplied(*kernel, parts, p, true).cast<double>() - exact).cwiseAbs();
      CHECK((error.array() / size.array()).maxCoeff() < bound);
      // the bound is not idle: what 2 parts leave out is seen, and 3 parts leave no more than float itself does
      if (parts == 2) CHECK((error.array() / size.array()).maxCoeff() > 0x1p-20);
      if (parts == 3) CHECK((error.array() / size.array()).maxCoeff() < 0x1p-21);
    }
}

TEST_CASE("the units differ by the order of their sums only", "[attention][kernel][split][twin]") {
  const Index terms = 200;
  const Product p = random_product(20, 40, terms);
  const Matrix<double> size = p.a.cast<double>().cwiseAbs() * p.b.cast<double>().cwiseAbs().transpose();
  for (const int parts : {2, 3}) {
    const Matrix<double> emulated = multiplied(*units().front(), parts, p, true).cast<double>();
    for (const SplitKernels* kernel : units()) {
      const Matrix<double> apart = (multiplied(*kernel, parts, p, true).cast<double>() - emulated).cwiseAbs();
      CHECK((apart.array() / size.array()).maxCoeff() < 0x1p-24 * static_cast<double>(kProductCount[parts] * terms));
    }
  }
}

TEST_CASE("an entry of a product has the same bits alone as among others", "[attention][kernel][split][property]") {
  const Product p = random_product(37, 61, 70);
  for (const SplitKernels* kernel : units())
    for (const int parts : {2, 3}) {
      const Matrix<float> all = multiplied(*kernel, parts, p, true);
      CHECK(test::same_bits(multiplied(*kernel, parts, p, false), all));
      for (const auto& [i, j] : {std::array<Index, 2>{0, 0}, {17, 33}, {36, 60}})
        CHECK(multiplied(*kernel, parts, {p.a.row(i), p.b.row(j)}, true)(0, 0) == all(i, j));
    }
}

TEST_CASE("scaling says where a result is not finite", "[attention][kernel][split][limit]") {
  const float infinity = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  for (const SplitKernels* kernel : units()) {
    std::vector<float> c(64, 3);
    CHECK(kernel->scale(2, 20, -0.5F, c.data(), 32));
    CHECK(c[33] == -1.5F);
    for (const float bad : {infinity, -infinity, -most, std::numeric_limits<float>::quiet_NaN()}) {
      std::fill(c.begin(), c.end(), 3.0F);
      c[51] = bad;
      CHECK_FALSE(kernel->scale(2, 20, 2, c.data(), 32));
    }
  }
}

TEST_CASE("the machine code for AMX does what the plain unit does, where its instructions are trapped",
          "[attention][kernel][split][twin]") {
  if (!test::AmxTrap::possible()) return;  // the processor has AMX, and the other tests use it; or it lacks AVX-512
  const SplitKernels &amx = *amx_split_kernels(), &plain = *emulated_split_kernels();
  for (const auto& [rows, columns, terms] :
       {std::array<Index, 3>{1, 1, 1}, {17, 33, 31}, {32, 16, 33}, {16, 48, 70}, {40, 70, 95}}) {
    const Product p = random_product(rows, columns, terms);
    for (const int parts : {2, 3})
      for (const bool keys : {true, false})
        for (const float start : {0.0F, 0.3F}) {
          const Matrix<float> expected = multiplied(plain, parts, p, keys, start);
          test::AmxTrap trap;
          const Matrix<float> found = multiplied(amx, parts, p, keys, start);
          CHECK(test::same_bits(found, expected));
          CHECK_FALSE(trap.record().misused);
          CHECK_FALSE(trap.record().configured);  // released
          CHECK(trap.record().multiplications ==
                whole_tiles(rows, 16) * whole_tiles(columns, 16) * whole_tiles(terms, 32) * kProductCount[parts]);
        }
  }
}

TEST_CASE("2 x 2 tiles with 2 parts are loaded once each: 8 loads for 12 multiplications",
          "[attention][kernel][split]") {
  if (!test::AmxTrap::possible()) return;
  const Product p = random_product(32, 32, 64);
  const long expected_loads[] = {0, 0, 2 * 8, 2 * 14};
  for (const int parts : {2, 3}) {
    test::AmxTrap trap;
    multiplied(*amx_split_kernels(), parts, p, true);
    CHECK(trap.record().loads == expected_loads[parts]);
    CHECK(trap.record().multiplications == 2 * 4 * kProductCount[parts]);
  }
}
