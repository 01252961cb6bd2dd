//! A plan for tracks of a host: the command line shows what the host plays next with it.

use crate::added::asked;
use crate::desk::Desk;
use crate::front_ends::serve;
use deskhand_dsp::{Decibels, Frames};
use deskhand_protocol::socket::{Role, SocketLink, attach};
use deskhand_protocol::{CaptureKind, Instance, Joined, Link, News, Op, Status};
use deskhand_session::Receipt;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// An instance of the plugin, and where it records to.
struct Host {
    link: SocketLink,
    joined: Joined,
}

impl Host {
    fn new(desk: &Desk) -> Self {
        let link = attach(&desk.path("s"), Role::Person).unwrap();
        let instance = Instance {
            id: "a".into(),
            binding: None,
            name: Some("Drums".into()),
            color: None,
            host: "Ardour 8".into(),
            format: "CLAP".into(),
            trim: Decibels::UNITY,
            revision: None,
        };
        let joined = asked(&link, Op::Join { instance }).answer.unwrap();
        Self { joined: serde_json::from_value(joined).unwrap(), link }
    }

    /// Records what the host plays from the start.
    fn plays(&self, file: &Path) {
        let to = self.joined.captures.join(file.file_name().unwrap());
        std::fs::rename(file, &to).unwrap();
        let (at, kind) = (Frames::ZERO, CaptureKind::Rolling);
        let taken = asked(&self.link, Op::Captured { file: to, at, kind, most_bytes: None });
        assert_eq!(taken.status, Status::Ok, "{taken:#?}");
    }

    /// The receipt of the plan whose pass was compared.
    fn compared(&self) -> Receipt {
        loop {
            let event = self.link.events().recv_timeout(PATIENCE).unwrap();
            if let News::Decided { receipt: Some(receipt), .. } = event.news
                && receipt.plays_as_promised().is_some()
            {
                return receipt;
            }
        }
    }
}

#[test]
fn what_a_host_plays_next_stands_with_the_plan() {
    let desk = Desk::new();
    desk.ok(&["new", "s"]);
    let hub = serve(&desk, "s");
    let host = Host::new(&desk);
    host.plays(&desk.tone("one.wav", 440.0, -30.0, 4.0));
    let call = ["plan", "s", "tool_normalize", "targets=Drums", "target_lufs=-20", "per=track"];
    let plan = desk.json(&call);
    let id = plan["id"].as_str().unwrap();
    assert_eq!(plan["predicted"][0]["verify"], "playback", "{plan:#}");
    let applied = desk.json(&["apply", "s", id, "--yes"]);
    assert_eq!(applied.get("played"), None, "{applied:#}");
    host.plays(&desk.tone("two.wav", 440.0, -24.0, 4.0));
    assert_eq!(host.compared().plays_as_promised(), Some(false));
    drop((host, hub));
    let told = desk.ok(&["plans", "s", id]).stdout;
    let receipt = told.split("is applied").nth(1).unwrap().lines().map(str::trim);
    insta::assert_snapshot!(receipt.collect::<Vec<_>>().join("\n").trim(), @r"
    what                                           predicted    measured     difference
    Drums: integrated loudness                     -20.00 LUFS  -20.00 LUFS       +0.00  as promised
    Drums: integrated loudness, as it played next  -20.00 LUFS  -14.00 LUFS       +6.00  missed
    something before Deskhand in the signal chain has changed: measure again
    ");
    let written = desk.json(&["plans", "s", id]);
    let played = &written["receipt"]["played"][0];
    assert_eq!((&played["start"], &played["end"]), (&json!(0), &json!(192_000)), "{written:#}");
    assert_eq!(played["measured"]["within"], false);
}
