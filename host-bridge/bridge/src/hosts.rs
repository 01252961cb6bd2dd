//! The connected instances of the plugin. Each instance is a track.

use crate::ids::{Asker, ConnectionId};
use deskhand_dsp::{Decibels, Frames, SampleRate, Seconds};
use deskhand_protocol::clean::clean;
use deskhand_protocol::{Clock, Instance, InstanceState, LEAD, Switches};
use deskhand_session::change::Edit;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{
    Change, ObjectId, PlannedChange, Prediction, RevisionId, Session, Track, TrackId, TrackKind,
    Verify,
};
use deskhand_toolkit::HostInputs;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// A clock without a report for this long has stopped.
const STALE: Duration = Duration::from_secs(2);

/// A gain that stays for this long ends a gesture.
const PAUSE: Duration = Duration::from_millis(600);

/// A gesture that goes on for longer becomes a step on the way: automation may ride through a whole song.
const LONGEST_GESTURE: Duration = Duration::from_secs(60);

/// The longest name that a host gives.
const LONGEST: usize = 100;

/// An instance that is there.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    pub(crate) state: InstanceState,
    told: Instant,
    /// A move of the host's trim that goes on.
    gesture: Option<GainMove>,
    /// Whether it was bypassed at any time since the pass began that it records.
    was_bypassed: bool,
    /// Whether its host reported the name of its track.
    is_named: bool,
    /// The step that made its track, where that was made for it.
    made: Option<RevisionId>,
}

/// Gains that a host reported in sequence. They become one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GainMove {
    /// The connection that reported the newest.
    pub(crate) asker: Asker,
    pub(crate) gain: Decibels,
    /// Whether it came with a state.
    pub(crate) is_loaded: bool,
    began: Instant,
    newest: Instant,
}

/// Which moves of hosts become steps now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GainMoves {
    /// Those that ended, or go on for long.
    Over,
    /// All: something else is about to be done.
    All,
}

impl Live {
    pub(crate) fn is_track(&self, track: TrackId) -> bool {
        self.state.track == track
    }

    pub(crate) fn track(&self) -> TrackId {
        self.state.track
    }

    /// The step that made its track, where that was made for it.
    pub(crate) fn made(&self) -> Option<RevisionId> {
        self.made
    }

    /// Whether it plays the session in place of its input.
    pub(crate) fn plays(&self) -> bool {
        self.state.plays
    }

    /// Whether it records its input.
    pub(crate) fn captures(&self) -> bool {
        self.state.captures
    }

    /// What it does to its output, apart from gain.
    pub(crate) fn switches(&self) -> Switches {
        self.state.switches
    }

    /// Whether it would record nothing if its host played.
    pub(crate) fn is_off(&self) -> bool {
        self.state.is_off
    }

    pub(crate) fn host(&self) -> &str {
        &self.state.host
    }

    /// Notes where its transport is. Returns true if the transport started or stopped.
    pub(crate) fn set_clock(&mut self, clock: Clock) -> bool {
        let turned = self.state.clock.is_none_or(|before| before.moves != clock.moves);
        self.state.clock = Some(clock);
        self.told = Instant::now();
        turned
    }

    /// Notes whether it plays the session. Returns true if that changed.
    pub(crate) fn set_plays(&mut self, plays: bool) -> bool {
        std::mem::replace(&mut self.state.plays, plays) != plays
    }

    /// Notes whether it records, and whether it would if its host played. Returns true if that changed.
    pub(crate) fn set_captures(&mut self, captures: bool, is_off: bool) -> bool {
        if captures {
            self.was_bypassed = self.state.switches.bypass;
        }
        let state = &mut self.state;
        let was = (state.captures, state.is_off);
        (state.captures, state.is_off) = (captures, is_off);
        was != (captures, is_off)
    }

    /// Notes what it does to its output. Returns true if that changed.
    pub(crate) fn set_switches(&mut self, switches: Switches) -> bool {
        self.was_bypassed |= switches.bypass;
        std::mem::replace(&mut self.state.switches, switches) != switches
    }

    fn moves(&self) -> bool {
        self.told.elapsed() < STALE && self.state.clock.is_some_and(|clock| clock.moves)
    }
}

/// The instances of all hosts, by their connections.
#[derive(Default)]
pub(crate) struct Hosts {
    /// Whether one of them reported its tempo since the session was opened.
    pub(crate) is_tempo_told: bool,
    live: BTreeMap<ConnectionId, Live>,
}

impl Hosts {
    pub(crate) fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// Whether a connection is an instance.
    pub(crate) fn has(&self, id: ConnectionId) -> bool {
        self.live.contains_key(&id)
    }

