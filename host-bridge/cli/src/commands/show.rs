//! `deskhand show`: the content of a session.

use crate::desk::Desk;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::table;
use crate::wave::Waves;
use comfy_table::Cell;
use deskhand_session::text;
use deskhand_session::{
    InsertOwner, ObjectId, Output as Route, RevisionId, Session, SourceId, Switch, Track, TrackId,
    TrackKind,
};
use deskhand_toolkit::MeasurementCache;
use serde_json::{Value, json};
use std::path::Path;

/// Shows the session in `dir`.
pub(crate) fn run(dir: &Path, output: Output) -> Result<Exit, Failure> {
    let desk = Desk::look(dir, output)?;
    let (session, revision) = (desk.session(), desk.head());
    output.json(&to_json(session, revision));
    let cache = desk.cache();
    output.say(to_text(session, revision, cache.as_ref(), output));
    desk.close()?;
    Ok(Exit::Done)
}

/// The session for programs: every list in the order that people see, each object with its id.
fn to_json(session: &Session, revision: RevisionId) -> Value {
    let tracks: Vec<_> = session.tracks_in_order().map(|(id, t)| with_id(&id, t)).collect();
    let clips = session.tracks_in_order().flat_map(|(id, _)| session.clips_on(id));
    let clips: Vec<_> = clips.map(|(id, clip)| with_id(&id, clip)).collect();
    let sources: Vec<_> = session.sources.iter().map(|(id, it)| with_id(id, it)).collect();
    let markers: Vec<_> = session.markers.iter().map(|(id, it)| with_id(id, it)).collect();
    let inserts: Vec<_> = session.inserts.iter().map(|(id, it)| with_id(id, it)).collect();
    let groups: Vec<_> = session.groups.iter().map(|(id, it)| with_id(id, it)).collect();
    let mut shown = json!({
        "session": session.id,
        "revision": revision,
        "sample_rate": session.rate,
        "length_s": session.end().seconds(session.rate),
        "master_gain_db": session.master_gain,
        "tempo": session.tempo,
        "meter": session.meter,
        "tracks": tracks,
        "clips": clips,
        "sources": sources,
        "markers": markers,
        "groups": groups,
        "inserts": inserts,
        "selection": session.selection,
        "current_source": session.current_source,
    });
    if let Some(host) = &session.host {
        shown["project"] = json!({
            "program": host.program, "path": host.path, "is_linked": host.is_linked,
        });
    }
    shown
}

fn with_id(id: &impl serde::Serialize, object: &impl serde::Serialize) -> Value {
    let mut value = serde_json::to_value(object).unwrap_or_default();
    value["id"] = json!(id);
    value
}

