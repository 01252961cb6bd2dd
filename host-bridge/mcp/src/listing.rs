//! Which tools are listed, their order, and their descriptions.

use crate::options::Listed;
use crate::own::{self, Own};
use crate::schema;
use deskhand_protocol::ToolInfo;
use deskhand_protocol::clean::{LONGEST, clean};
use deskhand_session::{ToolEffect, Trust};
use rmcp::model::{Tool, ToolAnnotations};

/// Every tool that is listed. Without a session these are the ones that open one.
pub(crate) fn tools(session: Option<&[ToolInfo]>, listed: Listed) -> Vec<Tool> {
    let Some(session) = session else {
        return own::FIRST.iter().map(Own::tool).collect();
    };
    let others: Vec<&ToolInfo> = match listed {
        Listed::Core => {
            let mut core: Vec<_> = session.iter().filter(|info| info.is_core).collect();
            // What only reads comes first.
            core.sort_by_key(|info| info.trust);
            core
        }
        Listed::All => session.iter().filter(|info| Own::named(&info.name).is_none()).collect(),
    };
    let last: &[Own] = match listed {
        Listed::Core => &own::LAST,
        Listed::All => &own::LAST[..own::LAST.len() - own::SEARCHING],
    };
    let first = own::FIRST.iter().map(Own::tool);
    first.chain(others.into_iter().map(tool)).chain(last.iter().map(Own::tool)).collect()
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
    let does = |effect| info.effects.contains(&effect);
    // Planning twice gives the same plan.
    let is_planned = matches!(info.trust, Trust::Autonomous | Trust::Suggest);
    ToolAnnotations::with_title(title)
        .read_only(info.trust == Trust::Autonomous)
        .destructive(does(ToolEffect::Cuts))
        .idempotent(is_planned || does(ToolEffect::Sets))
        .open_world(
            does(ToolEffect::ReadsFiles) || does(ToolEffect::SendsSound) || info.program.is_some(),
        )
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
    use crate::testing::{NAMES, info, info_with};

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
        let hints = |info: &ToolInfo| {
            let a = annotations(info, String::new());
            [a.read_only_hint, a.destructive_hint, a.idempotent_hint, a.open_world_hint]
                .map(Option::unwrap)
        };
        let of = |trust, effects: &[ToolEffect]| hints(&info_with("tool_a", trust, effects));
        assert_eq!(of(Trust::Autonomous, &[]), [true, false, true, false]);
        assert_eq!(of(Trust::Suggest, &[]), [false, false, true, false]);
        assert_eq!(of(Trust::Suggest, &[ToolEffect::Cuts]), [false, true, true, false]);
        assert_eq!(of(Trust::Require, &[ToolEffect::WritesFiles]), [false, false, false, false]);
        assert_eq!(of(Trust::Require, &[ToolEffect::ReadsFiles]), [false, false, false, true]);
        assert_eq!(of(Trust::Notify, &[]), [false, false, false, false]);
        assert_eq!(of(Trust::Notify, &[ToolEffect::Sets]), [false, false, true, false]);
        let program = Some("lilypond".to_owned());
        let foreign = ToolInfo { program, ..info("tool_lilypond", Trust::Require) };
        assert_eq!(hints(&foreign), [false, false, false, true]);
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
