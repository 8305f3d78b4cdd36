//! Checks and disassembles SPIR-V modules of other translators.
//!
//! In: bytes. Out: an error if a driver could not load them as a module, and their disassembly.
//! *Invariant:* instructions newer than this tool are skipped, not rejected; only the disassembly
//! needs to know them.

use rspirv::{
    binary::Disassemble,
    dr,
    spirv::{Decoration, LinkageType, MAGIC_NUMBER, Op},
};

/// Words of the header (SPIR-V, 2.3, "Physical Layout of a SPIR-V Module and Instruction").
const HEADER: usize = 5;

/// Defect of a module.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ModuleError {
    #[error("it is not a module of SPIR-V; have it write a binary one, neither text nor an object file")]
    NotSpirv,
    #[error("it is cut off or damaged at word {word}")]
    Damaged { word: usize },
    #[error(
        "the module wants `{name}` from another, which means that the translator does not know this instruction; a newer version may"
    )]
    Import { name: String },
    #[error("this tool cannot read it as text: {reason}; use --emit spv and spirv-dis")]
    NoText { reason: String },
}

/// Rejects modules that no driver would load.
pub(crate) fn check(bytes: &[u8]) -> Result<(), ModuleError> {
    let (chunks, rest) = bytes.as_chunks::<4>();
    let words: Vec<u32> = chunks.iter().copied().map(u32::from_le_bytes).collect();
    if words.first() != Some(&MAGIC_NUMBER) {
        return Err(ModuleError::NotSpirv);
    }
    if words.len() < HEADER || !rest.is_empty() {
        return Err(ModuleError::Damaged { word: words.len() });
    }
    let decorations = decorations(&words)?;
    let is_built_in = |id| decorations.iter().any(|of| of.id == id && of.decoration == Decoration::BuiltIn as u32);
    // Other translators give built-in variables an import linkage too; drivers know these.
    let missing = decorations.iter().find(|of| of.is_import() && !is_built_in(of.id));
    missing.map_or(Ok(()), |missing| Err(ModuleError::Import { name: missing.name() }))
}

/// Decorations of an id.
struct Decorated<'w> {
    id: u32,
    decoration: u32,
    more: &'w [u32],
}

fn decorations(words: &[u32]) -> Result<Vec<Decorated<'_>>, ModuleError> {
    let (mut at, mut found) = (HEADER, Vec::new());
    while at < words.len() {
        let count = (words[at] >> 16) as usize;
        let instruction = words.get(at..at + count).filter(|words| !words.is_empty());
        let instruction = instruction.ok_or(ModuleError::Damaged { word: at })?;
        if let [operation, id, decoration, more @ ..] = instruction
            && operation & 0xffff == Op::Decorate as u32
        {
            found.push(Decorated { id: *id, decoration: *decoration, more });
        }
        at += count;
    }
    Ok(found)
}

impl Decorated<'_> {
    /// True if another module has to define it. The linkage type follows the name.
    fn is_import(&self) -> bool {
        self.decoration == Decoration::LinkageAttributes as u32
            && self.more.last() == Some(&(LinkageType::Import as u32))
    }

    fn name(&self) -> String {
        let bytes = self.more.iter().flat_map(|word| word.to_le_bytes());
        let bytes: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Disassembles the module in the same form as our emitter's output.
pub(crate) fn text(bytes: &[u8]) -> Result<Vec<u8>, ModuleError> {
    let module = dr::load_bytes(bytes).map_err(|error| ModuleError::NoText { reason: error.to_string() })?;
    Ok((module.disassemble() + "\n").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(words: &[u32]) -> Vec<u8> {
        let header = [MAGIC_NUMBER, 0x0001_0400, 0, 10, 0];
        header.iter().chain(words).flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn modules_are_told_from_other_bytes() {
        assert_eq!(check(b"; SPIR-V"), Err(ModuleError::NotSpirv));
        assert_eq!(check(&[]), Err(ModuleError::NotSpirv));
        assert_eq!(check(&module(&[])), Ok(()));
        assert_eq!(check(&module(&[])[..18]), Err(ModuleError::Damaged { word: 4 }));
        // A two-word instruction encoded with one word, then a valid instruction without operands.
        assert_eq!(check(&module(&[0x0002_0011])), Err(ModuleError::Damaged { word: 5 }));
        assert_eq!(check(&module(&[0x0000_0011])), Err(ModuleError::Damaged { word: 5 }));
        // An opcode that no version defines.
        assert_eq!(check(&module(&[0x0002_ffff, 1])), Ok(()));
    }

    #[test]
    fn what_is_missing_is_named() {
        let name = u32::from_le_bytes(*b"sin\0");
        let decorate = |linkage| module(&[0x0005_0047, 1, 41, name, linkage]);
        assert_eq!(check(&decorate(0)), Ok(()));
        assert_eq!(check(&decorate(1)), Err(ModuleError::Import { name: "sin".to_owned() }));
        // A built-in variable: the index of the work-group.
        let built_in = [0x0005_0047, 1, 41, name, 1, 0x0004_0047, 1, 11, 26];
        assert_eq!(check(&module(&built_in)), Ok(()));
    }
}
