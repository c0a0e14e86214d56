// RUN: %metile-opt %s --cpu-legalize --split-input-file --verify-diagnostics

func.func @unknown(%a: vector<16xf32>) -> vector<16xf32> {
  // expected-error @+1 {{'math.atan' has no code on a CPU}}
  %0 = math.atan %a : vector<16xf32>
  return %0 : vector<16xf32>
}

// -----

func.func @tile(%a: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error @+1 {{a tile is left where only vectors are expected}}
  %0 = math.exp %a : tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

func.func @half_reduction(%a: vector<16xf16>) -> f16 {
  // expected-error @+1 {{reductions of f16 and bf16 accumulate in f32: widen the operand first}}
  %0 = vector.reduction <add>, %a : vector<16xf16> into f16
  return %0 : f16
}
