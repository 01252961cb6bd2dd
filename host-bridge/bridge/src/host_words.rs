//! Notes of a plan about hosts: what their own undo will show, and what belongs to them.

use crate::hosts::{Hosts, Live};
use deskhand_hosts::landing;
use deskhand_protocol::WAY_TO_CAPTURE;
use deskhand_session::text;
use deskhand_session::tool_error::{Code, ToolError};
use deskhand_session::{
    Change, Edit, InsertId, InsertOwner, ObjectId, PlacedInsert, PlannedChange, Prediction,
    Session, TrackId, Verify,
};
use deskhand_toolkit::{Draft, Registry, Targets, ToolEffect};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// What a change is to a track that a host plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Touch {
    /// Its gain: heard at once, as a desk gain.
    Gain,
    /// Gains of its clips, where the instance plays its input: not heard anywhere.
    Unheard,
    /// Its clips, gain lines and processors: heard only where the instance plays the session.
    Clips,
    /// Its pan, mute, solo and output: the host's own.
    HostSide,
}

fn is_gain_line(change: &Change) -> bool {
    matches!(change, Change::SetTrackEnvelope(_) | Change::SetClipEnvelope(_))
}

/// Whether a project of a DAW can hold what a change sets.
pub(crate) fn is_in_projects(change: &Change) -> bool {
    let is_of_project =
        matches!(change.target(), ObjectId::Track(_) | ObjectId::Clip(_) | ObjectId::Marker(_));
    let is_ours = is_gain_line(change) || matches!(change, Change::SetMarkerCode(_));
    let moves_all = matches!(
        change,
        Change::SetMasterGain(_) | Change::RippleDelete(_) | Change::RippleInsert(_)
    );
    is_of_project && !is_ours || moves_all
}

/// The session as the hosts see it: what a plan is there, and what their own undo will show.
#[derive(Clone, Copy)]
pub(crate) struct OnHosts<'a> {
    pub(crate) hosts: &'a Hosts,
    pub(crate) session: &'a Session,
    pub(crate) tools: &'a Registry,
}

