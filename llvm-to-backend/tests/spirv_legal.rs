//! Legal IR computes what the IR computed that it was made from: both run on this machine.

#[path = "support/spirv_random.rs"]
mod spirv_random;

use sinter_core::{SpirvEnvironment, SpirvTarget};
use sinter_llvm::{Emit, Machine, Session, Shared, link_shared};
use sinter_translate::{legalised, native_target};
use spirv_random::Source;
use std::fmt::Write;

/// A kernel of a test: what it reads, what it writes.
type Kernel = extern "C" fn(*const u8, *mut u8);

/// Code for this machine, loaded and never unloaded.
struct Code(&'static libloading::Library);

impl Code {
    fn of(text: &str) -> Code {
        let host = native_target();
        let session = Session::new().expect("session");
        let machine = Machine::new(&host.triple, &host.cpu, &host.features, false).expect("machine");
        let module = session.parse(text.as_bytes()).expect("IR");
        module.set_target(&host.triple, &machine);
        module.verify().expect("well-formed");
        let object = machine.emit(&module, Emit::Object).expect("object");
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("k.so");
        std::fs::write(&path, link_shared(&object, Shared::Host).expect("link")).expect("write");
        // SAFETY: our own code, which has no initialisers.
        Code(Box::leak(Box::new(unsafe { libloading::Library::new(path) }.expect("dlopen"))))
    }

    fn run(&self, kernel: &str, input: &[u8]) -> Vec<u8> {
        // SAFETY: every kernel of these tests has this type.
        let entry = *unsafe { self.0.get::<Kernel>(kernel.as_bytes()) }.expect("kernel");
        let (input, mut output) = (Lines::of(input), Lines::of(&[0xa5; SIZE]));
        entry(input.0.as_ptr().cast(), output.0.as_mut_ptr().cast());
        output.bytes()
    }
}

/// Bytes of input and output.
const SIZE: usize = 256;

#[repr(align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

struct Lines(Vec<Line>);

impl Lines {
    fn of(bytes: &[u8]) -> Lines {
        Lines(bytes.chunks_exact(64).map(|chunk| Line(chunk.try_into().expect("a line"))).collect())
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|line| line.0).collect()
    }
}

fn full() -> SpirvTarget {
    SpirvTarget::full(SpirvEnvironment::OpenCl)
}

fn target(text: &str) -> SpirvTarget {
    text.parse().expect("a target")
}

/// Runs the kernels `k0`, `k1` and so on before and after on the same inputs.
fn compare(text: &str, kernels: usize, target: &SpirvTarget, inputs: usize, seed: u64) {
    let legal = legalised(text, "k0", target).expect("legal IR");
    let (before, after) = (Code::of(text), Code::of(&legal));
    let mut source = Source::new(seed);
    for round in 0..inputs {
        let input: Vec<u8> = (0..SIZE).map(|_| source.byte()).collect();
        for kernel in (0..kernels).map(|kernel| format!("k{kernel}")) {
            let (expected, found) = (before.run(&kernel, &input), after.run(&kernel, &input));
            let [before, after] = [text, &legal].map(|text| function(text, &kernel));
            assert!(
                expected == found,
                "input {round} {input:02x?}: {expected:02x?} became {found:02x?}\n{before}\n{after}"
            );
        }
    }
}

/// The text of one function.
fn function<'t>(text: &'t str, name: &str) -> &'t str {
    let start = text.find(&format!("define void @{name}(")).unwrap_or_default();
    let length = text[start..].find("\n}").unwrap_or_default();
    &text[start..start + length]
}

/// Makes kernels of bodies that read `%in` and write `%out`.
fn kernels(bodies: &[String]) -> String {
    let kernel = |(index, body): (usize, &String)| format!("define void @k{index}(ptr %in, ptr %out) {{\n{body}  ret void\n}}\n");
    bodies.iter().enumerate().map(kernel).collect()
}

/// Devices without and with what some have.
fn check_atomics(bodies: &[String], declarations: &str) {
    for words in ["opencl:1.4:-all:+int64-atomics", "level-zero:1.4"] {
        compare(&(kernels(bodies) + declarations), bodies.len(), &target(words), 24, 1);
    }
}

fn check(bodies: &[String], declarations: &str) {
    compare(&(kernels(bodies) + declarations), bodies.len(), &full(), 24, 1);
}

fn loaded(name: &str, width: u32, from: &str) -> String {
    let mut text = String::new();
    spirv_random::read(&mut text, name, width, from);
    text
}

const WIDTHS: [u32; 18] = [1, 2, 3, 7, 8, 9, 16, 17, 24, 31, 33, 40, 48, 63, 64, 65, 100, 128];

