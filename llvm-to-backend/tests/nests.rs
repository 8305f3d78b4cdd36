//! Bounds on code growth, so that no small kernel takes long to translate.
//!
//! The tests compare sizes, because times depend on the machine. To measure the times, run
//! `cargo run --release -p sinter-translate --example nest_time`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/nests/mod.rs"]
mod nests;

use nests::{Nest, nests};
use sinter_core::{Image, KernelConfig, Observer, PtxTarget, Target, TranslateRequest, Translator};
use sinter_translate::{LinkedTranslator, Product, Step, assemble, inspect, native_target};

/// Instructions that the optimiser may leave for each input instruction; `BESIDES` are added. This
/// is twice the growth limits, because those are applied before the code is simplified and
/// legalised.
const FACTOR: usize = 1;
const BESIDES: usize = 11_000;
/// Bytes of host code per instruction, and of AMD's.
const HOST_BYTES: usize = 40;
const AMD_BYTES: usize = 30;
/// Instructions that the legaliser may leave for each input instruction of 128 bits.
const SHARED: usize = 12;
/// Instructions per input instruction in a kernel that is cut at its barriers.
const CUT: usize = 10;
/// Loops over the items of a group into which a kernel with barriers is split.
const MOST_LOOPS: usize = 100;
/// The families that grew most before the limits were introduced.
const WORST: [&str; 8] = [
    "nest-pragma-5000",
    "nest-pragma-large-5000",
    "loops-pragma-5000",
    "calls-narrow-5000",
    "calls-wide-5000",
    "mulmod-5000",
    "barriers-in-nest-5000",
    "private-array-5000",
];

fn targets() -> [Target; 4] {
    let gpu = PtxTarget::for_device(90, 85).unwrap();
    let (amd, spirv) = ("gfx90a".parse().unwrap(), "opencl".parse().unwrap());
    [Target::Ptx(gpu), Target::Amdgcn(amd), Target::Spirv(spirv), Target::Host(native_target())]
}

fn request(nest: &Nest, target: Target) -> TranslateRequest {
    let mut config = KernelConfig::generic("kernel");
    (config.dimensions, config.group_size) = (1, Some([64, 1, 1]));
    let bytes = assemble(nest.text.as_bytes()).unwrap().into();
    TranslateRequest { image: Image { hash: None, bytes }, imports: vec![], libraries: vec![], target, config }
}

/// The module after a step.
fn after(step: Step, nest: &Nest, target: Target) -> String {
    match inspect(&request(nest, target), &Observer::default(), Some(step)) {
        Ok(Product::Ir(ir)) => ir,
        other => panic!("{}: {other:?}", nest.name),
    }
}

fn instructions(ir: &str) -> usize {
    ir.lines().filter(|line| line.starts_with("  ")).count()
}

fn check(chosen: impl Fn(&Nest) -> bool, targets: &[Target]) {
    for nest in nests(1).iter().filter(|nest| chosen(nest)) {
        for (target, step) in
            targets.iter().flat_map(|target| [Step::Simplify, Step::Optimise].map(|step| (target, step)))
        {
            let (left, most) = (instructions(&after(step, nest, target.clone())), FACTOR * nest.instructions + BESIDES);
            assert!(
                left <= most,
                "{} for {target}: {left} instructions of {} after {step}, more than {most}",
                nest.name,
                nest.instructions
            );
        }
    }
}

fn named(name: &str) -> Nest {
    nests(1).into_iter().find(|nest| nest.name == name).unwrap()
}

#[test]
fn small_kernels_stay_small() {
    check(|nest| nest.name.ends_with("-250"), &targets());
}

#[test]
fn large_kernels_grow_little() {
    check(|nest| WORST.contains(&nest.name.as_str()), &targets()[..1]);
}

/// Calls of small functions were inlined into code of any size.
#[test]
fn small_functions_are_not_inlined_everywhere() {
    let (nest, amd) = (named("calls-wide-5000"), targets()[1].clone());
    let code = LinkedTranslator.translate(&request(&nest, amd), &Observer::default()).unwrap();
    let most = AMD_BYTES * nest.instructions;
    assert!(code.bytes.len() <= most, "{} bytes, more than {most}", code.bytes.len());
}

