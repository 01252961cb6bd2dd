//! Ghosts of markers: flags in their row of the ruler.

use super::Pen;
use super::flags::Flag;
use crate::timeline::ruler::TIMES;
use deskhand_dsp::Frames;
use deskhand_session::{Edit, Marker, MarkerId, MarkerSpan};
use egui::pos2;

impl Pen<'_, '_> {
    pub(super) fn marker_comes(&self, marker: &Marker) {
        self.span(marker.span());
        self.flag(marker.position, "", &marker.name);
    }

    pub(super) fn marker_goes(&self, marker: &Marker) {
        self.flag(marker.position, &marker.name, "");
    }

    /// Draws a moved marker at its new place, with a line from the old one.
    pub(super) fn marker_moves(&self, edit: &Edit<MarkerId, MarkerSpan>) {
        let Some(marker) = self.marker(edit.target) else { return };
        let (from, to) = (edit.before.position, edit.after.position);
        let [was, is] = [from, to].map(|at| self.all.axis.frame_x(at));
        let cx = self.on_ruler();
        let y = self.all.ruler.bottom() - 3.0;
        cx.dashes(&[pos2(was, self.all.ruler.top() + TIMES), pos2(was, y)], 1.0, cx.t.accent);
        cx.seg(pos2(was, y), pos2(is, y), cx.t.accent);
        self.span(edit.after);
        self.flag(to, "", marker.name);
    }

    pub(super) fn marker_name(&self, edit: &Edit<MarkerId, String>) {
        let Some(marker) = self.marker(edit.target) else { return };
        self.flag(marker.position, &edit.before, &edit.after);
    }

    pub(super) fn marker_code(&self, edit: &Edit<MarkerId, Option<String>>) {
        let Some(marker) = self.marker(edit.target) else { return };
        let is = match &edit.after {
            Some(code) => format!("{}: {code}", marker.name),
            None => marker.name.to_owned(),
        };
        self.flag(marker.position, edit.before.as_deref().unwrap_or_default(), &is);
    }

    /// The time a range takes, under its flag.
    fn span(&self, MarkerSpan { position, length }: MarkerSpan) {
        if length > Frames::ZERO {
            let cx = self.on_ruler();
            let y = self.all.ruler.bottom() - 1.0;
            let [from, to] = [position, position + length].map(|at| self.all.axis.frame_x(at));
            cx.dashes(&[pos2(from, y), pos2(to, y)], 2.0, cx.t.accent);
        }
    }

    fn flag(&self, at: Frames, was: &str, is: &str) {
        let flag = Flag {
            x: self.all.axis.frame_x(at),
            rows: vec![self.row],
            was: was.to_owned(),
            is: is.to_owned(),
        };
        self.all.markers.borrow_mut().push(flag);
    }
}
