# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels of Metal Shading Language on this CPU and checks them while they run.

A kernel written for mx.fast.metal_kernel runs unedited, on Linux, with the same words:

    kernel = metile_check.metal_kernel(
        name="scale", input_names=["x"], output_names=["y"],
        source="uint i = thread_position_in_grid.x; y[i] = 2 * x[i];")
    y, = kernel(inputs=[x], grid=(n, 1, 1), threadgroup=(256, 1, 1),
                output_shapes=[(n,)], output_dtypes=["float32"])

Inputs are arrays of NumPy, MLX or the array module, Arrays of this module, or numbers. What a check
finds raises a Finding. Needs libmetile_runtime ($METILE_LIBRARY tells where) and clang 19 or newer.
"""

import ctypes
import json
import os
import re
import struct

__all__ = ["Array", "Error", "Finding", "Kernel", "metal_kernel"]


class Error(Exception):
    """The kernel could not be built or launched."""


class Finding(Error):
    """The kernel ran and did something wrong; `findings` holds all that was found, as dicts."""

    def __init__(self, findings):
        super().__init__("\n" + "\n".join(finding["report"] for finding in findings))
        self.findings = findings


class _Buffer(ctypes.Structure):
    _fields_ = [("index", ctypes.c_uint32), ("data", ctypes.c_void_p), ("bytes", ctypes.c_size_t),
                ("uninitialised", ctypes.c_int)]


def _load():
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ.get("METILE_LIBRARY")]
    for folder in ("../lib", "../../../lib", "../../../lib/x86_64-linux-gnu", "../../lib", "../build/lib", "../build-runtime-only/lib"):
        places += [os.path.join(here, folder, "libmetile_runtime.so")]
    for place in places:
        if place and os.path.exists(place):
            library = ctypes.CDLL(place)
            break
    else:
        try:
            library = ctypes.CDLL("libmetile_runtime.so")
        except OSError as problem:
            raise Error(f"{problem}; METILE_LIBRARY may say where it is") from problem
    library.metileKernelBuild.restype = ctypes.c_void_p
    library.metileKernelBuild.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p,
                                          ctypes.POINTER(ctypes.c_void_p)]
    library.metileKernelLaunch.restype = ctypes.c_void_p
    library.metileKernelLaunch.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(_Buffer),
                                           ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p)]
    library.metileKernelFree.argtypes = [ctypes.c_void_p]
    library.metileTextFree.argtypes = [ctypes.c_void_p]
    return library


_library = None


def _lib():
    global _library
    if _library is None:
        _library = _load()
    return _library


def _take(pointer):
    """The text behind a pointer of the library, which is freed."""
    text = ctypes.string_at(pointer).decode("utf-8", "replace")
    _lib().metileTextFree(pointer)
    return text


class Kernel:
    """A kernel built from text; see emulator_c.h for the options."""

    def __init__(self, text, name="kernel.metal", **options):
        error = ctypes.c_void_p()
        self._handle = _lib().metileKernelBuild(name.encode(), text.encode(),
                                                json.dumps(options).encode(), ctypes.byref(error))
        if not self._handle:
            raise Error(_take(error))

    def __del__(self):
        if getattr(self, "_handle", None):
            _lib().metileKernelFree(self._handle)

    def launch(self, buffers, **launch):
        """Runs on `buffers`, (index, memory, uninitialised) with memory a writable buffer; returns
        the report."""
        table = (_Buffer * len(buffers))()
        kept = []
        for row, (index, memory, uninitialised) in zip(table, buffers):
            view = memoryview(memory).cast("B") if len(memory) else None
            kept.append(view)
            row.index = index
            row.bytes = len(view) if view is not None else 0
            if row.bytes:
                row.data = ctypes.addressof(ctypes.c_char.from_buffer(view))
            row.uninitialised = uninitialised
        error = ctypes.c_void_p()
        report = _lib().metileKernelLaunch(self._handle, json.dumps(launch).encode(), table,
                                           len(buffers), ctypes.byref(error))
        if not report:
            raise Error(_take(error))
        return json.loads(_take(report))


# Name: Metal's name, struct format, size.
_TYPES = {
    "bool": ("bool", "?", 1), "int8": ("int8_t", "b", 1), "uint8": ("uint8_t", "B", 1),
    "int16": ("int16_t", "h", 2), "uint16": ("uint16_t", "H", 2), "int32": ("int32_t", "i", 4),
    "uint32": ("uint32_t", "I", 4), "int64": ("int64_t", "q", 8), "uint64": ("uint64_t", "Q", 8),
    "float16": ("half", "e", 2), "bfloat16": ("bfloat", None, 2), "float32": ("float", "f", 4),
}
_FORMATS = {form: name for name, (_, form, _) in _TYPES.items() if form}
_FORMATS.update({"l": "int64", "L": "uint64"})


def _dtype(dtype):
    """"float32" from a name, or a dtype of NumPy or MLX."""
    name = getattr(dtype, "name", None) or str(dtype)
    name = name.split(".")[-1]
    if name == "bool_":
        name = "bool"
    if name not in _TYPES:
        raise Error(f"unknown dtype '{dtype}'; known: {', '.join(_TYPES)}")
    return name


class Array:
    """A plain array, where there is no NumPy: shape, dtype and bytes."""

    def __init__(self, dtype, shape, values=None):
        self.dtype = _dtype(dtype)
        self.shape = tuple(shape)
        self.size = 1
        for extent in self.shape:
            self.size *= extent
        form, size = _TYPES[self.dtype][1:]
        self.data = bytearray(self.size * size)
        if values is not None and self.size:
            struct.pack_into(f"<{self.size}{form}", self.data, 0, *values)

    def tolist(self):
        """The elements, flat."""
        form, size = _TYPES[self.dtype][1:]
        if form is None:
            return [struct.unpack("<f", b"\0\0" + self.data[i:i + 2])[0]
                    for i in range(0, len(self.data), size)]
        return list(struct.unpack_from(f"<{self.size}{form}", self.data, 0))


def _input(value):
    """An Array with a copy of the elements of `value`."""
    if isinstance(value, Array):
        return value
    if isinstance(value, bool):
        return Array("bool", (), [value])
    if isinstance(value, int):
        return Array("int32", (), [value])
    if isinstance(value, float):
        return Array("float32", (), [value])
    view = memoryview(value)
    # The format of MLX's bfloat16 is that of bytes; its dtype tells more.
    dtype = getattr(value, "dtype", None)
    form = view.format.lstrip("<=@")
    array = Array(_dtype(dtype) if dtype is not None else _FORMATS[form], view.shape)
    array.data[:] = view.tobytes()
    return array


def _output(array):
    """A NumPy array where there is NumPy, else `array` itself."""
    try:
        import numpy
    except ImportError:
        return array
    if array.dtype == "bfloat16":
        bits = numpy.frombuffer(bytes(array.data), numpy.uint16).astype(numpy.uint32) << 16
        return bits.view(numpy.float32).reshape(array.shape)
    return numpy.frombuffer(bytes(array.data), array.dtype).reshape(array.shape)


_ATTRIBUTES = {
    "dispatch_quadgroups_per_threadgroup": "uint", "dispatch_simdgroups_per_threadgroup": "uint",
    "dispatch_threads_per_threadgroup": "uint3", "grid_origin": "uint3", "grid_size": "uint3",
    "quadgroup_index_in_threadgroup": "uint", "quadgroups_per_threadgroup": "uint",
    "simdgroup_index_in_threadgroup": "uint", "simdgroups_per_threadgroup": "uint",
    "thread_execution_width": "uint", "thread_index_in_quadgroup": "uint",
    "thread_index_in_simdgroup": "uint", "thread_index_in_threadgroup": "uint",
    "thread_position_in_grid": "uint3", "thread_position_in_threadgroup": "uint3",
    "threadgroup_position_in_grid": "uint3", "threadgroups_per_grid": "uint3",
    "threads_per_grid": "uint3", "threads_per_simdgroup": "uint", "threads_per_threadgroup": "uint3",
}


class _MetalKernel:
    def __init__(self, name, input_names, output_names, source, header, atomic_outputs, checking):
        self.name, self.header, self.source = name, header, source
        self.input_names, self.output_names = list(input_names), list(output_names)
        self.atomic_outputs, self.checking = atomic_outputs, checking
        self.built = {}

    def _uses(self, word):
        return re.search(rf"\b{word}\b", self.source) is not None

    def _text(self, inputs, output_dtypes, template):
        """The whole text, as MLX puts it together from the same parts."""
        parameters, head, arguments = [], [], []
        for name, value in template:
            if isinstance(value, bool):
                head.append(f"bool {name}")
                arguments.append("true" if value else "false")
            elif isinstance(value, int):
                head.append(f"int {name}")
                arguments.append(str(value))
            else:
                head.append(f"typename {name}")
                arguments.append(_TYPES[_dtype(value)][0])
        index = 0
        for name, array in zip(self.input_names, inputs):
            kind = _TYPES[array.dtype][0]
            space = "constant" if array.size < 8 else "device"
            sign = "&" if not array.shape else "*"
            parameters.append(f"const {space} {kind}{sign} {name} [[buffer({index})]]")
            index += 1
            for suffix, form in (("_shape", "int*"), ("_strides", "int64_t*"), ("_ndim", "int&")):
                if array.shape and self._uses(name + suffix):
                    parameters.append(f"const constant {form} {name}{suffix} [[buffer({index})]]")
                    index += 1
        for name, dtype in zip(self.output_names, output_dtypes):
            kind = _TYPES[dtype][0]
            kind = f"atomic<{kind}>" if self.atomic_outputs else kind
            parameters.append(f"device {kind}* {name} [[buffer({index})]]")
            index += 1
        for attribute, kind in _ATTRIBUTES.items():
            if self._uses(attribute):
                parameters.append(f"{kind} {attribute} [[{attribute}]]")
        function = f"custom_kernel_{self.name}"
        text = "#include <metal_stdlib>\nusing namespace metal;\n" + self.header + "\n"
        if head:
            text += f"template <{', '.join(head)}>\n"
        text += f"[[kernel]] void {function}({', '.join(parameters)}) {{\n"
        # Places in findings are those of the source that was given.
        text += f'# 1 "{self.name}"\n{self.source}\n}}\n'
        if head:
            of = f"{function}<{', '.join(arguments)}>"
            text += f'template [[host_name("{function}")]] [[kernel]] decltype({of}) {of};\n'
        return text

    def __call__(self, *, inputs, grid, threadgroup, output_shapes, output_dtypes, template=(),
                 init_value=None, verbose=False, stream=None):
        arrays = [_input(value) for value in inputs]
        dtypes = [_dtype(dtype) for dtype in output_dtypes]
        if len(arrays) != len(self.input_names):
            raise Error(f"{self.name}: {len(arrays)} inputs; it has {len(self.input_names)}")
        text = self._text(arrays, dtypes, list(template))
        if verbose:
            print(text)
        if text not in self.built:
            self.built[text] = Kernel(text, self.name + ".metal", checking=self.checking,
                                      kernel=f"custom_kernel_{self.name}")
        buffers = []
        for name, array in zip(self.input_names, arrays):
            buffers.append((len(buffers), array.data, False))
            strides, stride = [], 1
            for extent in reversed(array.shape):
                strides.insert(0, stride)
                stride *= extent
            for suffix, extra in (("_shape", Array("int32", (len(array.shape),), array.shape)),
                                  ("_strides", Array("int64", (len(array.shape),), strides)),
                                  ("_ndim", Array("int32", (1,), [len(array.shape)]))):
                if array.shape and self._uses(name + suffix):
                    buffers.append((len(buffers), extra.data, False))
        outputs = []
        for shape, dtype in zip(output_shapes, dtypes):
            output = Array(dtype, shape)
            if init_value is not None:
                output = Array(dtype, shape, [init_value] * output.size)
            outputs.append(output)
            buffers.append((len(buffers), output.data, init_value is None))
        report = self.built[text].launch(
            buffers, grid_threads=list(grid),
            threads=[min(extent, size) for extent, size in zip(threadgroup, grid)])
        if report["findings"]:
            raise Finding(report["findings"])
        return [_output(output) for output in outputs]


def metal_kernel(name, input_names, output_names, source, header="", ensure_row_contiguous=True,
                 atomic_outputs=False, checking="full"):
    """As mx.fast.metal_kernel. `checking`: "full", or "off" for speed."""
    return _MetalKernel(name, input_names, output_names, source, header, atomic_outputs, checking)
