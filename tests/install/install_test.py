"""Installs the project into a fresh folder, builds an outside project of README's examples against it and runs it and the
command; compiles every installed header alone."""
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

JOBS = 2
build, compiler, generator = sys.argv[1:4]
here = pathlib.Path(__file__).resolve().parent


def included_by(path):
    return re.findall(r'^ *# *include *[<"](fovea/[^>"]+)', path.read_text(), re.MULTILINE)


def closure(include, name, seen):
    """What a header includes of ours, and what these include: all of it must be installed."""
    for other in included_by(include / name):
        assert (include / other).is_file(), f"{name} includes {other}, which is not installed"
        if other not in seen:
            seen.add(other)
            closure(include, other, seen)
    return seen


def compile_alone(include, names, flags, folder):
    """Only the syntax is checked. Eigen is compiled once, for those that include it by way of matrix.hpp."""
    eigen = pathlib.Path(folder, "eigen.hpp")
    eigen.write_text("#include <Eigen/Core>\n")
    subprocess.run([*flags, "-x", "c++-header", eigen, "-o", f"{eigen}.gch"], check=True)

    def compile_one(name):
        uses_eigen = "fovea/core/base/matrix.hpp" in closure(include, name, {name})
        command = [*flags, *(["-include", eigen] if uses_eigen else []), "-fsyntax-only", "-x", "c++", "-"]
        done = subprocess.run(command, input=f"#include <{name}>\n", capture_output=True, text=True)
        assert done.returncode == 0, f"{name} does not compile alone:\n{done.stderr}"

    with concurrent.futures.ThreadPoolExecutor(JOBS) as jobs:
        list(jobs.map(compile_one, names))


with tempfile.TemporaryDirectory() as folder:
    prefix = pathlib.Path(folder, "prefix")

    def run(*command):
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)

    run("cmake", "--install", build, "--prefix", prefix)
    run("cmake", "-S", here / "outside", "-B", f"{folder}/build", "-G", generator, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    run("cmake", "--build", f"{folder}/build", "--parallel", JOBS)
    run(f"{folder}/build/outside")
    version = subprocess.run([prefix / "bin" / "fovea", "--version"], check=True, capture_output=True, text=True).stdout
    assert version.startswith("fovea "), version
    for name in ("LICENSE", "CITATION.cff"):
        assert (prefix / "share" / "doc" / "fovea" / name).read_text() == (here.parents[1] / name).read_text(), name

    # The first example of the help, and the documents that it points to, without the sources at hand.
    elsewhere = pathlib.Path(folder, "elsewhere")
    elsewhere.mkdir()
    said = subprocess.run([prefix / "bin" / "fovea", "check", "temperature"], check=True, capture_output=True, text=True, cwd=elsewhere)
    assert said.stdout.startswith(f"{prefix}/share/fovea/experiments/opinion/temperature.toml: valid"), said.stdout
    said = subprocess.run([prefix / "bin" / "fovea", "help", "measure"], check=True, capture_output=True, text=True)
    document = prefix / "share" / "doc" / "fovea" / "domains" / "opinion" / "README.md"
    assert said.stdout.endswith(f"More: {document}\n") and document.is_file(), said.stdout
    for document in (prefix / "share" / "doc").rglob("*.md"):
        for link in re.findall(r"\]\(([^)#:\s]+\.(?:md|svg))[)#]", document.read_text()):
            assert (document.parent / link).is_file(), f"{document}: {link} is not installed"

    include = prefix / "include"
    headers = sorted(str(path.relative_to(include)) for path in include.rglob("*") if path.is_file())
    for header in headers:
        assert str(here.parents[1]) not in (include / header).read_text(), header
    wanted = {name for path in (here / "outside").glob("*.cpp") for name in included_by(path)}
    for name in sorted(wanted):
        wanted |= closure(include, name, set())
    assert set(headers) == wanted, f"installed, but used by no example: {sorted(set(headers) - wanted)}"
    words = shlex.split(json.loads(pathlib.Path(folder, "build", "compile_commands.json").read_text())[0]["command"])
    compile_alone(include, headers, words[:words.index("-o")], folder)