impl OnHosts<'_> {
    /// Notes for a plan with these changes and predictions; empty while no instance is there, and no project is linked.
    pub(crate) fn notes(&self, changes: &[PlannedChange], predicted: &[Prediction]) -> Vec<String> {
        let mut notes = self.of_project(changes);
        if !self.hosts.is_empty() {
            notes.extend(self.of_instances(changes, predicted));
        }
        notes
    }

    /// What happens to the project that the session is linked to.
    fn of_project(&self, changes: &[PlannedChange]) -> Vec<String> {
        let Some(binding) = landing::linked(self.session) else { return Vec::new() };
        let path = Path::new(&binding.path);
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let any = |is_it: fn(&Change) -> bool| changes.iter().any(|planned| is_it(&planned.change));
        let goes = any(is_in_projects).then(|| {
            format!("goes into {name} too, of which a copy is kept: close it in the DAW before you apply")
        });
        let kinds = [
            (any(is_gain_line), "gain lines"),
            (any(|it| matches!(it, Change::SetInsert(_))), "processors"),
        ];
        let kinds = kinds.into_iter().filter(|(is_there, _)| *is_there);
        let kinds: Vec<&str> = kinds.map(|(_, kind)| kind).collect();
        let stays = (!kinds.is_empty())
            .then(|| format!("{} stay in Deskhand: {name} does not get them", kinds.join(" and ")));
        goes.into_iter().chain(stays).collect()
    }

    fn of_instances(&self, changes: &[PlannedChange], predicted: &[Prediction]) -> Vec<String> {
        let touched = self.touched(changes);
        let count = |what| touched.iter().filter(|(touch, _)| *touch == what).count();
        let host = self.hosts.names();
        let gains = match count(Touch::Gain) {
            0 => None,
            tracks => Some(undo_of_gain(tracks, &host)),
        };
        let clips = match count(Touch::Clips) {
            0 => None,
            tracks => Some(format!(
                "clips, gain lines and processors on {}: {host} plays its own input, and is heard so only where the output of the \
                 instance is \"session\"; its own undo shows nothing of it, Deskhand's undo takes it back",
                text::count(tracks, "track")
            )),
        };
        let sides = match count(Touch::HostSide) {
            0 => None,
            tracks => Some(format!(
                "pan, mute, solo and output of {} are {host}'s own: there nothing of this is heard, set them in {host}",
                text::count(tracks, "track")
            )),
        };
        let is_live = |it: &Prediction| it.verify == Verify::Playback;
        let played = predicted.iter().any(is_live).then(|| {
            format!(
                "measured at once on what was recorded; when {host} plays the same passage next, that is compared \
                 with it, and the receipt says so"
            )
        });
        gains.into_iter().chain(clips).chain(sides).chain(played).collect()
    }

    /// The advice if a call refers to tracks of a host that have no recording yet. `None` if all have one,
    /// or the tool listens to nothing.
    fn unrecorded(&self, tool: &str, params: &Value, taken_in: &[TrackId]) -> Option<String> {
        let tool = self.tools.get(tool).ok()?;
        let listens = !tool.spec().effects.contains(&ToolEffect::Command);
        let targets = params.get("targets").filter(|_| listens)?;
        let targets: Targets = serde_json::from_value(targets.clone()).ok()?;
        let meant = targets.tracks(self.session).ok()?;
        let is_empty = |live: &&Live| self.session.clips_on(live.track()).is_empty();
        let empty = self.hosts.all().filter(|live| meant.contains(&live.track()));
        let empty: Vec<&Live> = empty.filter(is_empty).collect();
        let (now, not): (Vec<&Live>, Vec<&Live>) =
            empty.into_iter().partition(|live| live.captures());
        let (just, never): (Vec<&Live>, Vec<&Live>) =
            not.into_iter().partition(|live| taken_in.contains(&live.track()));
        let (off, never): (Vec<&Live>, Vec<&Live>) =
            never.into_iter().partition(|live| live.is_off());
        let parts = [
            self.records_now(&now),
            self.just_recorded(&just),
            self.never_recorded(&never),
            self.records_nothing(&off),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    fn records_now(&self, tracks: &[&Live]) -> Option<String> {
        let host = tracks.first()?.host();
        let who = self.quoted(tracks);
        let (verb, it) = if tracks.len() == 1 { ("records", "it") } else { ("record", "they") };
        Some(format!(
            "{who} {verb} now: what {it} heard is there once {host} stops, so stop it and ask again"
        ))
    }

    fn just_recorded(&self, tracks: &[&Live]) -> Option<String> {
        tracks.first()?;
        let who = self.quoted(tracks);
        let verb = if tracks.len() == 1 { "has" } else { "have" };
        Some(format!("{who} {verb} just recorded, which is being taken in: ask again in a moment"))
    }

    fn never_recorded(&self, tracks: &[&Live]) -> Option<String> {
        let host = tracks.first()?.host();
        let who = self.quoted(tracks);
        let (verb, it) = if tracks.len() == 1 { ("has", "it") } else { ("have", "them") };
        Some(format!(
            "{who} {verb} recorded nothing yet: play {it} once in {host}, or render the song once there, and ask again"
        ))
    }

    fn records_nothing(&self, tracks: &[&Live]) -> Option<String> {
        let host = tracks.first()?.host();
        let who = self.quoted(tracks);
        let (verb, it) = if tracks.len() == 1 { ("has", "it") } else { ("have", "them") };
        Some(format!(
            "{who} {verb} recorded nothing, for capture is off: {WAY_TO_CAPTURE}; then play {it} in {host}, and ask \
             again"
        ))
    }

    /// The advice for a session without a recording that a plan could be played on.
    pub(crate) fn way_to_hear(&self) -> String {
        if !self.hosts.is_empty() && self.hosts.all().all(Live::is_off) {
            return format!("capture is off: {WAY_TO_CAPTURE}");
        }
        "play the song once".to_owned()
    }

    fn quoted(&self, tracks: &[&Live]) -> String {
        let name = |live: &&Live| format!("\"{}\"", self.session.name_of(live.track().into()));
        tracks.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// Adds the same remark to a draft of a tool that listened: to its summary if it has no findings to
    /// warn of.
    pub(crate) fn remark_unrecorded(
        &self,
        tool: &str,
        params: &Value,
        taken_in: &[TrackId],
        draft: &mut Draft,
    ) {
        let is_empty = draft.changes.is_empty();
        if !is_empty && draft.findings.is_empty() {
            return;
        }
        let Some(words) = self.unrecorded(tool, params, taken_in) else { return };
        if is_empty {
            draft.summary += &format!(". {words}");
        } else {
            draft.warnings.push(words);
        }
    }

    /// The same, as the way out of an error.
    pub(crate) fn with_way_to_record(
        &self,
        tool: &str,
        params: &Value,
        taken_in: &[TrackId],
        error: ToolError,
    ) -> ToolError {
        match self.unrecorded(tool, params, taken_in).filter(|_| error.code == Code::NoTarget) {
            Some(fix) => ToolError { fix, ..error },
            None => error,
        }
    }

    /// What changes are to the tracks that hosts play.
    pub(crate) fn touched(&self, changes: &[PlannedChange]) -> BTreeSet<(Touch, TrackId)> {
        changes.iter().filter_map(|planned| self.touch(&planned.change)).collect()
    }

    fn touch(&self, change: &Change) -> Option<(Touch, TrackId)> {
        let bound = |track: TrackId| self.hosts.all().any(|live| live.is_track(track));
        let clip = |id| self.session.clips.get(&id).map(|clip| clip.track);
        let found = match change {
            Change::SetTrackGain(edit) => Some((Touch::Gain, edit.target)),
            Change::SetClipGain(edit) => clip(edit.target).map(|track| self.clip_gain(track)),
            Change::SetClipFades(edit) => clip(edit.target).map(|track| (Touch::Clips, track)),
            Change::SetClipPolarity(edit) => clip(edit.target).map(|track| (Touch::Clips, track)),
            Change::SetClipMute(edit) => clip(edit.target).map(|track| (Touch::Clips, track)),
            Change::TrimClip(edit) => clip(edit.target).map(|track| (Touch::Clips, track)),
            Change::SplitClip(edit) => clip(edit.target).map(|track| (Touch::Clips, track)),
            Change::MoveClip(edit) => Some((Touch::Clips, edit.before.track)),
            Change::AddClip(edit) | Change::RemoveClip(edit) | Change::DuplicateClip(edit) => {
                let clip = edit.before.as_ref().or(edit.after.as_ref());
                clip.map(|clip| (Touch::Clips, clip.track))
            }
            Change::SetClipEnvelope(edit) => clip(edit.target).map(|track| self.clip_gain(track)),
            Change::SetTrackEnvelope(edit) => Some((Touch::Clips, edit.target)),
            Change::SetInsert(edit) => match placed_on(edit) {
                Some(InsertOwner::Track(track)) => Some((Touch::Clips, track)),
                Some(InsertOwner::Master) | None => None,
            },
            Change::SetTrackPan(edit) => Some((Touch::HostSide, edit.target)),
            Change::SetTrackMute(edit) | Change::SetTrackSolo(edit) => {
                Some((Touch::HostSide, edit.target))
            }
            Change::SetTrackOutput(edit) => Some((Touch::HostSide, edit.target)),
            _ => None,
        };
        found.filter(|(_, track)| bound(*track))
    }

    fn clip_gain(&self, track: TrackId) -> (Touch, TrackId) {
        let is_unheard = self.hosts.host_of_input(&track).is_some();
        (if is_unheard { Touch::Unheard } else { Touch::Clips }, track)
    }
}

pub(crate) fn placed_on(edit: &Edit<InsertId, Option<PlacedInsert>>) -> Option<InsertOwner> {
    edit.after.as_ref().or(edit.before.as_ref()).map(|placed| placed.on)
}

fn undo_of_gain(tracks: usize, host: &str) -> String {
    let of = text::count(tracks, "track");
    format!(
        "gain of {of} in {host}: its own undo does not show this while it is a desk gain; where the window of \
         an instance was open it shows as a change of trim, which an undo there takes back only where it moves the \
         parameter: where it loads the plugin's state, the session's gain stays. Deskhand's undo takes all of it back \
         in one step"
    )
}
