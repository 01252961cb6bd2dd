//! The plan of a mix: one kind of move after another, each on the result of those before.

use super::balance::Kind;
use super::{Part, Resolved};
use crate::eq_balance;
use crate::eq_balance::moves::{Limits, moves};
use crate::roles::Role;
use deskhand_dsp::Decibels;
use deskhand_session::text::{count, names, trimmed};
use deskhand_session::{
    Change, Edit, Finding, IdSeed, InsertOwner, Measure, ObjectId, Prediction, Read, Session,
    TrackId,
};
use deskhand_toolkit::{Code, Draft, PlanContext, ToolError};
use std::collections::BTreeMap;

/// Smaller moves are not made, in dB.
const LEAST: f64 = 0.3;
/// The most that a band is lowered to make room, in dB.
const ROOM: f64 = 3.0;
/// How far doubles go to the sides.
const WIDE: f64 = 0.6;
/// How far a level may be off that was measured through the same engine.
const SAME: f64 = 0.2;

/// The plan while it grows, on the session as the moves so far leave it.
pub(super) struct Mixing<'a> {
    pub(super) call: &'a Resolved,
    pub(super) context: &'a PlanContext,
    pub(super) session: Session,
    draft: Draft,
    pub(super) ids: IdSeed,
    /// Loudness of each track as it comes to the mix, in LUFS.
    levels: BTreeMap<TrackId, f64>,
    lead: Option<TrackId>,
    /// Equalizers, faders, pans and outputs that move.
    pub(super) moved: [usize; 4],
}

impl<'a> Mixing<'a> {
    pub(super) fn new(call: &'a Resolved, context: &'a PlanContext) -> Self {
        Self {
            call,
            context,
            session: (*context.session).clone(),
            draft: Draft::default(),
            ids: context.ids(),
            levels: BTreeMap::new(),
            lead: call.lead,
            moved: [0; 4],
        }
    }

    pub(super) fn add(
        &mut self,
        change: Change,
        reason: String,
        needs: Vec<String>,
    ) -> Result<String, ToolError> {
        let next = self.session.with([&change]).map_err(ToolError::media)?;
        let target = change.target();
        let (old, new) = (self.session.name_of(target), next.name_of(target));
        let name = if old == target.to_string() { new } else { old };
        self.session = next;
        Ok(self.draft.dependent(change, name, reason, needs))
    }

    pub(super) fn name(&self, id: TrackId) -> String {
        self.context.session.name_of(id.into())
    }

    /// Low cuts by role, and room for what leads.
    pub(super) fn equalize(&mut self) -> Result<(), ToolError> {
        if !self.call.eq {
            return Ok(());
        }
        let lead = self.lead.or_else(|| leading(&self.call.tracks));
        let room = match lead {
            Some(id) => eq_balance::spectrum(self.context, id)?,
            None => None,
        };
        let limits = Limits { most: ROOM, resonances: false, low_cuts: true };
        for (index, part) in self.call.tracks.iter().enumerate() {
            let name = self.name(part.id);
            self.context.step(index, self.call.tracks.len() * 3, &name)?;
            let Some(own) = eq_balance::spectrum(self.context, part.id)? else {
                continue;
            };
            let covers =
                ![Role::Kick, Role::Bass, Role::LeadVocal, Role::Speech].contains(&part.role);
            let room = room.as_ref().filter(|_| covers && Some(part.id) != lead);
            let moves = moves(&own, part.role, room, limits);
            let why: Vec<String> = moves.iter().map(|m| m.why.clone()).collect();
            let session = &self.context.session;
            if let Some(change) = eq_balance::change(session, &mut self.ids, part.id, &moves) {
                let leads = lead.map_or(String::new(), |id| format!(" of {}", self.name(id)));
                let reason =
                    if why.is_empty() { "nothing is left to lower".into() } else { why.join("; ") };
                let reason = reason.replace("covers it", &format!("covers what matters{leads}"));
                self.draft.reads.push(Read::audio(session, part.id));
                self.add(change, reason, Vec::new())?;
                self.moved[0] += 1;
            }
        }
        Ok(())
    }

