#!/usr/bin/python3
"""safetensors_test.py OURS THEIRS: reads the sample that tests/core/learning/safetensors_test.cpp writes with nothing
but struct and json (and with NumPy, where it is installed), and writes a file of its own for the test to read."""
import json
import math
import struct
import sys

LETTERS = {"F32": "f", "F64": "d", "I64": "q", "U8": "B"}


def read(path):
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + length].decode("utf-8"))
    data = content[8 + length :]
    metadata = header.pop("__metadata__", {})
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        count = math.prod(entry["shape"])
        assert (8 + length + begin) % struct.calcsize(LETTERS[entry["dtype"]]) == 0, "not aligned"
        values = struct.unpack(f"<{count}{LETTERS[entry['dtype']]}", data[begin:end])
        arrays[name] = (entry["dtype"], entry["shape"], list(values), data[begin:end])
    assert sum(len(array[3]) for array in arrays.values()) == len(data)
    return arrays, metadata


def check_ours(path):
    arrays, metadata = read(path)
    assert metadata == {"format": "pt", "note": "two\nlines"}, metadata
    single = lambda x: struct.unpack("f", struct.pack("f", x))[0]
    assert arrays["weight"][:2] == ("F32", [2, 3])
    assert arrays["weight"][2] == [single(0.1), -2.5, single(1e-40), math.inf, 0.0, 6.0]
    assert math.copysign(1, arrays["weight"][2][4]) == -1
    assert arrays["rate"][:3] == ("F64", [], [0.1])
    assert arrays["counts"][:3] == ("I64", [2], [-1, 1 << 62])
    assert arrays["flags"][:3] == ("U8", [3, 1, 1], [0, 1, 255])
    assert arrays["empty"][:3] == ("F32", [0, 4], [])
    assert arrays['\u00dcn\u00ef "quoted"\n'][2] == [3.0]
    assert len(arrays) == 6
    return arrays


def check_with_numpy(arrays):
    try:
        import numpy as np
    except ImportError:
        print("without NumPy")
        return
    types = {"F32": np.float32, "F64": np.float64, "I64": np.int64, "U8": np.uint8}
    for dtype, shape, values, content in arrays.values():
        array = np.frombuffer(content, types[dtype]).reshape(shape)
        assert array.ravel().tolist() == values


def write_theirs(path):
    parts = [
        ("half", "F16", [2, 4], struct.pack("<8e", 0, 1, -2, 65504, 2**-24, 2**-14, math.inf, 0.5)),
        ("brain", "BF16", [2], b"".join(struct.pack("<f", x)[2:] for x in (1.0, -3.140625))),
        ("whole", "I32", [2], struct.pack("<2i", -7, 7)),
        ("scalar", "F32", [], struct.pack("<f", 1.5)),
    ]
    header, data = {"__metadata__": {"by": "python"}}, b""
    for name, dtype, shape, content in parts:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


check_with_numpy(check_ours(sys.argv[1]))
write_theirs(sys.argv[2])
print("ok")
