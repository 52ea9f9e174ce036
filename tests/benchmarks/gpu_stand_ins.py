"""Lets PyPI's PyTorch be imported without the 3 GB of GPU libraries that it is linked with.

PyPI has no build of PyTorch for Linux without CUDA. Its libtorch_cpu.so, which is measured, never calls the GPU's
libraries, but the loader wants them there. So each is stood in for by a small one made here: every function that PyTorch
wants of it returns 100, which CUDA calls "no device".
"""
import pathlib
import re
import subprocess


def listed(tool, *arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=True).stdout


def needed(library):
    return re.findall(r"\(NEEDED\).*\[(.+)\]", listed("readelf", "-dW", library))


def is_found(name, folder):
    return (folder / name).exists() or not re.match(r"lib(cu|nv|nccl)", name)


def wanted_symbols(library):
    """(symbol, its version or None) of everything that the library leaves undefined."""
    for line in listed("readelf", "--dyn-syms", "-W", library).splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[6] == "UND" and fields[4] == "GLOBAL":
            symbol, _, version = fields[7].partition("@")
            yield symbol, version.strip("@") or None


def versions_of(library):
    """name of a needed library -> the versions that are asked of it"""
    versions, name = {}, None
    for line in listed("readelf", "-VW", library).splitlines():
        file = re.search(r"Version: 1  File: (\S+)", line)
        if file:
            name = file.group(1)
        elif name and (entry := re.search(r"Name: (\S+)", line)):
            versions.setdefault(name, set()).add(entry.group(1))
    return versions


def defined_symbols(libraries):
    found = set()
    for library in libraries:
        for line in listed("readelf", "--dyn-syms", "-W", library).splitlines():
            fields = line.split()
            if len(fields) >= 8 and fields[6] not in ("UND", "Ndx"):
                found.add(fields[7].partition("@")[0])
    return found


def build(name, symbols, versions, folder):
    """One library of functions that return 100; symbols: those of no version; versions: version -> its symbols."""
    every = sorted(set(symbols).union(*versions.values()) if versions else symbols)
    source = "".join(f"long {symbol}(void) {{ return 100; }}\n" for symbol in every)
    script = "".join(f"{version} {{ global: {''.join(f'{symbol}; ' for symbol in sorted(of))}}};\n"
                     for version, of in versions.items())
    (folder / "stand_in.c").write_text(source)
    (folder / "stand_in.map").write_text(script)
    options = [f"-Wl,--version-script={folder / 'stand_in.map'}"] if versions else []
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-fno-builtin", f"-Wl,-soname,{name}", *options, "-o", folder / name,
                    folder / "stand_in.c"], check=True, capture_output=True)
    (folder / "stand_in.c").unlink()
    (folder / "stand_in.map").unlink()


def make_stand_ins(torch_folder):
    """Makes what is missing beside PyTorch's own libraries."""
    folder = pathlib.Path(torch_folder) / "lib"
    libraries = sorted(folder.glob("*.so*"))
    missing = sorted({name for library in libraries for name in needed(library) if not is_found(name, folder)})
    if not missing:
        return
    own = defined_symbols(libraries)
    plain, versioned, owner = set(), {}, {}
    for library in libraries:
        for name, versions in versions_of(library).items():
            owner.update({version: name for version in versions})
        for symbol, version in wanted_symbols(library):
            if version is None and symbol not in own:
                plain.add(symbol)
            elif version is not None:
                versioned.setdefault(version, set()).add(symbol)
    for name in missing:
        of = {version: symbols for version, symbols in versioned.items() if owner.get(version) == name}
        build(name, plain if name == missing[0] else set(), of, folder)
