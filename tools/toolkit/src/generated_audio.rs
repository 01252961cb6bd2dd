//! Audio files that plans make: written once into the session's media, known by what they are made of.
//!
//! The name of a file holds the digest of its ingredients, so the same call finds the file that is there
//! already. A file is there whole or not at all.

use crate::task::PlanContext;
use deskhand_media::{BitDepth, WavWriter, WriteError, content_hash_with};
use deskhand_session::digest::digest;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{Artifact, ContentHash, Media, Source};
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

/// Where made files lie, relative to the session folder.
const FOLDER: &str = "media/made/";
/// What helps where a file cannot be written.
const WRITABLE: &str = "free some space or check the folder, and call it again";
/// Digits of the digest in a file's name.
const DIGITS: usize = 16;

/// A file to be made.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The processing step, one word of lower-case letters and `_`: "denoise".
    pub step: &'a str,
    /// How the new source is called.
    pub name: &'a str,
    /// The source it is made from.
    pub of: &'a Source,
    /// Number of channels.
    pub channels: usize,
}

/// A file that was made, or was there from an earlier call.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The file as a source.
    pub source: Source,
    /// The file as a part of the plan.
    pub artifact: Artifact,
}

/// Makes a file of 32-bit float WAV at the session rate. `key` is all that decides its content apart from
/// the source: parameters and the version of the algorithm. `fill` writes it, unless it exists.
///
/// # Errors
/// What `fill` returns; when the file cannot be written or read; when the run is stopped.
pub fn make(
    context: &PlanContext,
    order: Order<'_>,
    key: &impl Serialize,
    fill: impl FnOnce(&mut WavWriter) -> Result<(), ToolError>,
) -> Result<Made, ToolError> {
    let relative = relative(context, order, key);
    let path = context.folder.join(&relative);
    if !path.is_file() {
        let mut writer = begin(context, order, &path)?;
        fill(&mut writer)?;
        finish(context, order, &path, writer)?;
    }
    described(context, order, &path, relative)
}

