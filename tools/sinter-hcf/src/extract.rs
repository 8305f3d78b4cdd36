//! Extracts containers and images to files.
//!
//! *Invariant:* the choice is never a guess: if several match, the error lists them and says how to
//! choose.

use crate::source::{Source, sources};
use clap::{Args, builder::NonEmptyStringValueParser};
use sinter_core::{
    container::{Container, ContainerImage},
    names::{Extent, Named, find, listed, readable},
};
use sinter_tool_common::{Input, ToolError, write_file};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct ExtractArgs {
    /// Program, library, object file or container; `-` is standard input
    pub(crate) file: PathBuf,
    /// Output file; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Write the image that defines this kernel: its symbol, or a part of its readable name that no
    /// other kernel has
    #[arg(long, value_name = "NAME", group = "what", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) kernel: Option<String>,
    /// Write the image of this name
    #[arg(long, value_name = "NAME", group = "what")]
    pub(crate) image: Option<String>,
    /// Write the only image
    #[arg(long, group = "what")]
    pub(crate) bitcode: bool,
    /// Look only at the container of this number, as `ls` counts them
    #[arg(long, value_name = "N")]
    pub(crate) index: Option<usize>,
    /// Write all containers, to OUT.0, OUT.1, ...
    #[arg(long, conflicts_with_all = ["what", "index"])]
    pub(crate) all: bool,
}

/// Largest number of names in a message.
const LISTED: usize = 10;

/// Criterion for an image.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    Container,
    Kernel(&'a str),
    Image(&'a str),
    AnyImage,
}

impl<'a> Wanted<'a> {
    fn of(args: &'a ExtractArgs) -> Self {
        match (&args.kernel, &args.image) {
            (Some(symbol), _) => Wanted::Kernel(symbol),
            (_, Some(name)) => Wanted::Image(name),
            _ if args.bitcode => Wanted::AnyImage,
            _ => Wanted::Container,
        }
    }
}

/// Writes the container or image that `args` select.
pub(crate) fn extract(input: &Input, args: &ExtractArgs) -> Result<(), ToolError> {
    let sources = sources(input)?;
    if args.all {
        return write_all(&sources, &args.output);
    }
    let selected = select(&sources, args.index).map_err(|refusal| refusal.of(input))?;
    let bytes = match Wanted::of(args) {
        Wanted::Container => only(&selected),
        Wanted::Kernel(name) => symbol(&selected, name).and_then(|symbol| image(&selected, Wanted::Kernel(&symbol))),
        wanted => image(&selected, wanted),
    };
    write_file(&args.output, bytes.map_err(|refusal| refusal.of(input))?)
}

/// Reason for which no file is written.
enum Refusal {
    /// The input has no match.
    Absent(String),
    /// Several match: the command line has to select one.
    Ambiguous(String),
}

impl Refusal {
    fn of(self, input: &Input) -> ToolError {
        let name = &input.name;
        match self {
            Refusal::Absent(reason) => ToolError::rejected(format!("{name}: {reason}")),
            Refusal::Ambiguous(reason) => ToolError::usage(format!("{name}: {reason}")),
        }
    }
}

fn write_all(sources: &[Source<'_>], output: &Path) -> Result<(), ToolError> {
    if output == Path::new("-") {
        return Err(ToolError::usage("--all writes several files; give -o a name"));
    }
    sources.iter().enumerate().try_for_each(|(i, source)| write_file(&numbered(output, i), source.bytes))
}

fn numbered(output: &Path, index: usize) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(format!(".{index}"));
    name.into()
}

/// A container with its index in the input.
type Numbered<'s, 'a> = (usize, &'s Source<'a>);

/// Containers that `index` selects; all without it.
fn select<'s, 'a>(sources: &'s [Source<'a>], index: Option<usize>) -> Result<Vec<Numbered<'s, 'a>>, Refusal> {
    let Some(index) = index else { return Ok(sources.iter().enumerate().collect()) };
    let missing = || Refusal::Absent(format!("there is no container {index}; it holds {}", sources.len()));
    Ok(vec![(index, sources.get(index).ok_or_else(missing)?)])
}