    /// Measures the loudness of each track after its fader, its buses and the planned equalizer, and finds
    /// the lead.
    pub(super) fn measure(&mut self) -> Result<(), ToolError> {
        let all = self.call.tracks.len();
        let mut silent = Vec::new();
        for (index, part) in self.call.tracks.iter().enumerate() {
            let name = self.name(part.id);
            self.context.step(all + index, all * 3, &name)?;
            let (loudness, behind) = self.in_the_mix(part.id)?;
            let found = Finding::new(part.id, Measure::IntegratedLoudness, loudness);
            let method = format!("{}{behind}", found.method);
            self.draft.findings.push(Finding { method, ..found });
            match loudness {
                Some(loudness) => drop(self.levels.insert(part.id, loudness)),
                None => silent.push(name),
            }
        }
        if !silent.is_empty() {
            self.draft.warnings.push(format!("{}: silent; passed over", names(&silent)));
        }
        let loudest = || self.levels.iter().max_by(|a, b| a.1.total_cmp(b.1)).map(|(id, _)| *id);
        let has_level = |id: &TrackId| self.levels.contains_key(id);
        self.lead =
            self.lead.or_else(|| leading(&self.call.tracks)).filter(has_level).or_else(loudest);
        if self.lead.is_some() {
            return Ok(());
        }
        let message = "all tracks are silent";
        Err(ToolError::run(Code::NoTarget, message, "name tracks that sound in `targets`"))
    }

    /// Faders: moves each track to its level against the lead, which stays.
    pub(super) fn faders(&mut self) -> Result<(), ToolError> {
        let Some((lead, anchor)) = self.lead.and_then(|id| Some((id, *self.levels.get(&id)?)))
        else {
            return Ok(());
        };
        let base = self.call.tracks.iter().find(|part| part.id == lead);
        let base = base.map_or(0.0, |part| self.usual(part.role));
        for part in self.call.tracks.clone() {
            let Some(level) = self.levels.get(&part.id).copied().filter(|_| part.id != lead) else {
                continue;
            };
            let leads = [Role::LeadVocal, Role::Speech].contains(&part.role);
            let wanted =
                if leads { self.usual(part.role) } else { self.call.style.relative(part.role) };
            let off = anchor + wanted - base - level;
            let most = self.call.most;
            let gain = off.clamp(-most, most);
            if gain.abs() < LEAST {
                continue;
            }
            self.fader(&part, gain, (anchor + wanted - base, level), lead)?;
            if off.abs() > most + LEAST {
                let (name, rest) = (self.name(part.id), trimmed(off.abs() - most, 1));
                let most = trimmed(most, 1);
                self.draft.warnings.push(format!(
                    "\"{name}\" would need {rest} dB more than {most} dB: check its clip gain"
                ));
            }
        }
        Ok(())
    }

    fn usual(&self, role: Role) -> f64 {
        let mut style = self.call.style.clone();
        style.others = 0.0;
        style.relative(role)
    }

    fn fader(
        &mut self,
        part: &Part,
        gain: f64,
        (wanted, level): (f64, f64),
        lead: TrackId,
    ) -> Result<(), ToolError> {
        let Some(track) = self.session.tracks.get(&part.id) else {
            return Ok(());
        };
        let after = (track.gain + Decibels(gain)).rounded();
        let change = Change::SetTrackGain(Edit { target: part.id, before: track.gain, after });
        let reason = format!(
            "{} ({}): measured {level:.1} LUFS{}, for a {} {wanted:.1} LUFS next to {}",
            part.role.title(),
            part.known,
            self.behind(part.id),
            self.call.style.title(),
            self.name(lead)
        );
        let read = Read::audio(&self.context.session, part.id);
        if !self.draft.reads.contains(&read) {
            self.draft.reads.push(read);
        }
        self.add(change, reason, Vec::new())?;
        self.moved[1] += 1;
        Ok(())
    }

