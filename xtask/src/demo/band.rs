//! A small band, synthesized: drums, bass, keys and lead as separate tracks, the same samples each time.
//!
//! Ten bars of 4/4 at 96 beats per minute. The tracks' levels differ as much as in a real recording, so
//! that gain staging has something to do.

mod instruments;
mod score;

use instruments::Track;

/// Frames per second of every track.
pub(crate) const RATE: u32 = 48_000;

const BEATS_PER_MINUTE: f64 = 96.0;
const BEATS: f64 = 40.0;
/// The last notes ring out in this time, in seconds.
const TAIL: f64 = 1.5;

/// One recorded track of the band.
pub(crate) struct Recording {
    /// The name of the file, without its ending.
    pub(crate) name: &'static str,
    /// One buffer per channel, equally long, within -1..1.
    pub(crate) channels: Vec<Vec<f32>>,
}

/// Plays all tracks: 26.5 s each, two of them stereo.
pub(crate) fn play() -> Vec<Recording> {
    vec![
        recorded("Drums", -3.0, drums()),
        recorded("Bass", -15.0, bass()),
        recorded("Keys", -24.0, keys()),
        recorded("Lead", -9.0, lead()),
    ]
}

/// The track as it was recorded: its highest sample at `peak_dbfs`.
fn recorded(name: &'static str, peak_dbfs: f64, mut track: Track) -> Recording {
    track.fade_out(0.2);
    Recording { name, channels: track.at_peak(peak_dbfs) }
}

fn drums() -> Track {
    let mut track = Track::stereo(length());
    for hit in score::drums() {
        track.drum(hit.drum, second(hit.beat), hit.force);
    }
    track
}

fn bass() -> Track {
    let mut track = Track::mono(length());
    for note in score::bass() {
        track.bass(note.pitch, second(note.beat), span(note.beats));
    }
    track
}

fn keys() -> Track {
    let mut track = Track::stereo(length());
    for note in score::keys() {
        track.keys(note.pitch, second(note.beat), span(note.beats));
    }
    track
}

fn lead() -> Track {
    let mut track = Track::mono(length());
    for note in score::lead() {
        track.lead(note.pitch, second(note.beat), span(note.beats));
    }
    track.echo(span(0.75), 0.3);
    track
}

/// Seconds from the start at which `beat` falls; off-beats come a little late, which is the swing.
fn second(beat: f64) -> f64 {
    let swing = if (beat.fract() - 0.5).abs() < 0.01 { 0.06 } else { 0.0 };
    span(beat + swing)
}

/// The length of `beats` in seconds.
fn span(beats: f64) -> f64 {
    beats * 60.0 / BEATS_PER_MINUTE
}

/// The length of every track in seconds.
fn length() -> f64 {
    span(BEATS) + TAIL
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peak_db(recording: &Recording) -> f64 {
        let samples = recording.channels.iter().flatten();
        let peak = samples.fold(0.0f64, |peak, sample| peak.max(f64::from(sample.abs())));
        20.0 * peak.log10()
    }

    #[test]
    fn the_band_is_complete_and_its_levels_differ() {
        let band = play();
        let levels: Vec<_> = band.iter().map(|part| (part.name, peak_db(part).round())).collect();
        assert_eq!(levels, [("Drums", -3.0), ("Bass", -15.0), ("Keys", -24.0), ("Lead", -9.0)]);
        for part in &band {
            let frames = part.channels[0].len();
            assert_eq!(frames, 26 * 48_000 + 24_000, "{}", part.name);
            assert!(part.channels.iter().all(|channel| channel.len() == frames));
            assert!(part.channels.iter().flatten().all(|sample| sample.is_finite()));
        }
    }

    #[test]
    fn it_plays_the_same_each_time() {
        let samples = || play().into_iter().flat_map(|part| part.channels).flatten();
        assert!(samples().eq(samples()));
    }

    #[test]
    fn every_track_starts_and_ends_in_silence() {
        for part in play() {
            for channel in &part.channels {
                assert!(channel[0].abs() < 0.01, "{} starts with a click", part.name);
                assert!(channel[channel.len() - 1].abs() < 0.001, "{} is cut off", part.name);
            }
        }
    }
}
