#!/usr/bin/env python3
"""Makes content_hashes.json, two hashes of the result of each config made quick, which config_test.py compares: of its numbers
(arrays, dimensions, coordinates, units) and of its words (long names, attributes, captions, verdicts, notes, documents):

    python3 tests/golden/content_hashes.py CHECKOUT [CONFIG...]            a checkout with build/release/fovea
    python3 tests/golden/content_hashes.py --words CHECKOUT [CONFIG...]    words alone; ends with 1 where numbers changed

All of them, or those of the configs named (ehr/control.toml) while the others stay. It was made with g++ 12.2 and glibc 2.36
(Debian 12), at last from the commit that it names.

Besides config, seed and data, two things decide the last places of a result: whether the processor has fused multiply-adds
(AVX2 and AVX-512 give the same bits, which this script checks where it runs on the latter), and the C library's exp, log
and so on, which come with and without them. Hence the hashes twice: "fused", and "portable" for older processors, which
older_processor.cpp and a setting of glibc imitate. Threads, folders and versions do not enter."""
import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE / "content_hashes.json"
AVX2, PORTABLE = "447f", "1ff"   # features up to AVX2 and FMA, and up to SSE4.2
OLDER_LIBRARY = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX512VL"


def tests_of(checkout):
    """The module of a checkout that says how its configs are made quick."""
    os.environ["FOVEA_SOURCE"] = str(checkout)
    sys.path.insert(0, str(checkout / "tests" / "experiments"))
    folder = checkout / "tests" / "experiments"
    spec = importlib.util.spec_from_file_location("config_test", folder / "config_test.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def processors(fovea, folder):
    """By name: the environment in which the program computes as on such a processor."""
    library = folder / "older_processor.so"
    subprocess.run(["c++", "-shared", "-fPIC", "-o", library, HERE / "older_processor.cpp"], check=True)
    symbols = subprocess.run(["nm", fovea], check=True, capture_output=True, text=True).stdout.splitlines()
    place = next(line.split()[0] for line in symbols if line.endswith(" __cpu_model"))
    older = {"LD_PRELOAD": str(library), "FOVEA_CPU_MODEL": place}
    return {"native": {}, "avx2": {**older, "FOVEA_CPU_FEATURES": AVX2},
            "portable": {**older, "FOVEA_CPU_FEATURES": PORTABLE, "GLIBC_TUNABLES": OLDER_LIBRARY}}


def hashes_of(fovea, path, words, environment):
    """{"numbers": ..., "words": ..., "content": ...} of the config's result"""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        def told(*command, environment=None):
            done = subprocess.run([fovea, *command, "--json"], cwd=folder, capture_output=True, text=True,
                                  env={**os.environ, **(environment or {})})
            if done.returncode not in (0, 6):
                sys.exit(f"{path}: {done.stderr}")
            return json.loads(done.stdout)
        inspected = told("inspect", told("run", path, "-o", "runs", *words, environment=environment)["directory"])
        return {part: inspected[part + "_hash"] for part in ("numbers", "words", "content")}


def both_kinds(fovea, path, words, kinds):
    found = {kind: hashes_of(fovea, path, words, environment) for kind, environment in kinds.items()}
    if found["native"] != found["avx2"]:
        sys.exit(f"{path}: {found['native']} here, but {found['avx2']} with AVX2")
    return {kind: {part: found[run][part] for part in ("numbers", "words")}
            for kind, run in (("fused", "avx2"), ("portable", "portable"))}


def numbers_changed(name, old, new):
    """Prints and says whether numbers are not those of the golden file."""
    kinds = [kind for kind in new if new[kind]["numbers"] != old.get(name, {}).get(kind, {}).get("numbers")]
    if kinds:
        print(f"{name}: the numbers are not those of the file ({', '.join(kinds)})", file=sys.stderr)
    return bool(kinds)


def main():
    parser = argparse.ArgumentParser(usage="content_hashes.py [--words] CHECKOUT [CONFIG...]")
    parser.add_argument("--words", action="store_true")
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("configs", nargs="*")
    options = parser.parse_args()
    checkout = options.checkout.resolve()
    tests, fovea = tests_of(checkout), checkout / "build" / "release" / "fovea"
    commit = subprocess.run(["git", "-C", checkout, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    paths = {f"{path.parent.name}/{path.name}": path for path in sorted((checkout / "experiments").glob("*/*.toml"))}
    old = json.loads(GOLDEN.read_text(encoding="utf-8"))["configs"]
    hashes = {name: old[name] for name in old if options.configs and name in paths}
    changed = False
    with tempfile.TemporaryDirectory() as folder:
        kinds = processors(fovea, pathlib.Path(folder))
        for name in options.configs or paths:
            hashes[name] = both_kinds(fovea, paths[name], tests.quick_words(paths[name]), kinds)
            changed |= options.words and numbers_changed(name, old, hashes[name])
            print(name, flush=True)
    if changed:
        sys.exit("nothing was written; without --words numbers are renewed too")
    text = json.dumps({"commit": commit.strip(), "configs": dict(sorted(hashes.items()))}, indent=1)
    GOLDEN.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
