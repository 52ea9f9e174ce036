#include "fovea/core/learning/model/safetensors.hpp"

#include <sys/wait.h>

#include <bit>
#include <cstdlib>

#include "fovea/core/base/storage.hpp"
#include "fovea/core/data/file/dataset_file.hpp"
#include "fovea/core/learning/model/model_file.hpp"
#include "fovea/tests/support/test.hpp"

namespace fovea::learning {
namespace {

/// What tests/python/safetensors_test.py expects.
TensorFile sample_tensors() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  return {{{"weight", {2, 3}, std::vector<float>{0.1f, -2.5f, 1e-40f, kInfinity, -0.0f, 6}},
           {"rate", {}, std::vector<double>{0.1}},
           {"counts", {2}, std::vector<std::int64_t>{-1, std::int64_t{1} << 62}},
           {"flags", {3, 1, 1}, std::vector<std::uint8_t>{0, 1, 255}},
           {"empty", {0, 4}, std::vector<float>{}},
           {"\xC3\x9Cn\xC3\xAF \"quoted\"\n", {1}, std::vector<float>{3}}},
          {{"format", "pt"}, {"note", "two\nlines"}}};
}

Parameters<float> small_model() {
  Parameters<float> parameters;
  parameters.add("encoder.weight", Matrix<float>{{0.1f, 0.2f}, {0.3f, 0.4f}});
  parameters.add("encoder.bias", Matrix<float>{{-1, 1e-38f}}, Decay::no);
  parameters.add("rate", Matrix<float>{{3}}, Decay::no);
  return parameters;
}

std::string file_of(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
}

std::string complaint_about_file(const std::string& bytes) {
  const std::string text = support::refusal_of<DataError>([&] { parse_safetensors(bytes, "m.safetensors"); });
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.size() < 400);
  return text;
}

bool same_tensors(const TensorFile& a, const TensorFile& b) {
  const auto same = [](const Tensor& x, const Tensor& y) {
    return x.name == y.name && x.shape == y.shape && x.values.index() == y.values.index() &&
           safetensors_bytes({{x}, {}}) == safetensors_bytes({{y}, {}});
  };
  return std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(), same) &&
         a.metadata == b.metadata;
}

std::string small_header(const std::string& tensor) { return "{\"a\":" + tensor + "}"; }

constexpr const char* kDamaged = "m.safetensors: the header of this SafeTensors file is damaged: ";

}  // namespace

TEST_CASE("SafeTensors: what is written is read with the same bits, arrays of the widest numbers first",
          "[learning][safetensors]") {
  const std::string bytes = safetensors_bytes(sample_tensors());
  const TensorFile back = parse_safetensors(bytes, "m");
  REQUIRE(back.tensors.size() == 6);
  CHECK(back.tensors[0].name == "rate");
  CHECK(back.tensors[1].name == "counts");
  CHECK(same_tensors(parse_safetensors(safetensors_bytes(back), "m"), back));
  const auto& weight = std::get<std::vector<float>>(back.tensors[2].values);
  CHECK(std::memcmp(weight.data(), std::get<std::vector<float>>(sample_tensors().tensors[0].values).data(), 24) == 0);
  CHECK(back.metadata == sample_tensors().metadata);
  CHECK(parse_safetensors(safetensors_bytes({}), "m").tensors.empty());
}

TEST_CASE("SafeTensors: plain Python and NumPy read our files, and we read theirs", "[learning][safetensors]") {
  const support::TemporaryFolder folder;
  write_safetensors(folder.file("ours.safetensors"), sample_tensors());
  const std::string command = "env -u LD_PRELOAD /usr/bin/python3 -B '" +
                              support::source("python/safetensors_test.py") + "' '" + folder.file("ours.safetensors") +
                              "' '" + folder.file("theirs.safetensors") + "' > '" + folder.file("output") + "' 2>&1";
  const int status = std::system(command.c_str());
  INFO(support::text_of(folder.file("output")));
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
  const TensorFile theirs = read_safetensors(folder.file("theirs.safetensors"));
  REQUIRE(theirs.tensors.size() == 4);
  CHECK(theirs.tensors[0].name == "half");
  const std::vector<float> halves{0, 1, -2, 65504, 0x1p-24f, 0x1p-14f, std::numeric_limits<float>::infinity(), 0.5f};
  CHECK(std::get<std::vector<float>>(theirs.tensors[0].values) == halves);
  CHECK(std::get<std::vector<float>>(theirs.tensors[1].values) == std::vector<float>{1, -3.140625f});
  CHECK(std::get<std::vector<std::int64_t>>(theirs.tensors[2].values) == std::vector<std::int64_t>{-7, 7});
  CHECK(std::get<std::vector<float>>(theirs.tensors[3].values) == std::vector<float>{1.5f});
  CHECK(theirs.metadata.at("by") == "python");
}

