"""A daily note that does not exist yet, as Obsidian's settings and template make it."""

import json
from datetime import datetime

import pytest

from wrapgen.vault.daily_note import from_template

NOW = datetime(2026, 4, 24, 9, 5, 7).astimezone()
NOTE = "Daily/2026-04-24.md"


@pytest.fixture
def make(tmp_path):
    def make(template, note=NOTE, **settings):
        files = {"daily-notes": {"folder": "Daily", "template": "T/Day.md"}} | settings
        for name, said in files.items():
            file = tmp_path / ".obsidian" / f"{name.replace('__', '/')}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(said))
        (tmp_path / "T").mkdir(exist_ok=True)
        (tmp_path / "T/Day.md").write_text(template)
        made = from_template(tmp_path, note, NOW)
        return made if made is None else made.decode()

    return make


@pytest.mark.parametrize(
    ("written", "filled"),
    [
        ("{{title}} {{date}} {{time}}", "2026-04-24 2026-04-24 09:05"),
        ("{{ Date:dddd }}, {{date:Do MMM YY}}", "Friday, 24th Apr 26"),
        ("{{time:h:mm:ss a}} {{time:HH[h]mm}}", "9:05:07 am 09h05"),
        ("[[{{date:GGGG-[W]WW}}]] {{date:Q}}", "[[2026-W17]] 2"),
        (
            "[[{{yesterday}}]] [[{{tomorrow:DD}}]] {{date+1w:DD.MM}} {{date-1M}}",
            "[[2026-04-23]] [[25]] 01.05 2026-03-24",
        ),
        ("{{date:gggg-ww}} {{weather}} {{ a: b }}", "{{date:gggg-ww}} {{weather}} {{ a: b }}"),
        ("<% tp.file.title %>", "<% tp.file.title %>"),
    ],
)
def test_placeholders(make, written, filled):
    assert make(written) == filled


def test_templaters_plain_codes_are_filled_where_it_is_on(make):
    text = (
        "<% tp.file.title %> <%tp.date.now()%> <% tp.date.tomorrow('DD') %> <% tp.date.now(\"D\", -7) %> <%* let a %>"
    )
    made = make(text, **{"community-plugins": ["templater-obsidian"]})
    assert made == "2026-04-24 2026-04-24 25 17 <%* let a %>"


def test_periodic_notes_count_before_the_core_plugin(make):
    daily = {"enabled": True, "folder": "Daily", "format": "YYYY-MM-DD", "template": "T/Day"}
    assert (
        make("a {{date}}", **{"daily-notes": {}, "plugins__periodic-notes__data": {"daily": daily}}) == "a 2026-04-24"
    )


def test_templater_has_templates_of_folders(make):
    said = {"trigger_on_file_creation": True, "folder_templates": [{"folder": "Daily", "template": "T/Day.md"}]}
    settings = {"daily-notes": {"folder": "Daily"}, "plugins__templater-obsidian__data": said}
    assert make("a", **settings) == "a"
    assert make("a", note="Other/2026-04-24.md", **settings) is None
    said["trigger_on_file_creation"] = False
    assert make("a", **settings) is None


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("Other/2026-04-24.md", {"folder": "Daily", "template": "T/Day"}),
        (NOTE, {"folder": "Daily"}),
        (NOTE, {"folder": "Daily", "template": "T/Gone"}),
        (NOTE, {"folder": "Daily", "template": "../outside"}),
        (NOTE, {"folder": "Daily", "template": "/etc/passwd"}),
        (NOTE, {"folder": "Daily", "template": ["T/Day"]}),
    ],
)
def test_without_a_template_that_can_be_read_there_is_none(make, tmp_path, note, said):
    (tmp_path.parent / "outside.md").write_text("secret")
    assert make("a", note, **{"daily-notes": said}) is None
