"""The marks on one item: checkbox, task marker, done signs, dates, priority, and the cells of a table row. PURE.

They are written as Obsidian Tasks (emoji), Dataview (inline fields), todo.txt (`(A)`, `due:`), Org and Logseq
(`TODO`, `DEADLINE:`, `[#A]`) and plain trackers (`P1`, `!!`) write them. A mark inside inline code is text.
"""
