//! The kernels of an input, and the images that define them.
//!
//! *Invariant:* textual IR is converted to bitcode once.

use sinter_core::{
    Image, Parameter,
    container::{Container, ContainerError, ContainerKernel, Required},
    imports::Exports,
    names::{Extent, Named, find, listed, readable, with_symbol},
};
use sinter_tool_common::{Input, InputKind, ToolError};
use sinter_translate::{ImageError, Kernels, assemble, kernels};
use std::{borrow::Cow, fmt::Display};

/// Content of an input.
pub(crate) struct Source<'i> {
    name: &'i str,
    content: Content<'i>,
}

enum Content<'i> {
    Bitcode(Cow<'i, [u8]>),
    Containers(Vec<Container<'i>>),
    /// A request, which names its kernel.
    Kernel(&'i str),
}

impl<'i> Source<'i> {
    /// Classifies an input and parses its containers.
    pub(crate) fn read(input: &'i Input) -> Result<Self, ToolError> {
        let reject = |error: &dyn Display| ToolError::rejected(format!("{}: {error}", input.name));
        let content = match &input.kind {
            InputKind::Ir => {
                Content::Bitcode(assemble(&input.bytes).map_err(|error| syntax(&input.name, &error))?.into())
            }
            InputKind::Bitcode => Content::Bitcode(Cow::Borrowed(&input.bytes)),
            InputKind::Request(request) => Content::Kernel(&request.config.entry),
            InputKind::Containers(_) => {
                let containers = input.containers().into_iter().map(|bytes| whole(input, bytes));
                Content::Containers(containers.collect::<Result<_, _>>().map_err(|error| reject(&error))?)
            }
        };
        Ok(Source { name: &input.name, content })
    }

    /// Symbols of all kernels, in the order of the input.
    fn symbols(&self) -> Result<Vec<String>, ToolError> {
        match &self.content {
            Content::Bitcode(bitcode) => {
                let damaged = |error| format!("{}: the bitcode is damaged or cut off: {error}", self.name);
                Ok(kernels(bitcode).map_err(|error| ToolError::rejected(damaged(error)))?.into_symbols())
            }
            Content::Containers(containers) => {
                let kernels = containers.iter().flat_map(|container| container.kernels());
                Ok(kernels.map(|kernel| kernel.symbol.to_owned()).collect())
            }
            Content::Kernel(symbol) => Ok(vec![(*symbol).to_owned()]),
        }
    }

    /// A note if the input has no kernel, or does not distinguish kernels from other functions.
    pub(crate) fn note(&self) -> Option<String> {
        let bitcode = match &self.content {
            Content::Bitcode(bitcode) => bitcode,
            Content::Containers(containers) if containers.iter().all(|container| container.kernels().is_empty()) => {
                return Some(self.without_kernel());
            }
            _ => return None,
        };
        matches!(kernels(bitcode), Ok(Kernels::Possible(_))).then(|| {
            format!(
                "{} marks no function as a kernel; these could be kernels, because they are visible, have a name and \
                 return nothing",
                self.name
            )
        })
    }

    /// The symbols as lines with the readable names, or as a JSON array.
    pub(crate) fn list(&self, json: bool) -> Result<String, ToolError> {
        let symbols = self.symbols()?;
        if !json {
            return Ok(symbols.iter().map(|symbol| with_symbol(symbol) + "\n").collect());
        }
        Ok(json_list(symbols.iter().map(String::as_str)))
    }

    /// Containers of the input. An error if it has none, as for bitcode.
    pub(crate) fn containers(&self) -> Result<&[Container<'i>], ToolError> {
        match &self.content {
            Content::Containers(containers) => Ok(containers),
            _ => Err(ToolError::rejected(format!("{} has no containers; give a program or object file", self.name))),
        }
    }

    /// Symbol of the kernel that `name` selects, or of the only one.
    pub(crate) fn choose(&self, name: Option<&str>) -> Result<String, ToolError> {
        let symbols = match (self.symbols(), name) {
            (Ok(symbols), _) => symbols,
            // The translator's error for an unreadable image is more detailed.
            (Err(_), Some(name)) => return Ok(name.to_owned()),
            (Err(error), None) => return Err(error),
        };
        match name {
            Some(name) => self.named(name, &symbols),
            None => self.only(&symbols),
        }
    }

    fn named(&self, name: &str, symbols: &[String]) -> Result<String, ToolError> {
        match find(name, symbols, Extent::Part) {
            Named::One(symbol) => Ok(symbol.to_owned()),
            Named::Several(several) => Err(ToolError::usage(format!(
                "`{name}` is part of the names of {} kernels of {}; choose one with --kernel:{}",
                several.len(),
                self.name,
                listed(several)
            ))),
            // The translator searches the image itself and reports a better error.
            Named::None(_) if matches!(self.content, Content::Bitcode(_)) => Ok(name.to_owned()),
            Named::None(nearest) => {
                let advice = nearest.map_or("--list-kernels shows those it has".to_owned(), |nearest| {
                    format!("did you mean `{nearest}`?")
                });
                Err(ToolError::rejected(format!("{} has no kernel `{name}`; {advice}", self.name)))
            }
        }
    }

    fn only(&self, symbols: &[String]) -> Result<String, ToolError> {
        match symbols {
            [] => Err(ToolError::rejected(self.without_kernel())),
            [symbol] => Ok(symbol.clone()),
            several => Err(ToolError::usage(format!(
                "{} has {} kernels; choose one with --kernel:{}",
                self.name,
                several.len(),
                listed(several.iter().map(String::as_str))
            ))),
        }
    }

    /// The reason for which there is no kernel, with advice.
    fn without_kernel(&self) -> String {
        let Content::Containers(containers) = &self.content else {
            return format!("{} has no kernel: a function with a name that is visible and returns nothing", self.name);
        };
        let images = containers.iter().flat_map(|container| container.images());
        let functions: Vec<String> =
            images.flat_map(|image| &image.exported_symbols).map(|symbol| readable(symbol)).collect();
        match functions.as_slice() {
            [] => format!("{} has no kernel", self.name),
            [first, ..] => format!(
                "{} has no kernel: it has functions for kernels of other files (`SYCL_EXTERNAL`), such as `{first}`; \
                 give the program \
                 that it is linked into",
                self.name
            ),
        }
    }

    /// Sizes that a kernel requires of its launches. Empty for bitcode, which does not record them.
    pub(crate) fn required(&self, kernel: &str) -> Result<Required, ToolError> {
        let Content::Containers(containers) = &self.content else { return Ok(Required::default()) };
        let found = containers.iter().find_map(|container| container.kernel(kernel));
        let reject = |error| ToolError::rejected(format!("{}: kernel `{}`: {error}", self.name, readable(kernel)));
        found.map_or(Ok(Required::default()), |kernel| kernel.required().map_err(reject))
    }

    /// Parameters of a kernel. Empty for bitcode, which does not describe them.
    pub(crate) fn parameters(&self, kernel: &str) -> &[Parameter] {
        let Content::Containers(containers) = &self.content else { return &[] };
        containers.iter().find_map(|container| container.kernel(kernel)).map_or(&[], |kernel| &kernel.parameters)
    }

    /// The image that defines a kernel, and its imports. `None` unless the image comes from a
    /// container.
    pub(crate) fn images(&self, kernel: &str) -> Option<(Image, Vec<Image>)> {
        match &self.content {
            Content::Bitcode(bitcode) => Some((Image { hash: None, bytes: bitcode.as_ref().into() }, Vec::new())),
            Content::Containers(containers) => embedded(containers, kernel),
            Content::Kernel(_) => None,
        }
    }
}

/// The error with the name of the file, which LLVM calls `image`.
fn syntax(name: &str, error: &ImageError) -> ToolError {
    let message = error.to_string();
    ToolError::rejected(match message.strip_prefix("image:") {
        Some(place) => format!("{name}:{place}"),
        None => format!("{name}: {message}"),
    })
}

/// Parses a container and checks its digest. Containers in programs have a digest of their own,
/// which was checked when they were found.
fn whole<'i>(input: &Input, bytes: &'i [u8]) -> Result<Container<'i>, ContainerError> {
    let container = Container::parse(bytes)?;
    if bytes.len() == input.bytes.len() {
        container.verify_content()?;
    }
    Ok(container)
}

