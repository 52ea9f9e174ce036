// FOVEA_EXPERIMENT(folder, name): folder::make_name(), whose experiment is called study.name. Alphabetical.
FOVEA_EXPERIMENT(table, table)
