#include "fovea/domains/particle/model/tagger_settings.hpp"

#include <cmath>

#include "fovea/core/base/error.hpp"
#include "fovea/core/base/words.hpp"
#include "fovea/core/lab/directory/machine.hpp"
#include "fovea/core/study/model/shared_keys.hpp"

namespace fovea::particle::model {

const Keys<TaggerSettings>& tagger_keys() {
  using S = TaggerSettings;
  static const auto keys =
      Keys<S>()
          .choice("model.shape", &S::part, {{"tagger", false}, {"part", true}},
                  "the equations of domains/particle/README.md, or those of the Particle Transformer, with norms "
                  "within every part")
          .key("model.embedding_hidden", &S::embedding_hidden, Range::between(1, 4096), "",
               "of the shape \"part\": hidden widths of the embedding of a constituent")
          .key("model.class_blocks", &S::class_blocks, Range::between(1, 16), "",
               "blocks in which the class token attends")
          .file("model.weights", &S::weights,
                "weights to start from (SafeTensors): of the shape \"part\" under the names of the published Particle "
                "Transformer, else under ours")
          .key(study::kModelWidth, &S::width, "columns of a constituent's representation")
          .key(study::kModelHeads, &S::heads)
          .key(study::kModelBlocks.within(Range::between(0, 16)), &S::blocks,
               "Transformer blocks over the constituents")
          .key(study::kModelHidden, &S::hidden, "columns of the feed-forward part of a block")
          .key(study::kModelDropout, &S::dropout)
          .choice("model.pooling", &S::pooling,
                  {{"class", Pooling::class_token}, {"mean", Pooling::mean}, {"sum", Pooling::sum}},
                  "pooling of constituents to a jet: a class token that attends to them, their mean, or their sum")
          .choice("model.pair_bias", &S::pairs,
                  {{"none", PairSet::none},
                   {"standard", PairSet::standard},
                   {"published", PairSet::published},
                   {"smooth", PairSet::smooth},
                   {"bare", PairSet::bare}},
                  "bias of the scores of each pair: none, of ln dR, ln kT, ln z and ln m^2 with dR at least 1e-5, of "
                  "the same with any dR as published weights learned it, of r and ln r with r^2 = dR^2 + 0.01^2, or of "
                  "ln dR alone")
          .key("model.pair_hidden", &S::pair_hidden, Range::between(1, 512), "",
               "hidden widths of the network of pairs")
          .key("model.weighted_keys", &S::weighted_keys,
               "whether attention weighs a constituent by its share of the jet's pT")
          .key("model.score_cap", &S::score_cap, Range::at_least(0), "",
               "c: a score with its bias s becomes c tanh(s / c), so that no key has more than exp(2 c) times the "
               "weight of another; 0: no cap")
          .choice("locality.mask", &S::mask,
                  {{"none", Mask::none}, {"radius", Mask::radius}, {"nearest", Mask::nearest}},
                  "constituents that a constituent attends to, besides itself: all, those within a radius, or the "
                  "nearest")
          .key("locality.radius", &S::radius, Range::positive(), "",
               "dR within which constituents attend to each other")
          .key("locality.neighbours", &S::neighbours, Range::between(1, 1e6), "",
               "number of nearest constituents that each attends to, itself included")
          .key("training.mirrors", &S::mirrors, "whether training jets are mirrored at random in both directions")
          .key("training.turns", &S::turns, "whether training jets are rotated at random about their axis")
          .key("training.decorrelation", &S::decorrelation, Range::at_least(0), "",
               "penalty on the dependence of the score of background jets on their mass: this many times their squared "
               "distance correlation within a batch is added to the loss; 0: none")
          .added_later();
  return keys;
}

std::optional<learning::Neighbourhood> TaggerSettings::locality() const {
  if (mask == Mask::none) return std::nullopt;
  return mask == Mask::radius ? learning::Neighbourhood{radius, 0, true} : learning::Neighbourhood{0, neighbours, true};
}

bool TaggerSettings::has_names_of_part() const {
  return part && pooling == Pooling::class_token && pairs != PairSet::smooth && pairs != PairSet::bare;
}

void check_model(const TaggerSettings& settings, const Complain& complain) {
  if (settings.width % settings.heads != 0)
    complain("model.heads", concat("model.heads must divide model.width, which is ", settings.width, "."));
  if (settings.weighted_keys && settings.pooling == Pooling::sum)
    complain("model.pooling",
             "model.pooling = \"sum\" counts constituents, which model.weighted_keys does by their pT; use "
             "\"class\" or \"mean\".");
  if (!settings.weights.empty() && settings.part && !settings.has_names_of_part())
    complain("model.weights",
             "model.weights of the shape \"part\" are those of the Particle Transformer, which has model.pooling "
             "= \"class\" and model.pair_bias = \"published\", \"standard\" or \"none\".");
}

void check_tagger(const TaggerSettings& settings, const InputOptions& inputs, const Complain& complain) {
  check_model(settings, complain);
  if (inputs.set == InputSet::directions && !settings.weighted_keys)
    complain("inputs.set", "inputs.set = \"directions\" leaves out every pT; set model.weighted_keys = true as well.");
}

Safety safety_of(const TaggerSettings& settings, const InputOptions& inputs) {
  if (inputs.set != InputSet::directions) return {false, "its inputs hold the energies of constituents"};
  if (inputs.ids) return {false, "its inputs hold the kinds of particles"};
  if (!settings.weighted_keys) return {false, "soft constituents have the weight of hard ones"};
  if (settings.pooling == Pooling::sum) return {false, "it adds up constituents whatever their pT"};
  if (settings.mask == Mask::nearest) return {false, "a constituent that is split changes who is nearest"};
  if (settings.pairs == PairSet::standard || settings.pairs == PairSet::published)
    return {false, "its pair bias holds the energies of constituents"};
  if (settings.pairs == PairSet::bare && settings.blocks > 0) return {false, "ln dR is not smooth where dR = 0"};
  return {true, ""};
}

void check_pairs_fit(const TaggerSettings& settings, const std::string& whose, Index particles) {
  if (particles <= kAlwaysFit || settings.pairs == PairSet::none || settings.mask != Mask::none) return;
  const double memory = static_cast<double>(machine().memory_bytes), count = static_cast<double>(particles);
  const double of_pair = static_cast<double>(settings.heads) * sizeof(float);
  if (memory <= 0 || count * count * of_pair < memory / 2) return;
  throw DataError(concat(whose, " has ", particles, " particles, and the biases of all its pairs would take ",
                         plain_text(count * count * of_pair * 1e-9), " GB; at most ",
                         static_cast<Index>(std::sqrt(memory / 2 / of_pair)),
                         " fit into half of this machine's memory. ",
                         "Leave it out, or train a model with locality.mask = \"nearest\" or \"radius\"."));
}

}  // namespace fovea::particle::model
