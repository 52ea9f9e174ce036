// FOVEA_EXPERIMENT(folder, name): folder::make_name(), whose experiment is called fusion.name. Alphabetical.
FOVEA_EXPERIMENT(arbiter, arbiter)
FOVEA_EXPERIMENT(crops, crops)
FOVEA_EXPERIMENT(maps, flood)
FOVEA_EXPERIMENT(gapfill, gapfill)
FOVEA_EXPERIMENT(match, match)
FOVEA_EXPERIMENT(moisture, moisture)
FOVEA_EXPERIMENT(pixels, pixels)
FOVEA_EXPERIMENT(stress, stress)
