//! The GPU power functions with approximate instructions, run with the host's logarithm and
//! exponential function instead.
//!
//! *Invariant:* the flag `afn` changes neither signs nor domains.

mod support;

use sinter_core::{Observer, Target, TranslateRequest};
use sinter_translate::{Product, Step, inspect};
use support::{address, request, run, translate};

const KERNEL: &str = "
declare float @llvm.pow.f32(float, float)
define void @k(ptr %x, ptr %y, ptr %r, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %px = getelementptr float, ptr %x, i64 %i
  %py = getelementptr float, ptr %y, i64 %i
  %pr = getelementptr float, ptr %r, i64 %i
  %vx = load float, ptr %px
  %vy = load float, ptr %py
  %v = call afn float @llvm.pow.f32(float %vx, float %vy)
  store float %v, ptr %pr
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
";
/// Equivalents of GPU instructions in target-neutral IR.
const MEANINGS: [(&str, &str); 8] = [
    ("@llvm.amdgcn.log.f32", "@llvm.log2.f32"),
    ("@llvm.nvvm.lg2.approx.f", "@llvm.log2.f32"),
    ("@llvm.amdgcn.exp2.f32", "@llvm.exp2.f32"),
    ("@llvm.nvvm.ex2.approx.f", "@llvm.exp2.f32"),
    ("declare float @llvm.amdgcn.fmul.legacy(float, float)", LEGACY),
    ("@llvm.amdgcn.fmul.legacy", "@legacy"),
    ("protected amdgpu_kernel ", ""),
    ("ptx_kernel ", ""),
];
/// Anything times zero is zero ("Vega" Instruction Set Architecture, V_MUL_LEGACY_F32).
const LEGACY: &str = "define float @legacy(float %a, float %b) {
  %p = fcmp oeq float %a, 0.0
  %q = fcmp oeq float %b, 0.0
  %z = or i1 %p, %q
  %m = fmul float %a, %b
  %r = select i1 %z, float 0.0, float %m
  ret float %r
}
";
const VALUES: [f32; 24] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    3.0,
    -3.0,
    0.5,
    -0.5,
    1.5,
    -1.5,
    7.0,
    -7.0,
    10.25,
    -10.25,
    8_388_609.0,
    -8_388_609.0,
    16_777_216.0,
    1e30,
    -1e30,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// Host code from optimised GPU code.
fn by_the_host(target: &str) -> TranslateRequest {
    let target = match target.strip_prefix("sm_") {
        Some(sm) => {
            Target::Ptx(sinter_core::PtxTarget { sm: sm.parse().expect("a number"), isa: 85, line_tables: false })
        }
        None => Target::Amdgcn(target.parse().expect("a target")),
    };
    let request_of_gpu = TranslateRequest { target, ..request(KERNEL, "k") };
    let product = inspect(&request_of_gpu, &Observer::default(), Some(Step::Optimise)).expect("translation");
    let Product::Ir(text) = product else { panic!("no IR") };
    assert!(text.contains("@llvm.fabs.f32"), "the approximate sequence is not in {text}");
    let text = MEANINGS.iter().fold(text.replace(" addrspace(1)", ""), |text, (gpu, host)| text.replace(gpu, host));
    let foreign = |line: &&str| !line.starts_with("target ") && !line.starts_with("attributes ");
    let lines: Vec<_> = text.lines().filter(foreign).map(|line| line.split(" #").next().unwrap_or(line)).collect();
    let opening = |line: &str| if line.starts_with("define ") && !line.ends_with('{') { " {\n" } else { "\n" };
    request(&lines.iter().map(|line| format!("{line}{}", opening(line))).collect::<String>(), "k")
}

fn is_near(value: f32, exact: f32) -> bool {
    let same = value.to_bits() == exact.to_bits() || (value.is_nan() && exact.is_nan());
    same || (value.is_sign_negative() == exact.is_sign_negative() && (value - exact).abs() <= exact.abs() * 1e-4)
}

#[test]
fn signs_and_domains_are_those_of_the_exact_power() {
    let pairs = VALUES.iter().flat_map(|x| VALUES.map(|y| (*x, y)));
    let (x, y): (Vec<f32>, Vec<f32>) = pairs.unzip();
    for target in ["gfx90a", "gfx1201", "sm_90"] {
        let results = vec![0f32; x.len()];
        let count = (x.len() as u64).to_le_bytes();
        let code = translate(&by_the_host(target));
        run(&code, &[&address(&x), &address(&y), &address(&results), &count], [1; 3], [1; 3]);
        for ((x, y), result) in x.iter().zip(&y).zip(&results) {
            let exact = x.powf(*y);
            assert!(is_near(*result, exact), "{target}: {x:?} to the power of {y:?} is {exact:?}, not {result:?}");
        }
    }
}
