/// Which conditions of infrared and collinear safety a config breaks.

#include "fovea/domains/particle/model/tagger_model.hpp"

namespace fovea::particle::model {

Safety safety_of(const Config& config) {
  if (config.text("inputs.set") != "directions") return {false, "its inputs hold the energies of constituents"};
  if (config.flag("inputs.ids")) return {false, "its inputs hold the kinds of particles"};
  if (!config.flag("model.weighted_keys")) return {false, "soft constituents have the weight of hard ones"};
  if (config.text("model.pooling") == "sum") return {false, "it adds up constituents whatever their pT"};
  if (config.text("locality.mask") == "nearest") return {false, "a constituent that is split changes who is nearest"};
  const std::string& pairs = config.text("model.pair_bias");
  if (pairs == "standard" || pairs == "published") return {false, "its pair bias holds the energies of constituents"};
  if (pairs == "bare" && config.integer("model.blocks") > 0) return {false, "ln dR is not smooth where dR = 0"};
  return {true, ""};
}

}  // namespace fovea::particle::model
