//! A set that nobody tuned on: how much of it is understood, and that none of it plans what was not meant.

use crate::fixture;
use deskhand_agent::RequestKind;

/// So many of 150 are understood; more are welcome.
const UNDERSTOOD: usize = 30;

#[test]
fn what_is_understood_of_an_unseen_set_is_what_was_meant() {
    let (mut understood, mut wrong) = (0, Vec::new());
    for line in include_str!("unseen.txt").lines().filter(|line| !line.starts_with('#')) {
        let (left, right) = line.split_once("=>").unwrap();
        let (session, words) = match left.strip_prefix("{edit} ") {
            Some(words) => (fixture::variant("laid"), words),
            None => (fixture::session(), left),
        };
        let words = words.trim();
        let reading = deskhand_agent::read_words(words, &session, &fixture::VOCABULARY);
        if !reading.unclear.is_empty() {
            continue;
        }
        understood += 1;
        let tools = reading.understood.iter().map(|request| match &request.kind {
            RequestKind::Call { tool, .. } => tool.clone(),
            // A question measures what it is about.
            _ => "tool_measure".to_owned(),
        });
        let meant = right.split(" ; ").filter_map(|call| call.split_whitespace().next());
        if !tools.clone().eq(meant.map(str::to_owned)) {
            wrong.push(format!("{words}: {:?}", tools.collect::<Vec<_>>()));
        }
    }
    println!("{understood} of 150 are understood");
    assert_eq!(wrong, [""; 0]);
    assert!(understood >= UNDERSTOOD, "{understood}");
}
