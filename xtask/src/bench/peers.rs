//! The programs that we compare with, and how each does the same work.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// ffmpeg, quiet, overwriting.
pub(super) fn ffmpeg() -> Result<Command> {
    if !shell::on_path("ffmpeg") {
        bail!("ffmpeg is not installed; `cargo xtask setup` says how");
    }
    let mut command = Command::new("ffmpeg");
    command.args(["-hide_banner", "-nostdin", "-nostats", "-y"]);
    Ok(command)
}

/// ffmpeg measuring loudness and true peak of `input`.
pub(super) fn ffmpeg_measure(input: &Path) -> Result<Command> {
    let mut command = ffmpeg()?;
    command.arg("-i").arg(input);
    command.args(["-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-"]);
    Ok(command)
}

/// ffmpeg-normalize from PyPI, in an environment of its own under `folder`.
pub(super) fn ffmpeg_normalize(folder: &Path) -> Result<PathBuf> {
    let venv = folder.join("venv");
    let program = venv.join("bin/ffmpeg-normalize");
    if !program.exists() {
        println!("   installing ffmpeg-normalize with pip");
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        let mut pip = Command::new(venv.join("bin/pip"));
        shell::run(pip.args(["install", "--quiet", "ffmpeg-normalize"]))
            .context("pip could not install ffmpeg-normalize")?;
    }
    Ok(program)
}

/// ffmpeg mixing `inputs` with gain, pan and fades on each.
pub(super) fn ffmpeg_mix(inputs: &[PathBuf], output: &Path) -> Result<Command> {
    let mut command = ffmpeg()?;
    let mut graph = String::new();
    for (number, input) in inputs.iter().enumerate() {
        command.arg("-i").arg(input);
        graph.push_str(&format!(
            "[{number}]volume=-12dB,pan=stereo|c0=0.8*c0|c1=0.5*c1,\
             afade=t=in:d=0.5,afade=t=out:st=59.5:d=0.5[t{number}];"
        ));
    }
    let labels: String = (0..inputs.len()).map(|number| format!("[t{number}]")).collect();
    graph.push_str(&format!("{labels}amix=inputs={}:normalize=0[out]", inputs.len()));
    command.args(["-filter_complex", &graph, "-map", "[out]", "-c:a", "pcm_s24le"]).arg(output);
    Ok(command)
}

/// sox mixing `inputs` with a gain on each; it has no pan or fade while it mixes.
pub(super) fn sox_mix(inputs: &[PathBuf], output: &Path) -> Result<Command> {
    if !shell::on_path("sox") {
        bail!("sox is not installed; `cargo xtask setup` says how");
    }
    let mut command = Command::new("sox");
    command.arg("-m");
    for input in inputs {
        command.args(["-v", "0.25"]).arg(input);
    }
    command.args(["-b", "24"]).arg(output);
    Ok(command)
}
