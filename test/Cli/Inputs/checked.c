/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Listens to what a compiled scale_checked shows. Compiled with -include scale_checked.h. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void show(void *host, int32_t site, int64_t x, int64_t y, int64_t z,
                 const void *const *values) {
  const char *kind = scale_checked_debug_sites[site].kind;
  const char *text = scale_checked_debug_sites[site].text;
  (void)host, (void)y, (void)z;
  if (kind[0] == 'p')
    printf("program %d: %s %g\n", (int)x, text, (double)*(const float *)values[0]);
  else
    printf("program %d: %s fails, element %d\n", (int)x, text, (int)*(const int64_t *)values[0]);
}

int main(void) {
  enum { N = 1000 };
  static float x[N], y[N];
  struct metile_debug_channel channel = {NULL, show};
  struct scale_checked_arguments args;
  args.x = x, args.y = y, args.factor = 3, args.n = N, args.debug_channel = &channel;
  char *memory = (char *)malloc(scale_checked_scratch_bytes(&args) + 64);
  char *scratch = memory + 64 - (uintptr_t)memory % 64;
  printf("%d\n", scale_checked_launch(&args, scratch));
  x[300] = NAN;
  printf("%d\n", scale_checked_launch(&args, scratch));
  args.debug_channel = NULL;
  printf("%d\n", scale_checked_launch(&args, scratch));
  free(memory);
  return 0;
}
