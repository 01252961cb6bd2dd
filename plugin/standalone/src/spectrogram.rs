//! Spectrograms of sources in the library, for windows that show them.
//!
//! Thread: the one of what windows show.

use deskhand_bounce::SessionAudio;
use deskhand_dsp::{Frames, SampleRate};
use deskhand_editor::{MakeSpectrogram, Spectrogram};
use deskhand_media::build_spectrogram;
use deskhand_session::Source;
use std::ops::{ControlFlow, Range};

/// Makes them of the audio of a session.
pub(crate) fn of(audio: SessionAudio) -> Box<MakeSpectrogram> {
    Box::new(move |source: &Source, rate: SampleRate, range: Range<Frames>, is_over| {
        let mut reader = audio.open(source, rate).map_err(|error| error.to_string())?;
        let (columns, rows) = Spectrogram::SIZE;
        let go_on =
            &mut |_| if is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let seconds = (range.start.seconds(rate).0, range.end.seconds(rate).0);
        let made = build_spectrogram(reader.as_mut(), range, columns, rows, go_on);
        let made = made.map_err(|error| error.to_string())?;
        Ok(Spectrogram::new((columns, rows), &made.levels, made.hertz, seconds))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_media::{BitDepth, Opener, WavWriter};
    use deskhand_session::{Session, SessionId, SourceId};
    use std::path::Path;

    /// A session with one source: half a second of a sine at 1 kHz.
    fn session(folder: &Path) -> Session {
        let file = folder.join("tone.wav");
        let mut writer = WavWriter::create(&file, SampleRate(48_000), 1, BitDepth::F32).unwrap();
        let tone: Vec<f32> =
            (0..24_000u16).map(|n| (std::f32::consts::TAU * f32::from(n) / 48.0).sin()).collect();
        writer.write(&[&tone]).unwrap();
        writer.finish().unwrap();
        let about = std::fs::metadata(&file).unwrap();
        let since = about.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
        let source = Source {
            name: "tone".into(),
            hash: deskhand_session::ContentHash("0".repeat(64)),
            size: about.len(),
            modified_ns: since.as_nanos().try_into().unwrap(),
            format: "WAV 32 bit float".into(),
            media: deskhand_session::Media::InPlace,
            ..Source::in_place(&file.to_string_lossy(), SampleRate(48_000), 1, Frames(24_000))
        };
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.sources.insert(SourceId::new(1), source);
        session
    }

    #[test]
    fn a_spectrogram_is_made_of_a_source() {
        let tmp = tempfile::tempdir().unwrap();
        let session = session(tmp.path());
        let make = of(SessionAudio::new(tmp.path(), Opener::in_process()));
        let source = &session.sources[&SourceId::new(1)];
        let range = Frames::ZERO..source.frames;
        let it = make(source, session.rate, range, &|| false).unwrap();
        let column = &it.levels[it.rows * (it.columns / 2)..][..it.rows];
        let loudest = (0..it.rows).max_by_key(|row| column[*row]).unwrap();
        let thousand = it.marks.iter().find(|(hertz, _)| *hertz == 1_000.0).unwrap().1;
        assert!((loudest as f32 / it.rows as f32 - thousand).abs() < 0.02, "row {loudest}");
        assert_eq!(it.seconds, (0.0, 0.5));
    }
}
