"""`scripts/bench SUBJECT`: ours and its peers side by side, in turns."""
import argparse
import dataclasses
import hashlib
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

import cases
import imaging_cases
import learning_cases
import nowcast_cases
import opinion_cases
import peers
import record
import rounds
import scale_cases
import worker
from ehr import cases as ehr_cases
from fusion import cases as fusion_cases
from lag import cases as lag_cases
from lag import finder as lag_finder
from particle import cases as particle_cases

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EPILOGUE = """With 1 thread a time is the processor's, with 2 it is the wall's (wanted: an otherwise idle machine). Each figure is a
median over rounds in which everyone runs in turn. 'of peak': of the processor's fused multiply-adds, measured in the same
rounds; 'of limit': of a cost model brought to the machine by that peak
(tests/benchmarks/cases.py). Every peer's answer is
compared with ours. Exit code 0: measured; 1: an answer differs or a program failed."""


SUBJECTS = {"attention": cases.all_cases, "ehr": ehr_cases.all_cases, "fusion": fusion_cases.all_cases, "imaging": imaging_cases.all_cases, "learning": learning_cases.all_cases,
            "lag": lag_cases.all_cases, "nowcast": nowcast_cases.all_cases, "opinion": opinion_cases.all_cases, "particle": particle_cases.all_cases, "scale": scale_cases.all_cases}


# What holds the peers to an instruction set: PyTorch's own loops, its oneDNN and its MKL. ONNX Runtime has no such setting.
INSTRUCTIONS = {
    "avx512": {},
    "avx2": {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"},
    "portable": {"ATEN_CPU_CAPABILITY": "default", "ONEDNN_MAX_CPU_ISA": "SSE41", "MKL_ENABLE_INSTRUCTIONS": "SSE4_2"},
}


FREE = {"onnxruntime"}   # peers that choose their instructions themselves


def say(words):
    print(words, file=sys.stderr, flush=True)


def parse(subject, words):
    parser = argparse.ArgumentParser(prog=f"scripts/bench {subject}", description="Ours and its peers side by side, in turns.",
                                     epilog=EPILOGUE)
    parser.add_argument("--json", metavar="FILE", help="writes the table as a list of objects")
    parser.add_argument("--markdown", metavar="FILE", help="writes the table for a page")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="5 or more; 5 if not said")
    parser.add_argument("--cases", default="", metavar="REGEX", help="only the cases whose name it finds")
    parser.add_argument("--keep", metavar="FILE", help="takes finished cases from FILE and writes further ones there as they are finished: "
                        "a second start goes on where the first ended (lag: peers' answers on each table in FILE.peers)")
    parser.add_argument("--limit", type=int, default=1800, metavar="S",
                        help="lag: seconds of the processor after which a peer is cut off; 1800 if not said")
    parser.add_argument("--data", metavar="FILE", help="attention: HDF5 with `offsets`, sizes of the packed sets; lag: the folder with the sets of known truth; "
                        "ehr: the folder with the stays; particle: the folder with the jets; fusion: the folder with scenes, stacks and fields; nowcast: the folder with FRED-MD and recessions; imaging: the folder with volumes and their holes")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="fusion: trainings of each model; 1 if not said")
    parser.add_argument("--run", metavar="FOLDER", help="ehr: a finished run of these data in place of a new one")
    parser.add_argument("--quick", action="store_true", help="small sizes, one round: shows that it works, measures nothing")
    parser.add_argument("--threads", type=int, choices=[1, 2], help="only with so many; 1 and 2 if not said")
    parser.add_argument("--instructions", choices=list(INSTRUCTIONS), help="ours with the kernels of this set beside the peak of this set, and "
                        "PyTorch held to it (ONNX Runtime cannot be); the processor's widest if not said")
    parser.add_argument("--no-peers", action="store_true", help="only ours")
    parser.add_argument("--before", metavar="FILE", help="attention, scale: a fovea_bench of an earlier commit (scale: with fovea beside it), "
                        "measured in the same rounds")
    parser.add_argument("--program", metavar="FILE", help="a fovea_bench that is built already, with fovea beside it")
    given = parser.parse_args(words)
    if given.rounds < 5:
        parser.error(f"--rounds is {given.rounds}; a median wants 5 or more")
    if subject in ("ehr", "imaging", "nowcast", "particle") and not given.data:
        parser.error(f"{subject} wants --data FOLDER (see tests/benchmarks/README.md)")
    needs = {"nowcast": nowcast_cases.files, "imaging": imaging_cases.folder_of}
    if subject in needs:
        try:
            needs[subject](given.data)
        except worker.Cannot as reason:
            parser.error(str(reason))
    return given


def build():
    subprocess.run([ROOT / "scripts" / "setup", "build"], check=True)
    subprocess.run([ROOT / "scripts" / "build", "release", "fovea_bench", "fovea"], check=True)
    return ROOT / "build" / "release" / "fovea_bench"


def processor():
    try:
        found = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return found.group(1).strip() if found else platform.processor() or platform.machine()


