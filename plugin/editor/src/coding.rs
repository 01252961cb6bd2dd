//! Qualitative coding: the codebook, codes on words, quotes, memos and reports. The window shows these views if
//! [`Scene::has_coding`](crate::scene::Scene::has_coding) says so.

mod calls;
pub(crate) mod code_menu;
pub(crate) mod codebook;
pub(crate) mod coded;
pub(crate) mod order;
pub(crate) mod remove_codes;
#[cfg(test)]
mod tests;
