//! Reads AMD code objects: the metadata note of "User Guide for AMDGPU Backend", "Code Object
//! Metadata".
//!
//! In: the bytes of a code object. Out: the note's metadata of its kernels. *Invariant:* only the
//! format that LLVM writes is read; anything else is a panic, which fails the test.

use object::{Object, ObjectSection, ObjectSymbol, read::elf::ElfFile64};

/// The type of the note (`NT_AMDGPU_METADATA`).
const METADATA: u32 = 32;

/// A value in MessagePack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Node {
    Map(Vec<(String, Node)>),
    List(Vec<Node>),
    Text(String),
    Number(u64),
    Truth(bool),
}

impl Node {
    /// The member of a map; panics if it is missing.
    pub(crate) fn get(&self, name: &str) -> &Node {
        self.find(name).unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Node> {
        let Node::Map(members) = self else { panic!("{self:?} is no map") };
        members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    pub(crate) fn list(&self) -> &[Node] {
        if let Node::List(list) = self { list } else { panic!("{self:?} is no list") }
    }

    pub(crate) fn text(&self) -> &str {
        if let Node::Text(text) = self { text } else { panic!("{self:?} is no text") }
    }

    pub(crate) fn number(&self) -> u64 {
        if let Node::Number(number) = self { *number } else { panic!("{self:?} is no number") }
    }
}

/// Reads MessagePack from the start of a slice.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken.to_vec()
    }

    /// A big-endian number of this many bytes.
    fn number(&mut self, size: usize) -> u64 {
        self.bytes(size).into_iter().fold(0, |number, byte| number << 8 | u64::from(byte))
    }

    fn text(&mut self, size: u64) -> Node {
        Node::Text(String::from_utf8(self.bytes(size as usize)).expect("UTF-8"))
    }

    fn list(&mut self, count: u64) -> Node {
        Node::List((0..count).map(|_| self.node()).collect())
    }

    fn map(&mut self, count: u64) -> Node {
        let member = |reader: &mut Self| {
            let key = reader.node();
            (key.text().to_owned(), reader.node())
        };
        Node::Map((0..count).map(|_| member(self)).collect())
    }

    fn node(&mut self) -> Node {
        let tag = self.number(1);
        match tag {
            0x00..=0x7f => Node::Number(tag),
            0x80..=0x8f => self.map(tag & 0xf),
            0x90..=0x9f => self.list(tag & 0xf),
            0xa0..=0xbf => self.text(tag & 0x1f),
            0xc2 | 0xc3 => Node::Truth(tag == 0xc3),
            0xcc..=0xcf => Node::Number(self.number(1 << (tag - 0xcc))),
            0xd9..=0xdb => {
                let size = self.number(1 << (tag - 0xd9));
                self.text(size)
            }
            0xdc | 0xdd => {
                let count = self.number(2 << (tag - 0xdc));
                self.list(count)
            }
            0xde | 0xdf => {
                let count = self.number(2 << (tag - 0xde));
                self.map(count)
            }
            _ => panic!("MessagePack tag {tag:#x}"),
        }
    }
}

/// The metadata of a code object.
pub(crate) fn metadata(code: &[u8]) -> Node {
    let file = ElfFile64::<object::LittleEndian>::parse(code).expect("ELF");
    let notes = file.sections().find(|section| section.name() == Ok(".note")).expect("notes");
    let notes = notes.data().expect("data");
    let word = |at: usize| u32::from_le_bytes(*notes[at..].first_chunk().expect("a word"));
    let (name, description, kind) = (word(0) as usize, word(4) as usize, word(8));
    assert_eq!(kind, METADATA);
    let start = 12 + name.next_multiple_of(4);
    assert_eq!(&notes[12..12 + name], b"AMDGPU\0");
    Reader(&notes[start..start + description]).node()
}

/// The metadata of the only kernel, whose name is `symbol`; checks that the symbols required by
/// AMD's loader are defined and that no symbol is undefined.
pub(crate) fn kernel(code: &[u8], symbol: &str) -> Node {
    let kernels = metadata(code).get("amdhsa.kernels").list().to_vec();
    let [kernel] = kernels.as_slice() else { panic!("{} kernels", kernels.len()) };
    assert_eq!(kernel.get(".name").text(), symbol);
    assert_eq!(kernel.get(".symbol").text(), format!("{symbol}.kd"));
    let file = ElfFile64::<object::LittleEndian>::parse(code).expect("ELF");
    let symbols: Vec<_> = file.dynamic_symbols().collect();
    for name in [symbol.to_owned(), format!("{symbol}.kd")] {
        assert!(symbols.iter().any(|symbol| symbol.name() == Ok(&name) && !symbol.is_undefined()), "no {name}");
    }
    let open: Vec<_> = symbols.iter().filter(|s| s.is_undefined()).filter_map(|s| s.name().ok()).collect();
    assert!(open.iter().all(|name| name.is_empty()), "{open:?} are left open");
    kernel.clone()
}
