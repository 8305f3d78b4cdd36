//! Parses the text of a container into a tree of borrowed nodes.
//!
//! In: the whole container. Out: the root node and the binary appendix. The text ends at the first
//! line that starts with a marker. *Invariant:* depth, number of nodes and keys, and size of the
//! text are bounded, so that time and memory are linear in the input and recursion over the tree is
//! safe.

use super::{
    MARKER, OLD_MARKER,
    error::{ContainerError, shorten},
};

/// Maximum depth. Containers nest five deep; a deeper one is not from a compiler.
pub(super) const MAX_DEPTH: usize = 16;
/// Maximum number of nodes. 10,000 kernels of 20 parameters need 500,000.
pub(super) const MAX_NODES: usize = 1 << 20;
/// Maximum number of keys, of all nodes together.
pub(super) const MAX_ENTRIES: usize = 1 << 22;
/// Maximum size of the text in bytes; the appendix is not limited.
pub(super) const MAX_TEXT: usize = 256 << 20;

/// A node of the text, with its keys and children.
#[derive(Debug, Default)]
pub(super) struct Node<'a> {
    pub(super) name: &'a str,
    /// Offset of the node in the container.
    pub(super) offset: usize,
    pub(super) entries: Vec<(&'a str, &'a str)>,
    pub(super) children: Vec<Node<'a>>,
}

impl<'a> Node<'a> {
    pub(super) fn value(&self, key: &str) -> Option<&'a str> {
        self.entries.iter().find(|(k, _)| *k == key).map(|(_, value)| *value)
    }

    pub(super) fn child(&self, name: &str) -> Option<&Node<'a>> {
        self.children.iter().find(|child| child.name == name)
    }

    /// A list; its elements are the names of a node's children.
    pub(super) fn list(&self, name: &str) -> Vec<&'a str> {
        self.child(name).map(|list| list.children.iter().map(|child| child.name).collect()).unwrap_or_default()
    }
}

enum Line<'a> {
    Blank,
    Start(&'a str),
    End(&'a str),
    Entry(&'a str, &'a str),
}

/// Builds the tree; `open` is the path from the root to the innermost open node.
struct Parser<'a> {
    open: Vec<Node<'a>>,
    root: Node<'a>,
    nodes: usize,
    entries: usize,
}

/// Parses `bytes` into the root node and the appendix.
pub(super) fn parse(bytes: &[u8]) -> Result<(Node<'_>, &[u8]), ContainerError> {
    let mut parser = Parser { open: Vec::new(), root: Node::default(), nodes: 0, entries: 0 };
    let mut offset = 0;
    loop {
        let line = next_line(bytes, offset)?;
        if let Some(marker) = marker_at(line) {
            let start = offset + leading_space(line) + marker;
            return Ok((parser.finish(offset)?, &bytes[start..]));
        }
        let text = std::str::from_utf8(line).map_err(|_| ContainerError::NotText { offset })?;
        parser.line(offset, text)?;
        offset += line.len() + 1;
    }
}

/// The line that starts at `offset`, without its line feed. The last line may lack one.
fn next_line(bytes: &[u8], offset: usize) -> Result<&[u8], ContainerError> {
    if offset > MAX_TEXT {
        return Err(ContainerError::TooLarge { offset, what: "bytes of text", limit: MAX_TEXT });
    }
    let rest =
        bytes.get(offset..).filter(|rest| !rest.is_empty()).ok_or(ContainerError::NoMarker { offset: bytes.len() })?;
    let end = rest.iter().take(MAX_TEXT).position(|byte| *byte == b'\n').unwrap_or(rest.len());
    Ok(&rest[..end])
}

fn leading_space(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

/// Length of the marker at the start of `line`. The appendix follows directly, so the "line" may
/// hold any bytes.
fn marker_at(line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii_start();
    [MARKER, OLD_MARKER].into_iter().find(|marker| line.starts_with(marker.as_bytes())).map(str::len)
}

fn classify(offset: usize, line: &str) -> Result<Line<'_>, ContainerError> {
    let text = line.trim();
    if text.is_empty() {
        Ok(Line::Blank)
    } else if let Some(name) = text.strip_prefix("{.") {
        Ok(Line::Start(name))
    } else if let Some(name) = text.strip_prefix("}.") {
        Ok(Line::End(name))
    } else if let Some((key, value)) = text.split_once('=') {
        Ok(Line::Entry(key.trim_end(), value.trim_start()))
    } else {
        Err(ContainerError::Syntax { offset, line: shorten(text) })
    }
}

impl<'a> Parser<'a> {
    fn line(&mut self, offset: usize, line: &'a str) -> Result<(), ContainerError> {
        match classify(offset, line)? {
            Line::Blank => Ok(()),
            Line::Start(name) => self.start(offset, name),
            Line::End(name) => self.end(offset, name),
            Line::Entry(key, value) => self.entry(offset, key, value),
        }
    }

    fn innermost(&mut self) -> &mut Node<'a> {
        self.open.last_mut().unwrap_or(&mut self.root)
    }

    fn start(&mut self, offset: usize, name: &'a str) -> Result<(), ContainerError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(ContainerError::TooLarge { offset, what: "nodes", limit: MAX_NODES });
        }
        if self.open.len() == MAX_DEPTH {
            return Err(ContainerError::TooLarge { offset, what: "nested nodes", limit: MAX_DEPTH });
        }
        self.open.push(Node { name, offset, ..Node::default() });
        Ok(())
    }

    fn end(&mut self, offset: usize, name: &str) -> Result<(), ContainerError> {
        match self.open.pop() {
            Some(node) if node.name == name => {
                self.innermost().children.push(node);
                Ok(())
            }
            other => Err(unbalanced(offset, other, name)),
        }
    }

    fn entry(&mut self, offset: usize, key: &'a str, value: &'a str) -> Result<(), ContainerError> {
        self.entries += 1;
        if self.entries > MAX_ENTRIES {
            return Err(ContainerError::TooLarge { offset, what: "keys", limit: MAX_ENTRIES });
        }
        self.innermost().entries.push((key, value));
        Ok(())
    }

    fn finish(mut self, offset: usize) -> Result<Node<'a>, ContainerError> {
        match self.open.pop() {
            None => Ok(self.root),
            open => Err(unbalanced(offset, open, "the text")),
        }
    }
}

fn unbalanced(offset: usize, open: Option<Node<'_>>, found: &str) -> ContainerError {
    ContainerError::Unbalanced { offset, expected: open.map(|node| shorten(node.name)), found: shorten(found) }
}
