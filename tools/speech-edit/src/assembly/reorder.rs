//! `tool_reorder_segments`: the phrases of the assembly in another order.

use super::moves::{self, Move, MoveError};
use super::original::recorded;
use super::says::reorder as says;
use super::state;
use super::steps::Resolved;
use deskhand_session::text::count;
use deskhand_session::{Assembly, ObjectId, PhraseId, Session};
use deskhand_toolkit::about::tool;
use deskhand_toolkit::{
    Category, Code, Draft, Gesture, PlanContext, Reads, ToolError, ToolSpec, Trust, TypedTool,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// `tool_reorder_segments`.
pub(super) struct Reorder;

/// The new order: all of it, or what moves and where to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    /// Every playing phrase (`phr_…`) once, in the new order.
    #[serde(default)]
    ordered_group_ids: Vec<String>,
    /// Only these phrases move, together and in this order.
    #[serde(default)]
    group_ids: Vec<String>,
    /// Their place, from 1; -1: last.
    place: Option<i64>,
    /// The phrase that they play before.
    before: Option<String>,
    /// The phrase that they play after.
    after: Option<String>,
    /// Two neighbors that they play between.
    #[schemars(length(min = 2, max = 2))]
    between: Option<Vec<String>>,
    /// Places to move by; negative: earlier.
    by: Option<i64>,
    /// A known order of all, or of `group_ids` among themselves.
    order: Option<Known>,
}

/// A known order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Known {
    /// As they were recorded.
    Original,
    /// The last one first.
    Reversed,
    /// Two phrases change places.
    Swapped,
}

/// What is asked for.
enum Way {
    Listed(Vec<String>),
    Known(Known),
    Moved(Move),
}

impl Order {
    /// The one way that is asked for.
    fn way(&self, session: &Session) -> Result<Way, ToolError> {
        let id = |text: &String| {
            Ok::<_, ToolError>(state::playing(session, std::slice::from_ref(text))?[0])
        };
        let two = |ids: &[String]| -> Result<Move, ToolError> {
            match ids {
                [one, two] => Ok(Move::Between(id(one)?, id(two)?)),
                _ => Err(one_way()),
            }
        };
        let listed = Some(&self.ordered_group_ids).filter(|ids| !ids.is_empty());
        let ways: [Option<Result<Way, ToolError>>; 7] = [
            listed.map(|ids| Ok(Way::Listed(ids.clone()))),
            self.order.map(|order| Ok(Way::Known(order))),
            self.place.map(|place| Ok(Way::Moved(Move::To(place)))),
            self.before.as_ref().map(|it| Ok(Way::Moved(Move::Before(id(it)?)))),
            self.after.as_ref().map(|it| Ok(Way::Moved(Move::After(id(it)?)))),
            self.between.as_ref().map(|it| Ok(Way::Moved(two(it)?))),
            self.by.map(|steps| Ok(Way::Moved(Move::By(steps)))),
        ];
        let mut ways = ways.into_iter().flatten();
        ways.next().filter(|_| ways.next().is_none()).unwrap_or_else(|| Err(one_way()))
    }

    fn after(&self, session: &Session) -> Result<Assembly, ToolError> {
        let before = state::begun(session)?;
        let ids = state::playing(session, &self.group_ids)?;
        let order = match (self.way(session)?, &ids[..]) {
            (Way::Listed(ids), []) => return Ok(state::reordered(session, &ids)?),
            (Way::Moved(to), [_, ..]) => moves::moved(&before.order, &ids, to),
            (Way::Known(known), ids) => known.among(&before.order, ids, session),
            (Way::Listed(_), [_, ..]) | (Way::Moved(_), []) => return Err(one_way()),
        };
        let order = order
            .map_err(|error| ToolError::prepare(Code::BadParams, error.to_string(), error.fix()))?;
        Ok(Assembly { order, finished: None, ..before })
    }
}

impl Known {
    /// The order with all phrases, or with `ids` at the places that they have, in this order.
    fn among(
        self,
        order: &[PhraseId],
        ids: &[PhraseId],
        session: &Session,
    ) -> Result<Vec<PhraseId>, MoveError> {
        let is_meant = |id: &&PhraseId| ids.is_empty() || ids.contains(id);
        let mut meant: Vec<PhraseId> = order.iter().filter(is_meant).copied().collect();
        match self {
            Self::Swapped if ids.len() != 2 => return Err(MoveError::NotTwo(ids.len())),
            Self::Original => meant = recorded(session, &meant),
            Self::Reversed | Self::Swapped => meant.reverse(),
        }
        moves::among(order, &meant)
    }
}

fn one_way() -> ToolError {
    let message = "the call does not say which phrases move, and where to";
    let fix = "give `ordered_group_ids`, or `order`, or `group_ids` with one of `place`, `before`, `after`, `between` \
               and `by`";
    ToolError::prepare(Code::BadParams, message, fix)
}

impl TypedTool for Reorder {
    type Params = Order;
    type Resolved = Resolved;

    fn spec() -> ToolSpec {
        tool(
            "tool_reorder_segments",
            "Reorder phrases",
            "Reorders the phrases of the assembly; the clips on the assembly tracks follow. Give every playing \
             phrase once, or only those that move (`group_ids`) and where to (`place`, `before`, `after`, \
             `between`, `by`), or a known `order`. Unknown, missing or repeated ids are named and nothing changes.",
            Category::Edit,
            Trust::Suggest,
            vec![
                json!({"ordered_group_ids": ["phr_0123456789ab", "phr_ba9876543210"]}),
                json!({"group_ids": ["phr_0123456789ab"], "place": 1}),
            ],
        )
        .says(says())
        .command("assemble order", "Reorder the phrases; name every phrase that plays")
        .reads(Reads::AllPhrases, "PHRASES...", "ordered_group_ids", "")
        .offers(Gesture::ReorderPhrases)
    }

    fn resolve(params: Order, session: &Session) -> Result<Resolved, ToolError> {
        let after = params.after(session)?;
        let pairs = session.assembly.order.iter().zip(&after.order);
        let moved = pairs.filter(|(before, after)| before != after).count();
        let summary = format!("Reorder {}", count(moved, "phrase"));
        Ok(Resolved::new(session, after, summary, "plays at another place"))
    }

    fn targets(call: &Resolved) -> Vec<ObjectId> {
        call.targets()
    }

    fn run(call: Resolved, context: &PlanContext) -> Result<Draft, ToolError> {
        call.run(context)
    }
}
