// FOVEA_EXPERIMENT(folder, name): folder::make_name(), whose experiment is called opinion.name. Alphabetical.
FOVEA_EXPERIMENT(fit, fit)
FOVEA_EXPERIMENT(measure, measure)
FOVEA_EXPERIMENT(moderation, moderation)
FOVEA_EXPERIMENT(oracle, oracle)
FOVEA_EXPERIMENT(phase, phase)
FOVEA_EXPERIMENT(simulate, simulate)
FOVEA_EXPERIMENT(stability, stability)
FOVEA_EXPERIMENT(temperature, temperature)
