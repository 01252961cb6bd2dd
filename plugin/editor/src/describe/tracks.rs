//! Names of tracks in rows. A processor is named after its track. If a bus shares its name with a track,
//! the row says that it is a bus.

use super::{Made, owner_of};
use deskhand_session::{Change, InsertOwner, ObjectId, Output, Session, TrackId, TrackKind};

/// The name on the row of a change, given the plan's name for it.
pub(super) fn row_name(change: &Change, planned: String, session: &Session, made: &Made) -> String {
    match (owner_of(change), change.target()) {
        (Some(InsertOwner::Track(id)), _) => name(id, session, made).unwrap_or(planned),
        (None, ObjectId::Track(id)) => marked(planned, id, session, made),
        (Some(InsertOwner::Master) | None, _) => planned,
    }
}

/// Where a track plays to.
pub(super) fn output(output: Output, session: &Session, made: &Made) -> String {
    match output {
        Output::Master => "master".into(),
        Output::Bus(id) => name(id, session, made).unwrap_or_else(|| "a bus".into()),
    }
}

fn name(id: TrackId, session: &Session, made: &Made) -> Option<String> {
    let here = session.tracks.get(&id).map(|track| track.name.as_str());
    let name = here.or_else(|| made.track(id))?.to_owned();
    Some(marked(name, id, session, made))
}

fn marked(name: String, id: TrackId, session: &Session, made: &Made) -> String {
    let here = session.tracks.get(&id).map(|track| track.kind);
    if here != Some(TrackKind::Bus) && !made.is_bus(id) {
        return name;
    }
    let tracks = session.tracks.iter().map(|(id, track)| (*id, track.name.as_str()));
    let lower = name.to_lowercase();
    let is_twin = |(other, of): (TrackId, &str)| other != id && of.to_lowercase() == lower;
    if tracks.chain(made.tracks()).any(is_twin) { format!("{name} (bus)") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use deskhand_dsp::Decibels;
    use deskhand_session::track::PlacedTrack;
    use deskhand_session::{Edit, InsertId, Plan, PlannedChange, Track};

    const VOCAL: TrackId = TrackId::new(1);
    const BUS: TrackId = TrackId::new(9);

    /// Makes a bus of the name of a track, turns it down, plays the track into it and puts a processor on that.
    fn plan() -> Plan {
        let bus = Track::bus("VOCAL");
        let insert = serde_json::from_value(serde_json::json!({
            "on": {"track": VOCAL}, "index": 0, "switch": "on",
            "effect": {"kind": "limiter", "gain": 0.0, "ceiling": -1.0, "release_ms": 50.0},
        }));
        let changes = [
            (Change::AddTrack(Edit::create(BUS, PlacedTrack { index: 2, track: bus })), "VOCAL"),
            (Change::SetTrackGain(Edit::new(BUS, Decibels(0.0), Decibels(-3.0))), "VOCAL"),
            (Change::SetTrackOutput(Edit::new(VOCAL, Output::Master, Output::Bus(BUS))), "Vocal"),
            (Change::SetInsert(Edit::create(InsertId::new(1), insert.unwrap())), "limiter"),
            (Change::SetTrackPan(Edit::new(VOCAL, 0.0, -0.6)), "Vocal"),
        ];
        let changes = (1..).zip(changes).map(|(number, (change, name))| {
            PlannedChange::new(number, change, name.into(), String::new())
        });
        Plan { changes: changes.collect(), ..testing::gain_plan() }
    }

    #[test]
    fn rows_say_their_track_the_bus_of_two_and_a_pan_as_the_strip_does() {
        let (plan, session) = (plan(), testing::session());
        let made = Made::of(&plan);
        let rows = plan.changes.iter().map(|it| super::super::told(it, &session, &made));
        let rows: Vec<_> = rows.map(|it| [it.name, it.what, it.before, it.after]).collect();
        assert_eq!(rows[0][..2], ["VOCAL (bus)", "new bus"]);
        assert_eq!(rows[1][..2], ["VOCAL (bus)", "fader"]);
        assert_eq!(rows[2], ["Vocal", "output", "master", "VOCAL (bus)"]);
        assert_eq!(rows[3][..2], ["Vocal", "processor"]);
        assert_eq!(rows[4], ["Vocal", "pan", "C", "60 L"]);
    }
}
