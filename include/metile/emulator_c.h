/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The emulator for C and everything that can call C. Options and reports are JSON text, so that the
 * interface stays as small as this. All text that a function gives back is freed with
 * metileTextFree(). Functions may be called from several threads; one kernel from one at a time. */
#ifndef METILE_EMULATOR_C_H
#define METILE_EMULATOR_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MetileKernel MetileKernel;

/* One buffer of a launch: memory of the caller, written back in the end. */
typedef struct MetileBuffer {
  uint32_t index; /* as in [[buffer(index)]] */
  void *data;
  size_t bytes;
  int uninitialised; /* what it holds at the start is not to be read */
} MetileBuffer;

/* Builds a kernel from `text`; `name` stands in messages. `options`, which may be null:
 *   {"kernel": "f", "checking": "full" or "off", "constants": {"3": "true"}, "cache": true,
 *    "include": ["folder"], "define": ["NAME=1"]}
 * Returns null and sets *error to a message if it cannot be built. */
MetileKernel *metileKernelBuild(const char *name, const char *text, const char *options,
                                char **error);
void metileKernelFree(MetileKernel *kernel);

/* Runs the kernel and waits for it. `launch`:
 *   {"threadgroups": [4, 1, 1] or "grid_threads": [1000, 1, 1], "threads": [256, 1, 1],
 *    "threadgroup_memory": {"0": 4096}, "workers": 2, "seconds": 20}
 * Returns the report as JSON text: {"microseconds": …, "findings": [{"rule", "message", "file",
 * "line", "column", "text", "hint", "count", "report"}]}, or null and sets *error to a message. */
char *metileKernelLaunch(MetileKernel *kernel, const char *launch, const MetileBuffer *buffers,
                         size_t bufferCount, char **error);

void metileTextFree(char *text);

#ifdef __cplusplus
}
#endif

#endif
