//! Replaces the decoders of foreign formats in a program without them: a DAW's process.
//!
//! Every file that is not uncompressed is refused by name; what a session plays was conformed before.

use crate::error::OpenError;
use crate::probe::Probe;
use crate::stats::ReadStats;
use deskhand_dsp::FrameReader;
use std::path::Path;
use std::sync::Arc;

pub(crate) fn open(
    path: &Path,
    _: Option<u16>,
    _: &Arc<ReadStats>,
) -> Result<(Probe, Box<dyn FrameReader>), OpenError> {
    let file = crate::error::shown(path);
    Err(OpenError::unsupported(&file, "a compressed format".into()))
}
