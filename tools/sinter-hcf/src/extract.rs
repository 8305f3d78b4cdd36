//! Writes containers and images to files.
//!
//! *Invariant:* what is written is never a guess: where several things fit, the error lists them and says how to choose.

use crate::ExtractArgs;
use sinter_core::container::{Container, ContainerImage};
use sinter_tool_common::{Failure, Input, write_output};
use std::path::{Path, PathBuf};

/// At most this many names are listed in a message.
const LISTED: usize = 10;

/// A container and its number in the input.
type Numbered<'i, T> = (usize, &'i T);

/// Writes what `args` ask for.
pub(crate) fn extract(input: &Input, args: &ExtractArgs) -> Result<(), Failure> {
    let bytes = input.container_bytes().map_err(Failure::rejected)?;
    if args.all {
        return write_all(&bytes, &args.output);
    }
    let containers = input.containers().map_err(Failure::rejected)?;
    let selected = select(&containers, args.index, &input.path)?;
    if args.kernel.is_none() && args.image.is_none() && !args.bitcode {
        let index = only(&selected, &input.path)?;
        return write_output(&args.output, bytes[index]);
    }
    write_output(&args.output, wanted_image(&selected, args, &input.path)?.bytes)
}

fn write_all(containers: &[&[u8]], output: &Path) -> Result<(), Failure> {
    if output == Path::new("-") {
        return Err(Failure::Usage("--all writes several files; give -o a name".to_owned()));
    }
    containers.iter().enumerate().try_for_each(|(i, bytes)| write_output(&numbered(output, i), bytes))
}

fn numbered(output: &Path, index: usize) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(format!(".{index}"));
    name.into()
}

/// The containers to look at.
fn select<'i, 'a>(
    containers: &'i [Container<'a>],
    index: Option<usize>,
    path: &Path,
) -> Result<Vec<Numbered<'i, Container<'a>>>, Failure> {
    let Some(index) = index else { return Ok(containers.iter().enumerate().collect()) };
    let missing = || format!("{}: there is no container {index}; it holds {}", path.display(), containers.len());
    let container = containers.get(index).ok_or_else(|| Failure::rejected(missing()))?;
    Ok(vec![(index, container)])
}

/// The number of the only container.
fn only(containers: &[Numbered<'_, Container<'_>>], path: &Path) -> Result<usize, Failure> {
    if let [(index, _)] = containers {
        return Ok(*index);
    }
    let lines = containers.iter().map(|(i, container)| {
        let kernels: Vec<&str> = container.kernels().iter().map(|kernel| kernel.symbol).collect();
        format!("\n  {i}: kernels {}", names(&kernels))
    });
    let head =
        format!("{}: holds {} containers; choose one with --index or take --all", path.display(), containers.len());
    Err(Failure::rejected(head + &lines.collect::<String>()))
}

fn names(names: &[&str]) -> String {
    match names.len() {
        0 => "none".to_owned(),
        1..=LISTED => names.join(" "),
        count => format!("{} and {} more", names[..LISTED].join(" "), count - LISTED),
    }
}

fn wanted_image<'i, 'a>(
    containers: &'i [Numbered<'i, Container<'a>>],
    args: &ExtractArgs,
    path: &Path,
) -> Result<&'i ContainerImage<'a>, Failure> {
    let fits = |image: &ContainerImage<'_>, container: &Container<'_>| match (&args.kernel, &args.image) {
        (Some(kernel), _) => {
            container.kernel(kernel).and_then(|kernel| container.image_of(kernel)).is_some_and(|i| i == image)
        }
        (_, Some(name)) => image.name == name,
        _ => true,
    };
    let all = || {
        containers.iter().flat_map(|(i, container)| container.images().iter().map(move |image| (i, container, image)))
    };
    let fitting: Vec<_> = all().filter(|(_, container, image)| fits(image, container)).collect();
    match fitting[..] {
        [(_, _, image)] => Ok(image),
        [] => Err(Failure::rejected(nothing_fits(containers, args, path))),
        _ => {
            let lines = fitting.iter().map(|(i, _, image)| format!("\n  {i}: {}", image.name));
            let head = format!("{}: {} images fit; choose with --index or --image", path.display(), fitting.len());
            Err(Failure::rejected(head + &lines.collect::<String>()))
        }
    }
}

fn nothing_fits(containers: &[Numbered<'_, Container<'_>>], args: &ExtractArgs, path: &Path) -> String {
    let all = containers.iter().map(|(_, container)| container);
    let (what, known): (String, Vec<&str>) = match (&args.kernel, &args.image) {
        (Some(kernel), _) => (
            format!("kernel `{kernel}`; its kernels: "),
            all.flat_map(|c| c.kernels().iter().map(|k| k.symbol)).collect(),
        ),
        (_, Some(name)) => {
            (format!("image `{name}`; its images: "), all.flat_map(|c| c.images().iter().map(|i| i.name)).collect())
        }
        _ => ("image".to_owned(), Vec::new()),
    };
    let list = if what == "image" { String::new() } else { names(&known) };
    format!("{}: holds no {what}{list}", path.display())
}
