#include "fovea/domains/particle/model/part_weights.hpp"

#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"

namespace fovea::particle::model {

namespace {

using learning::Parameters;
using learning::Tensor;
using learning::TensorFile;
using Numbers = Matrix<double>;

constexpr double kVarianceAdded = 1e-5;  // of PyTorch's batch norms

/// Column of the file for each of ours: there the two directions are the last inputs, and the first pair feature is
/// ln kT, the third ln dR.
std::vector<Index> input_order(Index inputs) {
  std::vector<Index> order{inputs - 2, inputs - 1};
  for (Index k = 0; k + 2 < inputs; ++k) order.push_back(k);
  return order;
}
const std::vector<Index> kPairOrder{2, 0, 1, 3};

/// Column d H + h of the file's gained heads is column h of head h: what its program makes of a row of heads.
std::vector<Index> gained_columns(Index width, Index heads) {
  std::vector<Index> source;
  for (Index d = 0; d < width / heads; ++d)
    for (Index h = 0; h < heads; ++h) source.push_back(h * (width / heads) + d);
  return source;
}

/// Columns in another order: column k of the answer is column order[k].
Numbers picked(const Numbers& from, const std::vector<Index>& order) {
  Numbers to(from.rows(), from.cols());
  for (std::size_t k = 0; k < order.size(); ++k) to.col(static_cast<Index>(k)) = from.col(order[k]);
  return to;
}

Numbers put_back(const Numbers& from, const std::vector<Index>& order) {
  Numbers to(from.rows(), from.cols());
  for (std::size_t k = 0; k < order.size(); ++k) to.col(order[k]) = from.col(static_cast<Index>(k));
  return to;
}

std::vector<double> numbers_of(const Tensor& tensor) {
  return std::visit([](const auto& values) { return std::vector<double>(values.begin(), values.end()); },
                    tensor.values);
}

/// Takes tensors by name, each once.
class Reader {
 public:
  Reader(const TensorFile& file, const std::string& path) : path_(path) {
    for (const Tensor& tensor : file.tensors) {
      const bool prefixed = tensor.name.rfind("mod.", 0) == 0;
      tensors_[prefixed ? tensor.name.substr(4) : tensor.name] = &tensor;
    }
  }

  bool has(const std::string& name) const { return tensors_.count(name) > 0; }

  /// Ones of the shape may stand among the dimensions.
  Numbers take(const std::string& name, Index rows, Index columns) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end())
      throw DataError(concat(path_, ": has no '", name, "', which a Particle Transformer of this config needs."));
    std::vector<std::int64_t> shape, wanted;
    for (const std::int64_t size : found->second->shape)
      if (size != 1) shape.push_back(size);
    for (const Index size : {rows, columns})
      if (size != 1) wanted.push_back(size);
    if (shape != wanted)
      throw DataError(concat(path_, ": '", name, "' has the shape ", words(found->second->shape), ", but must have ",
                             words({rows, columns}), " (or dimensions of 1 beside); see the sizes in [model]."));
    const std::vector<double> values = numbers_of(*found->second);
    for (const double value : values)
      if (!std::isfinite(value)) throw DataError(concat(path_, ": '", name, "' has a value that is not finite."));
    tensors_.erase(found);
    return Eigen::Map<const Numbers>(values.data(), rows, columns);
  }

  /// How many rows a tensor has, 0 where it is not there.
  Index rows(const std::string& name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() || found->second->shape.empty() ? 0 : found->second->shape.front();
  }

  void check_all_taken() const {
    for (const auto& [name, tensor] : tensors_)
      if (name.find("num_batches_tracked") == std::string::npos)
        throw DataError(
            concat(path_, ": '", name, "' is not of a Particle Transformer of this config; see the sizes in [model]."));
  }

 private:
  static std::string words(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text.empty() ? "1" : text;
  }

  std::string path_;
  std::map<std::string, const Tensor*> tensors_;
};

/// A batch norm at inference: gain x + shift.
struct Affine {
  Numbers gain, shift;  // 1 x C
};

