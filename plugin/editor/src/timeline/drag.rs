//! A drag on the lanes: its preview, and the one call at its end.

use super::Axis;
use super::calls::{seconds, select, select_all, select_time, selected, with_group};
use super::hit::{Edge, Hit, Part};
use super::join::{self};
use super::rows::Rows;
use super::snap::Snap;
use super::track_shift::Down;
use crate::action::{Action, Gesture, call};
use crate::scene::Scene;
use crate::timeline::view::{Drag, Join, TimelineView, Tool};
use deskhand_dsp::{Decibels, Frames};
use deskhand_session::{Clip, ClipId, Session, TrackId};
use egui::{Modifiers, Pos2, Rect};
use serde_json::json;

/// The pointer, and the possible targets under it.
pub(super) struct Hand<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) axis: &'a Axis,
    pub(super) rows: &'a Rows<'a>,
    pub(super) at: Pos2,
    pub(super) modifiers: Modifiers,
}

impl<'a> Hand<'a> {
    /// What a frame snaps to; Alt bypasses it.
    pub(super) fn snap<'s>(&'s self, view: &TimelineView, without: &'s [ClipId]) -> Snap<'s> {
        Snap {
            session: self.scene.session,
            axis: self.axis,
            playhead: self.scene.live.position,
            without,
            is_on: !view.is_loose && !self.modifiers.alt,
        }
    }

