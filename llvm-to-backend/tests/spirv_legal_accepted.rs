//! Constructs that the legaliser drops, keeps or rejects.

#[path = "support/spirv_trial.rs"]
mod spirv_trial;

use sinter_core::TranslateCause;
use sinter_translate::legalised;
use spirv_trial::{full, function, target};

/// Kernels that contain only accepted instructions after legalisation.
fn accepted(text: &str, target_words: &str) -> String {
    legalised(text, "k0", &target(target_words)).expect("legal IR")
}

#[test]
fn what_says_nothing_is_dropped() {
    let text = "define void @k0(ptr addrspace(1) %p, i1 %c) {
  %s = call ptr @llvm.stacksave.p0()
  call void @llvm.assume(i1 %c) [ \"align\"(ptr addrspace(1) %p, i64 8) ]
  %e = call i1 @llvm.expect.i1(i1 %c, i1 true)
  %w = call i1 @llvm.expect.with.probability.i1(i1 %e, i1 true, double 0.9)
  call void @llvm.prefetch.p1(ptr addrspace(1) %p, i32 0, i32 3, i32 1)
  call void @llvm.sideeffect()
  %l = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %p)
  %i = call ptr @llvm.invariant.start.p1(i64 4, ptr addrspace(1) %l)
  call void @llvm.invariant.end.p1(ptr %i, i64 4, ptr addrspace(1) %l)
  %k = call i1 @llvm.is.constant.i1(i1 %c)
  %z = call i64 @llvm.objectsize.i64.p1(ptr addrspace(1) %p, i1 false, i1 true, i1 false)
  %a = select i1 %w, i64 %z, i64 0
  %b = select i1 %k, i64 3, i64 %a
  store i64 %b, ptr addrspace(1) %l
  call void @llvm.debugtrap()
  call void @llvm.stackrestore.p0(ptr %s)
  ret void
}
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare void @llvm.assume(i1)
declare i1 @llvm.expect.i1(i1, i1)
declare i1 @llvm.expect.with.probability.i1(i1, i1, double)
declare void @llvm.prefetch.p1(ptr addrspace(1), i32, i32, i32)
declare void @llvm.sideeffect()
declare ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1))
declare ptr @llvm.invariant.start.p1(i64, ptr addrspace(1))
declare void @llvm.invariant.end.p1(ptr, i64, ptr addrspace(1))
declare i1 @llvm.is.constant.i1(i1)
declare i64 @llvm.objectsize.i64.p1(ptr addrspace(1), i1, i1, i1)
declare void @llvm.debugtrap()
";
    let legal = accepted(text, "opencl:1.4:-expect-assume");
    assert!(!function(&legal, "k0").contains("call"), "{legal}");
    let legal = accepted(text, "opencl:1.4");
    assert!(function(&legal, "k0").contains("@llvm.expect.i1"), "{legal}");
    assert!(!function(&legal, "k0").contains("@llvm.assume"), "{legal}");
}

#[test]
fn a_trap_ends_the_item() {
    let text = "define void @k0(i1 %c) {
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  call void @callee(i1 %c)
  ret void
}
define internal void @callee(i1 %c) noinline {
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.ubsantrap(i8 3)
  unreachable
good:
  ret void
}
declare void @llvm.trap()
declare void @llvm.ubsantrap(i8)
";
    let legal = accepted(text, "opencl:1.4");
    let kernel = function(&legal, "k0");
    assert!(kernel.contains("store volatile i32 0, ptr addrspace(1) null, align 4"), "{kernel}");
    assert!(!kernel.contains("unreachable") && !legal.contains("call void @llvm."), "{legal}");
    assert!(legal.contains("load volatile i32, ptr addrspace(1) null"), "{legal}");
}

#[test]
fn features_decide_what_stays() {
    let text = "define void @k0(ptr addrspace(1) %p, float %x, double %d, i32 %a) {
  %f = atomicrmw fadd ptr addrspace(1) %p, float %x monotonic
  %g = atomicrmw fsub ptr addrspace(1) %p, float %x monotonic
  %h = atomicrmw fmin ptr addrspace(1) %p, double %d monotonic
  %r = call i32 @llvm.bitreverse.i32(i32 %a)
  %o = call i32 @llvm.fshl.i32(i32 %r, i32 %r, i32 7)
  store i32 %o, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
";
    let legal = accepted(text, "opencl:1.4");
    let stays = [legal.matches("atomicrmw fadd").count(), legal.matches("cmpxchg").count()];
    assert_eq!(stays, [2, 0], "{legal}");
    assert!(legal.contains("call i32 @llvm.bitreverse") && legal.contains("call i32 @llvm.fshl"), "{legal}");
    let legal = accepted(text, "opencl:1.4:-all:+int64-atomics");
    let stays = [legal.matches("atomicrmw").count(), legal.matches("cmpxchg ptr").count()];
    assert_eq!(stays, [0, 3], "{legal}");
    assert!(!legal.contains("call i32 @llvm.bitreverse") && legal.contains("call i32 @llvm.fshl"), "{legal}");
}

#[test]
fn what_has_no_equal_is_named() {
    let error = |body: &str, words: &str| {
        let text = format!(
            "define void @k0(ptr %in, ptr %out, i64 %n) {{\n{body}  ret void\n}}\ndeclare i64 @llvm.readcyclecounter()\n"
        );
        let text = if body.contains("@t") { text + "@t = external global i24\n" } else { text };
        match legalised(&text, "k0", &target(words)) {
            Err(TranslateCause::Unsupported { what, .. }) => what,
            other => panic!("{other:?}"),
        }
    };
    for (body, what) in [
        (
            "  %r = call i64 @llvm.readcyclecounter()\n  store i64 %r, ptr %out\n",
            "the intrinsic `llvm.readcyclecounter`",
        ),
        ("  %a = alloca i32, i64 %n\n  store i32 1, ptr %a\n", "a private array of variable length"),
        ("  call void %in()\n", "a call through a pointer"),
        (
            "  %a = load bfloat, ptr %in\n  %b = fadd bfloat %a, %a\n  store bfloat %b, ptr %out\n",
            "a value of the type `bfloat`",
        ),
        (
            "  %a = load atomic i128, ptr %in acquire, align 16\n  store i128 %a, ptr %out\n",
            "an atomic operation on 16 bytes",
        ),
        (
            "  %a = load i100, ptr %in\n  %f = uitofp i100 %a to float\n  store float %f, ptr %out\n",
            "`%f = uitofp i100 %a to float`",
        ),
        ("  %a = load i24, ptr @t\n  store i24 %a, ptr %out\n", "the variable `t` of an odd type"),
        ("  call void asm sideeffect \"nop\", \"\"()\n", "inline assembly"),
    ] {
        assert_eq!(error(body, "opencl:1.4"), what);
    }
    let wide = "  %a = atomicrmw add ptr %in, i64 %n monotonic\n  store i64 %a, ptr %out\n";
    assert_eq!(error(wide, "opencl:1.4:-int64-atomics"), "an atomic operation on 8 bytes");
    let kernel = legalised("define void @k0(i24 %a) {\n  ret void\n}\n", "k0", &full());
    assert!(matches!(kernel, Err(TranslateCause::Unsupported { what, .. }) if what.contains("kernel parameter")));
}
