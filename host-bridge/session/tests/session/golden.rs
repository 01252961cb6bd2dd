//! The plan file of format 1, as released: it must load for ever, with the same digest.

use crate::build::{Dice, base, change};
use crate::plans::plan_of;
use deskhand_session::*;

pub(crate) const DIGEST: &str =
    "blake3:b15dc21bc830b4835c818d728af5b8ddb1bb93bd23bcfbab3ec1cc3ee5036755";

const LATER_DIGEST: &str =
    "blake3:1a4bd5a235cedb5da341aaabdfc972af5c59beabb07376a52a04e749c31ac659";

const WORDS_DIGEST: &str =
    "blake3:7d0d96f160d0c18134512c21e096b2552e72fa95e8547bd076965aba1e167f70";

const SWITCHES_DIGEST: &str =
    "blake3:ef917b304a145f7f2f219423289204975ca99cae9ba93fe5642668d5cfb36ddd";

const LAST_DIGEST: &str = "blake3:9ca3cce74931e894c75c5c24bda926126813858b2abf118b765002f639febf14";

/// The number of ops when the first file was written; later ones come after them.
const FIRST_OPS: usize = 34;
/// How many there were with processors.
const LATER_OPS: usize = 39;
/// How many there were with words.
const WORDS_OPS: usize = 44;
/// How many there were with switches of clips.
const SWITCHES_OPS: usize = 46;

/// Makes the plan that a file was made from: one change of each of the first `ops`, and every other part.
fn made(ops: usize) -> Plan {
    let mut session = base(11);
    let mut changes = Vec::new();
    for (n, op) in Change::OPS[..ops].iter().enumerate() {
        if let Some(change) = change(&session, op, &mut Dice(n as u64)) {
            session = session.with([&change]).unwrap();
            changes.push(change);
        }
    }
    let start = base(11);
    let mut plan = plan_of(&start, &changes);
    plan.changes[1].needs = vec!["c1".into()];
    plan.params = serde_json::json!({ "target_lufs": -16.0, "targets": ["Voc*"], "big": 1e300 });
    plan.reads = vec![Read::audio(&start, start.id)];
    plan.findings = vec![
        Finding::new(start.id, Measure::IntegratedLoudness, Some(-20.54)),
        Finding::new(start.id, Measure::TruePeak, None),
    ];
    let from = vec!["c1".to_owned()];
    plan.predicted = vec![Prediction::now(start.id, Measure::IntegratedLoudness, -16.0, 0.1, from)];
    plan.artifacts = vec![Artifact { path: "media/a.wav".into(), bytes: 44 }];
    plan.warnings = vec!["the true peak is above -1 dBTP".into()];
    plan.derived_from = Some(PlanId::new(77));
    plan.sealed()
}

#[test]
fn the_released_plans_load_with_their_digests() {
    let files = [
        (include_str!("../golden/plan-1.json"), DIGEST, FIRST_OPS),
        (include_str!("../golden/plan-1-processors.json"), LATER_DIGEST, LATER_OPS),
        (include_str!("../golden/plan-1-words.json"), WORDS_DIGEST, WORDS_OPS),
        (include_str!("../golden/plan-1-clip-switches.json"), SWITCHES_DIGEST, SWITCHES_OPS),
        (include_str!("../golden/plan-1-binding.json"), LAST_DIGEST, Change::OPS.len()),
    ];
    for (file, digest, ops) in files {
        let plan = Plan::from_json(file).unwrap();
        assert_eq!(plan.digest, digest);
        assert_eq!(plan.computed_digest(), digest);
        assert_eq!(plan.changes.len(), ops);
        let last = plan.applied_to(&base(11)).unwrap();
        assert_eq!(last.validate(), Ok(()));
    }
}

/// If this fails, the written form changed: add a golden file, never edit the old one.
#[test]
fn this_version_writes_the_same() {
    let written = |ops| serde_json::to_string_pretty(&made(ops)).unwrap() + "\n";
    assert!(written(FIRST_OPS) == include_str!("../golden/plan-1.json"), "the first form changed");
    let later = include_str!("../golden/plan-1-processors.json");
    assert!(written(LATER_OPS) == later, "the form with processors changed");
    let words = include_str!("../golden/plan-1-words.json");
    assert!(written(WORDS_OPS) == words, "the form with words changed");
    let switches = include_str!("../golden/plan-1-clip-switches.json");
    assert!(written(SWITCHES_OPS) == switches, "the form with switches of clips changed");
    let last = include_str!("../golden/plan-1-binding.json");
    assert!(written(Change::OPS.len()) == last, "the form with a binding changed");
}
