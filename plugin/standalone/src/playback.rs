//! The requests of a person and a model to the player, and the readings of its meters, for the session and
//! for a plan.
//!
//! Thread: window. It moves whatever player it is given: a device's, or one that a test pulls.

mod audition;
mod watching;

use crate::sound::Library;
use crate::sound::loudness_match::Matcher;
use deskhand_compile::{Alone, Player, PlayerError};
use deskhand_dsp::{Decibels, Frames, SampleRate};
use deskhand_editor::{Levels, Live, Motion};
use deskhand_engine as engine;
use deskhand_engine::{MeterReading, Side};
use deskhand_protocol::desk::{Play, Which};
use deskhand_session::{InsertId, Plan, PlanId, Session, TrackId};
use std::collections::BTreeMap;
use std::ops::Range;

/// The player's side of a window.
pub struct Playback {
    library: Library,
    cycle: Option<Range<Frames>>,
    hearing: Option<Hearing>,
    /// A stretch of a source that is heard by itself.
    aside: Option<audition::Aside>,
    /// How many were.
    auditions: u64,
    matcher: Matcher,
    /// Called on another thread when a measurement is done.
    wake: Box<dyn Fn() -> Box<dyn Fn() + Send> + Send>,
    /// The processor that a person looks at.
    watching: Option<watching::Watching>,
    tracks: BTreeMap<TrackId, Levels>,
    master: Levels,
    /// Where a player goes on that comes in place of one that went.
    at: Frames,
    /// The position it was sent to before it starts: it reports it only a block later.
    sought: Option<Frames>,
    /// A player that came is on its way to where the one before it was.
    is_coming: bool,
    /// Where playback began: at the end of the session the playhead returns there. `None` once it did.
    began: Option<Frames>,
}

struct Hearing {
    plan: Plan,
    which: Which,
    planned: Session,
    /// The gain that makes the plan as loud as the session, once it is measured.
    gain: Option<Decibels>,
    /// The measurement that is under way.
    asked: Option<u64>,
}

/// Why something cannot be played or heard.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlaybackError {
    #[error(transparent)]
    Player(#[from] PlayerError),
    #[error("this plan does not wait any more; hear one that waits")]
    NotWaiting,
    #[error("the plan cannot be heard: {0}")]
    Conflict(String),
}

impl Playback {
    /// Playback of the sources in `library`. `wake` is called, on another thread, when there is something
    /// for [`Self::look`].
    pub fn new(library: Library, wake: impl Fn() + Send + Clone + 'static) -> Self {
        let wake = move || -> Box<dyn Fn() + Send> { Box::new(wake.clone()) };
        Self {
            library,
            cycle: None,
            hearing: None,
            aside: None,
            auditions: 0,
            matcher: Matcher::new(),
            wake: Box::new(wake),
            watching: None,
            tracks: BTreeMap::new(),
            master: Levels::default(),
            at: Frames::ZERO,
            sought: None,
            is_coming: false,
            began: None,
        }
    }

    /// The player that comes first is brought to `at`, and repeats `cycle`.
    pub(crate) fn begin_at(&mut self, at: Frames, cycle: Option<Range<Frames>>) {
        (self.at, self.cycle) = (at, cycle);
    }

    /// A new player starts at the position of the previous one, stopped.
    ///
    /// # Errors
    /// When it refuses.
    pub fn came(&mut self, player: &mut Player, session: &Session) -> Result<(), PlaybackError> {
        self.library.know(session);
        player.follow(session)?;
        player.seek(self.at)?;
        self.is_coming = true;
        player.set_loop(self.cycle.clone())?;
        self.sound(player)
    }

    pub fn went(&mut self) {
        (self.tracks, self.master) = (BTreeMap::new(), Levels::default());
        (self.aside, self.sought) = (None, None);
        self.end_hearing();
    }

    /// The session is another. A plan that is heard and was taken, or does not fit any more, is not heard
    /// apart from it any longer.
    ///
    /// # Errors
    /// When the player refuses.
    pub fn follow(&mut self, player: &mut Player, session: &Session) -> Result<(), PlaybackError> {
        self.library.know(session);
        player.follow(session)?;
        self.tracks.retain(|track, _| session.tracks.contains_key(track));
        let Some(hearing) = &mut self.hearing else { return Ok(()) };
        match hearing.plan.applied_to(session) {
            Ok(planned) => {
                hearing.planned = planned;
                self.sound(player)
            }
            Err(_) => self.stop_hearing(player),
        }
    }