#[test]
fn operations_on_integers_of_any_width() {
    let mut bodies = Vec::new();
    for width in WIDTHS {
        let load = loaded("a", width, "%in") + "  %q = getelementptr i8, ptr %in, i64 32\n" + &loaded("b", width, "%q");
        for operation in ["add", "sub", "mul", "and", "or", "xor"] {
            bodies.push(format!("{load}  %r = {operation} i{width} %a, %b\n  store i{width} %r, ptr %out\n"));
        }
        for operation in ["udiv", "urem", "sdiv", "srem"] {
            // Neither zero nor minus one.
            let divisor = if width < 4 { format!("  %d = or i{width} %b, 1\n  %m = lshr i{width} %d, {}\n  %n = or i{width} %m, 1\n", u32::from(width > 1)) } else { format!("  %m = lshr i{width} %b, 2\n  %n = or i{width} %m, 1\n") };
            if width == 1 && operation.starts_with('s') { continue; }
            bodies.push(format!("{load}{divisor}  %r = {operation} i{width} %a, %n\n  store i{width} %r, ptr %out\n"));
        }
        for operation in ["shl", "lshr", "ashr"] {
            bodies.push(format!(
                "{load}  %n = urem i{width} %b, {}\n  %r = {operation} i{width} %a, %n\n  store i{width} %r, ptr %out\n",
                if width == 1 { "true".to_owned() } else if width == 2 { "-2".to_owned() } else { width.to_string() }
            ));
            bodies.push(format!("{load}  %r = {operation} i{width} %a, {}\n  store i{width} %r, ptr %out\n", width / 2));
        }
        for predicate in ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"] {
            bodies.push(format!(
                "{load}  %c = icmp {predicate} i{width} %a, %b\n  %e = icmp {predicate} i{width} %a, %a\n  %z = select i1 %c, i{width} %a, i{width} %b\n  \
                 store i{width} %z, ptr %out\n  %p = getelementptr i8, ptr %out, i64 32\n  store i1 %c, ptr %p\n  \
                 %s = getelementptr i8, ptr %out, i64 48\n  store i1 %e, ptr %s\n"
            ));
        }
    }
    check(&bodies, "");
}

#[test]
fn conversions_between_any_types() {
    let mut bodies = Vec::new();
    for from in WIDTHS {
        let load = loaded("a", from, "%in");
        for to in WIDTHS {
            let operations: &[&str] = match from.cmp(&to) {
                std::cmp::Ordering::Less => &["zext", "sext"],
                std::cmp::Ordering::Equal => &[],
                std::cmp::Ordering::Greater => &["trunc"],
            };
            for operation in operations {
                bodies.push(format!("{load}  %r = {operation} i{from} %a to i{to}\n  store i{to} %r, ptr %out\n"));
            }
        }
        if from > 64 {
            continue;
        }
        for operation in ["uitofp", "sitofp"] {
            bodies.push(format!("{load}  %r = {operation} i{from} %a to double\n  store double %r, ptr %out\n"));
        }
        let back = ["fptoui", "fptosi"].map(|operation| {
            let number = if operation == "fptoui" { "uitofp" } else { "sitofp" };
            format!("{load}  %s = lshr i{from} %a, {}\n  %f = {number} i{from} %s to double\n  %r = {operation} double %f to i{from}\n  store i{from} %r, ptr %out\n", from / 2)
        });
        if from != 1 {
            bodies.extend(back);
        }
        bodies.push(format!("{load}  %p = inttoptr i{from} %a to ptr\n  %r = ptrtoint ptr %p to i{from}\n  store i{from} %r, ptr %out\n"));
    }
    for (from, to) in [
        ("<8 x i1>", "i8"), ("i8", "<8 x i1>"), ("<3 x i8>", "i24"), ("i24", "<3 x i8>"), ("<24 x i1>", "<3 x i8>"),
        ("<2 x i64>", "i128"), ("i128", "<4 x float>"), ("<5 x i32>", "<5 x float>"), ("<6 x i16>", "<3 x i32>"),
        ("<40 x i1>", "i40"), ("i48", "<3 x half>"), ("<3 x i24>", "<9 x i8>"), ("<2 x i128>", "<8 x i32>"), ("<1 x i32>", "i32"),
    ] {
        bodies.push(format!("  %a = load {from}, ptr %in\n  %r = bitcast {from} %a to {to}\n  store {to} %r, ptr %out\n"));
    }
    check(&bodies, "");
}

/// Values of any type, made of bytes.
const MAKERS: &str = include_str!("support/spirv_makers.ll");

