//! From a command line and an input to a request.

use crate::{Family, cli::Cli, kernels::Source};
use sinter_core::TranslateRequest;
use sinter_tool_common::{Input, InputKind, ToolError};

/// The request in a file, unchanged.
pub(crate) fn replayed<F: Family>(cli: &Cli<F>, input: Input) -> Result<TranslateRequest, ToolError> {
    match input.kind {
        InputKind::Request(request) => cli.check_unchanged(&input.name).map(|()| *request),
        _ => Err(ToolError::rejected(format!("{} is not a translation request", input.name))),
    }
}

/// The request that the command line describes.
pub(crate) fn from_flags<F: Family>(cli: &Cli<F>, input: Input) -> Result<TranslateRequest, ToolError> {
    if let InputKind::Request(request) = input.kind {
        return cli.check_unchanged(&input.name).map(|()| *request);
    }
    cli.kernel.check()?;
    let source = Source::read(&input)?;
    let kernel = source.choose(cli.kernel.kernel.as_deref())?;
    let no_image = || ToolError::rejected(format!("{} has no image that defines `{kernel}`", input.name));
    let (image, imports) = source.images(&kernel).ok_or_else(no_image)?;
    let (libraries, target) = (cli.family.libraries()?, cli.family.target()?);
    Ok(TranslateRequest { image, imports, libraries, target, config: cli.kernel.config(&kernel) })
}

/// Refuses a request for targets of another family.
pub(crate) fn of_family<F: Family>(request: &TranslateRequest) -> Result<(), ToolError> {
    let (target, family) = (&request.target, request.target.family());
    if family == F::NAME {
        return Ok(());
    }
    Err(ToolError::rejected(format!("the request is for {target}; translate it with llvm-to-{family}-tool")))
}
