//! One executor of closed effects in phase order.
