//! Kernels that call one intrinsic each: every LLVM math intrinsic on every type.

const UNARY: [&str; 32] = [
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "exp10",
    "log",
    "log2",
    "log10",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "nearbyint",
    "round",
    "roundeven",
    "fabs",
    "sqrt",
    "canonicalize",
    "frexp",
    "lrint",
    "llrint",
    "lround",
    "llround",
    "fptosi.sat",
    "is.fpclass",
];
const BINARY: [&str; 8] = ["pow", "minnum", "maxnum", "minimum", "maximum", "copysign", "powi", "ldexp"];
const INTEGER: [&str; 22] = [
    "ctpop",
    "ctlz",
    "cttz",
    "bitreverse",
    "abs",
    "smin",
    "smax",
    "umin",
    "umax",
    "uadd.sat",
    "sadd.sat",
    "usub.sat",
    "ssub.sat",
    "ushl.sat",
    "fshl",
    "fshr",
    "uadd.with.overflow",
    "smul.with.overflow",
    "umul.with.overflow",
    "vector.reduce.add",
    "vector.reduce.xor",
    "vector.reduce.umax",
];
const FLOATS: [(&str, &str); 7] = [
    ("f16", "half"),
    ("bf16", "bfloat"),
    ("f32", "float"),
    ("f64", "double"),
    ("v2f16", "<2 x half>"),
    ("v3f32", "<3 x float>"),
    ("v4f64", "<4 x double>"),
];
const INTEGERS: [(&str, &str); 7] = [
    ("i8", "i8"),
    ("i16", "i16"),
    ("i32", "i32"),
    ("i64", "i64"),
    ("i128", "i128"),
    ("v4i32", "<4 x i32>"),
    ("v4i8", "<4 x i8>"),
];

/// `element`, or a vector of as many elements as `like` has.
fn shaped(like: &str, element: &str) -> String {
    match like.strip_prefix('<').and_then(|rest| rest.split_once(" x ")) {
        Some((lanes, _)) => format!("<{lanes} x {element}>"),
        None => element.to_owned(),
    }
}

/// A kernel that calls `name` on values from memory.
fn kernel(name: &str, result: &str, parameters: &[&str]) -> String {
    let values: String =
        parameters.iter().enumerate().map(|(i, ty)| format!("  %v{i} = load {ty}, ptr %p\n")).collect();
    let list: Vec<String> = parameters.iter().enumerate().map(|(i, ty)| format!("{ty} %v{i}")).collect();
    let mut arguments = list.join(", ");
    let mut types = parameters.join(", ");
    for (family, extra, literal) in
        [("ctlz", "i1", "false"), ("cttz", "i1", "false"), ("abs", "i1", "false"), ("is.fpclass", "i32", "3")]
    {
        if name.starts_with(&format!("llvm.{family}.")) {
            types = format!("{types}, {extra} immarg");
            arguments = format!("{arguments}, {extra} {literal}");
        }
    }
    format!(
        "declare {result} @{name}({types})\ndefine void @k(ptr %p, ptr %o) {{\n{values}  %r = call {result} @{name}({arguments})\n  \
         store {result} %r, ptr %o\n  ret void\n}}\n"
    )
}

pub(crate) fn floating(name: &str, suffix: &str, ty: &str) -> String {
    let (integer, whole) = (shaped(ty, "i32"), shaped(ty, "i64"));
    let exponents = if suffix.starts_with('v') { format!("{}i32", &suffix[..2]) } else { "i32".to_owned() };
    match name {
        "powi" => kernel(&format!("llvm.powi.{suffix}.i32"), ty, &[ty, "i32"]),
        "ldexp" => kernel(&format!("llvm.ldexp.{suffix}.{exponents}"), ty, &[ty, &integer]),
        "frexp" => kernel(&format!("llvm.frexp.{suffix}.{exponents}"), &format!("{{ {ty}, {integer} }}"), &[ty]),
        "fptosi.sat" => kernel(&format!("llvm.fptosi.sat.{exponents}.{suffix}"), &integer, &[ty]),
        "is.fpclass" => kernel(&format!("llvm.is.fpclass.{suffix}"), &shaped(ty, "i1"), &[ty]),
        "lrint" | "llrint" | "lround" | "llround" => {
            let result = if suffix.starts_with('v') { format!("{}i64", &suffix[..2]) } else { "i64".to_owned() };
            kernel(&format!("llvm.{name}.{result}.{suffix}"), &whole, &[ty])
        }
        _ if BINARY.contains(&name) => kernel(&format!("llvm.{name}.{suffix}"), ty, &[ty, ty]),
        _ => kernel(&format!("llvm.{name}.{suffix}"), ty, &[ty]),
    }
}

fn integral(name: &str, suffix: &str, ty: &str) -> Option<String> {
    let full = format!("llvm.{name}.{suffix}");
    Some(match name {
        "ctpop" | "ctlz" | "cttz" | "bitreverse" | "abs" => kernel(&full, ty, &[ty]),
        "fshl" | "fshr" => kernel(&full, ty, &[ty, ty, ty]),
        _ if name.ends_with("overflow") => kernel(&full, &format!("{{ {ty}, {} }}", shaped(ty, "i1")), &[ty, ty]),
        _ if name.starts_with("vector") => {
            let element = ty.strip_prefix('<')?.strip_suffix('>')?.split_once(" x ")?.1;
            kernel(&full, element, &[ty])
        }
        _ => kernel(&full, ty, &[ty, ty]),
    })
}

/// One kernel for each intrinsic on each type.
pub(crate) fn every_intrinsic() -> Vec<String> {
    let mut texts = Vec::new();
    for (suffix, ty) in FLOATS {
        // LLVM has no rounding of vectors to integers.
        let exists = |name: &&&str| !(suffix.starts_with('v') && name.ends_with("lround"));
        texts.extend(UNARY.iter().chain(&BINARY).filter(exists).map(|name| floating(name, suffix, ty)));
    }
    for (suffix, ty) in INTEGERS {
        texts.extend(INTEGER.iter().filter_map(|name| integral(name, suffix, ty)));
    }
    texts
}
