// FOVEA_EXPERIMENT(folder, name): folder::make_name(), whose experiment is called ehr.name. Alphabetical.
FOVEA_EXPERIMENT(alarms, trajectory)
FOVEA_EXPERIMENT(decay, known_decay)
FOVEA_EXPERIMENT(decay, length)
FOVEA_EXPERIMENT(decay, two_events)
FOVEA_EXPERIMENT(risk, ablation)
FOVEA_EXPERIMENT(risk, control)
FOVEA_EXPERIMENT(risk, mortality)
FOVEA_EXPERIMENT(survival, survival)