    /// A plan was decided on: it is heard no longer.
    ///
    /// # Errors
    /// When the player refuses.
    pub fn decided(&mut self, player: &mut Player, plan: PlanId) -> Result<(), PlaybackError> {
        if self.hearing.as_ref().is_some_and(|hearing| hearing.plan.id == plan) {
            self.stop_hearing(player)?;
        }
        Ok(())
    }

    /// Does what is asked. Playback that starts after the loop begins at its start; after the end, at the
    /// start of the session, unless it `records`. `plan` gives a waiting plan, with the ticks of its card.
    ///
    /// # Errors
    /// When the player refuses, or the plan cannot be heard.
    pub fn play(
        &mut self,
        player: &mut Player,
        session: &Session,
        play: &Play,
        records: bool,
        plan: impl FnOnce(PlanId, Which) -> Option<Plan>,
    ) -> Result<(), PlaybackError> {
        let was_alone = self.aside.is_some();
        self.end_audition(player)?;
        match play {
            // If a stretch plays alone, only that is stopped.
            Play::Stop if was_alone => {}
            Play::Start => self.start(player, session, records)?,
            Play::Stop => {
                self.sought = None;
                player.stop()?;
            }
            Play::Seek { at } => {
                player.seek(*at)?;
                (self.sought, self.is_coming) = (Some(*at), false);
                self.began = Some(*at);
            }
            Play::Loop { range } => {
                let range = range.map(|(start, end)| start..end);
                player.set_loop(range.clone())?;
                self.cycle = range;
            }
            Play::Hear { plan: id, which } => {
                let plan = plan(*id, *which).ok_or(PlaybackError::NotWaiting)?;
                // A part has the id of its plan, because the plan is what is decided.
                self.hear(player, session, Plan { id: *id, ..plan }, *which)?;
                if player.place().motion == engine::Motion::Stopped {
                    self.start(player, session, records)?;
                }
            }
        }
        Ok(())
    }

    fn start(
        &mut self,
        player: &mut Player,
        session: &Session,
        records: bool,
    ) -> Result<(), PlaybackError> {
        let at = self.sought.take().unwrap_or_else(|| self.stands(player.place().at));
        let elsewhere = begin(at, self.cycle.as_ref(), self.end(session));
        let elsewhere = elsewhere.filter(|_| !records);
        if let Some(begin) = elsewhere {
            player.seek(begin)?;
        }
        self.began = Some(elsewhere.unwrap_or(at));
        Ok(player.play()?)
    }

    /// The end of the last clip of the session, and of the plan that is heard.
    fn end(&self, session: &Session) -> Frames {
        let planned = self.hearing.as_ref().map(|hearing| hearing.planned.end());
        session.end().max(planned.unwrap_or(Frames::ZERO))
    }

    /// The plan that is heard, and which side of it.
    #[must_use]
    pub fn hearing(&self) -> Option<(PlanId, Which)> {
        self.hearing.as_ref().map(|hearing| (hearing.plan.id, hearing.which))
    }

    /// Hears another part of the plan that is heard: its ticks or values changed.
    ///
    /// # Errors
    /// When the player refuses, or the part does not fit the session.
    pub fn change(
        &mut self,
        player: &mut Player,
        session: &Session,
        part: Plan,
    ) -> Result<(), PlaybackError> {
        match self.hearing() {
            Some((id, which)) if id == part.id || part.derived_from == Some(id) => {
                self.hear(player, session, Plan { id, ..part }, which)
            }
            Some(_) | None => Ok(()),
        }
    }

    fn hear(
        &mut self,
        player: &mut Player,
        session: &Session,
        plan: Plan,
        which: Which,
    ) -> Result<(), PlaybackError> {
        let planned = plan.applied_to(session);
        let planned = planned.map_err(|why| PlaybackError::Conflict(why.to_string()))?;
        self.library.know(&planned);
        let same = self.hearing.take().filter(|hearing| hearing.planned == planned);
        let (gain, asked) = same.map_or((None, None), |hearing| (hearing.gain, hearing.asked));
        let mut hearing = Hearing { plan, which, planned, gain, asked };
        if which == Which::LevelMatched && gain.is_none() && asked.is_none() {
            let (now, then) = (session.clone(), hearing.planned.clone());
            let range = self.cycle.clone();
            let audio = self.library.audio();
            hearing.asked = Some(self.matcher.ask(audio, now, then, range, (self.wake)()));
        }
        self.hearing = Some(hearing);
        self.sound(player)
    }

