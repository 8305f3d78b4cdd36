//! Legalised IR computes the same as the original: both run on this machine.

#[path = "support/spirv_trial.rs"]
mod spirv_trial;

use spirv_trial::{check, loaded, spirv_random, spirv_random::Source};

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
            let divisor = if width < 4 {
                format!(
                    "  %d = or i{width} %b, 1\n  %m = lshr i{width} %d, {}\n  %n = or i{width} %m, 1\n",
                    u32::from(width > 1)
                )
            } else {
                format!("  %m = lshr i{width} %b, 2\n  %n = or i{width} %m, 1\n")
            };
            if width == 1 && operation.starts_with('s') {
                continue;
            }
            bodies.push(format!("{load}{divisor}  %r = {operation} i{width} %a, %n\n  store i{width} %r, ptr %out\n"));
        }
        for operation in ["shl", "lshr", "ashr"] {
            bodies.push(format!(
                "{load}  %n = urem i{width} %b, {}\n  %r = {operation} i{width} %a, %n\n  store i{width} %r, ptr %out\n",
                if width == 1 { "true".to_owned() } else if width == 2 { "-2".to_owned() } else { width.to_string() }
            ));
            bodies
                .push(format!("{load}  %r = {operation} i{width} %a, {}\n  store i{width} %r, ptr %out\n", width / 2));
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
        bodies.push(format!(
            "{load}  %p = inttoptr i{from} %a to ptr\n  %r = ptrtoint ptr %p to i{from}\n  store i{from} %r, ptr %out\n"
        ));
    }
    for (from, to) in [
        ("<8 x i1>", "i8"),
        ("i8", "<8 x i1>"),
        ("<3 x i8>", "i24"),
        ("i24", "<3 x i8>"),
        ("<24 x i1>", "<3 x i8>"),
        ("<2 x i64>", "i128"),
        ("i128", "<4 x float>"),
        ("<5 x i32>", "<5 x float>"),
        ("<6 x i16>", "<3 x i32>"),
        ("<40 x i1>", "i40"),
        ("i48", "<3 x half>"),
        ("<3 x i24>", "<9 x i8>"),
        ("<2 x i128>", "<8 x i32>"),
        ("<1 x i32>", "i32"),
    ] {
        bodies.push(format!(
            "  %a = load {from}, ptr %in\n  %r = bitcast {from} %a to {to}\n  store {to} %r, ptr %out\n"
        ));
    }
    check(&bodies, "");
}

/// Functions that make values of any type from bytes.
const MAKERS: &str = include_str!("support/spirv_makers.ll");

#[test]
fn memory_of_any_type() {
    let mut bodies = Vec::new();
    for ty in [
        "i24",
        "i33",
        "i48",
        "i100",
        "i128",
        "<3 x i24>",
        "<5 x i32>",
        "<7 x i1>",
        "<4 x i1>",
        "<3 x float>",
        "<3 x i8>",
        "<5 x i33>",
        "{ i8, i24, i1 }",
        "[3 x { i33, <2 x i1> }]",
        "<{ i8, i128, i24 }>",
        "<2 x ptr>",
        "{ <3 x float>, [2 x i1] }",
        "<32 x i8>",
    ] {
        for volatile in ["", "volatile "] {
            for alignment in [1, 2, 8] {
                // A value is read with the type with which it was written.
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
    for (ty, element, count) in [
        ("<5 x i32>", "i32", 5),
        ("<6 x i1>", "i1", 6),
        ("<3 x i24>", "i24", 3),
        ("<3 x float>", "float", 3),
        ("<4 x i32>", "i32", 4),
    ] {
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
