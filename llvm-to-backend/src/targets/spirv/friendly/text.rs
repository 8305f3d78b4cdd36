//! Rewrites address spaces and scopes for other translators.
//!
//! In: IR text. Out: the same with other numbers of address spaces and names of scopes, the default
//! calling convention, and without loop metadata. *Invariant:* only these tokens change: no names,
//! strings or comments. It works on text because the type of an LLVM value cannot change.

/// Address spaces in Sinter's numbering and in that of OpenCL compilers (clang's
/// `SPIRDefIsPrivMap`): generic, global, local, constant, private.
pub(super) const SPACES: [(u32, u32); 5] = [(0, 4), (1, 1), (3, 3), (4, 2), (5, 0)];
/// Names of scopes, other than the common ones: `subgroup`, `workgroup`, `device` and
/// `singlethread`.
const SCOPES: [(&str, &str); 5] = [
    ("work_item", "singlethread"),
    ("wavefront", "subgroup"),
    ("sub_group", "subgroup"),
    ("work_group", "workgroup"),
    ("agent", "device"),
];
/// Suffix of scopes that order one address space only. Ordering all of them is as correct.
const ONE_SPACE: &str = "-one-as";
/// Calling convention that the optimiser chooses for internal functions, and the one that devices
/// support.
const FAST: &str = "fastcc";
const OF_DEVICES: &str = "spir_func";
/// Loop metadata, which has served its purpose and which the emitter omits. Khronos' translator
/// emits structured loops for it, and loops after the optimiser need not be structured.
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

/// Writes the replacement of a token and returns how many bytes after the token it replaces; `None`
/// for other tokens.
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
    // The system scope for one address space has no base name.
    let name = if name == "one-as" { "" } else { name };
    SCOPES.iter().find(|(known, _)| *known == name).map_or(name, |(_, theirs)| theirs)
}

/// Length of a token in bytes.
fn word(text: &str) -> usize {
    let inside = |c: char| c.is_ascii_alphanumeric() || "-$._".contains(c);
    text.find(|c| !inside(c)).unwrap_or(text.len())
}

/// Length of a quoted string in bytes. It has no quotes inside, which IR escapes.
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