    /// Brings the player to the chosen side. Until the levels are measured, a matched plan waits and the
    /// session is heard.
    fn sound(&mut self, player: &mut Player) -> Result<(), PlaybackError> {
        if let Some(aside) = &self.aside {
            return Ok(player.hear(Some(aside.side()))?);
        }
        let Some(hearing) = &self.hearing else { return Ok(()) };
        let side = match (hearing.which, hearing.gain) {
            (Which::Plan, _) => Side::Other { gain: Decibels::UNITY },
            (Which::LevelMatched, Some(gain)) => Side::Other { gain },
            (Which::Current, _) | (Which::LevelMatched, None) => Side::Current,
        };
        Ok(player.hear(Some((&hearing.planned, side)))?)
    }

    fn stop_hearing(&mut self, player: &mut Player) -> Result<(), PlaybackError> {
        self.end_hearing();
        player.hear(None)?;
        self.sound(player)
    }

    fn end_hearing(&mut self) {
        self.matcher.stop();
        self.hearing = None;
    }

    /// Takes finished measurements, and lets the player exchange its messages.
    ///
    /// # Errors
    /// When the player refuses, or the levels could not be measured.
    pub fn look(&mut self, player: &mut Player) -> Result<(), PlaybackError> {
        player.pump();
        self.look_at_audition(player)?;
        while let Some((number, answer)) = self.matcher.answer() {
            let wanted = self.hearing.as_mut().filter(|it| it.asked == Some(number));
            let Some(hearing) = wanted else { continue };
            hearing.asked = None;
            match answer {
                Ok(gain) => hearing.gain = Some(gain),
                Err(why) => return Err(PlaybackError::Conflict(why)),
            }
            self.sound(player)?;
        }
        Ok(())
    }

    /// Stops once the player is over the end of the session, and of the plan that is heard, however it came there; it
    /// goes back to where it began. A loop goes on, and a stretch that is heard by itself has an end of its own.
    ///
    /// # Errors
    /// When the player refuses.
    pub fn stop_at_end(
        &mut self,
        player: &mut Player,
        session: &Session,
    ) -> Result<(), PlaybackError> {
        let place = player.place();
        let is_apart = self.aside.is_some() || Alone::is_apart(place.at);
        if place.motion != engine::Motion::Playing || is_apart {
            return Ok(());
        }
        // It still fades out for a while, and is stopped only once; if the player refuses, it is asked
        // again.
        let Some(began) = self.began else { return Ok(()) };
        if is_over(place.at, self.cycle.as_ref(), self.end(session), session.rate) {
            player.stop()?;
            player.seek(began)?;
            (self.sought, self.began) = (Some(began), None);
        }
        Ok(())
    }

    /// Whether the timeline moves, apart from a stretch that is heard by itself.
    pub(crate) fn moves(&self, player: &Player) -> bool {
        self.aside.is_none() && player.place().motion != engine::Motion::Stopped
    }

    /// Writes what the views show; of processor `watched` its sound too.
    pub fn show(&mut self, player: &mut Player, watched: Option<InsertId>, live: &mut Live) {
        let place = player.place();
        // It tells where it went a block later.
        self.is_coming &= place.at == Frames::ZERO && place.motion == engine::Motion::Stopped;
        if !self.is_coming {
            self.at = self.stands(place.at);
        }
        self.read_meters(player);
        live.position = self.at;
        live.motion = match place.motion {
            engine::Motion::Stopped => Motion::Stopped,
            engine::Motion::Starting => Motion::Waiting,
            engine::Motion::Playing => Motion::Playing,
        };
        self.show_audition(place.at, live);
        live.tracks.clone_from(&self.tracks);
        live.master = self.master;
        show_reductions(player, live);
        self.show_watched(watched, player, live);
        self.show_rest(live);
    }

    /// Writes what the views show without a player.
    pub fn show_rest(&self, live: &mut Live) {
        live.cycle = self.cycle.as_ref().map(|range| (range.start, range.end));
        live.hearing = self.hearing();
        let matched = self.hearing.as_ref().filter(|it| it.which == Which::LevelMatched);
        live.match_gain = matched.and_then(|hearing| hearing.gain);
    }

