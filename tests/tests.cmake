# The tests: one program of claims in C++, and the command, the page and the result file as their users meet them.

find_package(Catch2 REQUIRED)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS
     "${PROJECT_SOURCE_DIR}/tests/core/*.cpp" "${PROJECT_SOURCE_DIR}/tests/datasets/*.cpp"
     "${PROJECT_SOURCE_DIR}/tests/domains/*.cpp" "${PROJECT_SOURCE_DIR}/tests/support/*.cpp")
add_library(fovea_test_code OBJECT ${test_sources})
set_target_properties(fovea_test_code PROPERTIES UNITY_BUILD_BATCH_SIZE 22)
set_source_files_properties("${PROJECT_SOURCE_DIR}/tests/support/kernels/fused_portable_kernels.cpp" PROPERTIES
                            SKIP_UNITY_BUILD_INCLUSION ON)  # the loops of the engine once more
target_link_libraries(fovea_test_code PRIVATE fovea_flags fovea_domains Catch2::Catch2 ZLIB::ZLIB Threads::Threads
                      nlohmann_json::nlohmann_json)
target_include_directories(fovea_test_code SYSTEM PRIVATE ${RANDOM123_INCLUDE_DIR} ${HDF5_INCLUDE_DIRS})
target_compile_definitions(fovea_test_code PRIVATE FOVEA_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_compile_options(fovea_test_code PRIVATE ${lightly_optimized})
target_precompile_headers(fovea_test_code PRIVATE <string> <vector> <Eigen/Core> "${PROJECT_SOURCE_DIR}/tests/support/test.hpp")
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/test_objects.txt" CONTENT "$<JOIN:$<TARGET_OBJECTS:fovea_test_code>,\n>\n")

# Under AddressSanitizer the libraries are sanitized and the tests are not, unless FOVEA_SANITIZE_ALL.
set(test_code $<TARGET_OBJECTS:fovea_test_code>)
if(FOVEA_SANITIZE MATCHES address AND NOT FOVEA_SANITIZE_ALL)
  target_compile_options(fovea_test_code PRIVATE -fno-sanitize=all)
  get_property(libraries GLOBAL PROPERTY fovea_targets)
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE sanitized)
  if(FOVEA_TEST_OBJECTS)
    file(STRINGS "${FOVEA_TEST_OBJECTS}/test_objects.txt" test_code)
    set_source_files_properties(${test_code} PROPERTIES EXTERNAL_OBJECT ON)
    set_target_properties(fovea_test_code PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endif()
add_executable(fovea_tests ${sanitized} ${test_code})
target_link_libraries(fovea_tests PRIVATE fovea_flags fovea_domains Catch2::Catch2WithMain ZLIB::ZLIB Threads::Threads
                      ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES})

# A test of CTest for each file: a process takes 0.1 s to start, and there are over a thousand test cases. Under
# AddressSanitizer without those tagged [long], which do what others do at a size where a process takes seconds plain.
# The limits of time are for what hangs: ten times what a test takes alone on a slow machine.
# Threads of OpenMP that wait must sleep (OMP_WAIT_POLICY): several tests run at a time, and threads that spin take two
# thirds of the time away from the others.
set(short "")
if(FOVEA_SANITIZE MATCHES address AND NOT FOVEA_SANITIZE_ALL)
  set(short "~[long]")
endif()
foreach(source IN LISTS test_sources)
  cmake_path(GET source STEM name)
  if(name MATCHES "_test$")
    add_test(NAME ${name} COMMAND fovea_tests "-#" "[#${name}]${short}")
    set_tests_properties(${name} PROPERTIES LABELS fast TIMEOUT 1800 ENVIRONMENT OMP_WAIT_POLICY=passive)
  endif()
endforeach()

