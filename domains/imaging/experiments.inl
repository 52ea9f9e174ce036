// FOVEA_EXPERIMENT(folder, name): folder::make_name(), whose experiment is called imaging.name. Alphabetical.
FOVEA_EXPERIMENT(inpaint, inpaint)
FOVEA_EXPERIMENT(radiomics, radiomics)
