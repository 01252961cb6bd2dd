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
    /// The window that shows a resource: a new one, or the one with this id.
    pub(crate) fn showing(
        &self,
        window_id: Option<&str>,
        viewer: Viewer,
        resource: String,
        title: String,
    ) -> Result<Window, ToolError> {
        let window_id = match window_id {
            Some(id) => self.get(id)?.window_id.clone(),
            None => self.next_id()?,
        };
        Ok(Window { window_id, viewer, resource, title })
    }

    /// Puts a window of [`Self::showing`] on the screen.
    pub(crate) fn open(&mut self, window: Window) {
        match self.open.values_mut().find(|open| open.window_id == window.window_id) {
            Some(open) => *open = window,
            None => {
                self.made += 1;
                self.open.insert(self.made, window);
            }
        }
    }

    /// Takes a window from the screen.
    pub(crate) fn close(&mut self, window_id: &str) {
        self.open.retain(|_, open| open.window_id != window_id);
    }

    /// The open window with this id.
    pub(crate) fn get(&self, window_id: &str) -> Result<&Window, ToolError> {
        self.all().find(|window| window.window_id == window_id).ok_or_else(|| {
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

    /// The id of a new window.
    fn next_id(&self) -> Result<String, ToolError> {
        if self.open.len() >= MOST {
            let message = format!("{MOST} windows are open already");
            let fix = "reuse one by its `window_id`, or close some with close_window";
            return Err(ToolError::prepare(Code::Refused, message, fix));
        }
        Ok(format!("window_{}", self.made + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_used_again_until_it_is_closed() {
        let mut windows = Windows::default();
        let mut show = |id: Option<&str>, title: &str| {
            let resource = "deskhand://session".into();
            let window = windows.showing(id, Viewer::Text, resource, title.into())?;
            windows.open(window.clone());
            Ok::<_, ToolError>(window)
        };
        assert_eq!(show(None, "one").unwrap().window_id, "window_1");
        assert_eq!(show(None, "two").unwrap().window_id, "window_2");
        assert_eq!(show(Some("window_1"), "again").unwrap().window_id, "window_1");
        assert_eq!(show(Some("window_9"), "none").unwrap_err().code, Code::NoTarget);
        assert_eq!(windows.get("window_1").unwrap().title, "again");
        windows.close("window_1");
        assert_eq!(windows.get("window_1").unwrap_err().code, Code::NoTarget);
        assert_eq!(windows.all().map(|it| it.title.as_str()).collect::<Vec<_>>(), ["two"]);
    }
}
