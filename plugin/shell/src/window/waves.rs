//! Waveforms in the window. Pieces of them are requested from the hub, cached, and drawn. At a closer zoom
//! the samples themselves are drawn.
//!
//! Thread: window. It decodes nothing and waits for nothing: what is not here yet is not drawn yet. Samples have a
//! thread of their own.

use deskhand_dsp::Frames;
use deskhand_editor::{Column, Samples, Waves};
use deskhand_protocol::peaks::{FULL_SCALE, LAST_LEVEL, PeakColumns, frames_per_column};
use deskhand_protocol::{CallId, Event, News, Op, Read};
use deskhand_session::{Session, SourceId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Columns in a piece; a hub gives four times as many at once at most.
const PIECE: u64 = 1_024;
/// Pieces that are kept, 4 kB each.
const KEPT: usize = 1_024;
/// Pieces that are asked for at a time.
const AT_ONCE: usize = 8;
/// The time after which a missing drawing is requested again.
const AGAIN: Duration = Duration::from_secs(2);

/// A piece of the columns of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    source: SourceId,
    level: u32,
    piece: u64,
}

struct Piece {
    /// Peak and RMS in steps; short or empty at the end of the source.
    columns: Vec<[u16; 2]>,
    used: u64,
}

/// The waveforms of a session, as far as the window has seen them.
#[derive(Default)]
pub(super) struct HubWaves {
    kept: RefCell<Kept>,
    /// While there is a session whose files can be read.
    samples: Option<Samples>,
}

#[derive(Default)]
struct Kept {
    pieces: BTreeMap<Key, Piece>,
    wanted: BTreeSet<Key>,
    asked: BTreeMap<CallId, Key>,
    /// Not built when it was asked for.
    absent: BTreeMap<Key, Instant>,
    uses: u64,
}

impl HubWaves {
    /// Waveforms of the hub, and `samples` where the zoom is nearer.
    pub(super) fn new(samples: Option<Samples>) -> Self {
        Self { samples, ..Self::default() }
    }

    /// Takes up the sources of `session`.
    pub(super) fn follow(&mut self, session: &Session) {
        if let Some(samples) = &mut self.samples {
            samples.follow(session);
        }
    }

    /// Asks the hub for missing pieces; `submit` sends each request.
    pub(super) fn ask(&self, mut submit: impl FnMut(Op) -> CallId) {
        let mut kept = self.kept.borrow_mut();
        let wanted = std::mem::take(&mut kept.wanted);
        for Key { source, level, piece } in wanted {
            if kept.asked.len() >= AT_ONCE {
                break;
            }
            let (first, count) = (piece * PIECE, PIECE as u32);
            let what = Read::Peaks { source, level, first, count };
            let call = submit(Op::Read { what });
            kept.asked.insert(call, Key { source, level, piece });
        }
    }

    /// Takes an event, if it answers a request from here.
    pub(super) fn hear(&mut self, event: &Event) -> bool {
        let kept = self.kept.get_mut();
        if let News::Media { source, .. } = &event.news {
            if let Some(samples) = &mut self.samples {
                samples.ask_again(*source);
            }
            kept.absent.retain(|key, _| key.source != *source);
        }
        let News::Done { result } = &event.news else { return false };
        let Some(key) = event.call.and_then(|call| kept.asked.remove(&call)) else { return false };
        let answer = result.answer.clone();
        match answer.and_then(|it| serde_json::from_value::<PeakColumns>(it).ok()) {
            Some(PeakColumns { columns, .. }) => kept.put(key, columns),
            None => drop(kept.absent.insert(key, Instant::now() + AGAIN)),
        }
        true
    }

    /// Whether something is on the way, or will be asked for again.
    pub(super) fn is_waiting(&self) -> bool {
        let kept = self.kept.borrow();
        !kept.asked.is_empty() || !kept.wanted.is_empty() || !kept.absent.is_empty()
    }
}

impl Kept {
    fn put(&mut self, key: Key, columns: Vec<[u16; 2]>) {
        let used = self.uses;
        self.pieces.insert(key, Piece { columns, used });
        while self.pieces.len() > KEPT {
            let oldest = self.pieces.iter().min_by_key(|(_, piece)| piece.used);
            let Some(oldest) = oldest.map(|(key, _)| *key) else { return };
            self.pieces.remove(&oldest);
        }
    }

    /// Notes that a piece is drawn; false when it has to come first.
    fn is_here(&mut self, key: Key) -> bool {
        if let Some(piece) = self.pieces.get_mut(&key) {
            piece.used = self.uses;
            return true;
        }
        let due = self.absent.get(&key).is_none_or(|again| Instant::now() >= *again);
        if due && !self.asked.values().any(|asked| *asked == key) {
            self.absent.remove(&key);
            self.wanted.insert(key);
        }
        false
    }