# Debian's own Python, which sees Debian's packages, before any other on the PATH.
find_program(FOVEA_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(FOVEA_PYTHON python3 REQUIRED)

# A test in Python: its file and arguments; FOVEA, FOVEA_TESTS and FOVEA_SOURCE say where things are.
function(fovea_python_test name label script)
  add_test(NAME ${name} COMMAND ${FOVEA_PYTHON} -B "${PROJECT_SOURCE_DIR}/tests/${script}" ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 1800 COST 100 ENVIRONMENT  # long: started first
    "OMP_WAIT_POLICY=passive;PYTHONUTF8=1;FOVEA=$<TARGET_FILE:fovea>;FOVEA_TESTS=$<TARGET_FILE:fovea_tests>;FOVEA_SOURCE=${PROJECT_SOURCE_DIR}")
endfunction()

if(FOVEA_COMMAND AND NOT FOVEA_SANITIZE)
  set_target_properties(fovea_bench PROPERTIES EXCLUDE_FROM_ALL OFF)
  fovea_python_test(benchmark slow benchmarks/benchmark_test.py)
  set_property(TEST benchmark APPEND PROPERTY ENVIRONMENT "FOVEA_BENCH=$<TARGET_FILE:fovea_bench>")
  fovea_python_test(nowcast_benchmark fast benchmarks/nowcast_test.py)
  fovea_python_test(page slow browser/page_test.py)
  fovea_python_test(interaction slow browser/interaction_test.py)
  fovea_python_test(animate slow browser/animate_test.py)
  fovea_python_test(command slow experiments/command_test.py)
  fovea_python_test(documents slow experiments/documents_test.py)
  fovea_python_test(lags slow experiments/lags_test.py)
  fovea_python_test(measure slow experiments/measure_test.py)
  fovea_python_test(runs slow experiments/runs_test.py)
  fovea_python_test(networks slow experiments/networks_test.py)
  fovea_python_test(tables slow experiments/tables_test.py)
  fovea_python_test(get_data fast python/get_data_test.py)
  fovea_python_test(scene_list fast python/scene_list_test.py)
  fovea_python_test(meds_to_long fast python/meds_to_long_test.py)
  fovea_python_test(root_to_ragged fast python/root_to_ragged_test.py)
  fovea_python_test(check fast python/check_test.py)
  fovea_python_test(saved_figures slow python/saved_figures_test.py)
  set_tests_properties(saved_figures PROPERTIES SKIP_RETURN_CODE 77)
  fovea_python_test(build_estimate fast python/build_test.py)
  fovea_python_test(domain slow experiments/domain_test.py)
  fovea_python_test(export_figures slow experiments/export_figures_test.py)
  fovea_python_test(inspect slow experiments/inspect_test.py)
  fovea_python_test(predict slow experiments/predict_test.py)
  fovea_python_test(radiomics fast experiments/radiomics_test.py)
  fovea_python_test(predict_gaps slow experiments/predict_gaps_test.py)
  fovea_python_test(predict_maps slow experiments/predict_maps_test.py)
  fovea_python_test(predict_jets slow experiments/predict_jets_test.py)
  fovea_python_test(killed_tagger slow experiments/killed_tagger_test.py)
  fovea_python_test(particle_files slow experiments/particle_files_test.py)
  fovea_python_test(broken_configs slow experiments/broken_configs_test.py)
  fovea_python_test(hostile_directory slow experiments/hostile_directory_test.py)
  fovea_python_test(interruption slow experiments/interruption_test.py)
  fovea_python_test(shards slow experiments/shards_test.py)
  add_library(fovea_refused_flock MODULE "${PROJECT_SOURCE_DIR}/tests/experiments/preload/refused_flock.cpp")
  set_property(TEST shards APPEND PROPERTY ENVIRONMENT "FOVEA_REFUSED_FLOCK=$<TARGET_FILE:fovea_refused_flock>")
  fovea_python_test(training_interruption slow experiments/training_interruption_test.py)
  fovea_python_test(slurm slow experiments/slurm_test.py)
  fovea_python_test(mpi slow experiments/mpi_test.py)
  if(TARGET fovea-mpi)
    set_property(TEST mpi APPEND PROPERTY ENVIRONMENT "FOVEA_MPI=$<TARGET_FILE:fovea-mpi>")
  endif()
  set_tests_properties(slurm mpi PROPERTIES SKIP_RETURN_CODE 77)
  fovea_python_test(study slow experiments/study_test.py)
  fovea_python_test(configs slow experiments/configs_test.py)
  file(GLOB configs RELATIVE "${PROJECT_SOURCE_DIR}/experiments" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/experiments/*/*.toml")
  foreach(config IN LISTS configs)
    fovea_python_test(config_${config} slow experiments/config_test.py ${config})
    set_property(TEST config_${config} APPEND PROPERTY ENVIRONMENT "FOVEA_PAGES=${PROJECT_BINARY_DIR}/pages")
    set_tests_properties(config_${config} PROPERTIES FIXTURES_SETUP pages)
  endforeach()
  foreach(half 0 1)  # the pages that these tests leave, two at a time
    fovea_python_test(bundled_pages_${half} slow browser/bundled_pages_test.py ${PROJECT_BINARY_DIR}/pages ${half} 2)
    set_tests_properties(bundled_pages_${half} PROPERTIES FIXTURES_REQUIRED pages)
  endforeach()
  fovea_python_test(install slow install/install_test.py ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER} ${CMAKE_GENERATOR})
endif()