/// Makes several files in one pass, as [`make`] makes one; `fill` has a writer for each, in order. If one
/// of them is missing, all are made again.
///
/// # Errors
/// As [`make`].
pub fn make_together(
    context: &PlanContext,
    orders: &[Order<'_>],
    key: &impl Serialize,
    fill: impl FnOnce(&mut [WavWriter]) -> Result<(), ToolError>,
) -> Result<Vec<Made>, ToolError> {
    let names: Vec<String> = orders.iter().map(|order| relative(context, *order, key)).collect();
    let paths: Vec<PathBuf> = names.iter().map(|name| context.folder.join(name)).collect();
    if !paths.iter().all(|path| path.is_file()) {
        let each = orders.iter().zip(&paths);
        let begun = each.clone().map(|(order, path)| begin(context, *order, path));
        let mut writers = begun.collect::<Result<Vec<_>, _>>()?;
        fill(&mut writers)?;
        for ((order, path), writer) in each.zip(writers) {
            finish(context, *order, path, writer)?;
        }
    }
    let each = orders.iter().zip(&paths).zip(names);
    each.map(|((order, path), name)| described(context, *order, path, name)).collect()
}

/// Why a file could not be made, for whoever writes into it.
pub fn unwritten(error: WriteError) -> ToolError {
    let message = match error {
        WriteError::DiskFull { file } => {
            format!("the disk is full while writing {file}; nothing was kept")
        }
        WriteError::Denied { file, cause } => format!("{file} cannot be written: {cause}"),
        WriteError::Io { file, cause } => {
            format!("writing {file} failed: {cause}; nothing was kept")
        }
        error => error.to_string(),
    };
    ToolError::run(Code::Write, message, WRITABLE)
}

/// The steps that made a source, the first one first; empty for any other.
#[must_use]
pub fn steps(source: &Source) -> Vec<&str> {
    let Media::Conformed(path) = &source.media else {
        return Vec::new();
    };
    let name = path.strip_prefix(FOLDER).and_then(|name| name.rsplit_once('-'));
    name.map_or(Vec::new(), |(steps, _)| steps.split('+').collect())
}

fn relative(context: &PlanContext, order: Order<'_>, key: &impl Serialize) -> String {
    let Order { step, of, channels, .. } = order;
    let rate = context.session.rate;
    let whole = digest(&(step, &of.hash, of.channel, of.frames, rate, channels, key));
    let short: String = whole.trim_start_matches("blake3:").chars().take(DIGITS).collect();
    let mut steps = steps(of);
    steps.push(step);
    format!("{FOLDER}{}-{short}.wav", steps.join("+"))
}

fn begin(context: &PlanContext, order: Order<'_>, path: &Path) -> Result<WavWriter, ToolError> {
    let failed = |error: std::io::Error| refused(path, &error);
    std::fs::create_dir_all(path.parent().unwrap_or(&context.folder)).map_err(failed)?;
    let rate = context.session.rate;
    WavWriter::create(path, rate, order.channels, BitDepth::F32).map_err(unwritten)
}

fn finish(
    context: &PlanContext,
    order: Order<'_>,
    path: &Path,
    writer: WavWriter,
) -> Result<(), ToolError> {
    let failed = |error: std::io::Error| refused(path, &error);
    context.check()?;
    writer.finish().map_err(unwritten)?;
    // The same call gives the same plan, also when the file is made again: it gets the age of its origin.
    let age = Duration::from_nanos(u64::try_from(order.of.modified_ns).unwrap_or(0));
    let file = std::fs::File::options().write(true).open(path).map_err(failed)?;
    file.set_modified(UNIX_EPOCH + age).map_err(failed)
}

/// The file as a source. It lies in the session folder and moves with it.
fn described(
    context: &PlanContext,
    order: Order<'_>,
    path: &Path,
    relative: String,
) -> Result<Made, ToolError> {
    let reader = context.opener.open_at(path, context.session.rate).map_err(ToolError::media)?;
    let real = path.canonicalize().unwrap_or_else(|_| PathBuf::from(path));
    let size = real.metadata().map_err(ToolError::media)?.len();
    let text = real.to_str().ok_or_else(|| refused(path, &"its name is not UTF-8"))?;
    let source = Source {
        name: order.name.into(),
        hash: hash(context, path)?,
        path: text.into(),
        size,
        modified_ns: order.of.modified_ns.max(0),
        format: "WAV 32-bit float".into(),
        rate: context.session.rate,
        channels: u16::try_from(reader.channels()).unwrap_or(u16::MAX),
        channel: None,
        frames: reader.frames(),
        origin: order.of.origin,
        same_sound: order.of.same_sound.clone(),
        media: Media::Conformed(relative.clone()),
    };
    Ok(Made { source, artifact: Artifact { path: relative, bytes: size } })
}

fn hash(context: &PlanContext, path: &Path) -> Result<ContentHash, ToolError> {
    let mut go_on = |_| match context.check() {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    let hash = content_hash_with(path, &mut go_on).map_err(ToolError::media)?;
    context.check()?;
    hash.map(|hash| ContentHash(hash.0))
        .ok_or_else(|| ToolError::media(format!("{} could not be hashed", path.display())))
}

fn refused(path: &Path, error: &dyn std::fmt::Display) -> ToolError {
    let message = format!("{} cannot be written: {error}", path.display());
    ToolError::run(Code::Write, message, WRITABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_with_one_way_out() {
        let error = unwritten(WriteError::DiskFull { file: "\"a.wav\"".into() });
        assert_eq!(error.code, Code::Write);
        assert_eq!(error.message, "the disk is full while writing \"a.wav\"; nothing was kept");
        assert!(error.fix.starts_with("free some space"), "{}", error.fix);
    }
}
