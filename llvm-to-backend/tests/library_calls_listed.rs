//! Every runtime library call that LLVM lists (`llvm/IR/RuntimeLibcalls.def`): an operation that
//! may become it is translated for x86-64 with and without F16C, or rejected by name.
//!
//! The list is read from the headers of the LLVM that the translator is built with. An entry that
//! this test does not know fails it.

mod support;

use sinter_core::{HostTarget, KernelConfig, Observer, OptLevel, Target, TranslateCause, TranslateRequest, Translator};
use sinter_translate::{LinkedTranslator, native_target};
use std::{collections::BTreeSet, env, fs, path::PathBuf};
use support::request;

/// Result of translating an operation that LLVM may lower to a library call.
enum Fate {
    /// Translated; the code computes `%r` of a type from `%a`, `%b` and `%n`.
    Translated(Sample),
    /// Rejected with the name of a type or of the function in the error.
    Refused(Sample, &'static str),
    /// Not reachable from a kernel's IR on x86-64, for this reason.
    Unreachable(&'static str),
}

/// An operation: types of `%a` and of `%r`, and the code.
struct Sample {
    from: String,
    to: String,
    body: String,
}

fn sample(from: &str, to: &str, body: String) -> Sample {
    Sample { from: from.to_owned(), to: to.to_owned(), body }
}

/// The IR type for a type name in the list.
fn ir_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "F16" => "half",
        "BF16" => "bfloat",
        "F32" => "float",
        "F64" => "double",
        "F80" => "x86_fp80",
        "F128" => "fp128",
        "I8" => "i8",
        "I16" => "i16",
        "I32" => "i32",
        "I64" => "i64",
        "I128" => "i128",
        _ => return None,
    })
}

/// Suffix of intrinsics for a type.
fn suffix(ty: &str) -> &str {
    match ty {
        "half" => "f16",
        "bfloat" => "bf16",
        "float" => "f32",
        "double" => "f64",
        "x86_fp80" => "f80",
        "fp128" => "f128",
        ty => ty,
    }
}

const INTRINSICS: [(&str, &str); 28] = [
    ("SQRT", "sqrt"),
    ("LOG", "log"),
    ("LOG2", "log2"),
    ("LOG10", "log10"),
    ("EXP", "exp"),
    ("EXP2", "exp2"),
    ("EXP10", "exp10"),
    ("SIN", "sin"),
    ("COS", "cos"),
    ("TAN", "tan"),
    ("SINH", "sinh"),
    ("COSH", "cosh"),
    ("TANH", "tanh"),
    ("ASIN", "asin"),
    ("ACOS", "acos"),
    ("ATAN", "atan"),
    ("CEIL", "ceil"),
    ("TRUNC", "trunc"),
    ("RINT", "rint"),
    ("NEARBYINT", "nearbyint"),
    ("ROUND", "round"),
    ("ROUNDEVEN", "roundeven"),
    ("FLOOR", "floor"),
    ("LROUND", "lround"),
    ("LLROUND", "llround"),
    ("LRINT", "lrint"),
    ("LLRINT", "llrint"),
    ("CTLZ", "ctlz"),
];
const INSTRUCTIONS: [(&str, &str); 17] = [
    ("SHL", "shl"),
    ("SRL", "lshr"),
    ("SRA", "ashr"),
    ("MUL", "mul"),
    ("SDIV", "sdiv"),
    ("UDIV", "udiv"),
    ("SREM", "srem"),
    ("UREM", "urem"),
    ("SDIVREM", "sdiv"),
    ("UDIVREM", "urem"),
    ("NEG", "sub"),
    ("ADD", "fadd"),
    ("SUB", "fsub"),
    ("DIV", "fdiv"),
    ("REM", "frem"),
    ("FMUL", "fmul"),
    ("UO", "uno"),
];
const COMPARISONS: [&str; 7] = ["OEQ", "UNE", "OGE", "OLT", "OLE", "OGT", "UO"];

/// A call of an intrinsic with `count` operands of its type.
fn intrinsic(name: &str, ty: &str, count: usize) -> Sample {
    let list = ["%a", "%b", "%a"][..count].iter().map(|value| format!("{ty} {value}")).collect::<Vec<_>>().join(", ");
    sample(ty, ty, format!("  %r = call {ty} @llvm.{name}.{}({list})\n", suffix(ty)))
}