TEST_CASE("SafeTensors: a model comes back with its bits, and another's file is refused", "[learning][safetensors]") {
  const Parameters<float> model = small_model();
  Parameters<float> other = small_model();
  for (float& value : other.values()) value = 7;
  const TensorFile file = parse_safetensors(safetensors_bytes(tensors_of(model)), "m");
  load_tensors(file, "m", other);
  CHECK(std::equal(model.values().begin(), model.values().end(), other.values().begin()));

  Parameters<double> wide;
  wide.add("rate", Matrix<double>::Zero(1, 1));
  load_tensors({{{"rate", {}, std::vector<float>{3}}}, {}}, "m", wide);
  CHECK(wide.values()[0] == 3.0);
  const auto refuse = [&](const TensorFile& wrong, const std::string& sentence) {
    CHECK_THROWS_WITH(load_tensors(wrong, "m", wide), sentence);
    CHECK(wide.values()[0] == 3.0);
  };
  refuse({}, "m: has no 'rate'; the model needs it.");
  refuse({{{"rate", {2}, std::vector<float>{3, 3}}}, {}}, "m: 'rate' is 2, but must be 1 x 1.");
  const std::string numbers = "m: 'rate' must hold finite floating-point numbers, as many as its shape has.";
  refuse({{{"rate", {1}, std::vector<std::int64_t>{3}}}, {}}, numbers);
  refuse({{{"rate", {1}, std::vector<float>{3, 4}}}, {}}, numbers);
  refuse({{{"rate", {1}, std::vector<float>{std::nanf("")}}}, {}}, numbers);
  refuse({{{"rate", {1}, std::vector<float>{1}}, {"odd\nname", {1}, std::vector<float>{1}}}, {}},
         "m: has 'odd?name', which is no parameter of the model.");
}

TEST_CASE("a model inside a result file comes back with its bits", "[learning][model]") {
  const support::TemporaryFolder folder(support::memory_disk());
  Dataset data;
  add_model(data, "model", small_model());
  write_dataset(folder.file("result.h5"), data);
  Parameters<float> other = small_model();
  for (float& value : other.values()) value = 7;
  load_model(read_dataset(folder.file("result.h5")), "model", other);
  CHECK(std::equal(other.values().begin(), other.values().end(), small_model().values().begin()));

  Parameters<double> wide;
  wide.add("rate", Matrix<double>::Zero(1, 1));
  CHECK_THROWS_WITH(load_model(data, "model", wide), "model: /model.rate must be 1 x 1 numbers of type double.");
  CHECK_THROWS_WITH(load_model(data, "other", other), "model: there is no /other.encoder.weight; the model needs it.");
  wide.add("a/b", Matrix<double>::Zero(1, 1));
  CHECK_THROWS_AS(add_model(data, "wide", wide), ArgumentError);
}

