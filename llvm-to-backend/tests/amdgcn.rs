//! Code objects for every LLVM math intrinsic and atomic operation, argument layout, and AMD's own
//! library.
//!
//! Each operation on each type gives a code object without undefined symbols, or an error with
//! advice; never an internal error.

#[path = "support/code_object.rs"]
mod code_object;
#[path = "support/intrinsics.rs"]
mod intrinsics;
#[path = "support/odd_kernels.rs"]
mod odd_kernels;

use code_object::Node;
use intrinsics::every_intrinsic;
use odd_kernels::odd_kernels;
use sinter_core::{
    AmdgcnTarget, CodeObject, Image, KernelConfig, Observer, OptLevel, Target, TranslateCause, TranslateError,
    TranslateRequest, Translator, amdgcn::Wave,
};
use sinter_translate::{LinkedTranslator, Product, Step, assemble, inspect};
use std::{fs, path::PathBuf};

/// Paths of the math library in Debian's package `rocm-device-libs` and in ROCm.
const OCML: [&str; 2] = ["/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ocml.bc", "/opt/rocm/amdgcn/bitcode/ocml.bc"];

fn image(text: &str) -> Image {
    Image { hash: None, bytes: assemble(text.as_bytes()).expect("IR").into() }
}

fn request(text: &str, target: &str, opt_level: OptLevel) -> TranslateRequest {
    TranslateRequest {
        image: image(text),
        imports: vec![],
        libraries: vec![],
        target: Target::Amdgcn(target.parse::<AmdgcnTarget>().expect("a target")),
        config: KernelConfig { opt_level, ..KernelConfig::generic("k") },
    }
}

fn translate(request: &TranslateRequest) -> Result<CodeObject, TranslateError> {
    LinkedTranslator.translate(request, &Observer::default())
}

/// The defect in the translation of a kernel, if there is one.
fn fault(request: &TranslateRequest) -> Option<String> {
    match translate(request) {
        Ok(code) => {
            code_object::kernel(&code.bytes, "k");
            None
        }
        Err(error) if matches!(error.cause, TranslateCause::Unsupported { .. }) => None,
        Err(error) => Some(error.to_string()),
    }
}

fn no_faults(texts: &[String], targets: &[(&str, OptLevel)]) {
    let mut faults = Vec::new();
    for (target, level) in targets {
        let found = texts.iter().filter_map(|text| Some(format!("{}\n{text}", fault(&request(text, target, *level))?)));
        faults.extend(found);
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), texts.len(), faults.join("\n"));
}

#[test]
fn every_intrinsic_is_translated_or_refused() {
    no_faults(&every_intrinsic(), &[("gfx90a", OptLevel::O3), ("gfx1201", OptLevel::O3), ("gfx900", OptLevel::O0)]);
}