/// LLVM's vectoriser would create divisions of vectors of 128-bit integers, which no processor has.
#[test]
fn wide_divisions_that_become_calls_are_not_vectorised() {
    let nest = named("wide-division-5000");
    let code =
        LinkedTranslator.translate(&request(&nest, Target::Host(native_target())), &Observer::default()).unwrap();
    assert!(code.bytes.len() <= HOST_BYTES * nest.instructions, "{} bytes", code.bytes.len());
}

/// SPIR-V cannot pass 128-bit integers to functions, so that each of 829 divisions had its own
/// code.
#[test]
fn wide_divisions_are_shared_where_only_their_halves_can_be_passed() {
    let nest = named("wide-division-5000");
    for spirv in ["opencl", "vulkan"] {
        let ir = after(Step::Optimise, &nest, Target::Spirv(spirv.parse().unwrap()));
        let whole = instructions(&ir);
        assert!(whole <= SHARED * nest.instructions, "{spirv}: {whole} instructions");
    }
}

/// Each of 751 reductions had its own code.
#[test]
fn many_collectives_share_their_code_on_ptx() {
    let target = &targets()[0];
    let ir = |name| after(Step::Optimise, &named(name), target.clone());
    let (few, many) = (ir("collectives-250"), ir("collectives-5000"));
    assert!(!few.contains("@__acpp_sscp_work_group_reduce"), "a small kernel has calls");
    let (left, most) = (instructions(&many), named("collectives-5000").instructions);
    assert!(left <= most, "{left} instructions, more than {most}");
}

/// Each of 751 reductions had its own barrier. A few reduce literals, and keep theirs.
#[test]
fn many_collectives_of_a_block_are_one_on_the_host() {
    let barriers = |name| {
        let ir = after(Step::Simplify, &named(name), Target::Host(native_target()));
        ir.lines().filter(|line| line.contains("call void @__acpp_sscp_work_group_barrier(")).count()
    };
    let (few, many) = (barriers("collectives-250"), barriers("collectives-5000"));
    assert!(many <= 30, "{many} barriers");
    assert!(few > 30, "the reductions of a small kernel share {few} barriers");
}

#[test]
fn kernels_with_many_barriers_are_not_copied_for_each() {
    for name in ["barriers-in-nest-5000", "barriers-kept-5000", "collectives-1200", "collectives-5000"] {
        let ir = after(Step::Entry, &named(name), Target::Host(native_target()));
        let calls = ir.lines().filter(|line| line.contains("call") && line.contains("@kernel.item(")).count();
        assert!((1..=MOST_LOOPS).contains(&calls), "{name}: {calls} calls");
    }
}

/// Each of 383 barriers had a copy of every value that is needed behind the last one.
#[test]
fn values_that_outlive_many_barriers_are_not_copied_at_each() {
    let nest = named("barriers-kept-5000");
    let whole = instructions(&after(Step::Entry, &nest, Target::Host(native_target())));
    assert!(whole <= CUT * nest.instructions, "{whole} instructions");
}

#[test]
fn generated_kernels_are_no_larger_than_said() {
    let all = nests(7);
    let large = all.iter().filter(|nest| nest.instructions > nests::LIMIT);
    assert_eq!(large.map(|nest| &nest.name).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(
        nests(7).iter().map(|nest| &nest.text).collect::<Vec<_>>(),
        all.iter().map(|nest| &nest.text).collect::<Vec<_>>()
    );
}

/// 30 functions, each of which calls the next one twice; the last one queries the item's index.
#[test]
fn trees_of_calls_that_must_be_inlined_are_refused() {
    let nest = named("calls-group-5000");
    for target in targets() {
        let error = inspect(&request(&nest, target), &Observer::default(), None).unwrap_err().to_string();
        assert!(error.contains("inlined") && error.contains("as arguments"), "{error}");
    }
}
