//! Mangles C++ names of functions that stand for instructions.
//!
//! In: a name and the types of its parameters. Out: the name mangled as in the Itanium C++ ABI
//! (section 5.1, "External Names"). *Invariant:* a repeated compound type is a substitution (`S_`,
//! `S0_`).

/// The type of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Parameter {
    /// A scalar, as its letters.
    Scalar(&'static str),
    /// A vector: its length and the letters of its elements.
    Vector(u32, &'static str),
    /// A pointer to a scalar, with an address space in OpenCL's numbering.
    Pointer(u32, &'static str),
}

/// The mangled name of a function.
pub(super) fn mangled(name: &str, parameters: &[Parameter]) -> String {
    let mut mangled = Vec::new();
    let types: String = parameters.iter().map(|parameter| parameter.mangled(&mut mangled)).collect();
    format!("_Z{}{name}{}", name.len(), if types.is_empty() { "v" } else { &types })
}

impl Parameter {
    fn mangled(&self, before: &mut Vec<String>) -> String {
        match self {
            Parameter::Scalar(letters) => (*letters).to_owned(),
            Parameter::Vector(count, letters) => once(before, format!("Dv{count}_{letters}")),
            Parameter::Pointer(0, letters) => once(before, format!("P{letters}")),
            Parameter::Pointer(space, letters) => {
                let pointee = format!("U3AS{space}{letters}");
                let whole = format!("P{pointee}");
                if before.contains(&whole) {
                    return once(before, whole);
                }
                let mangled = once(before, pointee);
                before.push(whole);
                format!("P{mangled}")
            }
        }
    }
}

/// A compound type, or its substitution if it was mangled before.
fn once(before: &mut Vec<String>, whole: String) -> String {
    match before.iter().position(|known| *known == whole) {
        Some(0) => "S_".to_owned(),
        Some(number) => format!("S{}_", sequence(number - 1)),
        None => {
            before.push(whole.clone());
            whole
        }
    }
}

/// The index of a substitution in base 36.
fn sequence(number: usize) -> String {
    let digit = char::from_digit((number % 36) as u32, 36).unwrap_or('0').to_ascii_uppercase();
    let rest = if number < 36 { String::new() } else { sequence(number / 36) };
    format!("{rest}{digit}")
}

#[cfg(test)]
mod tests {
    use super::{Parameter::*, *};

    #[test]
    fn names_are_those_that_clang_gives() {
        for (name, parameters, expected) in [
            ("__spirv_ControlBarrier", vec![Scalar("j"); 3], "_Z22__spirv_ControlBarrierjjj"),
            ("__spirv_ocl_sin", vec![Scalar("f")], "_Z15__spirv_ocl_sinf"),
            ("__spirv_BuiltInSubgroupSize", vec![], "_Z27__spirv_BuiltInSubgroupSizev"),
            ("f", vec![Vector(4, "f"), Vector(4, "f"), Vector(2, "i")], "_Z1fDv4_fS_Dv2_i"),
            ("f", vec![Pointer(1, "j"), Pointer(1, "j"), Pointer(0, "j")], "_Z1fPU3AS1jS0_Pj"),
            ("f", vec![Pointer(1, "j"), Pointer(3, "j"), Pointer(3, "j")], "_Z1fPU3AS1jPU3AS3jS2_"),
        ] {
            assert_eq!(mangled(name, &parameters), expected);
        }
        assert_eq!([0, 9, 10, 35, 36].map(sequence), ["0", "9", "A", "Z", "10"]);
    }
}
