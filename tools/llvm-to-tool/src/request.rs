//! Makes a request from a command line and an input.

use crate::{cli::Cli, family::Family, kernels::Source, local_accessors, required};
use sinter_core::{
    Image, KernelConfig, TranslateRequest,
    names::{listed, readable},
};
use sinter_tool_common::{Input, InputKind, ToolError};
use sinter_translate::{has_debug_info, variables};

/// Reads the request in a file, unchanged.
pub(crate) fn replayed<F: Family>(cli: &Cli<F>, input: Input) -> Result<TranslateRequest, ToolError> {
    match input.kind {
        InputKind::Request(request) => cli.given.check_unchanged(&input.name).map(|()| *request),
        _ => Err(ToolError::rejected(format!("{} is not a translation request", input.name))),
    }
}

/// Builds the request that the command line describes.
pub(crate) fn from_flags<F: Family>(cli: &Cli<F>, input: Input) -> Result<TranslateRequest, ToolError> {
    if let InputKind::Request(request) = input.kind {
        return cli.given.check_unchanged(&input.name).map(|()| *request);
    }
    cli.kernel.check()?;
    let source = Source::read(&input)?;
    let kernel = source.choose(cli.kernel.kernel.as_deref())?;
    let no_image = || ToolError::rejected(format!("{} has no image that defines `{}`", input.name, readable(&kernel)));
    let (image, imports) = source.images(&kernel).ok_or_else(no_image)?;
    let (libraries, target) = (cli.family.libraries()?, cli.family.target()?);
    let mut config = cli.kernel.config(&kernel);
    name_constants(&mut config, &image)?;
    required::apply(source.required(&kernel)?, &target, &mut config)?;
    let parameters = source.parameters(&kernel);
    local_accessors::apply(parameters, &cli.kernel.local, &mut config)?;
    if let Some(note) = local_accessors::note(parameters, &config) {
        eprintln!("{}: note: {note}", F::TOOL);
    }
    Ok(TranslateRequest { image, imports, libraries, target, config })
}

/// Replaces readable names of constants by their symbols. An unknown name is left for the
/// translator to resolve, which has the other images.
fn name_constants(config: &mut KernelConfig, image: &Image) -> Result<(), ToolError> {
    if config.specialization.constants.is_empty() {
        return Ok(());
    }
    let Ok(symbols) = variables(&image.bytes) else { return Ok(()) };
    for constant in &mut config.specialization.constants {
        match named(&constant.name, &symbols)[..] {
            [] => {}
            [symbol] => constant.name = symbol.to_owned(),
            ref several => {
                let (name, count, list) = (&constant.name, several.len(), listed(several.iter().copied()));
                return Err(ToolError::usage(format!("{count} constants are called `{name}`; choose one:{list}")));
            }
        }
    }
    Ok(())
}

/// Symbols with this readable name, without namespaces; empty if `name` is itself a symbol. A part
/// of a name does not match, since an image has many variables.
fn named<'s>(name: &str, symbols: &'s [String]) -> Vec<&'s str> {
    if symbols.iter().any(|symbol| symbol == name) {
        return Vec::new();
    }
    let in_namespace = format!("::{name}");
    let is = |symbol: &&String| {
        let readable = readable(symbol);
        readable == name || readable.ends_with(&in_namespace)
    };
    symbols.iter().filter(is).map(String::as_str).collect()
}

/// True if line tables are requested and the kernel's image has no debug locations. False for an
/// unreadable image, which the translator rejects.
pub(crate) fn lacks_lines(request: &TranslateRequest) -> bool {
    request.target.line_tables() && has_debug_info(&request.image.bytes) == Ok(false)
}

/// Rejects a request for a target of another family.
pub(crate) fn of_family<F: Family>(request: &TranslateRequest) -> Result<(), ToolError> {
    let (target, family) = (&request.target, request.target.family());
    if family == F::NAME {
        return Ok(());
    }
    Err(ToolError::rejected(format!("the request is for {target}; translate it with llvm-to-{family}-tool")))
}
