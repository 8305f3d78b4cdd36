//! Why bytes are not a usable container.
//!
//! *Invariant:* every message says where (a byte offset or a node), what, and what the user can do.
use crate::names::readable;

const REBUILD: &str = "the container is damaged or truncated; rebuild or reinstall the program that embeds it";

/// What is wrong with the header or payload of an embedded blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlobDefect {
    /// Fewer bytes are left than a header has.
    #[error("the header is cut off")]
    ShortHeader,
    /// The magic is missing.
    #[error("the magic SINTERHC is missing")]
    Magic,
    /// The version or header size is not ours.
    #[error("blob version {version} with a header of {header_size} bytes is unknown to this build")]
    Version {
        /// The version found.
        version: u32,
        /// The header size found.
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
    /// The payload does not have the digest in the header.
    #[error("the digest of the payload differs from the one in the header")]
    Digest,
}

/// Why bytes are not a usable container, or why a container cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// The text ends without the marker that precedes the binary appendix.
    #[error("byte {offset}: the binary appendix marker is missing; {}", REBUILD)]
    NoMarker {
        /// Where the text ends.
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
    /// A node ends that is not the innermost open one.
    #[error("byte {offset}: `{found}` is closed where {} is open; {}", open(expected), REBUILD)]
    Unbalanced {
        /// Start of the line, or the end of the text.
        offset: usize,
        /// The node that is open, if any.
        expected: Option<String>,
        /// What is closed; `the text` at its end.
        found: String,
    },
    /// A limit of the reader is exceeded.
    #[error("byte {offset}: more than {limit} {what}, which no compiler writes; {}", REBUILD)]
    TooLarge {
        /// Where the limit was reached.
        offset: usize,
        /// What there is too much of.
        what: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A node occurs twice in its parent.
    #[error("byte {offset}: node `{node}` occurs twice; {}", REBUILD)]
    Duplicate {
        /// Start of the second node.
        offset: usize,
        /// Name of the node.
        node: String,
    },
    /// A required key or node is missing.
    #[error("byte {offset}: node `{node}` has no `{key}`; {}", REBUILD)]
    Missing {
        /// Start of the node.
        offset: usize,
        /// Path of the node.
        node: String,
        /// The missing key or node.
        key: &'static str,
    },
    /// A value does not parse.
    #[error("byte {offset}: `{key} = {value}` in node `{node}` is not {expected}; {}", REBUILD)]
    Value {
        /// Start of the node.
        offset: usize,
        /// Path of the node.
        node: String,
        /// The key.
        key: &'static str,
        /// Its value, shortened.
        value: String,
        /// What is valid.
        expected: &'static str,
    },
    /// A binary record points outside the appendix.
    #[error(
        "byte {offset}: node `{node}` refers to {size} bytes from {start}, but the appendix has {appendix}; {}",
        REBUILD
    )]
    OutOfBounds {
        /// Start of the node.
        offset: usize,
        /// Path of the node.
        node: String,
        /// First byte in the appendix.
        start: u64,
        /// Number of bytes.
        size: u64,
        /// Size of the appendix.
        appendix: usize,
    },
    /// A name or value cannot be represented in the text.
    #[error("`{text}` cannot be written to a container: {reason}; rename the symbol")]
    Unwritable {
        /// The name or value, shortened.
        text: String,
        /// Why not.
        reason: &'static str,
    },
    /// A blob in a section is damaged.
    #[error("byte {offset} of the section: {defect}; relink or rebuild the program, and do not edit the section")]
    Blob {
        /// Start of the blob in the section.
        offset: usize,
        /// What is wrong.
        defect: BlobDefect,
    },
    /// The content does not have the recorded object id.
    #[error("the object id is {recorded}, but the content hashes to {computed}; {}", REBUILD)]
    ObjectId {
        /// The id in the container.
        recorded: String,
        /// The id of what it holds.
        computed: String,
    },
    /// An image does not have the recorded digest.
    #[error("the digest of image `{image}` differs from the recorded one; {}", REBUILD)]
    ImageDigest {
        /// Name of the image.
        image: String,
    },
    /// A record of a program's data does not have its checksum.
    #[error("the {record} does not have its checksum; {}", REBUILD)]
    Seal {
        /// What the record describes.
        record: &'static str,
    },
    /// A kernel names an image that the container does not hold.
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
        /// Number of the record.
        index: usize,
        /// Its offset in the block.
        offset: u32,
        /// Its size.
        size: u32,
        /// Size of the block.
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
