//! Plans whose audio vanished or changed outside the session.

use crate::desk::{Desk, code};
use crate::sound::session;
use deskhand_protocol::Status;
use deskhand_session::PlanState;
use deskhand_session::tool_error::{Code, Phase};
use serde_json::json;
use std::fs;

#[test]
fn a_plan_is_not_applied_on_a_file_that_vanished_or_changed() {
    let tmp = tempfile::tempdir().unwrap();
    let file = tmp.path().join("kick.wav");
    fs::write(&file, "kick").unwrap();
    let mut session = session();
    let kick = session.sources.values_mut().next().unwrap();
    (kick.path, kick.size) = (file.display().to_string(), 4);
    let mut desk = Desk::create_with(&tmp.path().join("session"), &session);
    let params = json!({"targets": "Kick", "target_lufs": -20.0});
    let plan = desk.plan("tool_normalize", params);
    for content in [None, Some("another")] {
        match content {
            None => fs::remove_file(&file).unwrap(),
            Some(content) => fs::write(&file, content).unwrap(),
        }
        let refused = desk.apply(plan);
        assert_eq!(code(&refused), Code::Media);
        let error = refused.error.unwrap();
        assert_eq!(error.phase, Phase::Apply);
        assert!(error.message.contains("kick.wav"), "{error}");
        assert!(error.fix.contains("put the original back"), "{error}");
        assert_eq!(desk.state(plan), PlanState::Waiting);
        assert_eq!(desk.session(), &session);
    }
    // A call without the kick is not delayed by it.
    let riff = desk.now("tool_normalize", json!({"targets": "Riff", "target_lufs": -20.0}));
    assert_eq!(riff.status, Status::Applied, "{riff:#?}");
    fs::write(&file, "kick").unwrap();
    assert_eq!(desk.apply(plan).status, Status::Applied);
}
