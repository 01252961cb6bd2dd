//! Models of the catalog, for the preferences. Only a person's click comes here.
//!
//! Thread: the preferences' own; installing has one for itself.

use deskhand_editor::ModelOffer;
use deskhand_inference::{Library, card, catalog};
use std::ops::ControlFlow;

/// What can be installed, and what is. Nothing where this user has no place for models.
pub(crate) fn offers() -> Vec<ModelOffer> {
    let installed = Library::of_this_user().map(|library| library.installed()).unwrap_or_default();
    let here = |id: &str| installed.iter().any(|known| known.record.id == id);
    let cards = catalog().iter().map(|card| ModelOffer {
        id: card.id.into(),
        title: card.title.into(),
        task: card.task.title().into(),
        download: card.download(),
        size: card.size,
        license: card.license.into(),
        is_installed: here(card.id),
        ..ModelOffer::default()
    });
    let own = installed.iter().filter(|known| card(&known.record.id).is_none());
    let own = own.map(|known| ModelOffer {
        id: known.record.id.clone(),
        title: known.record.title.clone(),
        task: known.record.task.title().into(),
        size: known.record.size,
        license: known.record.license.clone(),
        is_installed: true,
        ..ModelOffer::default()
    });
    cards.chain(own).collect()
}

/// Fetches a model of the catalog and keeps it; `told` hears each step.
pub(crate) fn install(id: &str, told: &mut dyn FnMut(&str)) -> Result<(), String> {
    let card = card(id).ok_or_else(|| format!("there is no model \"{id}\" in the catalog"))?;
    let library = Library::of_this_user().map_err(|error| error.to_string())?;
    let mut told = |step: &str| {
        told(step);
        ControlFlow::Continue(())
    };
    deskhand_inference::install(&library, card, &mut told).map_err(|error| error.to_string())?;
    Ok(())
}

/// Takes a model off this computer.
pub(crate) fn uninstall(id: &str) -> Result<(), String> {
    let library = Library::of_this_user().map_err(|error| error.to_string())?;
    library.remove(id).map(drop).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_says_how_large_it_is_and_under_which_license() {
        let offers = offers();
        assert!(offers.len() >= catalog().len());
        for offer in offers {
            assert!(!offer.title.is_empty() && !offer.license.is_empty(), "{offer:?}");
            assert!(offer.size > 0, "{offer:?}");
        }
        assert!(install("nothing", &mut |_| {}).unwrap_err().contains("catalog"));
    }
}
