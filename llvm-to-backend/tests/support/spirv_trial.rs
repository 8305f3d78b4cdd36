//! Runs kernels before and after SPIR-V legalisation.
#![allow(dead_code, reason = "each test uses what it needs")]

#[path = "spirv_random.rs"]
pub(crate) mod spirv_random;

use sinter_core::{SpirvEnvironment, SpirvTarget};
use sinter_driver_host::{Loader, ObjectLoader};
use sinter_llvm::{Emit, Machine, Session};
use sinter_translate::{legalised, native_target};
use spirv_random::Source;
use std::{ffi::c_void, fmt::Write};

/// A test kernel with its input and output.
pub(crate) type Kernel = extern "C" fn(*const u8, *mut u8);

/// Code for this machine.
pub(crate) struct Code(Vec<u8>);

impl Code {
    pub(crate) fn of(text: &str) -> Code {
        let host = native_target();
        let session = Session::new().expect("session");
        let machine = Machine::new(&host.triple, &host.cpu, &host.features, false).expect("machine");
        let module = session.parse(text.as_bytes()).expect("IR");
        module.set_target(&host.triple, &machine);
        module.verify().expect("well-formed");
        Code(machine.emit(&module, Emit::Object).expect("object"))
    }

    pub(crate) fn run(&self, kernel: &str, input: &[u8]) -> Vec<u8> {
        let image = ObjectLoader::default().load(kernel, &self.0).expect("load");
        // SAFETY: every kernel of these tests has this type.
        let entry = unsafe { std::mem::transmute::<*mut c_void, Kernel>(image.entry().as_ptr()) };
        let (input, mut output) = (Lines::of(input), Lines::of(&[0xa5; SIZE]));
        entry(input.0.as_ptr().cast(), output.0.as_mut_ptr().cast());
        output.bytes()
    }
}

/// Size of input and output in bytes.
pub(crate) const SIZE: usize = 256;

#[repr(align(64))]
#[derive(Clone, Copy)]
pub(crate) struct Line([u8; 64]);

pub(crate) struct Lines(Vec<Line>);

impl Lines {
    pub(crate) fn of(bytes: &[u8]) -> Lines {
        Lines(bytes.chunks_exact(64).map(|chunk| Line(chunk.try_into().expect("a line"))).collect())
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|line| line.0).collect()
    }
}

pub(crate) fn full() -> SpirvTarget {
    SpirvTarget::full(SpirvEnvironment::OpenCl)
}

pub(crate) fn target(text: &str) -> SpirvTarget {
    text.parse().expect("a target")
}

/// Runs the kernels `k0`, `k1` and so on before and after legalisation on the same inputs.
pub(crate) fn compare(text: &str, kernels: usize, target: &SpirvTarget, inputs: usize, seed: u64) {
    let legal = legalised(text, "k0", target).expect("legal IR");
    let (before, after) = (Code::of(text), Code::of(&legal));
    let mut source = Source::new(seed);
    for round in 0..inputs {
        let input: Vec<u8> = (0..SIZE).map(|_| source.byte()).collect();
        for kernel in (0..kernels).map(|kernel| format!("k{kernel}")) {
            let (expected, found) = (before.run(&kernel, &input), after.run(&kernel, &input));
            assert!(
                expected == found,
                "input {round} {input:02x?}: {expected:02x?} became {found:02x?}\n{}\n{}",
                function(text, &kernel),
                function(&legal, &kernel)
            );
        }
    }
}

/// The textual IR of one function.
pub(crate) fn function<'t>(text: &'t str, name: &str) -> &'t str {
    let start = text.find(&format!("define void @{name}(")).unwrap_or_default();
    let length = text[start..].find("\n}").unwrap_or_default();
    &text[start..start + length]
}

/// Kernels with these bodies, which read `%in` and write `%out`.
pub(crate) fn kernels(bodies: &[String]) -> String {
    let kernel = |(index, body): (usize, &String)| {
        format!("define void @k{index}(ptr %in, ptr %out) {{\n{body}  ret void\n}}\n")
    };
    bodies.iter().enumerate().map(kernel).collect()
}

/// Compares on devices with few optional features and with some more. Without half precision no
/// such type reaches the legaliser.
pub(crate) fn check_atomics(bodies: &[String], declarations: &str) {
    for words in ["opencl:1.4:-all:+fp16:+int64-atomics", "level-zero:1.4"] {
        compare(&(kernels(bodies) + declarations), bodies.len(), &target(words), 24, 1);
    }
}

pub(crate) fn check(bodies: &[String], declarations: &str) {
    compare(&(kernels(bodies) + declarations), bodies.len(), &full(), 24, 1);
}

pub(crate) fn loaded(name: &str, width: u32, from: &str) -> String {
    let mut text = String::new();
    spirv_random::read(&mut text, name, width, from);
    text
}