Affine take_batch_norm(Reader& reader, const std::string& name, Index columns) {
  const Numbers weight = reader.take(name + ".weight", 1, columns), bias = reader.take(name + ".bias", 1, columns),
                mean = reader.take(name + ".running_mean", 1, columns),
                variance = reader.take(name + ".running_var", 1, columns);
  Affine affine;
  affine.gain = (weight.array() / (variance.array() + kVarianceAdded).sqrt()).matrix();
  affine.shift = (bias.array() - mean.array() * affine.gain.array()).matrix();
  return affine;
}

/// The parts of a net, once for both directions: Way is a Loading or a Saving.
struct Loading {
  Reader& reader;
  Parameters<float>& parameters;

  Index columns(const std::string& ours) const { return parameters.at(ours).place.columns; }
  Index rows(const std::string& ours) const { return parameters.at(ours).place.rows; }
  void set(const std::string& ours, const Numbers& values) {
    parameters.matrix(parameters.at(ours).place) = values.cast<float>();
  }
  void row(const std::string& ours, const std::string& theirs, const std::vector<Index>& order = {}) {
    const Numbers found = reader.take(theirs, 1, columns(ours));
    set(ours, order.empty() ? found : picked(found, order));
  }
  void norm(const std::string& ours, const std::string& theirs, const std::vector<Index>& order = {}) {
    row(ours + ".gain", theirs + ".weight", order);
    row(ours + ".shift", theirs + ".bias", order);
  }
  void linear(const std::string& ours, const std::string& theirs, const std::vector<Index>& order = {}) {
    const Numbers weight = reader.take(theirs + ".weight", columns(ours + ".weight"), rows(ours + ".weight"));
    set(ours + ".weight", (order.empty() ? weight : picked(weight, order)).transpose());
    row(ours + ".bias", theirs + ".bias");
  }
  void affine(const std::string& ours, const std::string& theirs, const std::vector<Index>& order) {
    const Affine found = take_batch_norm(reader, theirs, columns(ours + ".gain"));
    set(ours + ".gain", picked(found.gain, order));
    set(ours + ".shift", picked(found.shift, order));
  }
  /// A product and the batch norm behind it.
  void pair_layer(const std::string& ours, const std::string& theirs, const std::string& norm,
                  const std::vector<Index>& order) {
    const Index out = columns(ours + ".weight");
    Numbers weight = reader.take(theirs + ".weight", out, rows(ours + ".weight"));
    const Numbers bias = reader.take(theirs + ".bias", 1, out);
    const Affine behind = take_batch_norm(reader, norm, out);
    weight = behind.gain.row(0).asDiagonal() * (order.empty() ? weight : picked(weight, order));
    set(ours + ".weight", weight.transpose());
    set(ours + ".bias", (bias.array() * behind.gain.array() + behind.shift.array()).matrix());
  }
  void attention(const std::string& ours, const std::string& theirs, Index heads, const std::string& gains) {
    const Index width = columns(ours + ".query.weight");
    const Numbers in = reader.take(theirs + ".in_proj_weight", 3 * width, width),
                  bias = reader.take(theirs + ".in_proj_bias", 1, 3 * width);
    set(ours + ".query.weight", in.topRows(width).transpose());
    set(ours + ".query.bias", bias.leftCols(width));
    set(ours + ".key_value.weight", in.bottomRows(2 * width).transpose());
    set(ours + ".key_value.bias", bias.rightCols(2 * width));
    const bool gained = reader.has(gains);
    Numbers out = reader.take(theirs + ".out_proj.weight", width, width).transpose(),
            shift = reader.take(theirs + ".out_proj.bias", 1, width);
    if (gained) {
      const Numbers gain = reader.take(gains, 1, heads);
      out = picked(out, gained_columns(width, heads)), shift = picked(shift, gained_columns(width, heads));
      for (Index c = 0; c < width; ++c) out.col(c) *= gain(0, c % heads), shift.col(c) *= gain(0, c % heads);
    }
    set(ours + ".out.weight", out), set(ours + ".out.bias", shift);
  }
  void residual_gain(const std::string& ours, const std::string& theirs) {
    if (reader.has(theirs))
      row(ours, theirs);
    else
      set(ours, Numbers::Ones(1, columns(ours)));
  }
  void answer(const std::string& ours, const std::string& theirs) {
    const Index outputs = columns(ours + ".weight"), width = rows(ours + ".weight");
    if (outputs != 1 || reader.rows(theirs + ".weight") != 2) return linear(ours, theirs);
    const Numbers weight = reader.take(theirs + ".weight", 2, width), bias = reader.take(theirs + ".bias", 1, 2);
    set(ours + ".weight", (weight.row(0) - weight.row(1)).transpose());
    set(ours + ".bias", bias.col(0) - bias.col(1));
  }
};