    /// Places tracks of one kind left and right. Tracks that somebody placed, the lead and the low ones
    /// stay.
    pub(super) fn places(&mut self) -> Result<(), ToolError> {
        if !self.call.pan || self.call.style.kind == Kind::Podcast {
            return Ok(());
        }
        let sides =
            [Role::Backing, Role::Guitar, Role::Keys, Role::Strings, Role::Brass, Role::Percussion];
        for role in sides {
            let parts: Vec<TrackId> = self
                .call
                .tracks
                .iter()
                .filter(|part| part.role == role)
                .map(|part| part.id)
                .collect();
            let is_free = |id: &TrackId| self.session.tracks.get(id).is_some_and(|t| t.pan == 0.0);
            let mono = |id: &TrackId| {
                let clips = self.session.clips_on(*id);
                let sources =
                    clips.iter().filter_map(|(_, clip)| self.session.sources.get(&clip.source));
                sources.into_iter().all(|source| source.channels == 1 || source.channel.is_some())
            };
            let free = parts.iter().all(|id| is_free(id) && mono(id));
            if parts.len() < 2 || !free {
                continue;
            }
            let last = (parts.len() - 1) as f64;
            for (index, id) in parts.into_iter().enumerate() {
                let pan = (WIDE * (2.0 * index as f64 / last - 1.0) * 100.0).round() / 100.0;
                if pan == 0.0 {
                    continue;
                }
                let side = if pan < 0.0 { "left" } else { "right" };
                let change = Change::SetTrackPan(Edit { target: id, before: 0.0, after: pan });
                let reason = format!("{}: one of several, to the {side}", role.title());
                self.add(change, reason, Vec::new())?;
                self.moved[2] += 1;
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Draft, ToolError> {
        let lead = self.lead.map_or(String::new(), |id| self.name(id));
        let title = self.call.style.title();
        if self.draft.changes.is_empty() {
            self.draft.summary =
                format!("Nothing to change: balanced as a {title} around {lead} already");
            return Ok(self.draft);
        }
        self.promise()?;
        let [eq, faders, pans, outputs] = self.moved;
        let kinds = [(faders, "fader"), (pans, "pan"), (eq, "equalizer"), (outputs, "output")];
        let kinds: Vec<String> =
            kinds.iter().filter(|(n, _)| *n > 0).map(|(n, noun)| count(*n, noun)).collect();
        self.draft.summary = format!("Mix as a {title} around {lead}: {}", kinds.join(", "));
        let guesses: Vec<String> = self
            .call
            .tracks
            .iter()
            .filter(|part| part.role == Role::Other)
            .map(|part| self.name(part.id))
            .collect();
        if !guesses.is_empty() {
            let warning = format!(
                "{}: neither name nor content tells the part; name them, or classify them first",
                names(&guesses)
            );
            self.draft.warnings.push(warning);
        }
        Ok(self.draft)
    }

    /// What each track whose sound changes will measure, and the mix where it is heard.
    fn promise(&mut self) -> Result<(), ToolError> {
        let from = self.sounding();
        let all = from.len();
        for (index, (id, changes)) in from.into_iter().enumerate() {
            self.context.step(all * 2 + index, all * 3, "measuring the mix to be")?;
            self.promise_of(id.into(), changes)?;
        }
        if !self.context.mix_is_heard {
            return Ok(());
        }
        let mix: ObjectId = self.session.id.into();
        let changes = self.draft.changes.iter().map(|planned| planned.id.clone()).collect();
        self.promise_of(mix, changes)?;
        let peak = self.context.levels_in(&self.session, mix)?.true_peak;
        if let Some(peak) = peak.filter(|peak| peak.0 > -1.0) {
            let told = trimmed(peak.0, 1);
            self.draft.warnings.push(format!(
                "the mix will peak at {told} dBTP: master it (tool_master), or lower the master"
            ));
        }
        Ok(())
    }

    fn promise_of(&mut self, target: ObjectId, from: Vec<String>) -> Result<(), ToolError> {
        let level = self.context.levels_in(&self.session, target)?.integrated;
        let promise = level.map(|level| {
            let level = (level.0 * 100.0).round() / 100.0 + 0.0;
            Prediction::now(target, Measure::IntegratedLoudness, level, SAME, from)
        });
        self.draft.predicted.extend(promise);
        Ok(())
    }

    /// The tracks whose own sound changes, with the changes that do it.
    fn sounding(&self) -> BTreeMap<TrackId, Vec<String>> {
        let mut from: BTreeMap<TrackId, Vec<String>> = BTreeMap::new();
        for planned in &self.draft.changes {
            let track = match &planned.change {
                Change::SetTrackGain(edit) => Some(edit.target),
                Change::SetTrackPan(edit) => Some(edit.target),
                Change::SetInsert(edit) => match edit.after.as_ref().map(|insert| insert.on) {
                    Some(InsertOwner::Track(id)) => Some(id),
                    Some(InsertOwner::Master) | None => None,
                },
                _ => None,
            };
            if let Some(track) = track {
                from.entry(track).or_default().push(planned.id.clone());
            }
        }
        from
    }
}

/// The track that leads by its part.
fn leading(tracks: &[Part]) -> Option<TrackId> {
    let first = |role: Role| tracks.iter().find(|part| part.role == role).map(|part| part.id);
    first(Role::LeadVocal).or_else(|| first(Role::Speech))
}