TEST_CASE("SafeTensors: hostile headers are refused in one line", "[learning][safetensors][errors]") {
  const std::string good = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  CHECK(complaint_about_file(file_of(small_header(good), "1234")).empty());
  const auto damaged = [](const std::string& tensor, const std::string& why) {
    CHECK(complaint_about_file(file_of(small_header(tensor), "1234")) == kDamaged + why + ".");
  };
  damaged(R"({"dtype":"F32","shape":[1]})", "'a': needs dtype, shape and data_offsets");
  damaged(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1})", "'a': has an unknown member 'more'");
  damaged(R"({"dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4]})", "'a': has its shape twice");
  damaged(R"({"dtype":"F32","shape":[1.0],"data_offsets":[0,4]})", "'a': 1.0 is no whole number below 2^64");
  damaged(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})", "'a': -1 is negative");
  damaged(R"({"dtype":"F32","shape":[18446744073709551616],"data_offsets":[0,4]})",
          "'a': 18446744073709551616 is no whole number below 2^64");
  damaged(R"({"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,4]})",
          "'a': a dimension of 9223372036854775808 is too large");
  damaged(R"({"dtype":"F32","shape":[[1]],"data_offsets":[0,4]})", "'a': an array is not allowed here");
  damaged(R"({"dtype":"F32","shape":{},"data_offsets":[0,4]})", "'a': an object is not allowed here");
  damaged(R"({"dtype":"F32","shape":1,"data_offsets":[0,4]})", "'a': the number 1 is not allowed here");
  damaged(R"({"dtype":"F32","shape":"1","data_offsets":[0,4]})", "'a': the text '1' is not allowed here");
  damaged(R"({"dtype":null,"shape":[1],"data_offsets":[0,4]})", "'a': null is not allowed here");
  damaged(R"({"dtype":["F32"],"shape":[1],"data_offsets":[0,4]})", "'a': an array is not allowed here");
  damaged(R"({"dtype":"F32","shape":[1],"data_offsets":[0]})", "'a': data_offsets must be two numbers");
  damaged(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4,4]})", "'a': the number 4 is not allowed here");
  damaged("1", "'a': the number 1 is not allowed here");
  damaged(good + ",\"a\":" + good, "'a': a name must not be empty, contain a NUL or occur twice");
  damaged(good + R"(,"__metadata__":{"x":1})", "'__metadata__': the number 1 is not allowed here");
  damaged(good + R"(,"__metadata__":{"x":"","x":""})", "'__metadata__': the metadata 'x' occurs twice");
  damaged(good + R"(,"__metadata__":{},"__metadata__":{})", "'__metadata__': occurs twice");
  damaged(good + "} {", "is no valid JSON (byte 56)");
}

TEST_CASE("SafeTensors: hostile ranges, lengths and depths are refused", "[learning][safetensors][errors]") {
  const auto complaint = [](const std::string& tensors, const std::string& data = "12345678") {
    return complaint_about_file(file_of("{" + tensors + "}", data));
  };
  const auto tensor = [](const std::string& name, const std::string& dtype, const std::string& shape,
                         const std::string& range) {
    return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":[" + shape + "],\"data_offsets\":[" + range + "]}";
  };
  CHECK(complaint(tensor("a", "F32", "1", "4,8") + "," + tensor("b", "F32", "1", "0,4")).empty());
  CHECK(complaint(tensor("a", "F32", "2", "0,8") + "," + tensor("b", "F32", "1", "4,8")) ==
        "m.safetensors: 'b' has bytes 4 to 8 of 8, but must begin at 8, where the one before it ends, and lie within.");
  CHECK(complaint(tensor("a", "F32", "1", "4,8")).find("must begin at 0") != std::string::npos);
  CHECK(complaint(tensor("a", "F32", "3", "0,12")).find("bytes 0 to 12 of 8") != std::string::npos);
  CHECK(complaint(tensor("a", "F32", "1", "0,18446744073709551615")).find("lie within") != std::string::npos);
  CHECK(complaint(tensor("a", "F32", "2", "8,0")).find("must begin at 0") != std::string::npos);
  CHECK(complaint(tensor("a", "F32", "1", "0,4")) == "m.safetensors: has 4 bytes at the end that belong to no tensor.");
  CHECK(complaint(tensor("a", "F32", "3", "0,8")) == "m.safetensors: 'a' has 8 bytes, but its shape needs 12.");
  CHECK(complaint(tensor("a", "F32", "4611686018427387904,4", "0,8")) ==
        "m.safetensors: 'a' has a shape of more than 2^64 bytes.");
  CHECK(complaint(tensor("a", "F8_E4M3", "8", "0,8")) ==
        "m.safetensors: 'a' has dtype 'F8_E4M3', but only BF16, F16, F32, F64, I32, I64 and U8 are known.");
  std::string many;
  for (int k = 0; k < 33; ++k) many += k == 0 ? "1" : ",1";
  CHECK(complaint(tensor("a", "F64", many, "0,8")).find("more than 32 dimensions") != std::string::npos);

  CHECK(complaint_about_file("1234567") == "m.safetensors: has 7 bytes, but a SafeTensors file has at least 8.");
  CHECK(complaint_about_file(std::string(8, '\xff')) ==
        "m.safetensors: its header should have 18446744073709551615 bytes, but must have at most 0; this is no "
        "SafeTensors file, or it was cut off.");
  CHECK(complaint_about_file(file_of("", "")) == "m.safetensors: its header does not begin with '{'.");
  CHECK(complaint_about_file(file_of("[]", "")) == "m.safetensors: its header does not begin with '{'.");
  CHECK(complaint_about_file(file_of("{\"a\":" + std::string(1'000'000, '['), "")) ==
        std::string(kDamaged) + "'a': an array is not allowed here.");
  CHECK(complaint_about_file(file_of(std::string(1'000'000, '{'), "")).starts_with(kDamaged));
  CHECK(complaint_about_file(file_of("{\"\xff\":1}", "")).starts_with(kDamaged));
}

