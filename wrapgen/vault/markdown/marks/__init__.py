"""The marks on one item, in the forms of Obsidian Tasks, Dataview, todo.txt, Org, Logseq and plain trackers. PURE."""
