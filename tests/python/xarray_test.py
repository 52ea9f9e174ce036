#!/usr/bin/python3
"""xarray_test.py FILE: opens the sample that tests/core/data/xarray_test.cpp writes as a user of xarray would, with every
engine that is installed. Exit 0: all is well; 77: no xarray here; anything else: it does not work."""
import sys

try:
    import h5py
    import numpy as np
    import xarray as xr
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError as missing:
    print(missing)
    sys.exit(77)


def engines():
    names = []
    for module, engine in (("h5netcdf", "h5netcdf"), ("netCDF4", "netcdf4")):
        try:
            __import__(module)
            names.append(engine)
        except ImportError:
            print("without", module)
    return names


def check_content(ds):
    assert ds.variance.dims == ("branch", "seed", "temperature"), ds.variance.dims
    assert ds.variance.shape == (2, 3, 4)
    assert set(ds.coords) == {"branch", "seed", "temperature"}, ds.coords
    assert list(ds.branch.values) == ["cooling", "heating"]
    assert ds.seed.dtype == np.int64 and list(ds.seed.values) == [1, 2, 3]
    assert list(ds.temperature.values) == [0.1, 0.2, 0.3, 0.4]
    assert ds.temperature.attrs["units"] == "1" and ds.temperature.attrs["long_name"] == "softmax temperature"
    assert ds.variance.attrs["long_name"] == "variance of the opinions"
    assert np.isnan(ds.variance.sel(branch="heating", seed=3, temperature=0.4))
    assert float(ds.variance.sel(branch="cooling", seed=2, temperature=0.3)) == 6.0
    assert ds.critical.dims == () and float(ds.critical) == 0.25
    assert ds.group.dtype == np.uint8 and ds.group.attrs["flag_meanings"] == "Mr._Hi Officer"
    assert list(ds.group.attrs["flag_values"]) == [0, 1]
    assert list(ds.name.values) == ["", "\u00dcn\u00ef", "c"]
    assert ds.attrs["Conventions"] == "CF-1.10" and ds.attrs["title"] == "a sample"
    assert "agent" in ds.dims and "agent" not in ds.coords
    assert ds.empty.shape == (0,)


def check_plots(ds):
    ds.variance_of_one_branch.mean("seed").plot(x="temperature")  # a line
    plt.close()
    lines = ds.variance.mean("seed").plot(x="temperature", hue="branch")
    assert len(lines) == 2
    assert [t.get_text() for t in plt.gca().get_legend().get_texts()] == ["cooling", "heating"]
    assert plt.gca().get_xlabel() == "softmax temperature [1]", plt.gca().get_xlabel()
    plt.close()
    ds.variance.mean("seed").sel(branch="cooling").plot(x="temperature")
    plt.close()


def check_documents(path):
    with h5py.File(path) as file:
        assert file["documents/config.toml"].asstr()[()] == "seed = 1\n"
        assert len(file["documents/large"].asstr()[()]) == 100000
        assert len(file["documents"].attrs["content_hash"]) == 64


for engine in [None] + engines():
    for options in ({}, {"group": "/"}):
        with xr.open_dataset(sys.argv[1], engine=engine, **options) as ds:
            check_content(ds.load())
            check_plots(ds)
check_documents(sys.argv[1])
print("ok", engines())