#[test]
fn memory_of_any_type() {
    let mut bodies = Vec::new();
    for ty in [
        "i24", "i33", "i48", "i100", "i128", "<3 x i24>", "<5 x i32>", "<7 x i1>", "<4 x i1>", "<3 x float>", "<3 x i8>", "<5 x i33>",
        "{ i8, i24, i1 }", "[3 x { i33, <2 x i1> }]", "<{ i8, i128, i24 }>", "<2 x ptr>", "{ <3 x float>, [2 x i1] }", "<32 x i8>",
    ] {
        for volatile in ["", "volatile "] {
            for alignment in [1, 2, 8] {
                // What is read was written as the same type.
                bodies.push(format!(
                    "  %v = call {ty} @\"make {ty}\"(ptr %in)\n  %m = alloca [256 x i8], align 16\n  store {volatile}{ty} %v, ptr %m, align {alignment}\n  \
                     %a = load {volatile}{ty}, ptr %m, align {alignment}\n  store {volatile}{ty} %a, ptr %out, align {alignment}\n"
                ));
            }
        }
        bodies.push(format!(
            "  %i.w = load i64, ptr %in\n  %i = trunc i64 %i.w to i33\n  %j = urem i33 %i, 3\n  %p = getelementptr {ty}, ptr %in, i33 %j\n  %d = ptrtoint ptr %p to i64\n  \
             %e = ptrtoint ptr %in to i64\n  %r = sub i64 %d, %e\n  store i64 %r, ptr %out\n"
        ));
        bodies.push(format!(
            "  %m = alloca {ty}\n  %n = alloca {ty}, i32 3\n  %v = call {ty} @\"make {ty}\"(ptr %in)\n  store {ty} %v, ptr %m\n  %p = getelementptr {ty}, ptr %n, i64 2\n  \
             %w = load {ty}, ptr %m\n  store {ty} %w, ptr %p\n  %x = load {ty}, ptr %p\n  store {ty} %x, ptr %out, align 1\n"
        ));
    }
    check(&bodies, MAKERS);
}

#[test]
fn control_flow_and_calls() {
    let mut bodies = Vec::new();
    for ty in ["i24", "i100", "<5 x i32>", "<3 x i33>"] {
        let one = if ty.starts_with('<') { "zeroinitializer" } else { "-77" };
        bodies.push(format!(
            "  %a = load {ty}, ptr %in, align 1\n  %n = load i8, ptr %in\n  %s = and i8 %n, 7\n  br label %loop\nloop:\n  \
             %i = phi i8 [ 0, %0 ], [ %j, %loop ]\n  %x = phi {ty} [ {one}, %0 ], [ %y, %loop ]\n  %z = phi {ty} [ %a, %0 ], [ %x, %loop ]\n  \
             %y = add {ty} %x, %z\n  %j = add i8 %i, 1\n  %c = icmp ule i8 %j, %s\n  br i1 %c, label %loop, label %end\nend:\n  \
             %f = freeze {ty} %y\n  store {ty} %f, ptr %out, align 1\n"
        ));
    }
    for width in [1, 3, 24, 33, 64, 100] {
        let two = if width == 1 { "" } else { "i{w} 1, label %two\n" };
        bodies.push(
            loaded("a", width, "%in") + &format!(
                "  %n = and i{{w}} %a, {}\n  switch i{{w}} %n, label %end [ i{{w}} 0, label %one\n {two} ]\none:\n  br label %end\ntwo:\n  \
                 br label %end\nend:\n  %r = phi i8 [ 9, %0 ], [ 5, %one ], [ 7, %two ]\n  store i8 %r, ptr %out\n",
                if width == 1 { "true" } else { "3" }
            )
            .replace("{w}", &width.to_string()),
        );
    }
    bodies.push(
        "  %a = load i24, ptr %in\n  %b = load <5 x i32>, ptr %in, align 4\n  %r = call { i24, <5 x i32> } @callee(i24 %a, <5 x i32> %b, i32 3)\n  \
         %x = extractvalue { i24, <5 x i32> } %r, 0\n  %y = extractvalue { i24, <5 x i32> } %r, 1\n  store i24 %x, ptr %out\n  \
         %p = getelementptr i8, ptr %out, i64 16\n  store <5 x i32> %y, ptr %p, align 4\n  %z = call i48 @single(i24 %x)\n  %s = getelementptr i8, ptr %out, i64 64\n  store i48 %z, ptr %s\n"
            .to_owned(),
    );
    check(
        &bodies,
        "define internal { i24, <5 x i32> } @callee(i24 %a, <5 x i32> %b, i32 %i) noinline {\n  %n = add i24 %a, -5\n  \
         %v = insertelement <5 x i32> %b, i32 %i, i32 %i\n  %r = insertvalue { i24, <5 x i32> } poison, i24 %n, 0\n  \
         %s = insertvalue { i24, <5 x i32> } %r, <5 x i32> %v, 1\n  ret { i24, <5 x i32> } %s\n}\n\
         define internal i48 @single(i24 %a) noinline {\n  %w = sext i24 %a to i48\n  ret i48 %w\n}\n",
    );
}

