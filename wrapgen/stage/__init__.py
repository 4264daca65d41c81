"""Stage snapshots: one small file a task, overwritten at each stage, from which the next session resumes.

Without the command line:

- `wrapgen.stage.record`: the records, and checks of single values.
- `wrapgen.stage.compose.compose(header, body, marker)`: the bytes of a snapshot, cut to fit (PURE).
- `wrapgen.stage.compose.parse(data)`: a snapshot from its bytes (PURE).
- `wrapgen.stage.store.Snapshots(root, config)`: `write`, `read`, `formers`, `tasks` of a vault.
- `wrapgen.stage.prompt.resume_block(...)`: the words to resume with (PURE).
- `wrapgen.stage.cold.lines_naming(root, config, task)`: where else the vault speaks of a task.
- `wrapgen.stage.archive.archive(snapshots, task, area)`: moves a finished task's snapshots away.
- `wrapgen.config.task_ids.task_of_branch(branch, pattern)`: which task a branch belongs to.
"""
