# fovea_bench: the engine's side of scripts/bench. Built only when asked for by name.

file(GLOB bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/benchmarks/ours/*.cpp"
     "${PROJECT_SOURCE_DIR}/tests/support/kinds/*.cpp")
add_executable(fovea_bench EXCLUDE_FROM_ALL ${bench_sources})
target_link_libraries(fovea_bench PRIVATE fovea_flags fovea_domains ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES})
target_include_directories(fovea_bench SYSTEM PRIVATE ${HDF5_INCLUDE_DIRS})