/// A kernel that calls an intrinsic on its input, and the declaration. Types are those of the
/// parameters; one with a value, such as `i1 true`, is a literal.
pub(crate) fn call(name: &str, result: &str, parameters: &[&str]) -> (String, String) {
    let (mut text, mut list, mut types) = (String::new(), Vec::new(), Vec::new());
    for (index, parameter) in parameters.iter().enumerate() {
        let is_literal = parameter.starts_with('i') && parameter.contains(' ');
        if is_literal {
            list.push((*parameter).to_owned());
            types.push(parameter.split(' ').next().unwrap_or_default().to_owned());
            continue;
        }
        let _ = writeln!(text, "  %p{index} = getelementptr i8, ptr %in, i64 {}", 32 * index);
        text += &value(&format!("a{index}"), parameter, &format!("%p{index}"));
        list.push(format!("{parameter} %a{index}"));
        types.push((*parameter).to_owned());
    }
    let _ = writeln!(text, "  %r = call {result} @llvm.{name}({})", list.join(", "));
    text += &stored(result);
    (text, format!("declare {result} @llvm.{name}({})\n", types.join(", ")))
}

/// Reads a value. Floating-point values are small numbers.
pub(crate) fn value(name: &str, ty: &str, from: &str) -> String {
    let bits = bits(ty);
    let (count, element) = vector(ty);
    let mut text = loaded(&format!("{name}.i"), bits, from);
    if matches!(element, "float" | "double" | "half") {
        let ints = if count == 1 { "i8".to_owned() } else { format!("<{count} x i8>") };
        text = loaded(&format!("{name}.i"), 8 * count, from);
        let _ = writeln!(
            text,
            "  %{name}.v = bitcast i{} %{name}.i to {ints}\n  %{name} = sitofp {ints} %{name}.v to {ty}",
            8 * count
        );
    } else if ty == "ptr" {
        let _ = writeln!(text, "  %{name} = inttoptr i64 %{name}.i to ptr");
    } else {
        let _ = writeln!(text, "  %{name} = bitcast i{bits} %{name}.i to {ty}");
    }
    text
}

/// Number of elements and their type.
pub(crate) fn vector(ty: &str) -> (u32, &str) {
    let inner = ty.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).and_then(|rest| rest.split_once(" x "));
    inner.map_or((1, ty), |(count, element)| (count.parse().expect("a number"), element))
}

pub(crate) fn bits(ty: &str) -> u32 {
    let (count, element) = vector(ty);
    count
        * match element {
            "half" => 16,
            "float" => 32,
            "double" | "ptr" => 64,
            integer => integer.trim_start_matches('i').parse().expect("a width"),
        }
}

/// Writes `%r`; for NaN, a mark that it is one.
pub(crate) fn stored(ty: &str) -> String {
    let members: Vec<&str> = match ty.strip_prefix("{ ").and_then(|rest| rest.strip_suffix(" }")) {
        Some(members) => members.split(", ").collect(),
        None => vec![ty],
    };
    let mut text = String::new();
    for (index, member) in members.iter().enumerate() {
        let name = if members.len() == 1 { "%r".to_owned() } else { format!("%r{index}") };
        if members.len() > 1 {
            let _ = writeln!(text, "  {name} = extractvalue {ty} %r, {index}");
        }
        let is_float = ["half", "float", "double"].contains(&vector(member).1);
        let _ = writeln!(text, "  %o{index} = getelementptr i8, ptr %out, i64 {}", 64 * index);
        if is_float {
            let test = if vector(member).0 == 1 { "i1".to_owned() } else { format!("<{} x i1>", vector(member).0) };
            let _ = writeln!(
                text,
                "  %nan{index} = fcmp uno {member} {name}, {name}\n  %s{index} = select {test} %nan{index}, {member} zeroinitializer, {member} {name}\n  \
                 store {member} %s{index}, ptr %o{index}, align 1"
            );
        } else {
            let _ = writeln!(text, "  store {member} {name}, ptr %o{index}, align 1");
        }
    }
    text
}

pub(crate) fn suffix(ty: &str) -> String {
    let (count, element) = vector(ty);
    let element = match element {
        "half" => "f16",
        "float" => "f32",
        "double" => "f64",
        "ptr" => "p0",
        other => other,
    };
    if count == 1 && !ty.starts_with('<') { element.to_owned() } else { format!("v{count}{element}") }
}

pub(crate) fn check_calls(calls: Vec<(String, String)>) {
    let declarations: std::collections::BTreeSet<String> = calls.iter().map(|(_, line)| line.clone()).collect();
    let bodies: Vec<String> = calls.into_iter().map(|(body, _)| body).collect();
    check(&bodies, &declarations.into_iter().collect::<String>());
}
