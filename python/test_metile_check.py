# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels under test, for pytest: pytest python. Without pytest: python3 python/test_metile_check.py"""

import metile_check
from metile_check import Array


def test_kernel_of_mlx_runs_unedited():
    kernel = metile_check.metal_kernel(
        name="myexp", input_names=["inp"], output_names=["out"],
        source="""
            uint elem = thread_position_in_grid.x;
            T tmp = inp[elem];
            out[elem] = metal::exp(tmp);
        """)
    x = Array("float32", (4, 4), [i / 8 for i in range(16)])
    outputs = kernel(inputs=[x], template=[("T", "float32")], grid=(16, 1, 1), threadgroup=(256, 1, 1),
                     output_shapes=[(4, 4)], output_dtypes=["float32"])
    got = outputs[0].tolist() if isinstance(outputs[0], Array) else outputs[0].reshape(-1).tolist()
    assert abs(got[8] - 2.718281828) < 1e-6


def test_shapes_and_strides_are_there_when_asked_for():
    kernel = metile_check.metal_kernel(
        name="rows", input_names=["a", "scale"], output_names=["sums"],
        source="""
            uint row = thread_position_in_grid.x;
            float sum = 0;
            for (int i = 0; i < a_shape[1]; ++i)
              sum += a[row * a_strides[0] + i];
            sums[row] = scale * sum;
        """)
    a = Array("float16", (3, 5), range(15))
    sums, = kernel(inputs=[a, 0.5], grid=(3, 1, 1), threadgroup=(3, 1, 1), output_shapes=[(3,)],
                   output_dtypes=["float32"])
    assert list(sums.tolist()) == [5, 17.5, 30]


def test_a_race_is_found_at_its_line():
    kernel = metile_check.metal_kernel(
        name="reverse", input_names=["x"], output_names=["y"],
        source="""threadgroup float shared[64];
uint i = thread_position_in_threadgroup.x;
shared[i] = x[i];
y[i] = shared[63 - i];""")
    try:
        kernel(inputs=[Array("float32", (64,), range(64))], grid=(64, 1, 1), threadgroup=(64, 1, 1),
               output_shapes=[(64,)], output_dtypes=["float32"])
    except metile_check.Finding as found:
        races = [finding for finding in found.findings if finding["rule"] == "race"]
        assert (races[0]["file"], races[0]["line"]) == ("reverse", 3), races
        assert "threadgroup_barrier" in races[0]["hint"]
    else:
        raise AssertionError("the race was not found")


def test_text_that_does_not_parse_is_an_error():
    try:
        metile_check.Kernel("kernel void f(device int *a) { a[0] = b; }")
    except metile_check.Error as problem:
        assert "kernel.metal:1:39: error: use of undeclared identifier 'b'" in str(problem)
    else:
        raise AssertionError("it was built")


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print("ok", name)