#[test]
fn elements_of_vectors() {
    let mut bodies = Vec::new();
    for (ty, element, count) in [("<5 x i32>", "i32", 5), ("<6 x i1>", "i1", 6), ("<3 x i24>", "i24", 3), ("<3 x float>", "float", 3), ("<4 x i32>", "i32", 4)] {
        bodies.push(format!(
            "  %a = load {ty}, ptr %in, align 4\n  %n = load i8, ptr %in\n  %m = urem i8 %n, {count}\n  %i = zext i8 %m to i33\n  \
             %e = extractelement {ty} %a, i33 %i\n  %f = extractelement {ty} %a, i32 1\n  %v = insertelement {ty} %a, {element} %f, i33 %i\n  \
             %w = insertelement {ty} %v, {element} %e, i32 0\n  %s = shufflevector {ty} %w, {ty} %a, <7 x i32> <i32 0, i32 2, i32 {count}, i32 1, i32 3, i32 0, i32 2>\n  \
             store <7 x {element}> %s, ptr %out, align 4\n  %p = getelementptr i8, ptr %out, i64 64\n  store {element} %e, ptr %p\n"
        ));
    }
    bodies.push(
        "  %a = load <5 x i32>, ptr %in, align 4\n  %q = getelementptr i8, ptr %in, i64 20\n  %b = load <5 x i32>, ptr %q, align 4\n  \
         %c = icmp slt <5 x i32> %a, %b\n  %s = select <5 x i1> %c, <5 x i32> %a, <5 x i32> <i32 1, i32 2, i32 poison, i32 4, i32 5>\n  \
         %n = xor <5 x i1> %c, <i1 true, i1 false, i1 true, i1 true, i1 false>\n  %z = sext <5 x i1> %n to <5 x i24>\n  \
         %w = zext <5 x i24> %z to <5 x i32>\n  %t = freeze <5 x i32> %s\n  %r = add <5 x i32> %w, %b\n  store <5 x i32> %r, ptr %out, align 4\n"
            .to_owned(),
    );
    bodies.push(
        "  %i = load <4 x i8>, ptr %in\n  %z = and <4 x i8> %i, <i8 63, i8 63, i8 63, i8 63>\n  %p = getelementptr i16, ptr %in, <4 x i8> %z\n  \
         %e = extractelement <4 x ptr> %p, i32 2\n  %x = load i16, ptr %e\n  store i16 %x, ptr %out\n  %n = icmp eq <4 x ptr> %p, zeroinitializer\n  \
         %y = sext <4 x i1> %n to <4 x i8>\n  %q = getelementptr i8, ptr %out, i64 8\n  store <4 x i8> %y, ptr %q\n"
            .to_owned(),
    );
    check(&bodies, "");
}

#[test]
fn random_arithmetic() {
    let mut source = Source::new(7);
    let bodies: Vec<String> = (0..150).map(|_| spirv_random::body(&mut source)).collect();
    check(&bodies, &spirv_random::declarations());
}

/// A kernel that calls an intrinsic on what it reads, and the declaration. Types are those of the parameters; one with a value, such as
/// `i1 true`, is a literal.
fn call(name: &str, result: &str, parameters: &[&str]) -> (String, String) {
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

/// Reads a value. Floating-point ones are small numbers.
fn value(name: &str, ty: &str, from: &str) -> String {
    let bits = bits(ty);
    let (count, element) = vector(ty);
    let mut text = loaded(&format!("{name}.i"), bits, from);
    if matches!(element, "float" | "double" | "half") {
        let ints = if count == 1 { "i8".to_owned() } else { format!("<{count} x i8>") };
        text = loaded(&format!("{name}.i"), 8 * count, from);
        let _ = writeln!(text, "  %{name}.v = bitcast i{} %{name}.i to {ints}\n  %{name} = sitofp {ints} %{name}.v to {ty}", 8 * count);
    } else if ty == "ptr" {
        let _ = writeln!(text, "  %{name} = inttoptr i64 %{name}.i to ptr");
    } else {
        let _ = writeln!(text, "  %{name} = bitcast i{bits} %{name}.i to {ty}");
    }
    text
}

/// Elements and their type.
fn vector(ty: &str) -> (u32, &str) {
    let inner = ty.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).and_then(|rest| rest.split_once(" x "));
    inner.map_or((1, ty), |(count, element)| (count.parse().expect("a number"), element))
}

