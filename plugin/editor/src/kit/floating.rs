//! Windows that float over the desk, without the title bar of egui: each draws its own head.

use egui::{Color32, Context, Frame, Id, WidgetText, Window};

/// A window filled with `fill`; a screen reader says its `title`.
pub(crate) fn window(
    context: &Context,
    id: Id,
    title: impl Into<WidgetText>,
    fill: Color32,
) -> Window<'static> {
    let frame = Frame::window(&context.global_style()).inner_margin(0.0).fill(fill);
    Window::new(title).id(id).frame(frame).title_bar(false)
}