def machine_line(program, folder, versions):
    ours = worker.Worker([program], 1, folder)
    about = ours.machine
    peaks = []
    for threads in thread_counts():
        again = worker.Worker([program], threads, folder)
        peaks.append(f"{float(again.ask('peak', seconds=0.3)['gflops']):.0f} GFLOP/s with {threads}")
        again.close()
    ours.close()
    known = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()) if version)
    peers_free = f" ({', '.join(sorted(FREE & set(versions)))}: the processor's widest)" if os.environ.get("FOVEA_INSTRUCTIONS") else ""
    return (f"{processor()}, {os.cpu_count()} processors, {about['vectors']}{peers_free if FREE & set(versions) else ''}"
            f"; FMA peak {', '.join(peaks)} thread(s); load {os.getloadavg()[0]:.1f}; {about['compiler']}; {known or 'no peers'}")


def thread_counts():
    return [1, 2] if (os.cpu_count() or 1) > 1 else [1]


class Kept:
    """The records of finished cases, a line of JSON each behind a line that says of which programs and settings they are."""
    NO_MATTER = ("cases", "keep", "json", "markdown", "program", "threads")   # for what a case gives

    def __init__(self, given, program):
        self.path, self.cases = given.keep, {}
        programs = [pathlib.Path(program), pathlib.Path(program).with_name("fovea")]
        head = [[hashlib.sha256(path.read_bytes()).hexdigest() for path in programs if path.exists()],
                {name: value for name, value in vars(given).items() if name not in self.NO_MATTER}]
        lines = pathlib.Path(self.path).read_text(encoding="utf-8").splitlines() if self.path and os.path.exists(self.path) else []
        if lines and json.loads(lines[0]) != head:
            raise SystemExit(f"bench: {self.path} is of other programs or settings: take another file")
        self.cases = {(name, threads): [record.Record(**each) for each in found] for name, threads, found in map(json.loads, lines[1:])}
        if not lines:
            self.write(head)

    def write(self, what):
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(what) + "\n")

    def add(self, name, threads, records):
        self.write([name, threads, [dataclasses.asdict(each) for each in records]])


def measure_all(subject, arena, given):
    """The records, each printed as it comes, and whether every program did its part. A case that fails leaves the others."""
    records, sound, kept = [], True, Kept(given, arena.program)
    further = [given.seeds] if subject == "fusion" else []
    chosen = [case for case in SUBJECTS[subject](given.quick, given.data, *further) if re.search(given.cases, case.name)]
    print(record.heading(), flush=True)
    for case in chosen if given.before else []:
        if isinstance(case, cases.Speed):
            case.against.insert(0, cases.Against("ours before", "before", {}, case.gain_required(given.instructions)))
    for at, case in enumerate(chosen):
        say(f"bench: {time.strftime('%H:%M:%S')}, {at + 1} of {len(chosen)}: {case.name}")
        for threads in [given.threads] if given.threads else thread_counts():
            here = len(records)
            try:
                for line in kept.cases.get((case.name, threads)) or case.run(arena, threads, given.quick):
                    records.append(line)
                    print(record.text(line), flush=True)
                if records[here:] and (case.name, threads) not in kept.cases:
                    kept.add(case.name, threads, records[here:])
            except Exception as error:
                sound = False
                words = str(error) if isinstance(error, (worker.Cannot, rounds.Mismatch)) else f"{type(error).__name__}: {error}"
                records.append(record.Record(case.name, threads, holds=False, note=words))
                print(record.text(records[-1]), flush=True)
    return records, sound


def main(subject, words):
    given = parse(subject, words)
    if os.getloadavg()[0] > 0.5 and not given.quick:
        say(f"bench: the machine is busy (load {os.getloadavg()[0]:.1f}): times on the wall, of 2 threads, will mislead")
    if given.instructions:
        os.environ.update({"FOVEA_INSTRUCTIONS": given.instructions, **INSTRUCTIONS[given.instructions]})
    known = {} if given.no_peers else peers.install(ROOT / "build" / "bench-peers", say, subject)
    program = str(pathlib.Path(given.program).resolve() if given.program else build())
    with tempfile.TemporaryDirectory(prefix="fovea-bench-") as folder:
        if given.data and subject == "attention":
            os.symlink(pathlib.Path(given.data).resolve(), os.path.join(folder, "sets.h5"))
        arena = rounds.Arena(program, known, folder, *((1, 0.01, 0) if given.quick else (given.rounds, 0.3)))
        arena.before = given.before and str(pathlib.Path(given.before).resolve())
        arena.limit = given.limit if subject == "lag" else None
        arena.answers = lag_finder.Answers(given.keep and given.keep + ".peers")
        arena.finished = given.run and pathlib.Path(given.run).resolve()
        records, sound = measure_all(subject, arena, given)
        machine = machine_line(program, folder, arena.versions)
    print(f"\n{record.tally(records)}{machine}\nscripts/bench {subject} {' '.join(words)}")
    for path, text in (given.json, record.as_json(records)), (given.markdown, record.markdown(records, machine)):
        if path:
            pathlib.Path(path).write_text(text, encoding="utf-8")
    return 0 if sound else 1