fn bits(ty: &str) -> u32 {
    let (count, element) = vector(ty);
    count
        * match element {
            "half" => 16,
            "float" => 32,
            "double" | "ptr" => 64,
            integer => integer.trim_start_matches('i').parse().expect("a width"),
        }
}

/// Writes `%r`; of NaN, that it is one.
fn stored(ty: &str) -> String {
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

fn suffix(ty: &str) -> String {
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

fn check_calls(calls: Vec<(String, String)>) {
    let declarations: std::collections::BTreeSet<String> = calls.iter().map(|(_, line)| line.clone()).collect();
    let bodies: Vec<String> = calls.into_iter().map(|(body, _)| body).collect();
    check(&bodies, &declarations.into_iter().collect::<String>());
}

#[test]
fn intrinsics_on_integers() {
    let mut calls = Vec::new();
    let types = ["i1", "i7", "i8", "i16", "i24", "i32", "i33", "i48", "i64", "i100", "i128", "<5 x i32>", "<4 x i16>", "<3 x i24>", "<4 x i1>"];
    for ty in types {
        let s = suffix(ty);
        for family in ["smin", "smax", "umin", "umax", "sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"] {
            calls.push(call(&format!("{family}.{s}"), ty, &[ty, ty]));
        }
        calls.push(call(&format!("abs.{s}"), ty, &[ty, "i1 false"]));
        calls.push(call(&format!("ctpop.{s}"), ty, &[ty]));
        for family in ["ctlz", "cttz"] {
            calls.push(call(&format!("{family}.{s}"), ty, &[ty, "i1 false"]));
        }
        calls.push(call(&format!("bitreverse.{s}"), ty, &[ty]));
        for family in ["fshl", "fshr"] {
            calls.push(call(&format!("{family}.{s}"), ty, &[ty, ty, ty]));
        }
        let (count, element) = vector(ty);
        let truth = if count == 1 { "i1".to_owned() } else { format!("<{count} x i1>") };
        if element != "i1" {
            let pair = format!("{{ {ty}, {truth} }}");
            for family in ["sadd", "uadd", "ssub", "usub"] {
                calls.push(call(&format!("{family}.with.overflow.{s}"), &pair, &[ty, ty]));
            }
            // LLVM calls a function of its own library for wider ones.
            if bits(element) <= 64 {
                for family in ["smul", "umul"] {
                    calls.push(call(&format!("{family}.with.overflow.{s}"), &pair, &[ty, ty]));
                }
            }
            let three = if count == 1 { "i8".to_owned() } else { format!("<{count} x i8>") };
            for family in ["scmp", "ucmp"] {
                calls.push(call(&format!("{family}.{}.{s}", suffix(&three)), &three, &[ty, ty]));
            }
        }
        if bits(element) % 16 == 0 {
            calls.push(call(&format!("bswap.{s}"), ty, &[ty]));
        }
        if count > 1 {
            for family in ["add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax"] {
                calls.push(call(&format!("vector.reduce.{family}.{s}"), element, &[ty]));
            }
        }
    }
    calls.push(call("ptrmask.p0.i64", "ptr", &["ptr", "i64"]));
    check_calls(calls);
}

#[test]
fn intrinsics_on_floating_point_values() {
    let mut calls = Vec::new();
    for ty in ["float", "double", "<5 x float>", "<4 x double>", "<3 x float>"] {
        let s = suffix(ty);
        for family in ["fabs", "floor", "sqrt", "nearbyint", "rint", "roundeven", "trunc"] {
            calls.push(call(&format!("{family}.{s}"), ty, &[ty]));
        }
        for family in ["minnum", "maxnum", "minimum", "maximum", "copysign"] {
            calls.push(call(&format!("{family}.{s}"), ty, &[ty, ty]));
        }
        let (count, element) = vector(ty);
        let with = |ty: &str| if count == 1 { ty.to_owned() } else { format!("<{count} x {ty}>") };
        for to in ["i1", "i7", "i16", "i24", "i32", "i48", "i64"].map(with) {
            for family in ["fptosi.sat", "fptoui.sat"] {
                calls.push(call(&format!("{family}.{}.{s}", suffix(&to)), &to, &[ty]));
            }
        }
        for class in [1, 3, 12, 96, 264, 519, 1023, 144] {
            calls.push(call(&format!("is.fpclass.{s}"), &with("i1"), &[ty, &format!("i32 {class}")]));
        }
        for family in ["lrint", "lround"] {
            if count == 1 {
                calls.push(call(&format!("{family}.i64.{s}"), "i64", &[ty]));
            }
        }
        if count > 1 {
            for family in ["fmin", "fmax", "fminimum", "fmaximum"] {
                calls.push(call(&format!("vector.reduce.{family}.{s}"), element, &[ty]));
            }
            calls.push(call(&format!("vector.reduce.fadd.{s}"), element, &[element, ty]));
        }
    }
    check_calls(calls);
}

/// Numbers of every class.
const ODD_NUMBERS: [u64; 16] = [
    0,
    1 << 63,
    1,
    (1 << 63) | 5,
    0x0008_0000_0000_0000,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0xbff8_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0001,
    0x7ff0_0000_0000_0001,
    0xfff8_0000_0000_0000,
    0x4330_0000_0000_0001,
];

#[test]
fn numbers_of_every_class() {
    let mut bodies = Vec::new();
    let mut declarations = std::collections::BTreeSet::new();
    for ty in ["double", "float", "half"] {
        let s = suffix(ty);
        // The highest bits of a double are those of a float of the same class.
        let read = |name: &str, offset: u64| {
            let shift = 64 - bits(ty);
            format!(
                "  %{name}.p = getelementptr i8, ptr %in, i64 {offset}\n  %{name}.w = load i64, ptr %{name}.p\n  %{name}.h = lshr i64 %{name}.w, {shift}\n  \
                 %{name}.l = and i64 %{name}.w, 1\n  %{name}.o = or i64 %{name}.h, %{name}.l\n  %{name}.v = bitcast i64 %{name}.o to <{} x {ty}>\n  \
                 %{name} = extractelement <{} x {ty}> %{name}.v, i32 0\n", 64 / bits(ty), 64 / bits(ty)
            )
        };
        for class in 0..10 {
            declarations.insert(format!("declare i1 @llvm.is.fpclass.{s}({ty}, i32)\n"));
            bodies.push(read("a", 0) + &format!("  %r = call i1 @llvm.is.fpclass.{s}({ty} %a, i32 {})\n", 1 << class) + &stored("i1"));
        }
        for family in ["minimum", "maximum"] {
            if ty != "half" {
                declarations.insert(format!("declare {ty} @llvm.{family}.{s}({ty}, {ty})\n"));
                bodies.push(read("a", 0) + &read("b", 8) + &format!("  %r = call {ty} @llvm.{family}.{s}({ty} %a, {ty} %b)\n") + &stored(ty));
            }
        }
        // The library of C gives any exponent for infinities and NaN.
        if ty != "half" {
            declarations.insert(format!("declare {{ {ty}, i32 }} @llvm.frexp.{s}.i32({ty})\n"));
            bodies.push(
                read("a", 0)
                    + &format!(
                        "  %x = call {{ {ty}, i32 }} @llvm.frexp.{s}.i32({ty} %a)\n  %f = call i1 @llvm.is.fpclass.{s}({ty} %a, i32 504)\n  \
                         %e = extractvalue {{ {ty}, i32 }} %x, 1\n  %k = select i1 %f, i32 %e, i32 0\n  \
                         %r = insertvalue {{ {ty}, i32 }} %x, i32 %k, 1\n"
                    )
                    + &stored(&format!("{{ {ty}, i32 }}")),
            );
        }
        declarations.insert(format!("declare i24 @llvm.fptosi.sat.i24.{s}({ty})\n"));
        bodies.push(read("a", 0) + &format!("  %r = call i24 @llvm.fptosi.sat.i24.{s}({ty} %a)\n") + &stored("i24"));
    }
    let text = kernels(&bodies) + &declarations.into_iter().collect::<String>();
    let legal = legalised(&text, "k0", &full()).expect("legal IR");
    let (before, after) = (Code::of(&text), Code::of(&legal));
    for a in ODD_NUMBERS {
        for b in ODD_NUMBERS {
            let mut input = [a.to_le_bytes(), b.to_le_bytes()].concat();
            input.resize(SIZE, 0);
            for kernel in (0..bodies.len()).map(|index| format!("k{index}")) {
                let (expected, found) = (before.run(&kernel, &input), after.run(&kernel, &input));
                let [old, new] = [&text, &legal].map(|text| function(text, &kernel));
                assert!(expected == found, "{a:x} {b:x}: {expected:02x?} became {found:02x?}\n{old}\n{new}");
            }
        }
    }
}

#[test]
fn atomic_operations_of_any_width() {
    let copied = "  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %in, i64 64, i1 false)\n  %q = getelementptr i8, ptr %in, i64 128\n";
    let mut bodies = Vec::new();
    for ty in ["i8", "i16", "i32", "i64", "half", "float", "double", "ptr"] {
        let size = bits(ty) / 8;
        let is_integer = ty.starts_with('i');
        // Every place in a word.
        for offset in (0..8).step_by(size as usize) {
            for space in ["", "addrspace(1) ", "addrspace(5) "] {
                let place = match space {
                    "" => format!("  %p = getelementptr i8, ptr %out, i64 {offset}\n"),
                    space => format!("  %p.g = getelementptr i8, ptr %out, i64 {offset}\n  %p = addrspacecast ptr %p.g to ptr {space}\n"),
                };
                let pointer = format!("ptr {space}");
                let start = copied.to_owned() + &place + &value("v", ty, "%q");
                let end = format!("  %e = getelementptr i8, ptr %out, i64 96\n  store {ty} %r, ptr %e\n");
                bodies.push(format!("{start}  %r = load atomic {ty}, {pointer} %p acquire, align {size}\n{end}"));
                bodies.push(format!("{start}  store atomic volatile {ty} %v, {pointer} %p release, align {size}\n"));
                let operations: &[&str] = match ty {
                    "ptr" => &["xchg"],
                    "half" | "float" | "double" => &["xchg", "fadd", "fsub", "fmin", "fmax"],
                    _ => &["xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "uinc_wrap", "udec_wrap"],
                };
                for operation in operations {
                    // Numbers to start with, not any bits.
                    let first = if is_integer || ty == "ptr" { String::new() } else { format!("  store {ty} {}, {pointer} %p\n", if offset == 0 { "-3.5" } else { "1.25" }) };
                    bodies.push(format!(
                        "{start}{first}  %r = atomicrmw volatile {operation} {pointer} %p, {ty} %v syncscope(\"agent\") seq_cst, align {size}\n{end}"
                    ));
                }
                if is_integer || ty == "ptr" {
                    let found = if offset == 0 { "  %x = load {t}, {p} %p\n" } else { "  %x = select i1 true, {t} %v, {t} %v\n" };
                    let found = found.replace("{t}", ty).replace("{p}", &pointer);
                    bodies.push(format!(
                        "{start}{found}  %s = cmpxchg {pointer} %p, {ty} %x, {ty} %v acq_rel monotonic, align {size}\n  \
                         %r = extractvalue {{ {ty}, i1 }} %s, 0\n  %k = extractvalue {{ {ty}, i1 }} %s, 1\n  %l = zext i1 %k to i8\n  \
                         %m = getelementptr i8, ptr %out, i64 112\n  store i8 %l, ptr %m\n{end}"
                    ));
                }
            }
        }
    }
    check_atomics(&bodies, "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n");
}

#[test]
fn memory_is_filled_and_moved() {
    let mut bodies = Vec::new();
    let start = "  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %in, i64 256, i1 false)\n  %l.w = load i8, ptr %in\n  \
                 %l.m = and i8 %l.w, 63\n  %l = zext i8 %l.m to i64\n";
    for alignment in [1, 2, 4, 8, 16] {
        for length in ["0", "1", "7", "24", "63", "200", "%l"] {
            for volatile in ["false", "true"] {
                bodies.push(format!(
                    "{start}  %b = load i8, ptr %in\n  call void @llvm.memset.p0.i64(ptr align {alignment} %out, i8 %b, i64 {length}, i1 {volatile})\n"
                ));
                for (to, from) in [(0, 16), (16, 0), (0, 0), (32, 16), (0, 48)] {
                    bodies.push(format!(
                        "{start}  %p = getelementptr i8, ptr %out, i64 {to}\n  %q = getelementptr i8, ptr %out, i64 {from}\n  \
                         call void @llvm.memmove.p0.p0.i64(ptr align {alignment} %p, ptr align {alignment} %q, i64 {length}, i1 {volatile})\n"
                    ));
                }
            }
        }
        for distance in [1, 3, 5] {
            bodies.push(format!(
                "{start}  %q = getelementptr i8, ptr %out, i64 {distance}\n  call void @llvm.memmove.p0.p0.i64(ptr %out, ptr %q, i64 %l, i1 false)\n  \
                 %a = addrspacecast ptr %out to ptr addrspace(1)\n  call void @llvm.memmove.p0.p1.i64(ptr %q, ptr addrspace(1) %a, i64 100, i1 false)\n"
            ));
        }
    }
    bodies.push(
        "  call void @llvm.memcpy.inline.p0.p0.i64(ptr align 8 %out, ptr align 4 %in, i64 40, i1 false)\n  \
         call void @llvm.memset.inline.p0.i64(ptr align 4 %out, i8 7, i64 11, i1 false)\n"
            .to_owned(),
    );
    let declarations = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n\
                        declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memmove.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)\n\
                        declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)\n";
    check(&bodies, declarations);
}

#[test]
fn intrinsics_on_whole_vectors() {
    let mut calls = Vec::new();
    for ty in ["<8 x i32>", "<16 x i16>", "<32 x i8>"] {
        let (count, element) = vector(ty);
        let s = suffix(ty);
        let of = |count: u32| format!("<{count} x {element}>");
        calls.push(call(&format!("vector.reverse.{s}"), ty, &[ty]));
        for at in ["i32 1", "i32 -2"] {
            calls.push(call(&format!("vector.splice.{s}"), ty, &[ty, ty, at]));
        }
        let half = of(count / 2);
        calls.push(call(&format!("vector.extract.{}.{s}", suffix(&half)), &half, &[ty, &format!("i64 {}", count / 2)]));
        calls.push(call(&format!("vector.insert.{s}.{}", suffix(&half)), ty, &[ty, &half, "i64 0"]));
        calls.push(call(&format!("vector.interleave2.{}", suffix(&of(2 * count))), &of(2 * count), &[ty, ty]));
        calls.push(call(&format!("vector.deinterleave2.{s}"), &format!("{{ {half}, {half} }}"), &[ty]));
    }
    let ty = "<4 x i32>";
    calls.push(call("masked.load.v4i32.p0", ty, &["ptr", "i32 4", "<4 x i1>", ty]));
    // Pointers have to be pointers.
    let load = calls.pop().expect("a call");
    let load = (load.0.replace("ptr %a0, i32 4", "ptr %in, i32 4"), load.1);
    calls.push(load);
    check_calls(calls);
}

#[test]
fn constants_and_variables() {
    let bodies = [
        "  %i = load i8, ptr %in\n  %j = and i8 %i, 1\n  %p = getelementptr [2 x i24], ptr @table, i8 0, i8 %j\n  %a = load i24, ptr %p\n  store i24 %a, ptr %out\n  \
         %b = load i33, ptr getelementptr ({ i8, i33, <3 x i24> }, ptr @mixed, i32 0, i32 1)\n  %q = getelementptr i8, ptr %out, i64 16\n  store i33 %b, ptr %q\n  \
         %c = load <3 x i24>, ptr getelementptr ({ i8, i33, <3 x i24> }, ptr @mixed, i32 0, i32 2)\n  %s = getelementptr i8, ptr %out, i64 32\n  store <3 x i24> %c, ptr %s\n",
        "  store i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @table, i64 5) to i64), i64 ptrtoint (ptr @table to i64)), ptr %out\n",
        "  %c = load i1, ptr %in\n  br i1 true, label %a, label %b\na:\n  br label %b\nb:\n  %p = phi ptr [ getelementptr (i8, ptr @table, i64 4), %a ], [ null, %0 ]\n  \
         %x = load i24, ptr %p\n  store i24 %x, ptr %out\n",
        "  %v = insertelement <2 x ptr> <ptr @table, ptr getelementptr (i8, ptr @table, i64 4)>, ptr @mixed, i32 0\n  %p = extractelement <2 x ptr> %v, i32 1\n  \
         %x = load i24, ptr %p\n  store i24 %x, ptr %out\n",
        "  %f = freeze i32 undef\n  %g = xor i32 %f, %f\n  store i32 %g, ptr %out\n  %h = freeze <5 x i24> <i24 1, i24 2, i24 3, i24 4, i24 5>\n  \
         %q = getelementptr i8, ptr %out, i64 16\n  store <5 x i24> %h, ptr %q\n",
        "  %m = alloca { i1, i24 }\n  store { i1, i24 } { i1 true, i24 -3 }, ptr %m\n  %p = getelementptr { i1, i24 }, ptr %m, i32 0, i32 1\n  %x = load i24, ptr %p\n  store i24 %x, ptr %out\n  \
         %y = load i1, ptr %m\n  %z = select i1 %y, i32 5, i32 6\n  %q = getelementptr i8, ptr %out, i64 16\n  store i32 %z, ptr %q\n",
    ]
    .map(str::to_owned);
    check(
        &bodies,
        "@table = internal constant [2 x i24] [i24 -5, i24 77]\n\
         @mixed = internal global { i8, i33, <3 x i24> } { i8 1, i33 -9, <3 x i24> <i24 1, i24 -2, i24 3> }\n",
    );
}
