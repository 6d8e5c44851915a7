//! The whole tree as one text: the active branch from its beginning, each branch that was left where it was left.
//!
//! Nothing recurses. Every entry comes exactly once, those in a circle and those hidden by a later entry of the same id last.

use super::tree::{Path, Tree};

use crate::order::Order as _;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// An entry.
    Entry(u32),
    /// Another branch begins: its first entry, what it is, and how many entries it has.
    Open(u32, Why, u64),
    /// It ends.
    Close,
}

/// Why a branch stands apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It was left for another one.
    Left,
    /// It has a beginning of its own.
    Root,
    /// No way leads to it: a circle, or entries whose id a later one has.
    Unreached,
}

enum Task {
    Chain(u32),
    Open(u32, Why),
    Close,
}

/// Every entry of the tree.
pub fn steps(tree: &Tree<'_>, active: &Path) -> Vec<Step> {
    let entries = &tree.index.entries;
    let children = tree.children();
    let mut on_active = vec![false; entries.len()];
    for at in &active.entries {
        on_active[*at as usize] = true;
    }
    let mut seen = vec![false; entries.len()];
    let mut steps = Vec::with_capacity(entries.len());
    let roots = tree.roots();
    let first = active.entries.first().copied().or_else(|| roots.last().copied());
    let mut tasks: Vec<Task> = Vec::new();
    for root in roots.iter().rev().filter(|root| Some(**root) != first) {
        tasks.extend([Task::Close, Task::Chain(*root), Task::Open(*root, Why::Root)]);
    }
    tasks.extend(first.map(Task::Chain));
    let mut run = |tasks: &mut Vec<Task>, steps: &mut Vec<Step>| {
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open(at, why) => steps.push(Step::Open(at, why, 0)),
                Task::Close => steps.push(Step::Close),
                Task::Chain(start) => {
                    let mut next = Some(start);
                    while let Some(at) = next.filter(|at| !std::mem::replace(&mut seen[*at as usize], true)) {
                        steps.push(Step::Entry(at));
                        let kids = children.of_entry(at);
                        next = kids.iter().find(|kid| on_active[**kid as usize]).or(kids.last()).copied();
                        if kids.len() > 1 {
                            tasks.extend(next.take().map(Task::Chain));
                            let main = tasks.last().map(|t| if let Task::Chain(main) = t { *main } else { at });
                            for kid in kids.iter().rev().filter(|kid| Some(**kid) != main) {
                                tasks.extend([Task::Close, Task::Chain(*kid), Task::Open(*kid, Why::Left)]);
                            }
                        }
                    }
                }
            }
        }
    };
    run(&mut tasks, &mut steps);
    let left: Vec<u32> = entries.positions().filter(|at| tree.counts(*at) && !seen[*at as usize]).collect();
    if let Some(first) = left.first() {
        steps.push(Step::Open(*first, Why::Unreached, 0));
        steps.extend(left.iter().map(|at| Step::Entry(*at)));
        steps.push(Step::Close);
    }
    count(&mut steps);
    steps
}

/// The same entries in the order of the file, which is what makes the last one of them the leaf.
pub fn in_file_order(tree: &Tree<'_>, active: &Path) -> Vec<Step> {
    let mut steps = steps(tree, active);
    steps.retain(|step| matches!(step, Step::Entry(_)));
    steps.order_by_key(|step| if let Step::Entry(at) = step { *at } else { 0 });
    steps
}

/// Says how many entries each branch has.
fn count(steps: &mut [Step]) {
    let (mut open, mut entries) = (Vec::new(), 0u64);
    for ix in 0..steps.len() {
        match steps[ix] {
            Step::Entry(_) => entries += 1,
            Step::Open(..) => open.push((ix, entries)),
            Step::Close => {
                if let Some((at, before)) = open.pop()
                    && let Step::Open(_, _, size) = &mut steps[at]
                {
                    *size = entries - before;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::index::Index;
    use crate::transcript::tree::View;

    /// Entries as `id<parent`; gives the steps as text.
    fn walk(entries: &[&str]) -> String {
        let mut text = r#"{"type":"session","version":3,"id":"s"}"#.to_owned();
        for entry in entries {
            let (id, parent) = entry.split_once('<').unwrap();
            let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
            text.push_str(&format!("\n{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent}}}"));
        }
        text.push('\n');
        let index = Index::of_end(text.as_bytes(), 0).unwrap();
        let tree = Tree::of(&index, View::Gateway);
        let name = |at: u32| entries[at as usize].split_once('<').unwrap().0;
        let steps = steps(&tree, &tree.active());
        let word = |step: &Step| match step {
            Step::Entry(at) => name(*at).to_owned(),
            Step::Open(at, why, size) => format!("[{why:?} {} {size}:", name(*at)),
            Step::Close => "]".to_owned(),
        };
        steps.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn in_the_order_of_the_file_the_leaf_stays_last() {
        let entry = |id: &str, parent: &str| format!(r#"{{"type":"message","id":"{id}","parentId":{parent}}}"#);
        let parts = [entry("a", "null"), entry("b", r#""a""#), entry("d", r#""lost""#), entry("e", r#""d""#)];
        let text = format!("{}\n{}\n", r#"{"type":"session","version":3,"id":"s"}"#, parts.join("\n"));
        let index = Index::of_end(text.as_bytes(), 0).unwrap();
        let tree = Tree::of(&index, View::Gateway);
        assert_eq!(in_file_order(&tree, &tree.active()), [0, 1, 2, 3].map(Step::Entry));
    }

    #[test]
    fn the_active_branch_leads_and_others_stand_where_they_were_left() {
        assert_eq!(walk(&["a<", "b<a", "c<b"]), "a b c");
        assert_eq!(walk(&["a<", "b<a", "c<b", "d<a", "e<d"]), "a [Left b 2: b c ] d e");
        assert_eq!(walk(&["a<", "b<a", "x<b", "y<b", "d<a"]), "a [Left b 3: b [Left x 1: x ] y ] d");
        assert_eq!(walk(&["r<", "a<", "b<a"]), "a b [Root r 1: r ]");
        assert_eq!(walk(&["a<b", "b<a", "c<"]), "c [Unreached a 2: a b ]");
        assert_eq!(walk(&["a<", "a<", "b<a"]), "a b [Unreached a 1: a ]");
        assert_eq!(walk(&[]), "");
    }
}
