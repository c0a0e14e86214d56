/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Runs a compiled gemm from C and compares it with three loops. Compiled with -include gemm.h. */

#include <stdio.h>
#include <stdlib.h>

enum { M = 37, N = 50, K = 29 };

int main(void) {
  static float a[M * K], b[K * N], c[M * N];
  for (int i = 0; i < M * K; ++i)
    a[i] = (float)(i % 7) - 3;
  for (int i = 0; i < K * N; ++i)
    b[i] = (float)(i % 5) - 2;
  struct gemm_arguments args;
  args.a = a, args.a_size_0 = M, args.a_size_1 = K, args.a_stride_0 = K, args.a_stride_1 = 1;
  args.b = b, args.b_size_0 = K, args.b_size_1 = N, args.b_stride_0 = N, args.b_stride_1 = 1;
  args.c = c, args.c_size_0 = M, args.c_size_1 = N, args.c_stride_0 = N, args.c_stride_1 = 1;
  const char *refused = gemm_check(&args);
  if (refused) {
    printf("%s\n", refused);
    return 1;
  }
  char *memory = (char *)malloc(gemm_scratch_bytes(&args) + 4096);
  if (!memory || gemm_launch(&args, memory + 64 - (uintptr_t)memory % 64))
    return 1;
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += a[m * K + k] * b[k * N + n];
      /* Small whole numbers: exact in any order. */
      if (sum != c[m * N + n]) {
        printf("c[%d][%d] is %g instead of %g\n", m, n, (double)c[m * N + n], (double)sum);
        return 1;
      }
    }
  printf("right\n");
  free(memory);
  return 0;
}
