// What attend() and its neighbours refuse, word for word, and the tables.

#include "fovea/core/attention.hpp"
#include "fovea/tests/support/test.hpp"

namespace {

AttentionSpec<double> plain_spec() {
  AttentionSpec<double> spec;
  spec.score = {gaussian_score<double>(), {}};
  return spec;
}

std::string attention_refusal(Index queries, Index keys, Index values, const AttentionSpec<double>& spec,
                              Index columns = 2) {
  return support::refusal_of<ArgumentError>([&] {
    attend(Matrix<double>::Ones(queries, columns), Matrix<double>::Ones(keys, 2), Matrix<double>::Ones(values, 2),
           spec);
  });
}

}  // namespace

TEST_CASE("attend states the shapes that do not fit", "[attention]") {
  AttentionSpec<double> spec = plain_spec();
  CHECK(attention_refusal(3, 4, 4, spec) == "");
  CHECK(attention_refusal(3, 4, 5, spec) == "attend: there are 4 keys but 5 values; each key needs exactly one value.");
  CHECK(attention_refusal(3, 4, 4, spec, 3) ==
        "attend: queries have 3 columns but keys have 2; a query is compared with a key, so both need the same.");
  spec.heads = 3;
  CHECK(attention_refusal(3, 4, 4, spec) == "attend: queries have 2 columns, which 3 heads cannot share equally.");
  spec.heads = 0;
  CHECK(attention_refusal(3, 4, 4, spec) == "attend: heads = 0, but must be at least 1.");
  spec.heads = 1;
  spec.query_offsets = {0, 3};
  CHECK(attention_refusal(3, 4, 4, spec) ==
        "attend: there are 2 query_offsets but 0 key_offsets; each set needs both.");
  spec.key_offsets = {0, 5};
  CHECK(attention_refusal(3, 4, 4, spec) ==
        "attend: key_offsets end at 5, but there are 4 key rows; the last offset must be their number.");
  spec.query_offsets = {0, 2, 1, 3};
  spec.key_offsets = {0, 1, 2, 4};
  CHECK(attention_refusal(3, 4, 4, spec) == "attend: query_offsets fall from 2 to 1 at set 1; they must not fall.");
  spec.query_offsets = {1, 3};
  spec.key_offsets = {0, 4};
  CHECK(attention_refusal(3, 4, 4, spec) == "attend: query_offsets start at 1, but must start at 0.");
}

TEST_CASE("attend counts parameters and refuses a spec with holes", "[attention]") {
  AttentionSpec<double> spec = plain_spec();
  spec.modifiers = {{temperature<double>(), {}}};
  CHECK(attention_refusal(3, 4, 4, spec) == "attend: modifier 0 got 0 parameters, but has 1.");
  spec.modifiers = {{nullptr, {}}};
  CHECK(attention_refusal(3, 4, 4, spec) == "attend: modifier 0 of the spec is empty.");
  spec = plain_spec();
  spec.score.theta = {1};
  CHECK(attention_refusal(3, 4, 4, spec) == "attend: the score function got 1 parameters, but has 0.");
  spec.score.function = nullptr;
  CHECK(attention_refusal(3, 4, 4, spec) == "attend: the spec has no score function; set spec.score.function.");
}