fn embedded(containers: &[Container<'_>], kernel: &str) -> Option<(Image, Vec<Image>)> {
    let own = containers.iter().find_map(|container| {
        let record = container.kernel(kernel)?;
        container.image_of(record).map(|_| (container, record))
    });
    let (container, record) = own?;
    own_and_imports(container, record, &Exports::of(containers.iter().flat_map(|container| container.images())))
}

/// The image that defines a kernel of a container, and the images that it imports.
pub(crate) fn own_and_imports(
    container: &Container<'_>,
    kernel: &ContainerKernel<'_>,
    exports: &Exports<'_>,
) -> Option<(Image, Vec<Image>)> {
    let own = container.image_of(kernel)?;
    let imports = exports.reachable(&own.imported_symbols);
    let imports = imports.into_iter().map(|import| Image { hash: None, bytes: import.bytes.into() });
    Some((Image { hash: kernel.ir_hash, bytes: own.bytes.into() }, imports.collect()))
}

/// Strings as a JSON array.
pub(crate) fn json_list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = texts.into_iter().map(json_string).collect();
    format!("[{}]\n", quoted.join(","))
}

fn json_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    #[test]
    fn json_strings_are_escaped() {
        assert_eq!(super::json_string("a\"\\\n"), "\"a\\\"\\\\\\u000a\"");
    }
}
