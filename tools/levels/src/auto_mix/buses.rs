//! Buses. Tracks of one kind go onto one bus, if some of them are on it already. Also computes the loudness
//! of a track after its buses.

use super::plan::Mixing;
use crate::roles::Role;
use deskhand_session::text::names;
use deskhand_session::track::PlacedTrack;
use deskhand_session::{Change, Edit, Output, Track, TrackId, TrackKind};
use deskhand_toolkit::ToolError;
use std::collections::{BTreeMap, BTreeSet};

/// Tracks of one kind.
#[derive(Default)]
struct Family {
    /// Those that go to the mix.
    free: Vec<TrackId>,
    /// Buses that others of them go to.
    on: BTreeSet<TrackId>,
}

impl Mixing<'_> {
    /// Tracks that go to the mix onto the bus of their kind: the one that others of them are on, else the one that is
    /// named like it, else, for two or more, a new one. Where others are on several, or below a bus of another kind,
    /// somebody had something in mind, and they stay.
    pub(super) fn group(&mut self) -> Result<(), ToolError> {
        if !self.call.buses {
            return Ok(());
        }
        for (name, family) in self.families() {
            let Family { free, on } = family;
            let known = match on.len() {
                0 => self.named(name),
                1 => on.first().copied(),
                _ => continue,
            };
            if free.len() < 2 && (known.is_none() || free.is_empty()) {
                continue;
            }
            let (bus, made) = match known {
                Some(bus) => (bus, None),
                None => self.new_bus(name)?,
            };
            let reason = match known {
                Some(bus) => format!("one of the {name}: to \"{}\", where they go", self.name(bus)),
                None => format!("one of the {name}"),
            };
            for id in free {
                let edit = Edit { target: id, before: Output::Master, after: Output::Bus(bus) };
                let needs = made.iter().cloned().collect();
                self.add(Change::SetTrackOutput(edit), reason.clone(), needs)?;
                self.moved[3] += 1;
            }
        }
        Ok(())
    }

    fn families(&self) -> BTreeMap<&'static str, Family> {
        let mut families: BTreeMap<&'static str, Family> = BTreeMap::new();
        for part in &self.call.tracks {
            let (Some(name), Some(track)) = (part.role.bus(), self.session.tracks.get(&part.id))
            else {
                continue;
            };
            let family = families.entry(name).or_default();
            match track.output {
                Output::Master => family.free.push(part.id),
                Output::Bus(bus) => drop(family.on.insert(bus)),
            }
        }
        // A bus that tracks of other kinds go to as well is no bus of this kind.
        let shared: BTreeSet<TrackId> = {
            let mut users: BTreeMap<TrackId, usize> = BTreeMap::new();
            families
                .values()
                .flat_map(|f| &f.on)
                .for_each(|bus| *users.entry(*bus).or_default() += 1);
            users.into_iter().filter(|(_, users)| *users > 1).map(|(bus, _)| bus).collect()
        };
        families.retain(|_, family| family.on.is_disjoint(&shared));
        families
    }

    /// The only bus to the mix whose name says that it is for that family.
    fn named(&self, family: &str) -> Option<TrackId> {
        let fits = |track: &Track| {
            let of_role = Role::of_name(&track.name).and_then(Role::bus);
            track.kind == TrackKind::Bus
                && track.output == Output::Master
                && (track.name.eq_ignore_ascii_case(family) || of_role == Some(family))
        };
        let mut found = self.session.tracks.iter().filter(|(_, track)| fits(track));
        let (id, _) = found.next()?;
        found.next().is_none().then_some(*id)
    }

    fn new_bus(&mut self, name: &str) -> Result<(TrackId, Option<String>), ToolError> {
        let id = TrackId::new(self.ids.next_bits());
        let index = self.session.track_order.len();
        let track = PlacedTrack { index, track: Track::bus(name) };
        let change = Change::AddTrack(Edit::create(id, track));
        let made = self.add(change, "a fader for all of them".into(), Vec::new())?;
        Ok((id, Some(made)))
    }

    /// The buses that a track goes through, in order.
    fn path(&self, id: TrackId) -> Vec<TrackId> {
        self.session.path_of(id).skip(1).collect()
    }

    /// " after Drums": the buses after which a level was measured, in words; empty without a bus.
    pub(super) fn behind(&self, id: TrackId) -> String {
        let path: Vec<String> =
            self.path(id).into_iter().map(|bus| self.session.name_of(bus.into())).collect();
        if path.is_empty() { String::new() } else { format!(" after {}", names(&path)) }
    }

    /// The loudness of a track as it reaches the mix, in LUFS, and the buses it was measured after. Through
    /// buses it is heard alone: their faders and processors count.
    pub(super) fn in_the_mix(&self, id: TrackId) -> Result<(Option<f64>, String), ToolError> {
        let path = self.path(id);
        let Some(last) = path.last() else {
            let levels = self.context.levels_in(&self.session, id.into())?;
            return Ok((levels.integrated.map(|level| level.0), String::new()));
        };
        let mut alone = self.session.clone();
        for (other, track) in &mut alone.tracks {
            track.solo = false;
            track.mute = *other != id && !path.contains(other);
        }
        let levels = self.context.levels_in(&alone, (*last).into())?;
        Ok((levels.integrated.map(|level| level.0), self.behind(id)))
    }
}
