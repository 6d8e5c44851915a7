//! Trees of every shape that the gateway or damage can make.

use super::*;
use crate::transcript::index::tests::index_in;

fn index(lines: &[&str]) -> Index {
    let header = r#"{"type":"session","version":3,"id":"s"}"#.to_owned();
    let text =
        std::iter::once(header).chain(lines.iter().map(|l| (*l).to_owned())).collect::<Vec<_>>().join("\n") + "\n";
    let mut index = index_in(text.as_bytes(), 64);
    index.migrate();
    index
}

/// `b<a` is an entry `b` with the parent `a`.
fn short(text: &str) -> Index {
    let lines: Vec<String> = text
        .split(' ')
        .map(|item| {
            let (id, parent) = item.split_once('<').unwrap();
            format!(r#"{{"type":"message","id":"{id}","parentId":"{parent}","message":{{"role":"user"}}}}"#)
        })
        .collect();
    index(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn the_last_line_is_the_leaf_and_its_ancestors_are_the_branch() {
    let index = short("a< b<a c<b d<a e<d");
    let tree = Tree::of(&index, View::Gateway);
    assert_eq!((tree.leaf(), tree.active().entries), (Leaf::At(4), vec![0, 3, 4]));
    let children = tree.children();
    assert_eq!((children.of_entry(0), children.of_entry(3), tree.roots()), (&[1, 3][..], &[4][..], vec![0]));
}

#[test]
fn a_missing_parent_ends_the_walk_and_a_later_double_wins() {
    let tree_index = short("a< b<gone c<b");
    let path = Tree::of(&tree_index, View::Gateway).active();
    assert_eq!((path.entries, path.dangling), (vec![1, 2], true));
    let doubles = short("a< b<a b< c<b");
    let tree = Tree::of(&doubles, View::Gateway);
    assert_eq!(tree.active().entries, [2, 3]);
    assert!(tree.hidden(1) && !tree.hidden(2));
    assert_eq!(tree.roots(), [0, 2]);
}

#[test]
fn circles_end() {
    for (text, cycle) in [("a<a", 0), ("a<b b<a", 1), ("a< b<a a<b", 2)] {
        let index = short(text);
        assert_eq!(Tree::of(&index, View::Gateway).active().cycle, Some(cycle), "{text}");
    }
}

#[test]
fn leaves_without_a_usable_id() {
    let leaf = |line: &str| {
        let index = index(&[r#"{"id":"a"}"#, line]);
        Tree::of(&index, View::Gateway).leaf()
    };
    assert_eq!(leaf(r#"{"parentId":"a"}"#), Leaf::Unnamed(1));
    assert_eq!(leaf(r#"{"id":"","parentId":"a"}"#), Leaf::Unnamed(1));
    assert_eq!(leaf(r#"{"id":null}"#), Leaf::Null(1));
    assert_eq!(leaf(r#"{"id":7}"#), Leaf::At(1));
    assert_eq!(leaf("5"), Leaf::Unnamed(1));
}

#[test]
fn records_on_damaged_lines_are_seen_only_on_request() {
    let index = index(&[r#"{"id":"a"}"#, "\0{\"id\":\"b\",\"parentId\":\"a\",\"type\":\"x\"}"]);
    assert_eq!(Tree::of(&index, View::Gateway).leaf(), Leaf::At(0));
    let tree = Tree::of(&index, View::Recovered);
    assert_eq!((tree.leaf(), tree.active().entries), (Leaf::At(1), vec![0, 1]));
}

#[test]
fn what_the_gateway_does_with_a_file() {
    let open = |text: &str| {
        let index = index_in(text.as_bytes(), 64);
        opening(index.first, &index.faults)
    };
    let header = "{\"type\":\"session\",\"id\":\"s\"}\n";
    assert_eq!(open(header), Opening::Reads);
    assert_eq!(open(&format!("{header}null\n")), Opening::Throws);
    assert_eq!(open("null\n"), Opening::Throws);
    for wiped in ["", "\n", "{}\n", "5\nnull\n"] {
        assert_eq!(open(wiped), Opening::Wipes, "{wiped:?}");
    }
}
