#pragma once
/// Reading an edge list and storing states, as work to be repeated. The files are in the working folder.

#include <memory>

#include "fovea/tests/benchmarks/ours/request.hpp"
#include "fovea/tests/benchmarks/ours/work.hpp"

namespace fovea::bench {

/// lines=: edges of a random network of lines / 10 nodes, written to edges.csv unless it is there with as many; a pass
/// reads it into compressed rows.
std::unique_ptr<Work> edge_list_work(const Request& request);

/// states= of agents= as=dataset: one file of this project, or as=text: a file of lines "number, opinion" for each
/// state, as Seldon writes them. pairs() of both are the bytes of the files.
std::unique_ptr<Work> states_work(const Request& request);

}  // namespace fovea::bench
