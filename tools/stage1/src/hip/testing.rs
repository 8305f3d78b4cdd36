//! Modules as clang and the plugin make them of HIP, for the unit tests.
//!
//! In: the body of a kernel `k`, the rest of the module, annotations. Out: the module's text.
//! *Invariant:* the kernel's entry is `k.kernel`, and its handle is `k`.

use crate::testing::module_text;

/// Function and variable that launch the kernel.
pub(super) const HANDLE: &str = "@k = constant ptr @stub, align 8\ndefine void @stub() {\n  ret void\n}\n";

/// An annotation: the annotated symbol, the string, the numbers.
pub(super) type Annotation<'a> = (&'a str, &'a str, &'a [i64]);

pub(super) fn text(body: &str, rest: &str, annotations: &[Annotation<'_>]) -> String {
    let mut strings = String::new();
    let mut entries = String::new();
    for (index, (symbol, string, numbers)) in annotations.iter().enumerate() {
        let length = string.len() + 1;
        strings += &format!(
            "@.h{index} = private unnamed_addr constant [{length} x i8] c\"{string}\\00\", section \"llvm.metadata\"\n"
        );
        let types = numbers.iter().map(|_| "i64").collect::<Vec<_>>().join(", ");
        let values = numbers.iter().map(|number| format!("i64 {number}")).collect::<Vec<_>>().join(", ");
        strings += &format!(
            "@.a{index} = private unnamed_addr constant {{ {types} }} {{ {values} }}, section \"llvm.metadata\"\n"
        );
        let arguments = if numbers.is_empty() { "null".to_owned() } else { format!("@.a{index}") };
        entries += &format!(
            ", {{ ptr, ptr, ptr, i32, ptr }} {{ ptr @{symbol}, ptr @.h{index}, ptr @.f, i32 1, ptr {arguments} }}"
        );
    }
    let count = annotations.len() + 1;
    module_text(body, &format!("{rest}\n{strings}"))
        .replace("global [1 x", &format!("global [{count} x"))
        .replace("i32 1, ptr null }]", &format!("i32 1, ptr null }}{entries}]"))
        .replace("@kernel", "@k.kernel")
        .replace("$kernel", "$k.kernel")
}

/// The line of a module's text that starts with this name.
pub(super) fn line<'a>(text: &'a str, name: &str) -> &'a str {
    let defines = |line: &&str| line.starts_with(&format!("{name} ="));
    text.lines().find(defines).unwrap_or_else(|| panic!("no {name} in\n{text}"))
}
