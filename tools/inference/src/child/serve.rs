//! The child's side: one model, runs until the parent hangs up.

use super::MODE;
use super::protocol::{Answer, Request, hear, say, tensors};
use crate::inspect::look;
use crate::local::Local;
use crate::network::{Network, RunError, Tensor};
use crate::priority;
use std::io::{BufReader, BufWriter, Result, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this program can be started as the model child.
static CAN_SERVE: AtomicBool = AtomicBool::new(false);

/// Whether [`run_if_asked`] was called, so that starting this program again makes a model child.
pub(super) fn can_serve() -> bool {
    CAN_SERVE.load(Ordering::Relaxed)
}

/// Serves as the model child if this program was started as one: call it first in `main` and return its
/// result. `None` on an ordinary start.
#[must_use]
pub fn run_if_asked() -> Option<ExitCode> {
    CAN_SERVE.store(true, Ordering::Relaxed);
    let mut args = std::env::args_os().skip(1);
    let asked = args.next().is_some_and(|mode| mode == MODE);
    let path = args.next().filter(|_| asked)?;
    Some(serve(Path::new(&path)))
}

fn serve(path: &Path) -> ExitCode {
    #[cfg(unix)]
    super::limits::limit_memory();
    priority::lower();
    // Standard output is the protocol; nothing else may write there.
    let mut out = BufWriter::new(std::io::stdout().lock());
    match talk(path, &mut out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn renew() {
    #[cfg(unix)]
    super::limits::allow_one_run();
}

fn load(path: &Path) -> std::result::Result<Local, String> {
    let file = std::fs::read(path).map_err(|error| format!("it cannot be read ({error})"))?;
    look(&file).map_err(|error| error.to_string())?;
    Local::load(file).map_err(|error| error.to_string())
}

fn talk(path: &Path, out: &mut impl Write) -> Result<()> {
    renew();
    let network = match load(path) {
        Ok(network) => network,
        Err(message) => return say(out, &Answer::Failed { message }, &[]),
    };
    say(out, &Answer::Ready, &[])?;
    let mut requests = BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    while let Some(request) = hear::<Request>(&mut requests)? {
        renew();
        let inputs = tensors(&mut requests, &request.shapes)?;
        match run(&network, &inputs, &request.outputs) {
            Ok(outputs) => {
                let shapes = outputs.iter().map(|tensor| tensor.shape.clone()).collect();
                say(out, &Answer::Outputs { shapes }, &outputs)?;
            }
            Err(error) => say(out, &Answer::Failed { message: error.to_string() }, &[])?,
        }
    }
    Ok(())
}

fn run(
    network: &Local,
    inputs: &[Tensor],
    outputs: &[usize],
) -> std::result::Result<Vec<Tensor>, RunError> {
    network.run(inputs, outputs)
}