/// Bytes of the only container.
fn only<'a>(sources: &[Numbered<'_, 'a>]) -> Result<&'a [u8], Refusal> {
    if let [(_, source)] = sources {
        return Ok(source.bytes);
    }
    let line = |(i, source): &Numbered<'_, '_>| {
        format!("\n  {i}: kernels {}", names(&kernels(&source.container).map(readable).collect::<Vec<_>>(), ", "))
    };
    let lines: String = sources.iter().map(line).collect();
    let reason = format!("holds {} containers; choose one with --index or take --all{lines}", sources.len());
    Err(Refusal::Ambiguous(reason))
}

/// Symbol of the kernel that `name` selects.
fn symbol(sources: &[Numbered<'_, '_>], name: &str) -> Result<String, Refusal> {
    let symbols: Vec<String> =
        sources.iter().flat_map(|(_, source)| kernels(&source.container)).map(str::to_owned).collect();
    match find(name, &symbols, Extent::Part) {
        Named::One(symbol) => Ok(symbol.to_owned()),
        Named::Several(several) => {
            let (count, list) = (several.len(), listed(several));
            let reason = format!("`{name}` is part of the names of {count} kernels; choose one with --kernel:{list}");
            Err(Refusal::Ambiguous(reason))
        }
        Named::None(Some(nearest)) => {
            Err(Refusal::Absent(format!("holds no kernel `{name}`; did you mean `{nearest}`?")))
        }
        Named::None(None) if symbols.is_empty() => Err(Refusal::Absent("holds no kernel".to_owned())),
        Named::None(None) => {
            let (more, shown) = (symbols.len().saturating_sub(LISTED), symbols.iter().take(LISTED).map(String::as_str));
            let more = if more == 0 { String::new() } else { format!("\n  and {more} more; sinter-hcf ls lists them") };
            Err(Refusal::Absent(format!("holds no kernel `{name}`; its kernels:{}{more}", listed(shown))))
        }
    }
}

fn kernels<'c>(container: &'c Container<'_>) -> impl Iterator<Item = &'c str> {
    container.kernels().iter().map(|kernel| kernel.symbol)
}

fn names(names: &[String], separator: &str) -> String {
    match names.len() {
        0 => "none".to_owned(),
        1..=LISTED => names.join(separator),
        count => format!("{} and {} more", names[..LISTED].join(separator), count - LISTED),
    }
}

fn fits(wanted: Wanted<'_>, container: &Container<'_>, image: &ContainerImage<'_>) -> bool {
    match wanted {
        Wanted::Kernel(symbol) => container
            .kernel(symbol)
            .and_then(|kernel| container.image_of(kernel))
            .is_some_and(|its| its.name == image.name),
        Wanted::Image(name) => image.name == name,
        Wanted::AnyImage | Wanted::Container => true,
    }
}

/// Bytes of the only image that matches.
fn image<'a>(sources: &[Numbered<'_, 'a>], wanted: Wanted<'_>) -> Result<&'a [u8], Refusal> {
    let images =
        sources.iter().flat_map(|(i, source)| source.container.images().iter().map(move |image| (i, source, image)));
    let fitting: Vec<_> = images.filter(|(_, source, image)| fits(wanted, &source.container, image)).collect();
    match fitting[..] {
        [(_, _, image)] => Ok(image.bytes),
        [] => Err(Refusal::Absent(nothing_fits(sources, wanted))),
        _ => {
            let lines: String = fitting.iter().map(|(i, _, image)| format!("\n  {i}: {}", image.name)).collect();
            let reason = format!("{} images fit; choose with --index or --image{lines}", fitting.len());
            Err(Refusal::Ambiguous(reason))
        }
    }
}

fn nothing_fits(sources: &[Numbered<'_, '_>], wanted: Wanted<'_>) -> String {
    let containers = || sources.iter().map(|(_, source)| &source.container);
    match wanted {
        Wanted::Kernel(symbol) => format!("holds no image that defines `{}`", readable(symbol)),
        Wanted::Image(name) => {
            let images =
                containers().flat_map(|container| container.images().iter().map(|image| image.name.to_owned()));
            format!("holds no image `{name}`; its images: {}", names(&images.collect::<Vec<_>>(), " "))
        }
        Wanted::AnyImage | Wanted::Container => "holds no image".to_owned(),
    }
}