    /// A column from the hub; silence after the end.
    fn column(&self, source: SourceId, level: u32, index: u64) -> [u16; 2] {
        let key = Key { source, level, piece: index / PIECE };
        let column = usize::try_from(index % PIECE).unwrap_or(0);
        let piece = self.pieces.get(&key);
        piece.and_then(|piece| piece.columns.get(column)).copied().unwrap_or_default()
    }
}

/// The widest columns that are no wider than `frames`.
fn level_for(frames: f64) -> u32 {
    let fits = |level: &u32| frames_per_column(*level) as f64 <= frames;
    (0..=LAST_LEVEL).take_while(fits).last().unwrap_or(0)
}

/// What columns of the hub make together.
fn joined(columns: impl Iterator<Item = [u16; 2]>) -> Column {
    let (mut peak, mut square, mut count) = (0_u16, 0.0_f64, 0_u32);
    for [highest, rms] in columns {
        peak = peak.max(highest);
        square += f64::from(rms).powi(2);
        count += 1;
    }
    let rms = (square / f64::from(count.max(1))).sqrt() as f32;
    Column { peak: f32::from(peak) / FULL_SCALE, rms: rms / FULL_SCALE }
}

impl Waves for HubWaves {
    fn columns(
        &self,
        source: SourceId,
        start: Frames,
        per_column: f64,
        count: usize,
    ) -> Option<Vec<Column>> {
        let near = self.samples.as_ref().filter(|_| is_near(per_column));
        if let Some(columns) = near.and_then(|it| it.columns(source, start, per_column, count)) {
            return Some(columns);
        }
        let mut kept = self.kept.borrow_mut();
        kept.uses += 1;
        let level = level_for(per_column);
        let width = frames_per_column(level) as f64;
        let at =
            |index: usize| ((start.0 as f64 + per_column * index as f64).max(0.0) / width) as u64;
        let pieces = at(0) / PIECE..=at(count) / PIECE;
        // Each that is missing is asked for, not the first alone.
        let missing = pieces.filter(|piece| !kept.is_here(Key { source, level, piece: *piece }));
        if missing.count() > 0 {
            return None;
        }
        let one = |index: usize| {
            let (first, end) = (at(index), at(index + 1));
            joined((first..end.max(first + 1)).map(|column| kept.column(source, level, column)))
        };
        Some((0..count).map(one).collect())
    }

    fn are_fine(&self, source: SourceId, start: Frames, per_column: f64, count: usize) -> bool {
        let near = self.samples.as_ref().filter(|_| is_near(per_column));
        near.is_none_or(|samples| samples.are_read(source, start, per_column, count))
    }

    fn samples(&self, source: SourceId, start: Frames, count: usize) -> Option<Vec<Vec<f32>>> {
        self.samples.as_ref()?.stretch(source, start, count)
    }
}