struct Saving {
  const Parameters<float>& parameters;
  TensorFile& file;

  Numbers get(const std::string& ours) const {
    return parameters.matrix(parameters.at(ours).place).template cast<double>();
  }
  Index columns(const std::string& ours) const { return parameters.at(ours).place.columns; }
  void put(const std::string& theirs, const Numbers& values, std::vector<std::int64_t> shape) {
    std::vector<float> numbers;
    for (Index i = 0; i < values.rows(); ++i)
      for (Index j = 0; j < values.cols(); ++j) numbers.push_back(static_cast<float>(values(i, j)));
    file.tensors.push_back({"mod." + theirs, std::move(shape), std::move(numbers)});
  }
  void put_row(const std::string& theirs, const Numbers& values) { put(theirs, values, {values.cols()}); }
  void row(const std::string& ours, const std::string& theirs, const std::vector<Index>& order = {}) {
    put_row(theirs, order.empty() ? get(ours) : put_back(get(ours), order));
  }
  void norm(const std::string& ours, const std::string& theirs, const std::vector<Index>& order = {}) {
    row(ours + ".gain", theirs + ".weight", order);
    row(ours + ".shift", theirs + ".bias", order);
  }
  void linear(const std::string& ours, const std::string& theirs, const std::vector<Index>& order = {}) {
    const Numbers weight = get(ours + ".weight").transpose();
    put(theirs + ".weight", order.empty() ? weight : put_back(weight, order), {weight.rows(), weight.cols()});
    row(ours + ".bias", theirs + ".bias");
  }
  void batch_norm(const std::string& theirs, const Numbers& gain, const Numbers& shift) {
    put_row(theirs + ".weight", gain * std::sqrt(1 + kVarianceAdded));
    put_row(theirs + ".bias", shift);
    put_row(theirs + ".running_mean", Numbers::Zero(1, gain.cols()));
    put_row(theirs + ".running_var", Numbers::Ones(1, gain.cols()));
    file.tensors.push_back({"mod." + theirs + ".num_batches_tracked", {}, std::vector<std::int64_t>{0}});
  }
  void affine(const std::string& ours, const std::string& theirs, const std::vector<Index>& order) {
    batch_norm(theirs, put_back(get(ours + ".gain"), order), put_back(get(ours + ".shift"), order));
  }
  void pair_layer(const std::string& ours, const std::string& theirs, const std::string& norm,
                  const std::vector<Index>& order) {
    const Numbers weight = get(ours + ".weight").transpose();
    put(theirs + ".weight", order.empty() ? weight : put_back(weight, order), {weight.rows(), weight.cols(), 1});
    row(ours + ".bias", theirs + ".bias");
    batch_norm(norm, Numbers::Ones(1, weight.rows()), Numbers::Zero(1, weight.rows()));
  }
  void attention(const std::string& ours, const std::string& theirs, Index heads, const std::string& gains) {
    const Index width = columns(ours + ".query.weight");
    Numbers in(3 * width, width), bias(1, 3 * width);
    in << get(ours + ".query.weight").transpose(), get(ours + ".key_value.weight").transpose();
    bias << get(ours + ".query.bias"), get(ours + ".key_value.bias");
    put(theirs + ".in_proj_weight", in, {3 * width, width});
    put_row(theirs + ".in_proj_bias", bias);
    const std::vector<Index> order = gained_columns(width, heads);
    put(theirs + ".out_proj.weight", put_back(get(ours + ".out.weight"), order).transpose(), {width, width});
    put_row(theirs + ".out_proj.bias", put_back(get(ours + ".out.bias"), order));
    put_row(gains, Numbers::Ones(1, heads));
  }
  void residual_gain(const std::string& ours, const std::string& theirs) { row(ours, theirs); }
  void answer(const std::string& ours, const std::string& theirs) {
    const Numbers weight = get(ours + ".weight").transpose();
    if (weight.rows() != 1) return linear(ours, theirs);
    Numbers both = Numbers::Zero(2, weight.cols()), bias = Numbers::Zero(1, 2);
    both.row(0) = weight.row(0), bias(0, 0) = get(ours + ".bias")(0, 0);
    put(theirs + ".weight", both, {2, weight.cols()});
    put_row(theirs + ".bias", bias);
  }
};