TEST_CASE("checked mode names the matrix and the place of a NaN", "[attention]") {
  AttentionSpec<double> spec = plain_spec();
  Matrix<double> good = Matrix<double>::Ones(3, 2), bad = good;
  bad(1, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(support::refusal_of<ArgumentError>([&] { attend(good, bad, good, spec); }) == "");
  spec.check_finite = true;
  CHECK(support::refusal_of<ArgumentError>([&] { attend(good, bad, good, spec); }) ==
        "attend: keys(1, 0) is nan, but every entry must be finite.");
  bad(1, 0) = std::numeric_limits<double>::infinity();
  CHECK(support::refusal_of<ArgumentError>([&] { attend(bad, good, good, spec); }) ==
        "attend: queries(1, 0) is inf, but every entry must be finite.");
  CHECK(support::refusal_of<ArgumentError>([&] { attend(good, good, bad, spec); }) ==
        "attend: values(1, 0) is inf, but every entry must be finite.");
  const auto forward = attend(good, good, good, spec);
  CHECK(support::refusal_of<ArgumentError>([&] { attend_backward(good, good, good, spec, forward, bad); }) ==
        "attend_backward: output_gradient(1, 0) is inf, but every entry must be finite.");
}

TEST_CASE("modifiers and scores say what they cannot be", "[attention]") {
  CHECK(support::refusal_of<ArgumentError>([] { window<double>(-1); }) ==
        "window: reach = -1, but must be at least 0 (0: each position attends only to itself).");
  CHECK(support::refusal_of<ArgumentError>([] { log_distance_score<double>(0); }) ==
        "log_distance: floor = 0, but must be > 0 with a finite square; it keeps the score of equal points finite.");
  CHECK(support::refusal_of<ArgumentError>([] {
          neighbour_list<double>({{0, 2}, {1, 1}, {}});
        }) == "neighbour_list: the keys of query 0 have 1 at place 1; they must ascend from 0 or more, each once.");
  CHECK(
      support::refusal_of<ArgumentError>([] {
        neighbour_list<double>({{0, 3}, {0, 1}, {}});
      }) ==
      "neighbour_list: there are 2 keys, but the offsets run from 0 to 3; they must run from 0 to the number of keys.");
  CHECK(support::refusal_of<ArgumentError>([] {
          neighbour_list<double>({{0, 2, 1, 2}, {0, 1}, {}});
        }) == "neighbour_list: the offsets fall from 2 to 1 at query 1; they must not fall.");
  CHECK(support::refusal_of<ArgumentError>([] {
          neighbour_list<double>({{0, 1}, {0}, {1, 2}});
        }) == "neighbour_list: there are 1 keys but 2 biases; give one for each key, or none.");
  AttentionSpec<double> spec = plain_spec();
  spec.modifiers = {{neighbour_list<double>({{0, 1}, {0}, {}}), {}}};
  CHECK(attention_refusal(3, 4, 4, spec) ==
        "neighbour_list: there are lists for 1 queries, but attend() got 3; each query needs one, which may be empty.");
  spec.modifiers = {{neighbour_list<double>({{0, 1, 1, 1}, {4}, {}}), {}}};
  CHECK(attention_refusal(3, 4, 4, spec) == "neighbour_list: key 4 is listed, but attend() got 4 keys.");
  spec.modifiers = {{neighbour_list<double>({{0, 1, 1, 1}, {3}, {}}), {}}};
  spec.query_offsets = {0, 1, 3};
  spec.key_offsets = {0, 2, 4};
  CHECK(attention_refusal(3, 4, 4, spec) ==
        "attend: the neighbours of query 0 are keys 3 to 3, but its set has keys 0 to 1.");
  spec = plain_spec();
  spec.modifiers = {{time_decay<double>(Vector<double>::Zero(3), Vector<double>::Zero(2)), {0}}};
  CHECK(
      attention_refusal(3, 4, 4, spec) ==
      "time_decay: there are times for 3 queries and 2 keys, but attend() got 3 queries and 4 keys; each needs exactly "
      "one time.");
}

TEST_CASE("the other doors check their arguments too", "[attention]") {
  const AttentionSpec<double> spec = plain_spec();
  const Matrix<double> x = Matrix<double>::Ones(3, 2);
  const auto forward = attend(x, x, x, spec);
  CHECK(support::refusal_of<ArgumentError>([&] {
          attend_backward(x, x, x, spec, forward, Matrix<double>::Ones(3, 1));
        }) == "attend_backward: output_gradient is 3 x 1, but the outputs are 3 x 2; both need the same shape.");
  CHECK(support::refusal_of<ArgumentError>([&] { attention_weights(x, x, spec, forward, 0, {3}); }) ==
        "attention_weights: row 3 is asked for, but there are 3 queries.");
  CHECK(support::refusal_of<ArgumentError>([&] { attention_weights(x, x, spec, forward, 1, {0}); }) ==
        "attention_weights: head = 1, but must be from 0 to 0.");
  CHECK(support::refusal_of<ArgumentError>([&] { attention_weights(x, x, spec, {}, 0, {0}); }) ==
        "attention_weights: the forward result is for 0 queries and 0 heads, but there are 3 queries and 1 heads; pass "
        "what attend() gave for the same inputs.");
  CHECK(support::refusal_of<ArgumentError>([&] {
          attention_between_groups(x, x, spec, forward, 0, {0, 0}, 1, {0, 0, 0}, 1);
        }) == "attention_between_groups: query_group has 2 entries, but there are 3 query rows; each needs its group.");
  CHECK(support::refusal_of<ArgumentError>([&] {
          attention_between_groups(x, x, spec, forward, 0, {0, 0, 0}, 1, {0, 2, 0}, 2);
        }) == "attention_between_groups: key_group[1] is 2, but must be from 0 to 1.");
}

TEST_CASE("the tables are in alphabetical order, and the same in both precisions", "[attention]") {
  const auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
  CHECK(std::is_sorted(scores<double>().begin(), scores<double>().end(), by_name));
  CHECK(std::is_sorted(modifiers<double>().begin(), modifiers<double>().end(), by_name));
  REQUIRE(scores<float>().size() == scores<double>().size());
  REQUIRE(modifiers<float>().size() == modifiers<double>().size());
  for (std::size_t k = 0; k < modifiers<float>().size(); ++k)
    CHECK(modifiers<float>()[k].name == modifiers<double>()[k].name);
}
