//! Kill -9 at random moments: 200 times, and 1,000 more with `DESKHAND_LONG=1`.

use crate::apply_loop::{ACKED, FOLDER, REJECTED, Random, SEED};
use crate::desk::{TRACK, session};
use deskhand_session::{Change, History, PlanId, PlanState, RevisionId, Session};
use deskhand_store::{Loaded, OpenError, Store, doctor};
use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A session is used for this many kills; reading it again after each takes longer and longer.
const KILLS_OF_ONE: usize = 20;

/// What a child said was durable.
#[derive(Default)]
struct Acknowledged {
    /// Every head there was, with the gain that the session had then.
    heads: Vec<(RevisionId, f64)>,
    rejected: Vec<PlanId>,
    /// The last reported head.
    head: RevisionId,
    /// Kills since then: each may have hit a step that was durable and not yet said.
    unsaid: usize,
}

#[test]
fn no_acknowledged_revision_is_lost() {
    kill_many(0);
}

#[test]
fn no_acknowledged_revision_is_lost_on_the_other_core() {
    kill_many(1);
}

fn kill_many(core: u64) {
    let is_long = std::env::var_os("DESKHAND_LONG").is_some();
    let kills = if is_long { 600 } else { 100 };
    let mut random = Random(core);
    let mut heads = 0;
    for _ in 0..kills / KILLS_OF_ONE {
        heads += one_session(&mut random).heads.len();
    }
    assert!(heads > kills, "{heads} steps in {kills} kills: the children hardly worked");
}

fn one_session(random: &mut Random) -> Acknowledged {
    let tmp = tempfile::tempdir().unwrap();
    let folder = tmp.path().join("session");
    let (store, _) = Store::create(&folder, &session()).unwrap();
    store.close().unwrap();
    let mut acknowledged = Acknowledged::default();
    for kill in 0..KILLS_OF_ONE {
        kill_once(&folder, random, &mut acknowledged);
        let report = doctor::verify(&folder).unwrap();
        assert!(report.is_sound(), "{report:?}");
        // Every other time the next child finds the folder as the kill left it.
        if kill % 2 == 1 {
            let (store, loaded) = Store::open(&folder).unwrap();
            acknowledged.check(&loaded);
            store.close().unwrap();
        }
    }
    acknowledged
}

#[test]
fn a_session_that_was_being_made_is_whole_or_is_none() {
    let mut random = Random(2);
    // Up to twice what it takes here: some are killed before it is made, and some after.
    let longest = 2 * time_of_the_first_step();
    let mut whole = 0;
    for _ in 0..40 {
        let tmp = tempfile::tempdir().unwrap();
        let folder = tmp.path().join("session");
        let mut acknowledged = Acknowledged::default();
        kill(&folder, &mut random, (0, longest), &mut acknowledged);
        match Store::open(&folder) {
            Ok((_store, loaded)) => {
                acknowledged.check(&loaded);
                whole += 1;
            }
            Err(
                OpenError::Missing(_) | OpenError::NotASession { .. } | OpenError::Damaged { .. },
            ) => assert!(acknowledged.heads.is_empty()),
            Err(other) => panic!("{other}"),
        }
    }
    assert!(whole > 0, "every child was killed before it had made its session");
}

#[test]
#[should_panic(expected = "an acknowledged revision")]
fn a_lost_revision_would_be_noticed() {
    let tmp = tempfile::tempdir().unwrap();
    let (_store, loaded) = Store::create(&tmp.path().join("session"), &session()).unwrap();
    let mut acknowledged = Acknowledged::default();
    assert!(acknowledged.note("test apply_loop::child ... acked 1 -0.001"));
    acknowledged.check(&loaded);
}

/// Starts a child, kills it after some steps and a moment, and notes what it had said.
fn kill_once(folder: &Path, random: &mut Random, acknowledged: &mut Acknowledged) {
    let steps = random.below(12);
    // Before the first step it is reading the session, which takes longer than a step.
    let longest = Duration::from_millis(if steps == 0 { 60 } else { 6 });
    kill(folder, random, (steps, longest), acknowledged);
}

