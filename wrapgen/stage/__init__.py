"""Stage snapshots: one small file a task, overwritten at each stage, from which the next session resumes."""
