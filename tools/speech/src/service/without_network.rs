//! In place of `send` in a build without the feature `network`: each request is refused.

use super::{Order, ServiceError};

pub(super) fn send(
    order: &Order<'_>,
    _: &[f32],
    _: &mut dyn FnMut() -> bool,
) -> Result<Vec<u8>, ServiceError> {
    let cause = "this program was built without the feature `network`".into();
    Err(ServiceError::Failed { host: order.service.host().into(), cause })
}