    /// All instances, by the order in which they joined.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Live> {
        self.live.values()
    }

    pub(crate) fn get(&self, id: ConnectionId) -> Option<&Live> {
        self.live.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: ConnectionId) -> Option<&mut Live> {
        self.live.get_mut(&id)
    }

    /// Forgets the instance of this connection, and an older connection of the instance that comes back.
    pub(crate) fn make_room(&mut self, id: ConnectionId, instance: &str) {
        self.live.retain(|known, live| *known != id && live.state.id != instance);
    }

    /// Makes a connection an instance; `made` is the step that made its track for it.
    pub(crate) fn bind(
        &mut self,
        id: ConnectionId,
        instance: &Instance,
        track: TrackId,
        made: Option<RevisionId>,
    ) {
        let state = InstanceState {
            id: clean(&instance.id, LONGEST),
            track,
            host: clean(&instance.host, LONGEST),
            format: clean(&instance.format, LONGEST),
            clock: None,
            plays: false,
            captures: false,
            switches: Switches::default(),
            is_off: false,
        };
        let is_named = instance.name.as_deref().and_then(usable).is_some();
        let (told, gesture) = (Instant::now(), None);
        self.live.insert(id, Live { state, told, gesture, was_bypassed: false, is_named, made });
    }

    pub(crate) fn remove(&mut self, id: ConnectionId) -> Option<Live> {
        self.live.remove(&id)
    }

    pub(crate) fn states(&self) -> Vec<InstanceState> {
        self.all().map(|live| live.state.clone()).collect()
    }

    /// The track, if an instance can become it.
    pub(crate) fn free_track(&self, session: &Session, track: Option<TrackId>) -> Option<TrackId> {
        let is_audio = |id: &TrackId| {
            session.tracks.get(id).is_some_and(|track| track.kind == TrackKind::Audio)
        };
        track.filter(|id| is_audio(id) && !self.all().any(|live| live.is_track(*id)))
    }

    /// The track of the asker's instance.
    pub(crate) fn own_track(
        &self,
        asker: Asker,
        session: &Session,
    ) -> Result<(TrackId, Track), ToolError> {
        let id = self.get(asker.connection).ok_or_else(no_instance)?.track();
        let track = session.tracks.get(&id).cloned().map(|track| (id, track));
        track.ok_or_else(|| {
            let message = "the track of this instance was removed from the session";
            ToolError::prepare(Code::NoTarget, message, "undo that, or join again")
        })
    }

    /// Notes that a host gave the track of an instance a name.
    pub(crate) fn set_named(&mut self, id: ConnectionId) {
        if let Some(live) = self.get_mut(id) {
            live.is_named = true;
        }
    }

    /// Renumbers an unnamed track if a host gives its placeholder name to another track. Instances in
    /// separate processes join in any order, and no two tracks may share a name.
    pub(crate) fn make_way(&self, session: &Session, name: &str, of: TrackId) -> Option<Change> {
        let number = name.strip_prefix("Track ")?;
        number.parse::<usize>().ok()?;
        let unnamed = self.all().filter(|live| !live.is_named);
        let mut numbered = unnamed.map(Live::track).filter(|id| *id != of);
        let id = numbered.find(|id| session.tracks.get(id).is_some_and(|it| it.name == name))?;
        Some(Change::RenameTrack(Edit::new(id, name.to_owned(), unnamed_track(session))))
    }

    /// Whether the pass that an instance has recorded was heard without its gain, at least in part.
    pub(crate) fn ended_bypassed(&mut self, id: ConnectionId) -> bool {
        self.get_mut(id).is_some_and(|live| {
            let is_on = live.state.switches.bypass;
            std::mem::replace(&mut live.was_bypassed, is_on)
        })
    }

    /// Notes the gain that the host's trim makes with the desk gain. Returns the previous asker if the gain was moving.
    pub(crate) fn move_gain(
        &mut self,
        asker: Asker,
        gain: Decibels,
        is_loaded: bool,
    ) -> Option<Asker> {
        let live = self.get_mut(asker.connection)?;
        let newest = Instant::now();
        let began = live.gesture.map_or(newest, |gesture| gesture.began);
        let before = live.gesture.replace(GainMove { asker, gain, is_loaded, began, newest });
        before.map(|gesture| gesture.asker)
    }

    /// Removes and returns the moves of hosts that become steps now.
    pub(crate) fn take_gestures(&mut self, which: GainMoves) -> Vec<GainMove> {
        let is_due = |gesture: &GainMove| {
            which == GainMoves::All
                || gesture.is_loaded
                || gesture.newest.elapsed() > PAUSE
                || gesture.began.elapsed() > LONGEST_GESTURE
        };
        let due = self.live.values_mut().filter_map(|live| live.gesture.take_if(|it| is_due(it)));
        due.collect()
    }

    /// Removes and returns the move of an instance that leaves.
    pub(crate) fn take_gesture(&mut self, id: ConnectionId) -> Option<GainMove> {
        self.get_mut(id).and_then(|live| live.gesture.take())
    }

    /// The timeline frame at which every instance applies a change; `None` while no transport moves.
    pub(crate) fn moment(&self, rate: SampleRate) -> Option<Frames> {
        let moving = self.all().filter(|live| live.moves());
        let newest = moving.max_by_key(|live| live.told)?;
        let ahead = Seconds((newest.told.elapsed() + LEAD).as_secs_f64());
        Some(newest.state.clock?.at + ahead.frames(rate))
    }

    /// The host that plays its own input on a track.
    pub(crate) fn host_of_input(&self, track: &TrackId) -> Option<&str> {
        let mut live = self.all().filter(|live| !live.plays());
        live.find(|live| live.is_track(*track)).map(Live::host)
    }

    /// The tracks on which hosts play their own input.
    pub(crate) fn inputs(&self) -> HostInputs {
        let live = self.all().filter(|live| !live.plays());
        live.map(|live| (live.track(), live.host().to_owned())).collect()
    }

    /// The hosts that are there, for people.
    pub(crate) fn names(&self) -> String {
        let names: BTreeSet<_> = self.all().map(|live| live.host().to_owned()).collect();
        names.into_iter().collect::<Vec<_>>().join(" and ")
    }

    /// Marks predictions for tracks that a host plays and whose gain the plan changes. They are compared
    /// with the host's next pass.
    pub(crate) fn to_be_played(
        &self,
        changes: &[PlannedChange],
        mut predicted: Vec<Prediction>,
    ) -> Vec<Prediction> {
        let is_played = |prediction: &Prediction| match prediction.target {
            ObjectId::Track(track) => {
                self.host_of_input(&track).is_some() && gain_set(changes, track).is_some()
            }
            _ => false,
        };
        for prediction in predicted.iter_mut().filter(|prediction| is_played(prediction)) {
            prediction.verify = Verify::Playback;
        }
        predicted
    }
}

