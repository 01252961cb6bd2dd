//! Parts of a session as tables, and as waveforms.

use super::pictures::stretch;
use crate::kit::fader::side;
use crate::kit::scale::signed;
use crate::resources::{Resource, Table};
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::transcript_tables;
use deskhand_session::text::clock;
use deskhand_session::{Clip, Handle, Session, Source, Track};

/// The waveform of a clip or a source.
pub(super) fn wave(session: &Session, handle: &Handle) -> Option<Resource> {
    let (source, range) = stretch(session, handle)?;
    Some(Resource::Waveform { source, start: range.start, length: range.end - range.start })
}

/// The table that a handle names; `None` if it is not in the session.
pub(super) fn table(session: &Session, handle: &Handle) -> Option<Table> {
    let clips = ["Clip", "Begins", "Length", "Gain"];
    match handle {
        Handle::Session => {
            let rows = session.tracks_in_order().map(|(_, it)| track_row(it)).collect();
            Some(made(["Track", "Gain", "Pan", "State"], rows))
        }
        Handle::Track(id) => {
            session.tracks.get(id)?;
            let all = session.clips_on(*id);
            Some(made(clips, all.iter().map(|(_, it)| clip_row(session, it)).collect()))
        }
        Handle::Clip(id) => {
            let clip = session.clips.get(id)?;
            Some(made(clips, vec![clip_row(session, clip)]))
        }
        Handle::Source(id) => {
            let row = source_row(session, session.sources.get(id)?);
            Some(made(["Source", "Length", "Rate", "Format"], vec![row]))
        }
        Handle::Marker(id) => {
            let marker = session.markers.get(id)?;
            let row = vec![marker.name.clone(), seconds(session, marker.position)];
            Some(made(["Marker", "Place"], vec![row]))
        }
        Handle::Talk(said) => {
            let said = transcript_tables::table(session, *said)?;
            Some(Table {
                columns: said.columns.iter().map(|name| (*name).to_owned()).collect(),
                rows: said.rows,
            })
        }
        Handle::Plan(_) | Handle::History | Handle::Tool(_) | Handle::File(_) => None,
    }
}

fn made<const N: usize>(columns: [&str; N], rows: Vec<Vec<String>>) -> Table {
    Table { columns: columns.map(str::to_owned).into(), rows }
}

fn track_row(track: &Track) -> Vec<String> {
    let state = match (track.mute, track.solo) {
        (true, true) => "mute, solo",
        (true, false) => "mute",
        (false, true) => "solo",
        (false, false) => "",
    };
    let pan = side(track.pan as f32 * 100.0);
    vec![track.name.clone(), decibels(track.gain), pan, state.into()]
}

fn clip_row(session: &Session, clip: &Clip) -> Vec<String> {
    let (begins, length) = (seconds(session, clip.position), seconds(session, clip.length));
    vec![clip.name.clone(), begins, length, decibels(clip.gain)]
}

fn source_row(session: &Session, source: &Source) -> Vec<String> {
    let rate = format!("{} Hz", source.rate.0);
    vec![source.name.clone(), seconds(session, source.frames), rate, source.format.clone()]
}

fn decibels(gain: Decibels) -> String {
    format!("{} dB", signed(gain.0 as f32, 1))
}

fn seconds(session: &Session, frames: Frames) -> String {
    clock(frames, session.rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::ClipId;

    #[test]
    fn a_table_tells_times_as_the_timeline_does() {
        let mut session = crate::testing::session();
        let id = ClipId::new(1);
        session.clips.get_mut(&id).unwrap().position = Frames(62 * 48_000 + 48);
        let row = table(&session, &Handle::Clip(id)).unwrap().rows.remove(0);
        assert_eq!(row, ["Vocal take", "1:02.001", "0:10.000", "0.0 dB"]);
    }
}