#[test]
fn odd_kernels_are_translated() {
    for (target, level) in [("gfx90a", OptLevel::O3), ("gfx1201", OptLevel::O0)] {
        for text in odd_kernels() {
            let result = translate(&request(&text, target, level));
            assert!(result.is_ok(), "{}\n{text}", result.expect_err("a failure"));
        }
    }
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
const TYPES: [&str; 11] =
    ["i8", "i16", "i32", "i64", "half", "bfloat", "float", "double", "ptr", "<2 x half>", "<2 x bfloat>"];
/// An address and the code that computes it: in global, local and private memory, and a generic one
/// loaded from memory.
const PLACES: [(&str, &str); 4] = [
    ("ptr %g", ""),
    ("ptr addrspace(3) @l", ""),
    ("ptr %a", "  %a = alloca i64\n  store i64 1, ptr %a\n"),
    ("ptr %h", "  %h = load ptr, ptr %g\n"),
];

/// True if LLVM has the operation for the type.
fn exists(operation: &str, ty: &str) -> bool {
    match operation.starts_with('f') {
        true => !ty.starts_with('i') && ty != "ptr",
        false => ty.starts_with('i') || (operation == "xchg" && !ty.starts_with('<')),
    }
}

/// A kernel that stores the result of `code`, if it has one.
fn atomic_kernel(memory: &str, ty: &str, code: &str) -> String {
    let store = if code.contains("%r =") { format!("  store {ty} %r, ptr %o\n") } else { String::new() };
    format!(
        "@l = internal addrspace(3) global i64 undef\ndefine void @k(ptr %g, ptr %o, {ty} %v) {{\n{memory}{code}{store}  \
         ret void\n}}\n"
    )
}

/// Accesses to a value of a type at an address, in several orders and scopes.
fn accesses(address: &str, ty: &str) -> Vec<String> {
    let mut all = Vec::new();
    for operation in OPERATIONS.into_iter().filter(|operation| exists(operation, ty)) {
        for rest in ["syncscope(\"agent\") monotonic", "acq_rel", "syncscope(\"workgroup\") seq_cst"] {
            all.push(format!("  %r = atomicrmw {operation} {address}, {ty} %v {rest}\n"));
        }
    }
    if ty.starts_with('<') {
        return all;
    }
    for [load, store] in [["monotonic"; 2], ["acquire", "release"], ["seq_cst"; 2]] {
        let scope = "syncscope(\"agent\")";
        all.push(format!("  %r = load atomic {ty}, {address} {scope} {load}, align 8\n"));
        all.push(format!("  store atomic {ty} %v, {address} {store}, align 8\n"));
    }
    if ty.starts_with('i') || ty == "ptr" {
        let pair = format!("  %c = cmpxchg {address}, {ty} %v, {ty} %v syncscope(\"device\") acq_rel monotonic\n");
        all.push(format!("{pair}  %r = extractvalue {{ {ty}, i1 }} %c, 0\n"));
    }
    all
}

#[test]
fn every_atomic_operation_is_translated_or_refused() {
    let mut texts = Vec::new();
    for (address, memory) in PLACES {
        for ty in TYPES {
            texts.extend(accesses(address, ty).iter().map(|code| atomic_kernel(memory, ty, code)));
        }
    }
    no_faults(&texts, &[("gfx90a", OptLevel::O3), ("gfx1201", OptLevel::O0)]);
}

#[test]
fn parameters_lie_where_the_entry_says() {
    const TYPES: [&str; 16] = [
        "i8",
        "ptr",
        "i1",
        "i16",
        "i128",
        "half",
        "bfloat",
        "float",
        "i8",
        "double",
        "<3 x float>",
        "i32",
        "<4 x i8>",
        "i24",
        "[3 x i16]",
        "<2 x double>",
    ];
    for rotation in 0..TYPES.len() {
        let types: Vec<&str> = TYPES.iter().cycle().skip(rotation).take(TYPES.len()).copied().collect();
        let list: Vec<String> = types.iter().enumerate().map(|(i, ty)| format!("{ty} %a{i}")).collect();
        let store = |(i, ty): (usize, &&str)| format!("  store volatile {ty} %a{i}, ptr %o, align 16\n");
        let uses: String = types.iter().enumerate().map(store).collect();
        let text = format!(
            "define void @k(i8 %first, ptr byval([20 x i8]) align 4 %b, {}, ptr %o) {{\n  %v = load volatile i32, ptr %b\n  \
             store volatile i32 %v, ptr %o\n{uses}  ret void\n}}\n",
            list.join(", ")
        );
        for opt_level in [OptLevel::O0, OptLevel::O3] {
            let entry_and_arguments = |code: CodeObject| (code_object::kernel(&code.bytes, "k"), code.entry);
            let (kernel, entry) =
                entry_and_arguments(translate(&request(&text, "gfx90a", opt_level)).expect("translation"));
            let place = |node: &Node| (node.get(".offset").number(), node.get(".size").number());
            let places: Vec<_> = kernel.get(".args").list().iter().map(place).collect();
            let expected: Vec<_> = entry.arguments.iter().map(|a| (u64::from(a.offset), u64::from(a.size))).collect();
            assert_eq!(places, expected, "{text}");
            let size = kernel.get(".kernarg_segment_size").number();
            let filled = size.next_multiple_of(u64::from(entry.argument_align));
            assert_eq!(filled, u64::from(entry.argument_size), "{text}");
            assert_eq!(kernel.get(".kernarg_segment_align").number(), u64::from(entry.argument_align), "{text}");
        }
    }
}

/// A library that makes every query it can, and adds the answers.
const CURIOUS: &str = "
@__oclc_ISA_version = external addrspace(4) constant i32
@__oclc_ABI_version = external addrspace(4) constant i32
@__oclc_finite_only_opt = external addrspace(4) constant i8
@__oclc_unsafe_math_opt = external addrspace(4) constant i8
@__oclc_daz_opt = external addrspace(4) constant i8
@__oclc_correctly_rounded_sqrt32 = external addrspace(4) constant i8
@__oclc_wavefrontsize64 = weak hidden addrspace(4) constant i8 7
define i32 @__ocml_answers() {
  %isa = load i32, ptr addrspace(4) @__oclc_ISA_version
  %abi = load i32, ptr addrspace(4) @__oclc_ABI_version
  %finite = load i8, ptr addrspace(4) @__oclc_finite_only_opt
  %unsafe = load i8, ptr addrspace(4) @__oclc_unsafe_math_opt
  %daz = load i8, ptr addrspace(4) @__oclc_daz_opt
  %root = load i8, ptr addrspace(4) @__oclc_correctly_rounded_sqrt32
  %wide = load i8, ptr addrspace(4) @__oclc_wavefrontsize64
  %a = add i8 %finite, %unsafe
  %b = add i8 %a, %daz
  %c = add i8 %b, %root
  %d = add i8 %c, %wide
  %e = zext i8 %d to i32
  %f = add i32 %isa, %abi
  %g = add i32 %f, %e
  ret i32 %g
}
";
const ASKING: &str = "declare i32 @__ocml_answers()
define void @k(ptr %p) {
  %a = call i32 @__ocml_answers()
  store i32 %a, ptr %p
  ret void
}
";

#[test]
fn every_control_is_answered_for_every_processor() {
    for processor in AmdgcnTarget::processors() {
        for opt_level in [OptLevel::O0, OptLevel::O3] {
            let request = TranslateRequest { libraries: vec![image(CURIOUS)], ..request(ASKING, processor, opt_level) };
            assert_eq!(fault(&request), None, "{processor}");
            let Target::Amdgcn(target) = &request.target else { unreachable!("it is one") };
            let [major, minor, stepping] = target.version();
            let wide = u32::from(target.wave == Wave::Wave64);
            let answers = major * 1000 + minor * 100 + stepping + 500 + 1 + wide;
            let product = inspect(&request, &Observer::default(), Some(Step::Optimise)).expect("translation");
            let Product::Ir(ir) = product else { panic!("no IR") };
            assert!(!ir.contains("__oclc_"), "{ir}");
            assert!(
                opt_level == OptLevel::O0 || ir.contains(&format!("store i32 {answers},")),
                "{answers} is not in {ir}"
            );
        }
    }
}

#[test]
fn an_unknown_control_is_an_error() {
    let library = CURIOUS.replace("__oclc_daz_opt", "__oclc_no_such_opt");
    let request = TranslateRequest { libraries: vec![image(&library)], ..request(ASKING, "gfx90a", OptLevel::O3) };
    let error = translate(&request).expect_err("nobody knows the answer");
    assert!(matches!(&error.cause, TranslateCause::Unsupported { what, .. } if what.contains("`__oclc_no_such_opt`")));
}

#[test]
fn amd_s_own_library_is_taken_where_it_is_given() {
    let Some(path) = OCML.iter().map(PathBuf::from).find(|path| path.exists()) else {
        println!("skipped: ocml, because neither {} exists", OCML.join(" nor "));
        return;
    };
    let ocml = Image { hash: None, bytes: fs::read(path).expect("readable").into() };
    let texts = every_intrinsic();
    // Tangents differ most: our implementation is not ocml's.
    let of_double = |name: &str| texts.iter().find(|text| text.contains(&format!("@llvm.{name}.f64("))).expect("one");
    for processor in AmdgcnTarget::processors() {
        for name in ["sin", "tan", "pow", "exp"] {
            let own = request(of_double(name), processor, OptLevel::O3);
            let given = TranslateRequest { libraries: vec![ocml.clone()], ..own.clone() };
            assert_eq!(fault(&given), None, "{name} on {processor}");
        }
    }
    let own = request(of_double("tan"), "gfx90a", OptLevel::O3);
    let given = TranslateRequest { libraries: vec![ocml], ..own.clone() };
    assert_ne!(translate(&own).expect("ours").bytes, translate(&given).expect("AMD's").bytes);
}

#[test]
fn the_same_request_gives_the_same_code() {
    let text = &every_intrinsic()[0];
    let [first, second] = [(); 2].map(|()| translate(&request(text, "gfx90a", OptLevel::O3)).expect("translation"));
    assert_eq!(first.bytes, second.bytes);
}