/// An operation on one type.
fn of_type(operation: &str, ty: &str) -> Option<Sample> {
    let s = suffix(ty);
    let named = |table: &[(&str, &'static str)]| table.iter().find(|(name, _)| *name == operation).map(|(_, ir)| *ir);
    let operation = operation.strip_suffix("_FINITE").unwrap_or(operation);
    Some(match operation {
        "MUL" if !ty.starts_with('i') => sample(ty, ty, format!("  %r = fmul {ty} %a, %b\n")),
        "SINCOS" | "SINCOS_STRET" => {
            let calls =
                ["sin", "cos"].map(|name| format!("  %{name} = call {ty} @llvm.{name}.{s}({ty} %a)\n")).concat();
            sample(ty, ty, calls + &format!("  %r = fadd {ty} %sin, %cos\n"))
        }
        "MULO" => {
            let call = format!("  %p = call {{ {ty}, i1 }} @llvm.smul.with.overflow.{ty}({ty} %a, {ty} %b)\n");
            sample(ty, "i1", call + &format!("  %r = extractvalue {{ {ty}, i1 }} %p, 1\n"))
        }
        "CTLZ" => sample(ty, ty, format!("  %r = call {ty} @llvm.ctlz.{ty}({ty} %a, i1 false)\n")),
        "FMA" => intrinsic("fma", ty, 3),
        "POW" => intrinsic("pow", ty, 2),
        "COPYSIGN" => intrinsic("copysign", ty, 2),
        "FMIN" => intrinsic("minnum", ty, 2),
        "FMAX" => intrinsic("maxnum", ty, 2),
        "POWI" | "LDEXP" => {
            let name = operation.to_lowercase();
            sample(ty, ty, format!("  %r = call {ty} @llvm.{name}.{s}.i32({ty} %a, i32 %n)\n"))
        }
        "FREXP" => {
            let call = format!("  %p = call {{ {ty}, i32 }} @llvm.frexp.{s}.i32({ty} %a)\n");
            sample(ty, ty, call + &format!("  %r = extractvalue {{ {ty}, i32 }} %p, 0\n"))
        }
        "LROUND" | "LLROUND" | "LRINT" | "LLRINT" => {
            let name = operation.to_lowercase();
            sample(ty, "i64", format!("  %r = call i64 @llvm.{name}.i64.{s}({ty} %a)\n"))
        }
        comparison if COMPARISONS.contains(&comparison) => {
            let predicate = if comparison == "UO" { "uno".to_owned() } else { comparison.to_lowercase() };
            sample(ty, "i1", format!("  %r = fcmp {predicate} {ty} %a, %b\n"))
        }
        _ => match (named(&INSTRUCTIONS), INTRINSICS.iter().find(|(name, _)| *name == operation)) {
            (Some(instruction), _) => sample(ty, ty, format!("  %r = {instruction} {ty} %a, %b\n")),
            (None, Some((_, name))) => intrinsic(name, ty, 1),
            _ => return None,
        },
    })
}

fn conversion(code: &str) -> Option<Sample> {
    let (operation, types) = code.split_once('_')?;
    let (from, to) = types.split_once('_')?;
    let word = match operation {
        "FPEXT" => "fpext",
        "FPROUND" => "fptrunc",
        "FPTOSINT" => "fptosi",
        "FPTOUINT" => "fptoui",
        "SINTTOFP" => "sitofp",
        "UINTTOFP" => "uitofp",
        _ => return None,
    };
    let (from, to) = (ir_type(from)?, ir_type(to)?);
    Some(sample(from, to, format!("  %r = {word} {from} %a to {to}\n")))
}

/// The expected result for an entry of the list; `None` for one that is not known here.
fn fate(code: &str) -> Option<Fate> {
    const BYTES: &str = "  call void @llvm.NAME.p0.p0.i64(ptr %o, ptr %i, i64 %b.wide, i1 false)\n  %r = or i8 %a, 0\n";
    if let Some(element) = code.strip_prefix("MEM").filter(|rest| rest.contains("_ELEMENT_")) {
        return (!element.is_empty()).then_some(Fate::Unreachable("only LLVM's garbage-collected languages make them"));
    }
    let unreachable = match code {
        _ if code.contains("PPCF128") => Some("a format of PowerPC, which is refused as a type"),
        _ if code.starts_with("SYNC_") || code.starts_with("OUTLINE_ATOMIC") => Some("x86-64 has the instructions"),
        "CBRT_F32" | "CBRT_F64" | "CBRT_F80" | "CBRT_F128" => Some("there is no such intrinsic"),
        "CALLOC" | "BZERO" => Some("kernels have no heap; only systems of Apple have the other"),
        "UNWIND_RESUME" | "CXA_END_CLEANUP" => Some("exceptions are dropped"),
        "STACKPROTECTOR_CHECK_FAIL" => Some("the attributes are removed"),
        "DEOPTIMIZE" | "RETURN_ADDRESS" | "CLEAR_CACHE" | "RISCV_FLUSH_ICACHE" | "UNKNOWN_LIBCALL" => {
            Some("other languages' and other machines'")
        }
        "FEGETENV" | "FESETENV" | "FEGETMODE" | "FESETMODE" => Some("x86-64 has the instructions"),
        _ => None,
    };
    if let Some(reason) = unreachable {
        return Some(Fate::Unreachable(reason));
    }
    if let Some(rest) = code.strip_prefix("ATOMIC_") {
        // Those of 16 bytes without CMPXCHG16B, and those of unknown size if the alignment is too
        // low.
        let wide = rest.ends_with("_16") || !rest.ends_with(|c: char| c.is_ascii_digit());
        let sample = sample("i128", "i128", "  %r = atomicrmw add ptr %o, i128 %a seq_cst\n".to_owned());
        return Some(if wide {
            Fate::Refused(sample, "a call to `__")
        } else {
            Fate::Unreachable("x86-64 has the instructions")
        });
    }
    match code {
        "MEMCPY" | "MEMMOVE" => {
            let body = BYTES.replace("NAME", &code.to_lowercase()).replace("%b.wide", "%size");
            return Some(Fate::Translated(sample("i8", "i8", "  %size = zext i32 %n to i64\n".to_owned() + &body)));
        }
        "MEMSET" => {
            let body = "  %size = zext i32 %n to i64\n  call void @llvm.memset.p0.i64(ptr %o, i8 %a, i64 %size, i1 false)\n  %r = or i8 %a, 0\n";
            return Some(Fate::Translated(sample("i8", "i8", body.to_owned())));
        }
        _ => {}
    }
    let made = conversion(code).or_else(|| {
        let (operation, ty) = code.rsplit_once('_')?;
        of_type(operation, ir_type(ty)?)
    })?;
    let is_quadruple = [&made.from, &made.to].into_iter().any(|ty| ty == "fp128");
    Some(if is_quadruple { Fate::Refused(made, "`fp128`") } else { Fate::Translated(made) })
}

/// Returns `None` if the translation succeeds.
fn refusal(sample: &Sample, target: &HostTarget, level: OptLevel) -> Option<String> {
    let Sample { from, to, body } = sample;
    let text = format!(
        "define void @k(ptr %i, ptr %o, i32 %n) {{\n  %a = load {from}, ptr %i\n  %j = getelementptr i8, ptr %i, i64 16\n  \
         %b = load {from}, ptr %j\n{body}  store {to} %r, ptr %o\n  ret void\n}}\n"
    );
    let config = KernelConfig { opt_level: level, ..KernelConfig::generic("k") };
    let request = TranslateRequest { target: Target::Host(target.clone()), config, ..request(&text, "k") };
    match LinkedTranslator.translate(&request, &Observer::default()) {
        Ok(_) => None,
        Err(error) => match &error.cause {
            TranslateCause::Unsupported { what, .. } => Some(what.clone()),
            _ => panic!("{error}\n{text}"),
        },
    }
}

/// The entries of LLVM's list.
fn listed() -> Option<BTreeSet<String>> {
    let prefix = env::var_os("LLVM_SYS_191_PREFIX").map_or_else(|| PathBuf::from("/usr/lib/llvm-19"), PathBuf::from);
    let text = fs::read_to_string(prefix.join("include/llvm/IR/RuntimeLibcalls.def")).ok()?;
    let calls = text.lines().filter_map(|line| line.trim().strip_prefix("HANDLE_LIBCALL("));
    let names = calls.filter_map(|rest| rest.split([',', ')']).next());
    // The last lines of the file are macros over names of atomics.
    Some(names.filter(|name| !name.contains('#')).map(str::to_owned).collect())
}

#[test]
fn every_listed_call_is_translated_or_refused_by_name() {
    let Some(codes) = listed() else {
        println!("skipped: LLVM's list of runtime library calls, because its headers are not installed");
        return;
    };
    assert!(codes.len() > 500, "{} entries", codes.len());
    let native = native_target();
    let old = HostTarget { cpu: "x86-64".to_owned(), features: String::new(), ..native.clone() };
    let newer = HostTarget { cpu: "sapphirerapids".to_owned(), features: String::new(), ..native.clone() };
    let middle = HostTarget { cpu: "x86-64-v3".to_owned(), features: String::new(), ..native };
    let mut faults = Vec::new();
    for code in codes {
        let (sample, reason) = match fate(&code) {
            None => {
                faults.push(format!("{code}: not known"));
                continue;
            }
            Some(Fate::Unreachable(reason)) => {
                assert!(!reason.is_empty());
                continue;
            }
            Some(Fate::Translated(sample)) => (sample, None),
            Some(Fate::Refused(sample, reason)) => (sample, Some(reason)),
        };
        for target in [&old, &middle, &newer] {
            // CPUs of x86-64-v3 and later have CMPXCHG16B.
            if reason.is_some_and(|reason| reason.contains("call to")) && target.cpu != "x86-64" {
                continue;
            }
            for level in [OptLevel::O0, OptLevel::O3] {
                let said = refusal(&sample, target, level);
                let is_expected = match (&said, reason) {
                    (None, None) => true,
                    (Some(said), Some(reason)) => said.contains(reason),
                    _ => false,
                };
                if !is_expected {
                    faults.push(format!("{code} on {}, {level:?}: {said:?} of{}", target.cpu, sample.body));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}