/// The session for people, without waveforms.
pub(crate) fn overview(session: &Session, output: Output) -> String {
    let parts = [tracks(session, output), markers(session, output), selection(session)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn to_text(
    session: &Session,
    revision: RevisionId,
    cache: &dyn MeasurementCache,
    output: Output,
) -> String {
    let length = text::clock(session.end(), session.rate);
    let head = format!(
        "{}, revision {revision}: {} tracks, {} clips, {} sources, {length} at {}",
        session.id,
        session.tracks.len(),
        session.clips.len(),
        session.sources.len(),
        session.rate,
    );
    let project = session.host.as_ref();
    let parts = [
        project.map(|host| {
            let way = if host.is_linked { "linked to" } else { "opened from" };
            format!("{way} the {} project {}", host.program, host.path)
        }),
        tracks(session, output),
        inserts(session, output),
        clips(session, cache, output),
        markers(session, output),
        library(session, output),
        selection(session),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    std::iter::once(head).chain(parts).collect::<Vec<_>>().join("\n\n")
}

fn tracks(session: &Session, output: Output) -> Option<String> {
    let mut table = table::new(output, &["track", "id", "kind", "gain", "pan", "", "plays to"]);
    for (id, track) in session.tracks_in_order() {
        table.add_row([
            Cell::new(&track.name),
            Cell::new(id),
            Cell::new(if track.kind == TrackKind::Bus { "bus" } else { "audio" }),
            table::number(format!("{} dB", table::signed(track.gain.0))),
            table::number(table::signed(track.pan)),
            Cell::new(flags(session, id, track)),
            Cell::new(match track.output {
                Route::Master => "the mix".into(),
                Route::Bus(bus) => session.name_of(bus.into()),
            }),
        ]);
    }
    (!session.tracks.is_empty()).then(|| table.to_string())
}

/// The processors of tracks, buses and the mix.
fn inserts(session: &Session, output: Output) -> Option<String> {
    let mut table = table::new(output, &["processor", "id", "on", ""]);
    let tracks = session.track_order.iter().map(|id| InsertOwner::Track(*id));
    for owner in tracks.chain([InsertOwner::Master]) {
        for (id, placed) in session.inserts_on(owner) {
            table.add_row([
                Cell::new(placed.effect.title()),
                Cell::new(id),
                Cell::new(match owner {
                    InsertOwner::Master => "the mix".into(),
                    InsertOwner::Track(track) => session.name_of(track.into()),
                }),
                Cell::new(if placed.switch == Switch::Off { "off" } else { "" }),
            ]);
        }
    }
    (!session.inserts.is_empty()).then(|| table.to_string())
}

fn flags(session: &Session, id: TrackId, track: &Track) -> String {
    let group = session.group_of(id).map(|(_, group)| format!("group {}", group.name));
    let mute = track.mute.then(|| "muted".to_owned());
    let solo = track.solo.then(|| "solo".to_owned());
    [mute, solo, group].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn clips(session: &Session, cache: &dyn MeasurementCache, output: Output) -> Option<String> {
    let mut waves = Waves::new(cache);
    let mut table =
        table::new(output, &["clip", "id", "track", "at", "length", "gain", "waveform"]);
    for (track_id, track) in session.tracks_in_order() {
        for (id, clip) in session.clips_on(track_id) {
            table.add_row([
                Cell::new(&clip.name),
                Cell::new(id),
                Cell::new(&track.name),
                table::number(text::clock(clip.position, session.rate)),
                table::number(text::clock(clip.length, session.rate)),
                table::number(format!("{} dB", table::signed(clip.gain.0))),
                Cell::new(waves.draw(session, clip)),
            ]);
        }
    }
    (!session.clips.is_empty()).then(|| table.to_string())
}

fn markers(session: &Session, output: Output) -> Option<String> {
    let mut table = table::new(output, &["marker", "id", "at", "length", "code"]);
    let mut markers: Vec<_> = session.markers.iter().collect();
    markers.sort_by_key(|(_, marker)| marker.position);
    for (id, marker) in markers {
        table.add_row([
            Cell::new(&marker.name),
            Cell::new(id),
            table::number(text::clock(marker.position, session.rate)),
            table::number(text::clock(marker.length, session.rate)),
            Cell::new(marker.code.as_deref().unwrap_or_default()),
        ]);
    }
    (!session.markers.is_empty()).then(|| table.to_string())
}

/// Sources without clips: nothing else in the list would name them.
fn library(session: &Session, output: Output) -> Option<String> {
    let used = |id: &SourceId| session.clips.values().any(|clip| clip.source == *id);
    let idle: Vec<_> = session.sources.iter().filter(|(id, _)| !used(id)).collect();
    let mut table = table::new(output, &["in the library", "id", "length", "format"]);
    for (id, source) in &idle {
        table.add_row([
            Cell::new(&source.name),
            Cell::new(id),
            table::number(text::clock(source.frames, session.rate)),
            Cell::new(&source.format),
        ]);
    }
    (!idle.is_empty()).then(|| table.to_string())
}

fn selection(session: &Session) -> Option<String> {
    let tracks = session.selection.tracks.iter().map(|id| ObjectId::Track(*id));
    let clips = session.selection.clips.iter().map(|id| ObjectId::Clip(*id));
    let names: Vec<_> = tracks.chain(clips).map(|id| session.name_of(id)).collect();
    let range = session.selection.range.map(|range| {
        let time = |at| text::clock(at, session.rate);
        format!("{} to {}", time(range.start), time(range.end))
    });
    let parts: Vec<_> = names.into_iter().chain(range).collect();
    (!parts.is_empty()).then(|| format!("selected: {}", parts.join(", ")))
}
