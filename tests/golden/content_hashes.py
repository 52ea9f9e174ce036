#!/usr/bin/env python3
"""Makes content_hashes.json, the content hash of the result of each config made quick, which config_test.py compares:

    python3 tests/golden/content_hashes.py CHECKOUT [CONFIG...]      a checkout with build/release/fovea

All of them, or those of the configs named (ehr/control.toml) while the others stay. It was made with g++ 12.2 and glibc 2.36
(Debian 12), at last from the commit that it names.

Besides config, seed and data, two things decide the last places of a result: whether the processor has fused multiply-adds
(AVX2 and AVX-512 give the same bits, which this script checks where it runs on the latter), and the C library's exp, log
and so on, which come with and without them. Hence two hashes a config: "fused", and "portable" for older processors, which
older_processor.cpp and a setting of glibc imitate. Threads, folders and versions do not enter."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
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


def content_hash(fovea, path, words, environment):
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        done = subprocess.run([fovea, "run", path, "-o", "runs", "--json", *words], cwd=folder, capture_output=True, text=True,
                              env={**os.environ, **environment})
        if done.returncode not in (0, 6):
            sys.exit(f"{path}: {done.stderr}")
        return json.loads(done.stdout)["content_hash"]


def main():
    checkout = pathlib.Path(sys.argv[1]).resolve()
    tests, fovea = tests_of(checkout), checkout / "build" / "release" / "fovea"
    commit = subprocess.run(["git", "-C", checkout, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    chosen = set(sys.argv[2:])
    hashes = json.loads((HERE / "content_hashes.json").read_text(encoding="utf-8"))["configs"] if chosen else {}
    with tempfile.TemporaryDirectory() as folder:
        kinds = processors(fovea, pathlib.Path(folder))
        for path in sorted((checkout / "experiments").glob("*/*.toml")):
            if chosen and f"{path.parent.name}/{path.name}" not in chosen:
                continue
            words = tests.quick_words(path)
            found = {kind: content_hash(fovea, path, words, kinds[kind]) for kind in kinds}
            if found["native"] != found["avx2"]:
                sys.exit(f"{path}: {found['native']} here, but {found['avx2']} with AVX2")
            hashes[f"{path.parent.name}/{path.name}"] = {"fused": found["avx2"], "portable": found["portable"]}
            print(path.name, flush=True)
    text = json.dumps({"commit": commit.strip(), "configs": dict(sorted(hashes.items()))}, indent=1)
    (HERE / "content_hashes.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
