"""Installs the project into a fresh folder, builds an outside project against it and runs both it and the command."""
import pathlib
import subprocess
import sys
import tempfile

build, compiler, generator = sys.argv[1:4]
here = pathlib.Path(__file__).resolve().parent

with tempfile.TemporaryDirectory() as folder:
    prefix = pathlib.Path(folder, "prefix")

    def run(*command):
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)

    run("cmake", "--install", build, "--prefix", prefix)
    run("cmake", "-S", here / "outside", "-B", f"{folder}/build", "-G", generator, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", f"{folder}/build")
    run(f"{folder}/build/outside")
    version = subprocess.run([prefix / "bin" / "fovea", "--version"], check=True, capture_output=True, text=True).stdout
    assert version.startswith("fovea "), version
    for name in ("LICENSE", "CITATION.cff"):
        assert (prefix / "share" / "doc" / "fovea" / name).read_text() == (here.parents[1] / name).read_text(), name
    headers = [path.relative_to(prefix / "include") for path in (prefix / "include").rglob("*.hpp")]
    assert headers and all(path.parts[0] == "fovea" for path in headers), headers
    for header in headers:  # a public header must stand on its own and see installed things only
        text = (prefix / "include" / header).read_text()
        assert str(here.parents[1]) not in text, header
