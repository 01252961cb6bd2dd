//! The child's side: one file, answers until the parent hangs up.

use super::protocol::{Answer, MOST_FRAMES, Request, hear, say};
use super::{MODE, protocol};
use crate::compressed;
use crate::stats::ReadStats;
use deskhand_dsp::{FrameReader, Frames};
use std::io::{BufReader, BufWriter, Result, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// Serves as the decode child if this program was started as one: call it first in `main` and return its
/// result. `None` on an ordinary start.
#[must_use]
pub fn run_if_asked() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    let asked = args.next().is_some_and(|mode| mode == MODE);
    let path = args.next().filter(|_| asked)?;
    let track = args.next().and_then(|track| track.to_str()?.parse().ok());
    Some(serve(Path::new(&path), track))
}

/// Decodes `path`, of several tracks of audio that with number `track`, for the process at the other end of
/// standard input and output.
#[must_use]
pub fn serve(path: &Path, track: Option<u16>) -> ExitCode {
    #[cfg(unix)]
    super::limits::limit_memory();
    // Standard output is the protocol; nothing else may write there.
    let mut out = BufWriter::new(std::io::stdout().lock());
    match talk(path, track, &mut out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn talk(path: &Path, track: Option<u16>, out: &mut impl Write) -> Result<()> {
    renew();
    let stats = Arc::new(ReadStats::default());
    let (probe, mut reader) = match compressed::open(path, track, &stats) {
        Ok(opened) => opened,
        Err(error) => return say(out, &Answer::Refused { error }),
    };
    say(out, &Answer::Opened { probe })?;
    let mut requests = BufReader::new(std::io::stdin().lock());
    while let Some(request) = hear::<Request>(&mut requests)? {
        renew();
        answer(reader.as_mut(), &stats, &request, out)?;
    }
    Ok(())
}

fn renew() {
    #[cfg(unix)]
    super::limits::allow_one_request();
}

fn answer(
    reader: &mut dyn FrameReader,
    stats: &ReadStats,
    request: &Request,
    out: &mut impl Write,
) -> Result<()> {
    let length = request.frames.min(MOST_FRAMES);
    let mut block = vec![vec![0.0f32; length]; reader.channels()];
    let mut planes: Vec<&mut [f32]> = block.iter_mut().map(Vec::as_mut_slice).collect();
    match reader.read(Frames(request.at), &mut planes) {
        Ok(frames) => {
            let (nonfinite, damaged) = (stats.nonfinite(), stats.damaged());
            protocol::say(out, &Answer::Block { frames, nonfinite, damaged })?;
            for plane in &block {
                let samples = plane.get(..frames).unwrap_or_default();
                let bytes: Vec<u8> = samples.iter().flat_map(|s| s.to_le_bytes()).collect();
                out.write_all(&bytes)?;
            }
            out.flush()
        }
        Err(error) => say(out, &Answer::Failed { message: error.0 }),
    }
}
