//! Bounds on the growth of kernels, so that no small kernel takes long to translate.
//!
//! The tests compare sizes, because times depend on the machine. To measure the times, run
//! `cargo run --release -p sinter-translate --example nest_time`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/nests/mod.rs"]
mod nests;

use nests::{Nest, nests};
use sinter_core::{Image, KernelConfig, Observer, PtxTarget, Target, TranslateRequest};
use sinter_translate::{Product, Step, assemble, inspect, native_target};

/// Instructions that the optimiser may leave for each of its input; `BESIDES` are added. This is
/// more than the limits of growth, because those count before the code is simplified and made
/// legal.
const FACTOR: usize = 4;
const BESIDES: usize = 10_000;
/// The families that grew most before there were limits.
const WORST: [&str; 6] = [
    "nest-pragma-5000",
    "nest-pragma-large-5000",
    "loops-pragma-5000",
    "calls-narrow-5000",
    "calls-wide-5000",
    "mulmod-5000",
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

/// Instructions in the optimised module.
fn optimised(nest: &Nest, target: Target) -> usize {
    let ir = match inspect(&request(nest, target), &Observer::default(), Some(Step::Optimise)) {
        Ok(Product::Ir(ir)) => ir,
        other => panic!("{}: {other:?}", nest.name),
    };
    ir.lines().filter(|line| line.starts_with("  ")).count()
}

fn check(chosen: impl Fn(&Nest) -> bool, targets: &[Target]) {
    for nest in nests(1).iter().filter(|nest| chosen(nest)) {
        for target in targets {
            let (left, most) = (optimised(nest, target.clone()), FACTOR * nest.instructions + BESIDES);
            assert!(
                left <= most,
                "{} for {target}: {left} instructions of {}, more than {most}",
                nest.name,
                nest.instructions
            );
        }
    }
}

#[test]
fn small_kernels_stay_small() {
    check(|nest| nest.name.ends_with("-250"), &targets());
}

#[test]
fn large_kernels_grow_little() {
    check(|nest| WORST.contains(&nest.name.as_str()), &targets()[..1]);
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

/// 30 functions, each of which calls the next twice, and the last asks for the item's index.
#[test]
fn trees_of_calls_that_must_be_inlined_are_refused() {
    let all = nests(1);
    let nest = all.iter().find(|nest| nest.name == "calls-group-5000").unwrap();
    for target in targets() {
        let error = inspect(&request(nest, target), &Observer::default(), None).unwrap_err().to_string();
        assert!(error.contains("inlined") && error.contains("as arguments"), "{error}");
    }
}