    /// The measurements since the last frame; without new ones, the last reading stays.
    fn read_meters(&mut self, player: &mut Player) {
        let mut fresh: BTreeMap<Option<TrackId>, Levels> = BTreeMap::new();
        player.levels(&mut |track, reading| {
            let levels = levels(&reading);
            let known = fresh.entry(track).or_insert(levels);
            *known = joined(known, &levels);
        });
        if let Some(master) = fresh.remove(&None) {
            self.master = master;
        }
        let fresh = fresh.into_iter().filter_map(|(track, levels)| Some((track?, levels)));
        self.tracks.extend(fresh);
    }
}

/// Whether a player that is at `at` is over the end of a session with clips and of all that sounds after it, and in no
/// loop.
fn is_over(at: Frames, cycle: Option<&Range<Frames>>, end: Frames, rate: SampleRate) -> bool {
    // A tenth of a second: what processors hold back or let ring.
    let tail = Frames(i64::from(rate.0) / 10);
    // From before its end it goes back to the start of a loop.
    end > Frames::ZERO && at >= end + tail && cycle.is_none_or(|cycle| at >= cycle.end)
}

/// Where playback from `at` really begins, if elsewhere: after the loop it would never enter it, and after
/// the end nothing is heard.
fn begin(at: Frames, cycle: Option<&Range<Frames>>, end: Frames) -> Option<Frames> {
    match cycle {
        Some(cycle) => loop_start(at, cycle),
        None => (end > Frames::ZERO && at >= end).then_some(Frames::ZERO),
    }
}

/// Where playback from `at` really begins, if `at` is after the loop: from there it would never enter it.
fn loop_start(at: Frames, cycle: &Range<Frames>) -> Option<Frames> {
    (at >= cycle.end).then_some(cycle.start)
}

/// The largest gain reduction of each processor since the last frame. Without a new report, the last stays
/// while it plays.
fn show_reductions(player: &mut Player, live: &mut Live) {
    let mut fresh = BTreeMap::new();
    player.reductions(&mut |insert, taken| {
        let most = fresh.entry(insert).or_insert(0f32);
        *most = most.max(taken);
    });
    if live.motion == Motion::Stopped {
        live.reductions.clear();
    } else {
        live.reductions.extend(fresh);
    }
}

fn levels(reading: &MeterReading) -> Levels {
    Levels {
        peak: reading.peak,
        rms: reading.mean_square.map(f32::sqrt),
        momentary: reading.momentary,
        short_term: reading.short_term,
        integrated: reading.integrated,
        true_peak: reading.true_peak,
    }
}

/// The peaks of both, the rest of the later.
fn joined(earlier: &Levels, later: &Levels) -> Levels {
    let higher = |a: [f32; 2], b: [f32; 2]| [a[0].max(b[0]), a[1].max(b[1])];
    Levels {
        peak: higher(earlier.peak, later.peak),
        true_peak: higher(earlier.true_peak, later.true_peak),
        ..*later
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playing_that_is_started_behind_the_loop_begins_at_its_start() {
        let cycle = Frames(48_000)..Frames(96_000);
        let begins = [0, 48_000, 95_999, 96_000, 480_000].map(|at| loop_start(Frames(at), &cycle));
        let start = Some(cycle.start);
        assert_eq!(begins, [None, None, None, start, start], "before it one comes into it");
    }

    #[test]
    fn who_starts_behind_the_end_begins_at_the_start_and_a_loop_goes_ahead_of_that() {
        let (end, cycle) = (Frames(480_000), Frames(500_000)..Frames(600_000));
        let begins = |at, cycle| begin(Frames(at), cycle, end);
        assert_eq!([479_999, 480_000].map(|at| begins(at, None)), [None, Some(Frames::ZERO)]);
        assert_eq!(begins(490_000, Some(&cycle)), None, "it comes into the loop");
        assert_eq!(begins(600_000, Some(&cycle)), Some(cycle.start));
        assert_eq!(begin(Frames(9), None, Frames::ZERO), None, "there is nothing to hear anywhere");
    }

    #[test]
    fn it_is_over_behind_the_end_and_what_rings_after_it_unless_a_loop_leads_back() {
        let (end, loops) = (Frames(480_000), Frames(0)..Frames(600_000));
        let over = |at, cycle| is_over(Frames(at), cycle, end, SampleRate(48_000));
        let straight = [480_000, 484_799, 484_800, 900_000].map(|at| over(at, None));
        assert_eq!(straight, [false, false, true, true]);
        assert!(!over(590_000, Some(&loops)));
        assert!(over(600_000, Some(&loops)), "behind a loop it plays straight on");
        assert!(!is_over(Frames(900_000), None, Frames::ZERO, SampleRate(48_000)));
    }
}