/// The name of a track for which the host sends no name: a number in the order in which its instances
/// joined.
pub(crate) fn unnamed_track(session: &Session) -> String {
    let is_taken = |name: &String| session.tracks.values().any(|it| it.name == *name);
    let mut names = (session.tracks.len() + 1..).map(|number| format!("Track {number}"));
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

/// The gain that changes set a track to.
pub(crate) fn gain_set(changes: &[PlannedChange], track: TrackId) -> Option<Decibels> {
    changes.iter().rev().find_map(|planned| match &planned.change {
        Change::SetTrackGain(edit) if edit.target == track => Some(edit.after),
        _ => None,
    })
}

/// The error of a connection that is no instance.
pub(crate) fn no_instance() -> ToolError {
    let message = "this connection is no instance of the plugin";
    ToolError::prepare(Code::Refused, message, "join first")
}

/// The host's name as a name of ours, if there is any in it.
pub(crate) fn usable(name: &str) -> Option<String> {
    let name = clean(name, LONGEST).replace('\n', " ");
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// To 0.001 dB, as in plans: a host's parameters are 32 bits wide.
pub(crate) fn rounded(gain: Decibels) -> Decibels {
    Decibels((gain.0 * 1000.0).round() / 1000.0 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::HOUSE;
    use serde_json::json;

    fn instance(id: &str) -> Instance {
        let written = json!({"id": id, "host": "REAPER", "format": "CLAP", "trim": 0.0});
        serde_json::from_value(written).unwrap()
    }

    #[test]
    fn an_instance_holds_its_track_until_it_leaves() {
        let (mut hosts, track) = (Hosts::default(), TrackId::new(1));
        hosts.bind(ConnectionId(1), &instance("one"), track, None);
        assert_eq!(
            (hosts.names().as_str(), hosts.host_of_input(&track)),
            ("REAPER", Some("REAPER"))
        );
        assert!(hosts.get_mut(ConnectionId(1)).unwrap().set_plays(true));
        assert_eq!(hosts.host_of_input(&track), None, "it plays the session");
        hosts.make_room(ConnectionId(2), "one");
        assert!(hosts.is_empty() && hosts.moment(SampleRate(48_000)).is_none());
    }

    #[test]
    fn gains_that_go_on_moving_are_one_gesture() {
        let mut hosts = Hosts::default();
        let asker = Asker { connection: ConnectionId(1), ..Asker::nobody(HOUSE) };
        assert_eq!(hosts.move_gain(asker, Decibels(-1.0), false), None);
        hosts.bind(asker.connection, &instance("one"), TrackId::new(1), None);
        assert_eq!(hosts.move_gain(asker, Decibels(-1.0), false), None);
        assert_eq!(hosts.move_gain(asker, Decibels(-2.0), false), Some(asker));
        assert!(hosts.take_gestures(GainMoves::Over).is_empty());
        let due = hosts.take_gestures(GainMoves::All);
        assert_eq!((due.len(), due[0].gain), (1, Decibels(-2.0)));
    }
}