TEST_CASE("SafeTensors: no damage to a file does more than a DataError", "[learning][safetensors][errors]") {
  const std::string good = safetensors_bytes(sample_tensors());
  const Random random(17);
  int refused = 0, read = 0;
  for (std::uint64_t trial = 0; trial < 4000; ++trial) {
    std::string bytes = good;
    const std::uint64_t changes = 1 + random.below(3, trial, 0);
    for (std::uint64_t c = 1; c <= changes; ++c) {
      const std::size_t place = random.below(bytes.size(), trial, 4 * c);
      switch (random.below(4, trial, 4 * c + 1)) {
        case 0:
          bytes[place] = static_cast<char>(random.below(256, trial, 4 * c + 2));
          break;
        case 1:
          bytes.erase(place, 1 + random.below(8, trial, 4 * c + 2));
          break;
        case 2:
          bytes.insert(place, bytes.substr(place, 1 + random.below(20, trial, 4 * c + 2)));
          break;
        default:  // a digit, since numbers decide about memory
          for (std::size_t k = place; k < bytes.size(); ++k)
            if (bytes[k] >= '0' && bytes[k] <= '9') {
              bytes[k] = static_cast<char>('0' + random.below(10, trial, 4 * c + 2));
              break;
            }
      }
    }
    try {
      const TensorFile file = parse_safetensors(bytes, "m");
      for (const Tensor& tensor : file.tensors) {
        std::size_t count = 1;
        for (const std::int64_t size : tensor.shape) count *= static_cast<std::size_t>(size);
        CHECK(std::visit([](const auto& list) { return list.size(); }, tensor.values) == count);
      }
      ++read;
    } catch (const DataError& error) {
      CHECK(std::string(error.what()).find('\n') == std::string::npos);
      ++refused;
    }
  }
  CHECK(refused > 2000);
  CHECK(read > 100);
}

TEST_CASE("SafeTensors: names and shapes that cannot be written are refused", "[learning][safetensors][errors]") {
  const auto one = [](const std::string& name, std::vector<std::int64_t> shape) {
    return TensorFile{{{name, std::move(shape), std::vector<float>{1}}}, {}};
  };
  for (const std::string& name : {std::string(), std::string("__metadata__"), std::string("a\0b", 3)})
    CHECK_THROWS_AS(safetensors_bytes(one(name, {1})), ArgumentError);
  CHECK_THROWS_WITH(safetensors_bytes(one("\xff", {1})),
                    "safetensors: a name or the metadata are not UTF-8; they must be.");
  CHECK_THROWS_WITH(safetensors_bytes(one("a", {2})), "safetensors: the shape of 'a' needs 2 values, but there are 1.");
  CHECK_THROWS_AS(safetensors_bytes(one("a", {-1, -1})), ArgumentError);
  TensorFile twice = one("a", {1});
  twice.tensors.push_back(twice.tensors[0]);
  CHECK_THROWS_AS(safetensors_bytes(twice), ArgumentError);
  CHECK_THROWS_AS(read_safetensors("/nowhere/m.safetensors"), StorageError);
}

}  // namespace fovea::learning