template <typename Way>
void block(Way& way, const std::string& ours, const std::string& theirs, Index heads) {
  way.norm(ours + ".attention_norm", theirs + ".pre_attn_norm");
  way.attention(ours + ".attention", theirs + ".attn", heads, theirs + ".c_attn");
  way.norm(ours + ".result_norm", theirs + ".post_attn_norm");
  way.norm(ours + ".feed_forward_norm", theirs + ".pre_fc_norm");
  way.linear(ours + ".feed_forward.in", theirs + ".fc1");
  way.norm(ours + ".feed_forward.norm", theirs + ".post_fc_norm");
  way.linear(ours + ".feed_forward.out", theirs + ".fc2");
  way.residual_gain(ours + ".residual_gain", theirs + ".w_resid");
}

template <typename Way>
void whole_net(Way& way, const PartSizes& sizes) {
  const std::vector<Index> inputs = input_order(way.columns("embed.gain"));
  way.affine("embed", "embed.input_bn", inputs);
  for (Index l = 0; l < sizes.embedding_layers; ++l) {
    const std::vector<Index> order = l == 0 ? inputs : std::vector<Index>{};
    way.norm(concat("embed.norm_", l + 1), concat("embed.embed.", 3 * l), order);
    way.linear(concat("embed.", l + 1), concat("embed.embed.", 3 * l + 1), order);
  }
  if (sizes.pair_layers > 0) way.affine("pairs.0", "pair_embed.embed.0", kPairOrder);
  for (Index l = 0; l < sizes.pair_layers; ++l)
    way.pair_layer(concat("pairs.", l), concat("pair_embed.embed.", 3 * l + 1), concat("pair_embed.embed.", 3 * l + 2),
                   l == 0 ? kPairOrder : std::vector<Index>{});
  for (Index k = 0; k < sizes.blocks; ++k) block(way, concat("block_", k + 1), concat("blocks.", k), sizes.heads);
  for (Index k = 0; k < sizes.class_blocks; ++k)
    block(way, k == 0 ? "class" : concat("class_", k + 1), concat("cls_blocks.", k), sizes.heads);
  way.norm("norm", "norm");
  way.answer("answer.2", "fc.0");
}

}  // namespace

PartSizes part_sizes(const TaggerSettings& settings) {
  if (!settings.part) return {};
  const auto layers = [](const std::vector<Index>& hidden) { return static_cast<Index>(hidden.size()) + 1; };
  return {settings.width,
          settings.heads,
          settings.blocks,
          settings.class_blocks,
          layers(settings.embedding_hidden),
          settings.pairs == PairSet::none ? 0 : layers(settings.pair_hidden)};
}

void load_part_weights(const TensorFile& file, const std::string& path, const PartSizes& sizes,
                       Parameters<float>& parameters) {
  Parameters<float> loaded = parameters;
  Reader reader(file, path);
  Loading way{reader, loaded};
  whole_net(way, sizes);
  if (sizes.class_blocks > 0) way.row("class.token", "cls_token");
  reader.check_all_taken();
  parameters = std::move(loaded);
}

TensorFile part_weights(const Parameters<float>& parameters, const PartSizes& sizes) {
  TensorFile file;
  Saving way{parameters, file};
  whole_net(way, sizes);
  if (sizes.class_blocks > 0) way.put("cls_token", way.get("class.token"), {1, 1, sizes.width});
  return file;
}

}  // namespace fovea::particle::model