/// How long a child takes to make a session and a step in it.
fn time_of_the_first_step() -> Duration {
    let tmp = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    let after = (1, Duration::from_micros(1));
    let mut acknowledged = Acknowledged::default();
    kill(&tmp.path().join("session"), &mut Random(3), after, &mut acknowledged);
    begin.elapsed()
}

/// Kills it after this many steps and a random moment of at most `longest`.
fn kill(
    folder: &Path,
    random: &mut Random,
    (steps, longest): (u64, Duration),
    acknowledged: &mut Acknowledged,
) {
    let (mut child, mut lines) = start(folder, random.0);
    let mut seen = 0;
    while seen < steps {
        let line = lines.next().expect("the child ended by itself").unwrap();
        seen += u64::from(acknowledged.note(&line));
    }
    let longest = u64::try_from(longest.as_micros()).unwrap();
    let (start, wait) = (Instant::now(), Duration::from_micros(random.below(longest)));
    while start.elapsed() < wait {
        std::hint::spin_loop();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Lines in the pipe were written before the kill; a broken line was not.
    for line in lines {
        acknowledged.note(&line.unwrap());
    }
    acknowledged.unsaid += 1;
}

fn start(folder: &Path, seed: u64) -> (Child, Lines<BufReader<ChildStdout>>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "apply_loop::child", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(SEED, seed.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdout = child.stdout.take().unwrap();
    (child, BufReader::new(stdout).lines())
}

impl Acknowledged {
    /// Whether the line acknowledges something. The name of the test may come before the first.
    fn note(&mut self, line: &str) -> bool {
        if let Some((_, step)) = line.split_once(ACKED) {
            let parsed = step.split_once(' ').and_then(|(head, gain)| {
                Some((RevisionId(head.parse().ok()?), gain.parse().ok()?))
            });
            if let Some((head, gain)) = parsed {
                self.heads.push((head, gain));
                (self.head, self.unsaid) = (head, 0);
            }
            return true;
        }
        let rejected: Option<PlanId> =
            line.split_once(REJECTED).and_then(|(_, plan)| plan.parse().ok());
        self.rejected.extend(rejected);
        rejected.is_some()
    }

    fn check(&mut self, loaded: &Loaded) {
        let Loaded { session, history, plans, conversation, warnings } = loaded;
        assert_eq!(conversation, &[], "nobody spoke");
        assert_eq!(warnings, &Vec::<String>::new());
        for (head, gain) in &self.heads {
            assert_eq!(gain_at(history, *head), *gain, "revision {head}");
        }
        for id in &self.rejected {
            let plan = plans.iter().find(|stored| stored.plan.id == *id).unwrap();
            assert_eq!(plan.state, PlanState::Rejected);
        }
        assert_eq!(gain_of(session), gain_at(history, history.head()));
        let steps = distance(history, history.head(), self.head);
        let (at, said, unsaid) = (history.head(), self.head, self.unsaid);
        assert!(steps <= unsaid, "at {at}, and {said} was acknowledged, {unsaid} kills ago");
        (self.head, self.unsaid) = (at, 0);
    }
}

/// Steps of undo and redo from one revision to another. A child's number is higher than its parent's.
fn distance(history: &History, mut from: RevisionId, mut to: RevisionId) -> usize {
    let parent = |id| history.get(id).expect("an acknowledged revision").parent;
    let mut steps = 0;
    while from != to {
        if from > to {
            from = parent(from);
        } else {
            to = parent(to);
        }
        steps += 1;
    }
    steps
}

fn gain_of(session: &Session) -> f64 {
    session.tracks[&TRACK].gain.0
}

/// The gain that a revision set; every step is one gain.
fn gain_at(history: &History, id: RevisionId) -> f64 {
    if id == RevisionId(0) {
        return 0.0;
    }
    let revision = history.get(id).expect("an acknowledged revision");
    match revision.changes.as_slice() {
        [Change::SetTrackGain(edit)] => edit.after.0,
        other => panic!("{other:?}"),
    }
}
