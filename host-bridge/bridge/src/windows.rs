//! The windows on the person's screen.

use deskhand_protocol::desk::{Viewer, Window};
use deskhand_session::tool_error::{Code, ToolError};
use std::collections::BTreeMap;

/// The most windows at once: more help nobody.
const MOST: usize = 32;

/// The windows that are open, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Windows {
    made: u64,
    open: BTreeMap<u64, Window>,
}

impl Windows {
    /// Shows a resource in a window: a new one, or the one with this id.
    pub(crate) fn show(
        &mut self,
        window_id: Option<&str>,
        viewer: Viewer,
        resource: String,
        title: String,
    ) -> Result<Window, ToolError> {
        let number = match window_id {
            Some(id) => self.number(id)?,
            None => self.next()?,
        };
        let window = Window { window_id: format!("window_{number}"), viewer, resource, title };
        self.open.insert(number, window.clone());
        Ok(window)
    }

    /// Closes a window and returns its id.
    pub(crate) fn close(&mut self, window_id: &str) -> Result<String, ToolError> {
        let number = self.number(window_id)?;
        self.open.remove(&number);
        Ok(format!("window_{number}"))
    }

    fn number(&self, window_id: &str) -> Result<u64, ToolError> {
        let mut open = self.open.iter();
        let found = open.find(|(_, window)| window.window_id == window_id);
        found.map(|(number, _)| *number).ok_or_else(|| {
            let shown: String = window_id.chars().take(40).collect();
            let message = format!("there is no window \"{shown}\"; the person may have closed it");
            let fix = "see list_windows, or leave out `window_id` for a new window";
            ToolError::prepare(Code::NoTarget, message, fix)
        })
    }

    /// All that are open, the oldest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Window> {
        self.open.values()
    }

    /// The number of a new window.
    fn next(&mut self) -> Result<u64, ToolError> {
        if self.open.len() >= MOST {
            let message = format!("{MOST} windows are open already");
            let fix = "reuse one by its `window_id`, or close some with close_window";
            return Err(ToolError::prepare(Code::Refused, message, fix));
        }
        self.made += 1;
        Ok(self.made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_used_again_until_it_is_closed() {
        let mut windows = Windows::default();
        let mut show = |id: Option<&str>, title: &str| {
            windows.show(id, Viewer::Text, "deskhand://session".into(), title.into())
        };
        assert_eq!(show(None, "one").unwrap().window_id, "window_1");
        assert_eq!(show(None, "two").unwrap().window_id, "window_2");
        assert_eq!(show(Some("window_1"), "again").unwrap().window_id, "window_1");
        assert_eq!(show(Some("window_9"), "none").unwrap_err().code, Code::NoTarget);
        assert_eq!(windows.close("window_1").unwrap(), "window_1");
        assert!(windows.close("window_1").is_err());
        assert_eq!(windows.all().map(|it| it.title.as_str()).collect::<Vec<_>>(), ["two"]);
    }
}
