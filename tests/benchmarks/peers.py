"""Installs the programs that the engine is compared with into build/bench-peers, each if it can be had, and says how they
are started. From PyPI: ONNX Runtime, PyTorch, KeOps; for opinions NumPy, SciPy, pandas, NDlib and Seldon; for
lags tigramite; for jets h5py; for holes of images OpenCV and scikit-image; for risks LightGBM, scikit-learn and DuckDB. From Debian's
archive, unpacked and not installed: PyTorch 1.13, NumPy 1.24."""
import dataclasses
import glob
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LONGEST_INSTALLATION = 900   # seconds


@dataclasses.dataclass
class Peer:
    """command: how its program is started; reason: why it cannot be had, else empty."""
    command: list
    environment: dict = dataclasses.field(default_factory=dict)
    reason: str = ""


class Installer:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.python = self.folder / "python" / "bin" / "python"
        self.log = self.folder / "install.log"

    def call(self, *command, **options):
        with open(self.log, "a") as log:
            subprocess.run([str(word) for word in command], check=True, stdout=log, stderr=subprocess.STDOUT,
                           timeout=LONGEST_INSTALLATION, stdin=subprocess.DEVNULL, **options)

    def has(self, python, module, environment=None):
        if not os.path.exists(python):
            return False
        variables = {**os.environ, **(environment or {})}
        return subprocess.run([str(python), "-c", f"import {module}"], env=variables, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def pip(self, *words):
        if not self.python.exists():
            self.call(sys.executable, "-m", "venv", self.folder / "python")
        self.call(self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words)

    def onnxruntime(self):
        if not self.has(self.python, "onnx, onnxruntime"):
            self.pip("numpy", "onnx", "onnxruntime")
        return Peer([str(self.python), str(HERE / "onnxruntime_peer.py")])

    def torch(self):
        if not self.has(self.python, "torch, numpy"):
            self.pip("numpy", "filelock", "typing-extensions", "setuptools", "sympy", "networkx", "jinja2", "fsspec")
            self.pip("--no-deps", "torch")   # without 3 GB of libraries for a GPU
            import gpu_stand_ins
            gpu_stand_ins.make_stand_ins(next((self.folder / "python").glob("lib/python*/site-packages/torch")))
        # Its cache does not know for which vectors a kernel was compiled: another width's kernel gives wrong numbers.
        vectors = os.environ.get("FOVEA_INSTRUCTIONS", "widest")
        cache = {"TORCHINDUCTOR_CACHE_DIR": str(self.folder / "inductor" / vectors)}
        return Peer([str(self.python), str(HERE / "torch_peer.py")], cache)

    def keops(self, flags=""):
        cache = {"KEOPS_CACHE_FOLDER": str(self.folder / ("keops-tuned" if flags else "keops")), "CXXFLAGS": flags}
        if not self.has(self.python, "pykeops", cache):
            self.pip("numpy", "pykeops")
        return Peer([str(self.python), str(HERE / "keops_peer.py")], cache)

    def packaged(self, modules, program, *packages):
        """A program in our Python; it imports these modules, which these packages bring."""
        if not self.has(self.python, modules):
            self.pip(*packages)
        if not self.has(self.python, modules):
            raise RuntimeError("it is installed but does not start")
        return Peer([str(self.python), str(HERE / program)])

    def debian_numpy(self):
        environment = self.debian_environment("debian-numpy", "python3-numpy", "libopenblas0-openmp")
        if not self.has("/usr/bin/python3", "numpy", environment):
            raise RuntimeError("its packages are here but it does not start")
        return Peer(["/usr/bin/python3", str(HERE / "opinion_numpy_peer.py")], environment)

    def debian_torch(self):
        environment = self.debian_environment("debian", "python3-torch", "python3-numpy", "libopenblas0-openmp")
        if not self.has("/usr/bin/python3", "torch, numpy", environment):
            raise RuntimeError("its packages are here but it does not start")
        return Peer(["/usr/bin/python3", str(HERE / "torch_peer.py")], environment)

    def debian_environment(self, name, *packages):
        """Packages are unpacked under our folder; OpenBLAS takes the place of the slow reference BLAS."""
        root = self.folder / name
        if not root.exists():
            self.unpack_debian(root, *packages)
        libraries = sorted({os.path.dirname(path) for path in glob.glob(f"{root}/**/*.so*", recursive=True)},
                           key=lambda path: ("openblas" not in path, path))
        return {"LD_LIBRARY_PATH": ":".join(libraries), "PYTHONPATH": f"{root}/usr/lib/python3/dist-packages"}

    def unpack_debian(self, root, *packages):
        archives = self.folder / "debs"
        (archives / "partial").mkdir(parents=True, exist_ok=True)
        download = ("apt-get", "install", "--yes", "--no-install-recommends", "--download-only", "-o",
                    f"Dir::Cache::archives={archives}/", "-o", "Debug::NoLocking=1", *packages)
        try:
            self.call(*download)
        except subprocess.CalledProcessError:   # perhaps the lists of packages are old
            self.call("apt-get", "update")
            self.call(*download)
        half = self.folder / f"{root.name}.half"
        half.mkdir(exist_ok=True)
        for archive in sorted(archives.glob("*.deb")):
            self.call("dpkg", "-x", archive, half)
        shutil.rmtree(archives)
        half.rename(root)


def why_not(error):
    if isinstance(error, subprocess.TimeoutExpired):
        return "its installation takes too long"
    if isinstance(error, subprocess.CalledProcessError):
        words = [os.path.basename(str(word)) for word in error.cmd]
        return f"'{' '.join([*words[:1], *(w for w in words[1:] if not w.startswith('-'))])[:60]}' failed"
    return str(error)


def engine_peers(installer):
    return {"onnxruntime": installer.onnxruntime, "torch": installer.torch, "torch 1.13": installer.debian_torch,
            "keops": installer.keops, "keops tuned": lambda: installer.keops("-march=native -ffast-math")}


def opinion_peers(installer):
    numpy, ndlib, seldon = (f"opinion_{name}_peer.py" for name in ("numpy", "ndlib", "seldon"))
    return {"numpy": lambda: installer.packaged("numpy, scipy.sparse, pandas", numpy, "numpy", "scipy", "pandas"),
            "numpy of Debian": installer.debian_numpy,
            "ndlib": lambda: installer.packaged("ndlib.models.opinions, networkx", ndlib, "ndlib", "six",
                                               "scikit-learn"),
            "seldon": lambda: installer.packaged("pyseldonlib, numpy", seldon, "pyseldonlib", "numpy")}


def lag_peers(installer):
    return {"tigramite": lambda: installer.packaged("tigramite.pcmci, tigramite.independence_tests.parcorr",
                                                    "lag_tigramite_peer.py", "numpy", "scipy", "numba", "joblib",
                                                    "scikit-learn", "networkx", "matplotlib", "tigramite==5.2.10.1")}


def risk_peers(installer):
    return {"risk peers": lambda: installer.packaged("lightgbm, sklearn, numpy, duckdb", "ehr/peer.py", "numpy", "scipy",
                                                     "scikit-learn", "lightgbm", "duckdb"),
            "torch": installer.torch}


def jet_peers(installer):
    def torch():
        found = installer.torch()
        if not installer.has(installer.python, "h5py"):
            installer.pip("h5py")
        return found
    return {"torch": torch, "onnxruntime": installer.onnxruntime}


def image_peers(installer):
    def orfeo():
        programs = ["otbcli_TrainVectorClassifier", "otbcli_ImageClassifier"]
        if not all(map(shutil.which, programs)):
            raise RuntimeError("Debian's otb-bin is not installed")
        return Peer(programs)
    return {"scikit-learn forests": lambda: installer.packaged("sklearn, h5py, tifffile, imagecodecs", "fusion/peer.py", "numpy", "h5py",
                                                              "scikit-learn", "tifffile", "imagecodecs"),
            "Orfeo ToolBox": orfeo}


def volume_peers(installer):
    return {"OpenCV, scikit-image": lambda: installer.packaged("numpy, cv2, skimage.restoration", "imaging_peer.py", "numpy",
                                                              "opencv-python-headless", "scikit-image")}


PEERS = {"ehr": risk_peers, "fusion": image_peers, "imaging": volume_peers, "particle": jet_peers, "opinion": opinion_peers, "lag": lag_peers,
         "nowcast": lambda installer: {}, "scale": lambda installer: {}}   # engine_peers for the others


def install(folder, say, subject):
    """name -> Peer, for every peer there could be of what is measured."""
    installer, peers = Installer(folder), {}
    ways = PEERS.get(subject, engine_peers)(installer)
    for name, way in ways.items():
        try:
            peers[name] = way()
        except Exception as error:
            peers[name] = Peer([], reason="not installed")
            say(f"bench: {name} is skipped: {why_not(error)} (see {installer.log})")
    if "torch" not in peers:
        return peers
    peers["flex"] = peers["torch"]
    peers["torch learning"] = dataclasses.replace(peers["torch"])
    if peers["torch"].command:
        peers["torch learning"].command = [peers["torch"].command[0], str(HERE / "torch_learning_peer.py")]
    return peers
