//! Errors of reading, checking and writing containers.
//!
//! *Invariant:* every message names the place (a byte offset or a node), the problem, and the
//! remedy.
use crate::names::readable;

const REBUILD: &str = "the container is damaged or truncated; rebuild or reinstall the program that embeds it";

/// Defect in the header or payload of an embedded blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlobDefect {
    /// Fewer bytes are left than the size of a header.
    #[error("the header is cut off")]
    ShortHeader,
    /// The magic number is missing.
    #[error("the magic SINTERHC is missing")]
    Magic,
    /// Unknown version or header size.
    #[error("blob version {version} with a header of {header_size} bytes is unknown to this build")]
    Version {
        /// Version in the header.
        version: u32,
        /// Size according to the header.
        header_size: u32,
    },
    /// The payload extends past the section.
    #[error("the payload has {size} bytes, but only {left} are left")]
    ShortPayload {
        /// Size according to the header.
        size: u64,
        /// Bytes left in the section.
        left: u64,
    },
    /// The payload does not match the digest in the header.
    #[error("the digest of the payload differs from the one in the header")]
    Digest,
}

/// Reason why bytes are not a usable container, or why a container cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// The text ends without the marker that precedes the binary appendix.
    #[error("byte {offset}: the binary appendix marker is missing; {}", REBUILD)]
    NoMarker {
        /// Offset of the end of the text.
        offset: usize,
    },
    /// A line is not UTF-8.
    #[error("byte {offset}: the text is not UTF-8; {}", REBUILD)]
    NotText {
        /// Start of the line.
        offset: usize,
    },
    /// A line is neither a key with a value nor the start or end of a node.
    #[error("byte {offset}: `{line}` is neither `key = value` nor `{{.node` nor `}}.node`; {}", REBUILD)]
    Syntax {
        /// Start of the line.
        offset: usize,
        /// The line, shortened.
        line: String,
    },
    /// A line closes a node that is not the innermost open one.
    #[error("byte {offset}: `{found}` is closed where {} is open; {}", open(expected), REBUILD)]
    Unbalanced {
        /// Start of the line, or the end of the text.
        offset: usize,
        /// Name of the innermost open node, if any.
        expected: Option<String>,
        /// Name in the line; `the text` at the end of the text.
        found: String,
    },
    /// The container exceeds a limit of the reader.
    #[error("byte {offset}: more than {limit} {what}, which no compiler writes; {}", REBUILD)]
    TooLarge {
        /// Offset at which the limit was exceeded.
        offset: usize,
        /// Name of the limited quantity.
        what: &'static str,
        /// Value of the limit.
        limit: usize,
    },
    /// Two children of a node have the same name.
    #[error("byte {offset}: node `{node}` occurs twice; {}", REBUILD)]
    Duplicate {
        /// Start of the second node.
        offset: usize,
        /// Name of both nodes.
        node: String,
    },
    /// A required key or node is missing.
    #[error("byte {offset}: node `{node}` has no `{key}`; {}", REBUILD)]
    Missing {
        /// Start of the node.
        offset: usize,
        /// Path of the node.
        node: String,
        /// Name of the missing key or node.
        key: &'static str,
    },
    /// A value cannot be parsed.
    #[error("byte {offset}: `{key} = {value}` in node `{node}` is not {expected}; {}", REBUILD)]
    Value {
        /// Start of the node.
        offset: usize,
        /// Path of the node.
        node: String,
        /// Key of the value.
        key: &'static str,
        /// The value, shortened.
        value: String,
        /// Description of valid values.
        expected: &'static str,
    },
    /// A reference to the appendix is out of its bounds.
    #[error(
        "byte {offset}: node `{node}` refers to {size} bytes from {start}, but the appendix has {appendix}; {}",
        REBUILD
    )]
    OutOfBounds {
        /// Start of the node.
        offset: usize,
        /// Path of the node.
        node: String,
        /// Offset of the first byte in the appendix.
        start: u64,
        /// Size of the referenced bytes.
        size: u64,
        /// Size of the appendix.
        appendix: usize,
    },
    /// A name or value cannot be represented in the text format.
    #[error("`{text}` cannot be written to a container: {reason}; rename the symbol")]
    Unwritable {
        /// The name or value, shortened.
        text: String,
        /// The problem, as a clause.
        reason: &'static str,
    },
    /// A blob in a section is damaged.
    #[error("byte {offset} of the section: {defect}; relink or rebuild the program, and do not edit the section")]
    Blob {
        /// Start of the blob in the section.
        offset: usize,
        /// The defect of the blob.
        defect: BlobDefect,
    },
    /// The content does not match the recorded object id.
    #[error("the object id is {recorded}, but the content hashes to {computed}; {}", REBUILD)]
    ObjectId {
        /// Object id in the container.
        recorded: String,
        /// Object id computed from the content.
        computed: String,
    },
    /// An image does not match its recorded digest.
    #[error("the digest of image `{image}` differs from the recorded one; {}", REBUILD)]
    ImageDigest {
        /// Name of the image.
        image: String,
    },
    /// A record in a program's data does not match its checksum.
    #[error("the {record} does not have its checksum; {}", REBUILD)]
    Seal {
        /// Kind of the record.
        record: &'static str,
    },
    /// A kernel names an image that the container does not have.
    #[error(
        "kernel `{}` is said to be in image `{image}`, which the container does not hold; {}",
        readable(.kernel),
        REBUILD
    )]
    Provider {
        /// Symbol of the kernel.
        kernel: String,
        /// Name of the missing image; empty if the kernel names none.
        image: String,
    },
    /// A parameter record lies outside the argument block.
    #[error(
        "parameter {index} of kernel `{}` has {size} bytes at {offset}, outside its block of {block_size}; {}",
        readable(.kernel),
        REBUILD
    )]
    Parameter {
        /// Symbol of the kernel.
        kernel: String,
        /// Index of the record.
        index: usize,
        /// Offset in the block, in bytes.
        offset: u32,
        /// Size of the parameter, in bytes.
        size: u32,
        /// Size of the block, in bytes.
        block_size: u64,
    },
}

fn open(node: &Option<String>) -> String {
    node.as_ref().map_or_else(|| "no node".to_owned(), |name| format!("`{name}`"))
}

/// At most 80 characters of `text`, for messages.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