    fn clip(&self, id: ClipId) -> Option<&'a Clip> {
        self.scene.session.clips.get(&id)
    }

    /// The clips that a drag starting on a clip moves: the selection with the clip, otherwise the clip and
    /// its group.
    fn meant(&self, id: ClipId) -> Vec<ClipId> {
        let clips = selected(self.scene.session);
        if clips.contains(&id) { clips } else { with_group(self.scene.session, id) }
    }

    pub(super) fn start(&self, view: &TimelineView, hit: Hit) -> Drag {
        let frame = self.axis.frame_at(self.at.x);
        let session = self.scene.session;
        let held = join::at(self.rows, session, self.axis, self.at);
        if let Some(held) = held.filter(|_| view.tool == Tool::Select) {
            return Drag::Join(Join::start(session, held, frame));
        }
        match (view.tool, hit) {
            (Tool::Range, _) => {
                let row = self.rows.index_at(self.at.y);
                let at = self.snap(view, &[]).at(frame);
                Drag::Time { from: at, to: at, tracks: (row, row) }
            }
            (Tool::Select | Tool::Split, Hit::Clip(id, part)) => self.grab(view, id, part, frame),
            (Tool::Select | Tool::Split, Hit::Lane(_) | Hit::Nothing) => {
                let adds = self.modifiers.shift || self.modifiers.command;
                let keeps = if adds { selected(self.scene.session) } else { Vec::new() };
                Drag::Band { from: self.at, to: self.at, keeps, left: view.left, down: view.down }
            }
        }
    }

    fn grab(&self, view: &TimelineView, id: ClipId, part: Part, frame: Frames) -> Drag {
        let clips = self.meant(id);
        let Some(clip) = self.clip(id) else { return Drag::Cancelled };
        match part {
            Part::Body => {
                let copies = self.modifiers.command;
                let (by, to) = (Frames::ZERO, Down::default());
                Drag::Move { clips, held: id, grabbed: frame, by, to, copies }
            }
            Part::Edge(edge) => {
                let (clips, was) = (self.together(clips, clip, edge), edge.of(clip));
                let behind = view.ripples.then(|| behind(self.scene.session, &clips, was));
                Drag::Trim { clips, held: id, edge, was, to: was, behind }
            }
            Part::Fade(edge) => {
                let (clips, length) = (self.together(clips, clip, edge), edge.fade(clip).length);
                Drag::Fade { clips, held: id, edge, length }
            }
            Part::Gain => {
                let was = clip.gain.0;
                Drag::Gain { clips, held: id, was, y: self.at.y, db: was }
            }
        }
    }

    /// The clips whose edge is at the same place as that of `clip`.
    fn together(&self, clips: Vec<ClipId>, clip: &Clip, edge: Edge) -> Vec<ClipId> {
        let same = |other: &ClipId| self.clip(*other).map(|it| edge.of(it)) == Some(edge.of(clip));
        clips.into_iter().filter(same).collect()
    }

    /// The drag with the pointer where it is now.
    pub(super) fn follow(&self, view: &TimelineView, drag: Drag) -> Drag {
        let frame = self.axis.frame_at(self.at.x);
        match drag {
            Drag::Cancelled => Drag::Cancelled,
            Drag::Band { from, keeps, left, down, .. } => {
                Drag::Band { from, to: self.at, keeps, left, down }
            }
            Drag::Move { clips, held, grabbed, .. } => {
                let by = self.shift(view, &clips, held, frame - grabbed);
                let to = self.down(&clips, held);
                let copies = self.modifiers.command;
                Drag::Move { clips, held, grabbed, by, to, copies }
            }
            Drag::Trim { clips, held, edge, was, behind, .. } => {
                let to = self.trimmed(held, edge, self.snap(view, &clips).at(frame));
                Drag::Trim { clips, held, edge, was, to, behind }
            }
            Drag::Fade { clips, held, edge, .. } => {
                let length = self.faded(&clips, held, edge, frame);
                Drag::Fade { clips, held, edge, length }
            }
            Drag::Join(join) => Drag::Join(join.follow(self.scene.session, frame)),
            Drag::Gain { clips, held, was, y, .. } => {
                let fine = if self.modifiers.shift { 0.02 } else { 0.1 };
                let db = ((was + f64::from(y - self.at.y) * fine) * 10.0).round() / 10.0;
                Drag::Gain { clips, held, was, y, db: db.clamp(-48.0, 24.0) }
            }
            Drag::Time { from, tracks, .. } => {
                let to = self.snap(view, &[]).at(frame);
                Drag::Time { from, to, tracks: (tracks.0, self.rows.index_at(self.at.y)) }
            }
        }
    }

    fn shift(&self, view: &TimelineView, clips: &[ClipId], held: ClipId, by: Frames) -> Frames {
        let Some(clip) = self.clip(held) else { return Frames::ZERO };
        let by = self.snap(view, clips).shift(&[clip.position, clip.end()], by);
        let first = clips.iter().filter_map(|id| self.clip(*id)).map(|it| it.position).min();
        Frames(by.0.max(-first.unwrap_or(Frames::ZERO).0))
    }

    /// How far down the clips go with the held one on the track under the pointer.
    fn down(&self, clips: &[ClipId], held: ClipId) -> Down {
        let home = self.clip(held).map(|clip| clip.track);
        let ends = home.zip(self.rows.track_at(self.at.y));
        ends.map(|(home, (to, _))| Down::between(self.scene.session, clips, home, to))
            .unwrap_or_default()
    }

    /// The limit of an edge: one frame stays, and the source has its ends.
    fn trimmed(&self, id: ClipId, edge: Edge, to: Frames) -> Frames {
        let Some(clip) = self.clip(id) else { return to };
        let source = self.scene.session.sources.get(&clip.source);
        let total = source.map_or(clip.start + clip.length, |source| source.frames);
        let one = Frames(1);
        let (low, high) = match edge {
            Edge::Left => (clip.position - clip.start, clip.end() - one),
            Edge::Right => (clip.position + one, clip.position + (total - clip.start)),
        };
        to.max(low.max(Frames::ZERO)).min(high)
    }

    /// The new length of a fade, limited to the room that each of the clips has for it.
    fn faded(&self, clips: &[ClipId], held: ClipId, edge: Edge, to: Frames) -> Frames {
        let Some(clip) = self.clip(held) else { return Frames::ZERO };
        let length = match edge {
            Edge::Left => to - clip.position,
            Edge::Right => clip.end() - to,
        };
        let room = |it: &Clip| it.length - edge.other().fade(it).length;
        let most = clips.iter().filter_map(|id| self.clip(*id)).map(room).min();
        length.min(most.unwrap_or(Frames::ZERO)).max(Frames::ZERO)
    }

    /// The one call of a finished drag; `None` if it changes nothing.
    pub(super) fn finish(&self, drag: &Drag) -> Option<Action> {
        match drag {
            Drag::Cancelled => None,
            Drag::Band { from, to, keeps, .. } => {
                Some(self.select_band(Rect::from_two_pos(*from, *to), keeps))
            }
            Drag::Move { clips, by, to, copies: true, .. } => self.copy_by(clips, *by, to),
            Drag::Move { clips, by, to, .. } => self.move_by(clips, *by, to),
            Drag::Trim { clips, edge, was, to, behind, .. } if was != to => {
                Some(self.trim_to(clips, *edge, *to, behind.is_some()))
            }
            Drag::Trim { .. } => None,
            Drag::Fade { clips, held, edge, length } => {
                self.fade_over((clips.as_slice(), *held), *edge, *length)
            }
            Drag::Join(join) => join.finish(self.scene.session),
            Drag::Gain { clips, was, db, .. } => gain_by(clips, db - was),
            Drag::Time { from, to, tracks } => {
                Some(self.select_between(*from.min(to), *from.max(to), *tracks))
            }
        }
    }

    fn seconds(&self, frames: Frames) -> f64 {
        seconds(self.scene.session, frames)
    }

    /// Selects the clips that a rubber band touches, plus the kept ones.
    fn select_band(&self, band: Rect, keeps: &[ClipId]) -> Action {
        let mut clips = keeps.to_vec();
        clips.extend(self.rows.clips_in(band, self.axis));
        clips.sort();
        clips.dedup();
        select(self.scene.session, &clips)
    }

    fn copy_by(&self, clips: &[ClipId], by: Frames, to: &Down) -> Option<Action> {
        let first = clips.iter().filter_map(|id| self.clip(*id)).map(|it| it.position).min()?;
        let at = self.seconds(first + by);
        let mut params = json!({"targets": clips, "at_s": at, "crossfade": true, "select": true});
        to.add_to(&mut params);
        (by != Frames::ZERO || to.is_any()).then(|| call(Gesture::DuplicateClip, params))
    }

    fn move_by(&self, clips: &[ClipId], by: Frames, to: &Down) -> Option<Action> {
        let mut params = json!({"targets": clips, "crossfade": true});
        if by != Frames::ZERO || !to.is_any() {
            params["by_s"] = json!(self.seconds(by));
        }
        to.add_to(&mut params);
        (by != Frames::ZERO || to.is_any()).then(|| call(Gesture::MoveClip, params))
    }

    /// Trims an edge of the clips. With ripple, later clips follow.
    fn trim_to(&self, clips: &[ClipId], edge: Edge, to: Frames, ripples: bool) -> Action {
        let key = match edge {
            Edge::Left => "start_s",
            Edge::Right => "end_s",
        };
        let mut params = json!({"targets": clips, key: self.seconds(to)});
        if ripples {
            params["ripple"] = json!(true);
        }
        call(Gesture::TrimClip, params)
    }

    fn fade_over(
        &self,
        (clips, held): (&[ClipId], ClipId),
        edge: Edge,
        length: Frames,
    ) -> Option<Action> {
        let key = match edge {
            Edge::Left => "fade_in_ms",
            Edge::Right => "fade_out_ms",
        };
        let params = json!({"targets": clips, key: self.seconds(length) * 1000.0});
        let was = edge.fade(self.clip(held)?).length;
        (was != length).then(|| call(Gesture::FadeClip, params))
    }

    /// Selects the tracks between two rows, with the time when there is any.
    fn select_between(&self, from: Frames, to: Frames, rows: (usize, usize)) -> Action {
        let session = self.scene.session;
        let between = rows.0.min(rows.1)..=rows.0.max(rows.1);
        let order = session.track_order.iter().copied().enumerate();
        let tracks: Vec<TrackId> =
            order.filter(|(index, _)| between.contains(index)).map(|(_, id)| id).collect();
        if from == to {
            return select_all(tracks, &[]);
        }
        select_time(session, &tracks, from, to)
    }
}

