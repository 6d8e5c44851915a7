//! The order in which JavaScript sees the rows.

use std::collections::HashMap;

use crate::model::index::IndexFacts;

use super::identity::identity;

/// Positions of all rows in the order of a JavaScript object (spec 2.1): keys that are array indexes (`0` to
/// `4294967294`, as JavaScript writes them) first and ascending, then the rest in file order. A key that comes twice
/// stands where it came first.
pub fn js_order(index: &IndexFacts) -> Vec<u32> {
    let twice = index.rows.iter().any(|row| row.shadowed);
    let mut first: HashMap<_, u32> = HashMap::new();
    let mut order: Vec<((u8, u32), u32)> = Vec::with_capacity(index.rows.len());
    for (ix, row) in (0..).zip(&index.rows) {
        let key = identity(row.key, &index.bytes);
        let rank = match array_index(&key) {
            Some(number) => (0, number),
            None if twice => (1, *first.entry(key).or_insert(ix)),
            None => (1, ix),
        };
        order.push((rank, ix));
    }
    order.sort_unstable();
    order.into_iter().map(|(_, ix)| ix).collect()
}

fn array_index(key: &[u8]) -> Option<u32> {
    let canonical = key == b"0" || key.first().is_some_and(|first| (b'1'..=b'9').contains(first));
    if !canonical || key.len() > 10 || !key.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(key).ok()?.parse().ok().filter(|number| *number != u32::MAX)
}

#[cfg(test)]
mod tests {
    use crate::store::parse::tests::index;

    use super::*;

    #[test]
    fn integer_like_keys_come_first_in_ascending_order() {
        let index = index(
            r#"{"b":{},"10":{},"2":{},"a":{},"02":{},"-1":{},"4294967294":{},"4294967295":{},"0":{},"\u0037":{},"1.5":{}}"#,
        );
        let keys: Vec<_> = js_order(&index).into_iter().map(|ix| index.key(&index.rows[ix as usize])).collect();
        assert_eq!(keys, ["0", "2", "7", "10", "4294967294", "b", "a", "02", "-1", "4294967295", "1.5"]);
    }

    #[test]
    fn a_key_that_comes_twice_stands_where_it_came_first() {
        let index = index(r#"{"a":1,"b":2,"\u0061":3}"#);
        assert_eq!(js_order(&index), [0, 2, 1]);
    }
}
