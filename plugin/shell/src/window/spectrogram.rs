//! Spectrograms of sources in the library, for windows that show them.
//!
//! Thread: the one of what windows show.

use crate::hub::open;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_editor::{MakeSpectrogram, Spectrogram};
use deskhand_media::build_spectrogram;
use deskhand_session::Source;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;

/// Makes them of the audio of the session in `dir`.
pub(super) fn of(dir: PathBuf) -> Box<MakeSpectrogram> {
    Box::new(move |source: &Source, rate: SampleRate, range: Range<Frames>, is_over| {
        let mut reader = open(source, &dir, rate).map_err(|error| error.to_string())?;
        let (columns, rows) = Spectrogram::SIZE;
        let go_on =
            &mut |_| if is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let seconds = (range.start.seconds(rate).0, range.end.seconds(rate).0);
        let made = build_spectrogram(reader.as_mut(), range, columns, rows, go_on);
        let made = made.map_err(|error| error.to_string())?;
        Ok(Spectrogram::new((columns, rows), &made.levels, made.hertz, seconds))
    })
}