/// The clips after `at` on the tracks of `clips`, and on the tracks grouped with these.
fn behind(session: &Session, clips: &[ClipId], at: Frames) -> Vec<ClipId> {
    let tracks = clips.iter().filter_map(|id| session.clips.get(id)).map(|clip| clip.track);
    let together = |track| match session.group_of(track) {
        Some((_, group)) => group.tracks.clone(),
        None => vec![track],
    };
    let moved: Vec<TrackId> = tracks.flat_map(together).collect();
    let lies = |id: &ClipId, clip: &Clip| {
        clip.position >= at && moved.contains(&clip.track) && !clips.contains(id)
    };
    session.clips.iter().filter(|(id, clip)| lies(id, clip)).map(|(id, _)| *id).collect()
}

/// Changes the gain of clips by a number of dB, to a tenth.
fn gain_by(clips: &[ClipId], db: f64) -> Option<Action> {
    let change = (db * 10.0).round() / 10.0;
    let params = json!({"targets": clips, "change_db": change});
    (change != 0.0).then(|| call(Gesture::SetClipGain, params))
}

fn trimmed(clip: &Clip, edge: Edge, to: Frames, ripples: bool) -> Clip {
    match edge {
        Edge::Left => Clip {
            start: clip.start + (to - clip.position),
            length: (clip.end() - to).max(Frames(1)),
            // With ripple the clip stays, and its start in the source moves.
            position: if ripples { clip.position } else { to },
            ..clip.clone()
        },
        Edge::Right => Clip { length: (to - clip.position).max(Frames(1)), ..clip.clone() },
    }
}

