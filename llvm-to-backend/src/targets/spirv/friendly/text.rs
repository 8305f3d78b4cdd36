//! Address spaces and scopes in the numbers and words of other translators.
//!
//! In: IR as text. Out: the same with other numbers of address spaces, other names of scopes, one convention for calls and no hints about loops. *Invariant:*
//! nothing but the words that mean these is touched: no names, texts and comments. It is done on the text because a value of LLVM keeps its type.

/// Address spaces: our number and that of OpenCL's compilers (clang's `SPIRDefIsPrivMap`): generic, global, local, constant, private.
pub(super) const SPACES: [(u32, u32); 5] = [(0, 4), (1, 1), (3, 3), (4, 2), (5, 0)];
/// Names of scopes besides those that all know: `subgroup`, `workgroup`, `device` and `singlethread`.
const SCOPES: [(&str, &str); 5] = [
    ("work_item", "singlethread"),
    ("wavefront", "subgroup"),
    ("sub_group", "subgroup"),
    ("work_group", "workgroup"),
    ("agent", "device"),
];
/// Orders memory of one address space only; what orders all of it is as good.
const ONE_SPACE: &str = "-one-as";
/// What the optimiser may choose for functions that nobody else calls, and what devices have.
const FAST: &str = "fastcc";
const OF_DEVICES: &str = "spir_func";
/// What was said about loops has been done, and our emitter does not write it. Khronos' translator makes structured loops of it, which the optimiser's need not be.
const LOOP: &str = "!llvm.loop";

const POINTER: &str = "ptr";
const SPACE: &str = "addrspace(";
const SCOPE: &str = "syncscope(\"";

pub(super) fn translated(text: &str) -> String {
    let (mut rest, mut out) = (text, String::with_capacity(text.len() + text.len() / 4));
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => quoted(rest),
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '%' | '@' | '!' | '$' | '#' => 1 + word(&rest[1..]),
            _ => word(rest).max(first.len_utf8()),
        };
        let (token, behind) = rest.split_at(length);
        // A label ends with a colon.
        let taken = if behind.starts_with(':') { None } else { replaced(token, behind, &mut out) };
        match taken {
            Some(taken) => rest = &behind[taken..],
            None => {
                out.push_str(token);
                rest = behind;
            }
        }
    }
    out
}

/// Writes what stands for a word and what is behind it, and says how much of that it is; `None` for words that stay.
fn replaced(token: &str, behind: &str, out: &mut String) -> Option<usize> {
    let whole = || behind.strip_prefix(&SPACE[SPACE.len() - 1..]);
    match token {
        POINTER if !behind.trim_start_matches(' ').starts_with(SPACE) => {
            out.push_str(&format!("{POINTER} {SPACE}{})", space(0)?));
            Some(0)
        }
        "addrspace" => {
            let (number, _) = whole()?.split_once(')')?;
            out.push_str(&format!("{SPACE}{})", space(number.parse().ok()?)?));
            Some(number.len() + 2)
        }
        "syncscope" => {
            let name = behind.strip_prefix(&SCOPE["syncscope".len()..])?.split('"').next()?;
            out.push_str(&format!("{SCOPE}{}\"", scope(name)));
            Some(name.len() + 3)
        }
        LOOP if out.ends_with(", ") => {
            let node = behind.strip_prefix(" !")?;
            out.truncate(out.len() - 2);
            Some(2 + word(node))
        }
        FAST => {
            out.push_str(OF_DEVICES);
            Some(0)
        }
        _ => None,
    }
}

fn space(ours: u32) -> Option<u32> {
    SPACES.iter().find(|(known, _)| *known == ours).map(|(_, theirs)| *theirs)
}

fn scope(name: &str) -> &str {
    let name = name.trim_end_matches(ONE_SPACE);
    // What orders memory of one address space for the whole system has no name of its own.
    let name = if name == "one-as" { "" } else { name };
    SCOPES.iter().find(|(known, _)| *known == name).map_or(name, |(_, theirs)| theirs)
}

/// How long a word is.
fn word(text: &str) -> usize {
    let inside = |c: char| c.is_ascii_alphanumeric() || "-$._".contains(c);
    text.find(|c| !inside(c)).unwrap_or(text.len())
}

/// How long a text in quotes is. There are no quotes in it: IR writes them as numbers.
fn quoted(text: &str) -> usize {
    text[1..].find('"').map_or(text.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn words_are_replaced() {
        for (given, expected) in [
            ("load ptr, ptr addrspace(5) %p", "load ptr addrspace(4), ptr addrspace(0) %p"),
            ("@x = internal addrspace(4) constant i8 0", "@x = internal addrspace(2) constant i8 0"),
            ("alloca i32, align 4, addrspace(5)", "alloca i32, align 4, addrspace(0)"),
            ("fence syncscope(\"agent-one-as\") acquire", "fence syncscope(\"device\") acquire"),
            ("fence syncscope(\"one-as\") acquire", "fence syncscope(\"\") acquire"),
            ("br label %l, !dbg !1, !llvm.loop !23\n", "br label %l, !dbg !1\n"),
            ("br label %l, !llvm.loop !23, !dbg !1\n", "br label %l, !dbg !1\n"),
            ("define internal fastcc void @f(ptr)", "define internal spir_func void @f(ptr addrspace(4))"),
        ] {
            assert_eq!(translated(given), expected);
        }
    }

    #[test]
    fn names_and_texts_stay() {
        for text in [
            "%ptr = add i32 %ptr.1, 1 ; a ptr",
            "ptr:\n  br label %ptr",
            "@\"ptr addrspace(5)\" = internal constant [4 x i8] c\"ptr \"",
            "!ptr = !{!\"ptr\"}",
            "attributes #0 = { \"ptr\"=\"fastcc\" }",
            "%\"class.ptr\" = type { i32 }",
        ] {
            assert_eq!(translated(text), text);
        }
    }
}
