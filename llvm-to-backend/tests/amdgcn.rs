//! Code objects of everything that LLVM's mathematics can name, for every processor; the layout of arguments; AMD's own library.
//!
//! Each intrinsic on each type becomes a code object that refers to nothing outside of itself, or a refusal with a remedy; never an error
//! that ends the translator.

#[path = "support/intrinsics.rs"]
mod intrinsics;

use intrinsics::every_intrinsic;
use sinter_core::{
    AmdgcnTarget, CodeObject, Image, KernelConfig, Observer, OptLevel, Target, TranslateCause, TranslateError,
    TranslateRequest, Translator,
};
use sinter_translate::{LinkedTranslator, assemble};

fn request(text: &str, target: &str, opt_level: OptLevel) -> TranslateRequest {
    TranslateRequest {
        image: Image { hash: None, bytes: assemble(text.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target: Target::Amdgcn(target.parse::<AmdgcnTarget>().expect("a target")),
        config: KernelConfig { opt_level, ..KernelConfig::generic("k") },
    }
}

fn translate(request: &TranslateRequest) -> Result<CodeObject, TranslateError> {
    LinkedTranslator.translate(request, &Observer::default())
}

/// What is wrong with the translation of a kernel.
fn fault(text: &str, target: &str, opt_level: OptLevel) -> Option<String> {
    let mut request = request(text, target, opt_level);
    if let Ok(p) = std::env::var("OCML") {
        request.libraries = vec![Image { hash: None, bytes: std::fs::read(p).unwrap().into() }];
    }
    match translate(&request) {
        Ok(_) => None,
        Err(error) if matches!(error.cause, TranslateCause::Unsupported { .. }) => {
            if std::env::var_os("SHOW").is_some() {
                eprintln!("REFUSED {error}");
            }
            None
        }
        Err(error) => {
            if std::env::var_os("SHOW").is_some() {
                eprintln!("FAULT {target} {error}\n{text}");
            }
            Some(format!("{error}\n{text}"))
        }
    }
}

#[test]
fn every_intrinsic_is_translated_or_refused() {
    let texts = every_intrinsic();
    let mut faults = Vec::new();
    for (target, level) in
        [("gfx90a", OptLevel::O3), ("gfx1100", OptLevel::O3), ("gfx900", OptLevel::O0), ("gfx1201", OptLevel::O3)]
    {
        faults.extend(texts.iter().filter_map(|text| fault(text, target, level)));
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), texts.len(), faults.join("\n"));
}

const OPERATIONS: [&str; 17] = [
    "xchg",
    "add",
    "sub",
    "and",
    "nand",
    "or",
    "xor",
    "max",
    "min",
    "umax",
    "umin",
    "fadd",
    "fsub",
    "fmax",
    "fmin",
    "uinc_wrap",
    "udec_wrap",
];

/// Kernels with one atomic operation each: on every type it has, in every kind of memory, in several orders and scopes.
fn every_atomic() -> Vec<String> {
    let mut texts = Vec::new();
    for (space, memory) in [
        ("ptr %g", ""),
        ("ptr addrspace(3) @l", ""),
        ("ptr %a", "  %a = alloca i64\n  store i64 1, ptr %a\n"),
        ("ptr %h", "  %h = load ptr, ptr %g\n"),
    ] {
        for ty in ["i8", "i16", "i32", "i64", "half", "bfloat", "float", "double", "ptr", "<2 x half>", "<2 x bfloat>"]
        {
            let (is_integer, is_pointer) = (ty.starts_with('i'), ty == "ptr");
            for operation in OPERATIONS {
                let floating = operation.starts_with('f');
                if (floating && (is_integer || is_pointer))
                    || (!floating && (operation != "xchg" || ty.starts_with('<')) && !is_integer)
                {
                    continue;
                }
                for rest in ["syncscope(\"agent\") monotonic", "acq_rel", "syncscope(\"workgroup\") seq_cst"] {
                    texts.push(format!("@l = internal addrspace(3) global i64 undef\ndefine void @k(ptr %g, ptr %o, {ty} %v) {{\n{memory}  %r = atomicrmw {operation} {space}, {ty} %v {rest}\n  store {ty} %r, ptr %o\n  ret void\n}}\n"));
                }
            }
            if ty.starts_with('<') {
                continue;
            }
            for rest in ["monotonic", "syncscope(\"agent\") acquire", "syncscope(\"wavefront\") seq_cst"] {
                texts.push(format!("@l = internal addrspace(3) global i64 undef\ndefine void @k(ptr %g, ptr %o, {ty} %v) {{\n{memory}  %r = load atomic {ty}, {space} {rest}, align 8\n  store {ty} %r, ptr %o\n  ret void\n}}\n"));
                let rest = rest.replace("acquire", "release");
                texts.push(format!("@l = internal addrspace(3) global i64 undef\ndefine void @k(ptr %g, ptr %o, {ty} %v) {{\n{memory}  store atomic {ty} %v, {space} {rest}, align 8\n  ret void\n}}\n"));
                if is_integer || is_pointer {
                    texts.push(format!("@l = internal addrspace(3) global i64 undef\ndefine void @k(ptr %g, ptr %o, {ty} %v) {{\n{memory}  %r = cmpxchg {space}, {ty} %v, {ty} %v syncscope(\"device\") acq_rel monotonic\n  %x = extractvalue {{ {ty}, i1 }} %r, 0\n  store {ty} %x, ptr %o\n  ret void\n}}\n"));
                }
            }
        }
    }
    texts
}

#[test]
fn every_atomic_is_translated_or_refused() {
    let texts = every_atomic();
    let mut faults = Vec::new();
    for (target, level) in [("gfx90a", OptLevel::O3), ("gfx900", OptLevel::O0), ("gfx1201", OptLevel::O3)] {
        faults.extend(texts.iter().filter_map(|text| fault(text, target, level)));
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), texts.len(), faults.join("\n"));
}
