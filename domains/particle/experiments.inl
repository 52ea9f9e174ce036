// FOVEA_EXPERIMENT(folder, name): folder::make_name(), whose experiment is called particle.name. Alphabetical.
FOVEA_EXPERIMENT(inspect, inspect)
FOVEA_EXPERIMENT(kinematics, kinematics)
FOVEA_EXPERIMENT(locality, locality)
FOVEA_EXPERIMENT(safety, safety)
FOVEA_EXPERIMENT(symmetry, symmetry)
FOVEA_EXPERIMENT(tag, quark_gluon)
FOVEA_EXPERIMENT(tag, shower)
FOVEA_EXPERIMENT(tag, toptag)
