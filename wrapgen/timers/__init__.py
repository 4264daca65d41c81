"""What starts a rebuild every quarter of an hour: cron, systemd or launchd, whichever the machine has."""
