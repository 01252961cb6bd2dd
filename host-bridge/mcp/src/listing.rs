//! Which tools are listed, their order, and their descriptions.

use crate::options::Listed;
use crate::own::{self, Own};
use crate::schema;
use deskhand_protocol::ToolInfo;
use deskhand_protocol::clean::{LONGEST, clean};
use deskhand_session::Trust;
use rmcp::model::{Tool, ToolAnnotations};

/// Tools of the session that are listed first; with this server's own they are 30.
const CORE: [&str; 21] = [
    "get_session",
    "get_selection",
    "list_tracks",
    "list_clips",
    "list_sources",
    "get_plan",
    "get_history",
    "import_audio",
    "tool_measure",
    "tool_normalize",
    "tool_gain_stage",
    "tool_strip_silence",
    "tool_fades",
    "cmd_set_track_gain",
    "cmd_set_track_mute",
    "cmd_set_selection",
    "cmd_add_marker",
    "cmd_undo",
    "cmd_render",
    "display_resource",
    "notify_user",
];

/// Words in the names of tools whose effect takes something away or writes over it.
const DESTRUCTIVE: [&str; 5] = ["remove", "delete", "render", "save_copy", "strip"];

/// Every tool that is listed. Without a session these are the ones that open one.
pub(crate) fn tools(session: Option<&[ToolInfo]>, listed: Listed) -> Vec<Tool> {
    let Some(session) = session else {
        return own::FIRST.iter().map(Own::tool).collect();
    };
    let others: Vec<&ToolInfo> = match listed {
        Listed::Core => CORE.iter().filter_map(|name| named(session, name)).collect(),
        Listed::All => session.iter().filter(|info| Own::named(&info.name).is_none()).collect(),
    };
    let last: &[Own] = match listed {
        Listed::Core => &own::LAST,
        Listed::All => &own::LAST[..own::LAST.len() - own::SEARCHING],
    };
    let first = own::FIRST.iter().map(Own::tool);
    first.chain(others.into_iter().map(tool)).chain(last.iter().map(Own::tool)).collect()
}

fn named<'a>(session: &'a [ToolInfo], name: &str) -> Option<&'a ToolInfo> {
    session.iter().find(|info| info.name == name)
}

/// A tool of the session as clients see it.
fn tool(info: &ToolInfo) -> Tool {
    let description = clean(&info.description, LONGEST);
    let title = clean(&info.title, 80);
    Tool::new(info.name.clone(), description, schema::input(&info.input_schema))
        .with_title(title.clone())
        .with_raw_output_schema(schema::output(&info.output_schema).into())
        .with_annotations(annotations(info, title))
}

/// What a client may rely on, said honestly.
fn annotations(info: &ToolInfo, title: String) -> ToolAnnotations {
    let name = info.name.as_str();
    ToolAnnotations::with_title(title)
        .read_only(info.trust == Trust::Autonomous)
        .destructive(DESTRUCTIVE.iter().any(|word| name.contains(word)))
        .idempotent(is_idempotent(info))
        .open_world(is_open(info))
}

/// Planning twice gives the same plan; setting twice gives the same value.
fn is_idempotent(info: &ToolInfo) -> bool {
    match info.trust {
        Trust::Autonomous | Trust::Suggest => true,
        Trust::Notify => ["cmd_set_", "cmd_rename_"].iter().any(|p| info.name.starts_with(p)),
        Trust::Require => false,
    }
}

/// Imports reach outside the session, and so do tools that need permission for programs and networks.
fn is_open(info: &ToolInfo) -> bool {
    let is_foreign = info.trust == Trust::Require && info.name.starts_with("tool_");
    info.name.starts_with("import") || info.name.contains("install") || is_foreign
}

/// The tools that fit `query` best, best first.
pub(crate) fn search<'a>(session: &'a [ToolInfo], query: &str, count: usize) -> Vec<&'a ToolInfo> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split(|c: char| !c.is_alphanumeric()).collect();
    let score = |info: &&ToolInfo| {
        let texts = [(&info.name, 4), (&info.title, 2), (&info.description, 1)];
        let texts = texts.map(|(text, weight)| (text.to_lowercase(), weight));
        let words = words.iter().filter(|word| word.len() > 1);
        words
            .map(|word| texts.iter().filter(|(t, _)| t.contains(word)).map(|(_, w)| w).sum::<i32>())
            .sum::<i32>()
    };
    let mut found: Vec<_> = session.iter().map(|info| (score(&info), info)).collect();
    found.retain(|(score, info)| *score > 0 && Own::named(&info.name).is_none());
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
    found.into_iter().take(count).map(|(_, info)| info).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{NAMES, info};

    fn names(listed: Listed) -> Vec<String> {
        let infos: Vec<ToolInfo> = NAMES.iter().map(|(name, trust)| info(name, *trust)).collect();
        tools(Some(&infos), listed).into_iter().map(|tool| tool.name.into()).collect()
    }

    #[test]
    fn the_core_is_small_and_in_order() {
        let core = names(Listed::Core);
        assert!(core.len() <= 30, "{core:?}");
        assert_eq!(core[..4], ["list_sessions", "new_session", "open_session", "get_session"]);
        assert_eq!(core[core.len() - 2..], ["search_tools", "call_tool"]);
        assert_eq!(core, names(Listed::Core));
        assert_eq!(CORE.len() + own::FIRST.len() + own::LAST.len(), 30);
    }

    #[test]
    fn all_means_all_and_once() {
        let all = names(Listed::All);
        assert!(all.contains(&"cmd_set_tempo".to_owned()) && all.contains(&"get_job".to_owned()));
        let mut once = all.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), all.len());
    }

    #[test]
    fn without_a_session_one_can_only_be_opened() {
        let found: Vec<_> = tools(None, Listed::All).into_iter().map(|tool| tool.name).collect();
        assert_eq!(found, ["list_sessions", "new_session", "open_session"]);
    }

    #[test]
    fn annotations_are_honest() {
        let of = |name: &str, trust| {
            let a = annotations(&info(name, trust), String::new());
            [a.read_only_hint, a.destructive_hint, a.idempotent_hint, a.open_world_hint]
                .map(Option::unwrap)
        };
        assert_eq!(of("tool_measure", Trust::Autonomous), [true, false, true, false]);
        assert_eq!(of("tool_normalize", Trust::Suggest), [false, false, true, false]);
        assert_eq!(of("cmd_remove_track", Trust::Suggest), [false, true, true, false]);
        assert_eq!(of("cmd_render", Trust::Require), [false, true, false, false]);
        assert_eq!(of("import_audio", Trust::Require), [false, false, false, true]);
        assert_eq!(of("tool_lilypond", Trust::Require), [false, false, false, true]);
        assert_eq!(of("cmd_add_marker", Trust::Notify), [false, false, false, false]);
    }

    #[test]
    fn a_search_finds_by_name_first() {
        let infos: Vec<ToolInfo> = NAMES.iter().map(|(name, trust)| info(name, *trust)).collect();
        let found: Vec<_> = search(&infos, "set the tempo", 3).iter().map(|i| &*i.name).collect();
        assert_eq!(found[0], "cmd_set_tempo");
        assert!(search(&infos, "zzz", 3).is_empty());
        assert!(search(&infos, "get_job search call", 30).iter().all(|i| i.name != "search_tools"));
    }
}
