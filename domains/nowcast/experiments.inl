// FOVEA_EXPERIMENT(folder, name): folder::make_name(), whose experiment is called nowcast.name. Alphabetical.
FOVEA_EXPERIMENT(made, made)
FOVEA_EXPERIMENT(recession, leave_one_out)
FOVEA_EXPERIMENT(recession, recession)
