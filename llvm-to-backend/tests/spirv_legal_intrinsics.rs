//! Legalised intrinsics and atomic operations compute the same as the originals.

#[path = "support/spirv_trial.rs"]
mod spirv_trial;

use sinter_translate::legalised;
use spirv_trial::{
    Code, SIZE, bits, call, check, check_atomics, check_calls, full, function, kernels, spirv_random::Source, stored,
    suffix, value, vector,
};

#[test]
fn intrinsics_on_integers() {
    let mut calls = Vec::new();
    let types = [
        "i1",
        "i7",
        "i8",
        "i16",
        "i24",
        "i32",
        "i33",
        "i48",
        "i64",
        "i100",
        "i128",
        "<5 x i32>",
        "<4 x i16>",
        "<3 x i24>",
        "<4 x i1>",
    ];
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
            // For wider elements LLVM calls a runtime library function.
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
        if bits(element).is_multiple_of(16) {
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

/// Numbers of every floating-point class.
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
        // The high bits of a double are those of a float of the same class.
        let read = |name: &str, offset: u64| {
            let shift = 64 - bits(ty);
            format!(
                "  %{name}.p = getelementptr i8, ptr %in, i64 {offset}\n  %{name}.w = load i64, ptr %{name}.p\n  %{name}.h = lshr i64 %{name}.w, {shift}\n  \
                 %{name}.l = and i64 %{name}.w, 1\n  %{name}.o = or i64 %{name}.h, %{name}.l\n  %{name}.v = bitcast i64 %{name}.o to <{} x {ty}>\n  \
                 %{name} = extractelement <{} x {ty}> %{name}.v, i32 0\n",
                64 / bits(ty),
                64 / bits(ty)
            )
        };
        for class in 0..10 {
            declarations.insert(format!("declare i1 @llvm.is.fpclass.{s}({ty}, i32)\n"));
            bodies.push(
                read("a", 0)
                    + &format!("  %r = call i1 @llvm.is.fpclass.{s}({ty} %a, i32 {})\n", 1 << class)
                    + &stored("i1"),
            );
        }
        for family in ["minimum", "maximum"] {
            if ty != "half" {
                declarations.insert(format!("declare {ty} @llvm.{family}.{s}({ty}, {ty})\n"));
                bodies.push(
                    read("a", 0)
                        + &read("b", 8)
                        + &format!("  %r = call {ty} @llvm.{family}.{s}({ty} %a, {ty} %b)\n")
                        + &stored(ty),
                );
            }
        }
        // C's library returns an unspecified exponent for infinities and NaN.
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
                assert!(
                    expected == found,
                    "{a:x} {b:x}: {expected:02x?} became {found:02x?}\n{}\n{}",
                    function(&text, &kernel),
                    function(&legal, &kernel)
                );
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
        // Every offset in a word.
        for offset in (0..8).step_by(size as usize) {
            for space in ["", "addrspace(1) ", "addrspace(5) "] {
                let place = match space {
                    "" => format!("  %p = getelementptr i8, ptr %out, i64 {offset}\n"),
                    space => format!(
                        "  %p.g = getelementptr i8, ptr %out, i64 {offset}\n  %p = addrspacecast ptr %p.g to ptr {space}\n"
                    ),
                };
                let pointer = format!("ptr {space}");
                let start = copied.to_owned() + &place + &value("v", ty, "%q");
                let end = format!("  %e = getelementptr i8, ptr %out, i64 96\n  store {ty} %r, ptr %e\n");
                bodies.push(format!("{start}  %r = load atomic {ty}, {pointer} %p acquire, align {size}\n{end}"));
                bodies.push(format!("{start}  store atomic volatile {ty} %v, {pointer} %p release, align {size}\n"));
                let operations: &[&str] = match ty {
                    "ptr" => &["xchg"],
                    "half" | "float" | "double" => &["xchg", "fadd", "fsub", "fmin", "fmax"],
                    _ => &[
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
                        "uinc_wrap",
                        "udec_wrap",
                    ],
                };
                for operation in operations {
                    // Initial values are numbers rather than arbitrary bits.
                    let first = if is_integer || ty == "ptr" {
                        String::new()
                    } else {
                        format!("  store {ty} {}, {pointer} %p\n", if offset == 0 { "-3.5" } else { "1.25" })
                    };
                    bodies.push(format!(
                        "{start}{first}  %r = atomicrmw volatile {operation} {pointer} %p, {ty} %v syncscope(\"agent\") seq_cst, align {size}\n{end}"
                    ));
                }
                if is_integer || ty == "ptr" {
                    let found = if offset == 0 {
                        "  %x = load {t}, {p} %p\n"
                    } else {
                        "  %x = select i1 true, {t} %v, {t} %v\n"
                    };
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
    // Pointers must be valid.
    let load = calls.pop().expect("a call");
    let load = (load.0.replace("ptr %a0, i32 4", "ptr %in, i32 4"), load.1);
    calls.push(load);
    check_calls(calls);
}

#[test]
fn multiplication_by_powers() {
    let text = "define void @k0(ptr %in, ptr %out) {
  %x.i = load i8, ptr %in
  %x = sitofp i8 %x.i to float
  %n.i = getelementptr i8, ptr %in, i64 8
  %n.b = load i8, ptr %n.i
  %n = sext i8 %n.b to i32
  %l = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  store float %l, ptr %out
  ret void
}
declare float @llvm.ldexp.f32.i32(float, i32)
";
    let legal = legalised(text, "k0", &full()).expect("legal IR");
    let declared = "declare float @__sinter_spirv_ocl_ldexp__f32(float, i32)";
    assert!(legal.contains(declared), "{legal}");
    let defined = "define float @__sinter_spirv_ocl_ldexp__f32(float %a, i32 %b) {\n  %r = call float @llvm.ldexp.f32.i32(float %a, i32 %b)\n  \
                   ret float %r\n}\n";
    let legal = legal.replace(declared, defined);
    let (before, after) = (Code::of(text), Code::of(&legal));
    let mut source = Source::new(5);
    for _ in 0..50 {
        let input: Vec<u8> = (0..SIZE).map(|_| source.byte()).collect();
        assert_eq!(before.run("k0", &input), after.run("k0", &input), "{input:?}");
    }
}
