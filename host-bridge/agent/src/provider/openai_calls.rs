//! Which tool call a delta belongs to, for all the ways in which servers stream them.
//!
//! Thread: any. The rules, with the servers they are for:
//! - an index that is new is a new call; a new id on a used index is a new call (Ollama sends index 0 for
//!   all);
//! - without an index, a known id is its call, a new id is a new call, and no id is a new call when there
//!   is a name, else more of the last call;
//! - a name and arguments on a call whose arguments are complete, or another name, are a new call, also
//!   under the same id;
//! - a name is whole; one that comes again is not added;
//! - arguments may be an object, and a fragment that is neither text nor object is kept as its JSON.

use super::draft::{CallDraft, Draft, Fault, fragment, text_at};
use serde_json::Value;

/// Arguments longer than this are not looked at for completeness, so that no stream takes quadratic time.
const LONGEST_LOOK: usize = 16 << 10;

/// The calls of a reply so far.
#[derive(Debug, Default)]
pub(super) struct Calls {
    known: Vec<Known>,
    /// A whole message: each element is a call.
    whole: bool,
}

#[derive(Debug)]
struct Known {
    index: Option<u64>,
    place: usize,
}

impl Calls {
    /// What follows are whole calls.
    pub(super) const fn begin_whole(&mut self) {
        self.whole = true;
    }

    /// Takes one element of `tool_calls`.
    pub(super) fn take(&mut self, draft: &mut Draft, delta: &Value) -> Result<(), Fault> {
        let index = delta["index"].as_u64();
        // Some servers leave out the `function` level.
        let function = delta.get("function").filter(|inner| inner.is_object()).unwrap_or(delta);
        let id = text_at(delta, "id");
        let name = text_at(function, "name");
        let more = fragment(&function["arguments"]);
        let place = match self.find(draft, index, id).filter(|_| !self.whole) {
            Some(place) if !begins_new(draft, place, id, name, &more) => place,
            Some(_) | None => {
                let place = draft.begin_call(CallDraft::default())?;
                self.known.push(Known { index, place });
                place
            }
        };
        if let Some(call) = draft.call_mut(place) {
            if call.id.is_empty() {
                id.clone_into(&mut call.id);
            }
            if call.name.is_empty() {
                name.clone_into(&mut call.name);
            }
            call.raw.push_str(&more);
        }
        Ok(())
    }

    /// The call that the delta may belong to: the last with its index and id, with its index, or of all.
    fn find(&self, draft: &mut Draft, index: Option<u64>, id: &str) -> Option<usize> {
        let mut has_id = |place| draft.call_mut(place).is_some_and(|call| call.id == id);
        let fits = |known: &&Known| index.is_none() || known.index == index;
        let newest = || self.known.iter().rev().filter(fits);
        let same = newest().find(|known| !id.is_empty() && has_id(known.place));
        same.or_else(|| newest().next()).map(|known| known.place)
    }
}

/// Whether the delta begins another call than the one it was found for.
fn begins_new(draft: &mut Draft, place: usize, id: &str, name: &str, more: &str) -> bool {
    let Some(call) = draft.call_mut(place) else { return true };
    if !id.is_empty() && !call.id.is_empty() && call.id != id {
        return true;
    }
    if name.is_empty() || call.name.is_empty() {
        return false;
    }
    name != call.name || (!more.trim().is_empty() && is_complete(&call.raw))
}

fn is_complete(raw: &str) -> bool {
    let object = serde_json::from_str::<serde_json::Map<String, Value>>;
    raw.len() <= LONGEST_LOOK && object(raw).is_ok()
}
