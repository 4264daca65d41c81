"""Calls the prompt on the terminal it was started in; prints what came out as one line of JSON.

Its argument is a JSON object with `orphans` (`text`, `project` and other fields of an orphan), `projects`, `tasks`, and
`copies` for many orphans.
"""

import json
import sys
from datetime import date

from wrapgen.errors import NoTerminalError
from wrapgen.session.follow_up import FollowUp, Places, suggest
from wrapgen.session.prompt import prompt


def orphan(number, places, text, project=None, **fields):
    ready = {
        "id": f"{number:012x}", "text": text, "quote": f"Next session: {text}.", "role": "assistant",
        "project": project, "lang": "en", "cue": "next session", "confidence": 0.9, "transcript": "talk.jsonl",
        "turn": number, "line": number, "uuid": None, "said_on": date(2026, 4, 24),
        "suggested": suggest(project, places, text),
    }  # fmt: skip
    return FollowUp(**(ready | fields))


def main(words):
    case = json.loads(words)
    tasks = {project: tuple(names) for project, names in case.get("tasks", {}).items()}
    places = Places(tuple(case.get("projects", ())), tasks, "journals/2026/04/2026-04-24.md")
    given = case["orphans"]
    if copies := case.get("copies"):
        given = [fields | {"text": f"{fields['text']} {copy}"} for copy in range(1, copies + 1) for fields in given]
    orphans = [orphan(number, places, **fields) for number, fields in enumerate(given, 1)]
    print("asking", flush=True)
    try:
        unsure = [orphan(number, places, **fields) for number, fields in enumerate(case.get("unsure", ()), 101)]
        answers = prompt(orphans, places, unsure=unsure)
    except KeyboardInterrupt:
        print('answers: "interrupted"', flush=True)
        return
    except NoTerminalError as error:
        print(f"NoTerminalError: {error}")
        return
    taken = answers.answers if answers else ()
    kept = [[answer.id[-3:], answer.route, answer.project, answer.task, answer.text] for answer in taken]
    print("answers:", json.dumps(None if answers is None else kept, ensure_ascii=True), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
