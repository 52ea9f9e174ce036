// FOVEA_EXPERIMENT(folder, name): folder::make_name(), whose experiment is called lag.name. Alphabetical.
FOVEA_EXPERIMENT(delay, attention)
FOVEA_EXPERIMENT(discover, discover)
FOVEA_EXPERIMENT(network, network)
FOVEA_EXPERIMENT(pair, pair)
