//! Painted building blocks. Nothing here knows about plans or tracks.
pub(crate) mod above;
pub(crate) mod choice;
pub(crate) mod context;
pub(crate) mod controls;
pub(crate) mod cx;
pub(crate) mod fader;
pub(crate) mod field;
pub(crate) mod in_view;
pub(crate) mod layout;
pub(crate) mod link;
pub(crate) mod menu;
pub(crate) mod meter;
pub(crate) mod name_field;
pub(crate) mod number;
pub(crate) mod rail;
pub(crate) mod rows;
pub(crate) mod scale;
pub(crate) mod scroll;
pub(crate) mod select;
pub(crate) mod sheet;
pub(crate) mod splitter;
pub(crate) mod star;
pub(crate) mod wave;
pub(crate) mod wheel;

pub(crate) use cx::Cx;
pub(crate) use layout::Cut;