/// Whether columns are narrower than the hub's finest.
fn is_near(per_column: f64) -> bool {
    per_column < frames_per_column(0) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::{bounded, unbounded};
    use deskhand_dsp::{FrameReader, ReadError, SampleRate};
    use deskhand_protocol::{Status, ToolResult};
    use deskhand_session::{Author, ContentHash, RevisionId, SessionId, Source};

    const SOURCE: SourceId = SourceId::new(1);

    /// A source where column `n` of level 0 has the peak `n / FULL_SCALE`.
    fn answer(waves: &mut HubWaves, built: bool) -> usize {
        let mut asked = Vec::new();
        let mut next = 0;
        waves.ask(|op| {
            next += 1;
            asked.push((CallId(next), op));
            CallId(next)
        });
        for (call, op) in &asked {
            let Op::Read { what: Read::Peaks { level, first, count, .. } } = op else { panic!() };
            let join = 4_u64.pow(*level);
            let end = (first + u64::from(*count)).min(3_000 / join);
            let value = |column: u64| [(column * join) as u16, (column * join / 2) as u16];
            let columns = (*first..end.max(*first)).map(value).collect();
            let answer = PeakColumns { frames: 3_000 * 256, columns };
            let result = ToolResult {
                answer: built.then(|| serde_json::to_value(answer).unwrap()),
                ..ToolResult::new(Status::Ok, "read", RevisionId(0))
            };
            let news = News::Done { result: Box::new(result) };
            let event = Event { number: 0, author: Author::User, call: Some(*call), news };
            assert!(waves.hear(&event));
            assert!(!waves.hear(&event), "an answer is taken once");
        }
        asked.len()
    }

    #[test]
    fn a_waveform_is_drawn_once_its_pieces_are_here() {
        let waves = &mut HubWaves::default();
        let look =
            |waves: &HubWaves, start: i64, per: f64| waves.columns(SOURCE, Frames(start), per, 100);
        assert_eq!(look(waves, 256 * 1_000, 256.0), None);
        assert_eq!(answer(waves, true), 2, "over the edge of two pieces");
        let columns = look(waves, 256 * 1_000, 256.0).unwrap();
        let peak = |n: u16| f32::from(n) / FULL_SCALE;
        assert_eq!((columns[0].peak, columns[99].peak), (peak(1_000), peak(1_099)));
        assert_eq!(columns[0].rms, peak(500));
        // Narrower than the finest: columns repeat.
        let close = look(waves, 256 * 1_000, 64.0).unwrap();
        assert_eq!((close[3].peak, close[4].peak), (peak(1_000), peak(1_001)));
        // Wider: a coarser level, and what it joins.
        assert_eq!(look(waves, 0, 2_048.0), None);
        answer(waves, true);
        assert_eq!(look(waves, 0, 2_048.0).unwrap()[1].peak, peak(12), "two of four");
        // After the end there is silence.
        look(waves, 256 * 2_950, 256.0);
        answer(waves, true);
        assert_eq!(look(waves, 256 * 2_950, 256.0).unwrap()[60], Column::default());
    }

    #[test]
    fn what_is_not_built_yet_is_asked_for_again_when_it_is() {
        let waves = &mut HubWaves::default();
        assert_eq!(waves.columns(SOURCE, Frames(0), 256.0, 10), None);
        assert_eq!(answer(waves, false), 1);
        assert_eq!(waves.columns(SOURCE, Frames(0), 256.0, 10), None);
        assert_eq!(answer(waves, true), 0, "not at once");
        assert!(waves.is_waiting());
        let news = News::Media { source: SOURCE, failed: None };
        assert!(!waves.hear(&Event { number: 1, author: Author::User, call: None, news }));
        assert_eq!(waves.columns(SOURCE, Frames(0), 256.0, 10), None);
        assert_eq!(answer(waves, true), 1);
        assert_eq!(waves.columns(SOURCE, Frames(0), 256.0, 10).unwrap().len(), 10);
    }

    /// A whole number of blocks of one value.
    struct Flat;

    impl FrameReader for Flat {
        fn channels(&self) -> usize {
            1
        }

        fn frames(&self) -> Frames {
            Frames(3_000 * 256)
        }

        fn rate(&self) -> SampleRate {
            SampleRate(48_000)
        }

        fn read(&mut self, _: Frames, out: &mut [&mut [f32]]) -> Result<usize, ReadError> {
            out[0].fill(0.25);
            Ok(out[0].len())
        }
    }

    fn session() -> Session {
        let source = Source {
            hash: ContentHash("0".repeat(64)),
            ..Source::in_place("flat.wav", SampleRate(48_000), 1, Frames(3_000 * 256))
        };
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.sources.insert(SOURCE, source);
        session
    }

    #[test]
    fn near_columns_and_samples_are_of_the_file_once_it_is_read_and_of_the_hub_until_then() {
        let (woke, woken) = unbounded();
        let (opens, may_open) = bounded::<()>(0);
        let open = move |_: &Source, rate| -> Result<Box<dyn FrameReader>, ReadError> {
            assert_eq!(rate, SampleRate(48_000));
            may_open.recv().ok();
            Ok(Box::new(Flat))
        };
        let samples = Samples::new(open, move || {
            let _gone = woke.send(());
        })
        .unwrap();
        let waves = &mut HubWaves::new(Some(samples));
        waves.follow(&session());
        let start = Frames(256 * 1_000);
        assert_eq!(waves.columns(SOURCE, start, 64.0, 8), None);
        answer(waves, true);
        let peak = |waves: &HubWaves| waves.columns(SOURCE, start, 64.0, 8).unwrap()[0].peak;
        assert_eq!(peak(waves), 1_000.0 / FULL_SCALE, "what the hub has is better than nothing");
        assert!(!waves.are_fine(SOURCE, start, 64.0, 8));
        assert!(waves.are_fine(SOURCE, start, 256.0, 8), "the hub's columns are as fine as asked");
        assert_eq!(waves.samples(SOURCE, start, 4), None);
        drop(opens);
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(waves.are_fine(SOURCE, start, 64.0, 8));
        assert_eq!(peak(waves), 0.25);
        assert_eq!(waves.samples(SOURCE, start, 4), Some(vec![vec![0.25; 4]]));
        // From afar it is the hub's.
        assert_eq!(waves.columns(SOURCE, start, 256.0, 8).unwrap()[0].peak, 1_000.0 / FULL_SCALE);
        let news = News::Media { source: SOURCE, failed: None };
        waves.hear(&Event { number: 1, author: Author::User, call: None, news });
        waves.follow(&session());
        assert!(!waves.are_fine(SOURCE, start, 64.0, 8), "the file may be another");
    }
}
