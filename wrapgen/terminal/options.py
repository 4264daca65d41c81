"""Options that several commands have."""

import click

JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