impl Drag {
    /// The changed clip; `None` if the drag does not change it.
    pub(super) fn changed(&self, id: ClipId, clip: &Clip) -> Option<Clip> {
        match self {
            Self::Move { clips, by, to, .. } if clips.contains(&id) => {
                Some(Clip { position: clip.position + *by, track: to.of(clip), ..clip.clone() })
            }
            Self::Trim { edge, was, to, behind: Some(behind), .. } if behind.contains(&id) => {
                let by = edge.grows(*was, *to);
                Some(Clip { position: clip.position + by, ..clip.clone() })
            }
            Self::Trim { clips, edge, to, behind, .. } if clips.contains(&id) => {
                Some(trimmed(clip, *edge, *to, behind.is_some()))
            }
            Self::Fade { clips, edge, length, .. } if clips.contains(&id) => {
                let mut clip = clip.clone();
                match edge {
                    Edge::Left => clip.fade_in.length = *length,
                    Edge::Right => clip.fade_out.length = *length,
                }
                Some(clip)
            }
            Self::Join(join) => join.changed(id, clip),
            Self::Gain { clips, was, db, .. } if clips.contains(&id) => {
                Some(Clip { gain: Decibels(clip.gain.0 + db - was), ..clip.clone() })
            }
            _ => None,
        }
    }

    /// Whether the clip stays in place and a copy of it is shown.
    pub(super) fn leaves(&self) -> bool {
        matches!(self, Self::Move { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::session;
    use deskhand_session::{Group, GroupId};

    #[test]
    fn a_ripple_takes_along_what_lies_behind_on_the_track_and_on_those_of_its_group() {
        let mut session = session();
        for number in [1, 2] {
            let clip = session.clips[&ClipId::new(number)].clone();
            let clip = Clip { position: clip.end(), ..clip };
            session.clips.insert(ClipId::new(number + 10), clip);
        }
        let held = [ClipId::new(1)];
        let at = session.clips[&held[0]].end();
        assert_eq!(behind(&session, &held, at), [ClipId::new(11)]);
        let tracks = vec![TrackId::new(1), TrackId::new(2)];
        session.groups.insert(GroupId::new(1), Group { name: "Band".into(), tracks });
        assert_eq!(behind(&session, &held, at), [ClipId::new(11), ClipId::new(12)]);
    }
}
