"""Secrets do not get into what wrapgen stores: cloud keys, tokens, private keys.

The detectors are detect-secrets' (Yelp); only those that know a format by its letters are used, because entropy and
keyword guesses would black out honest words. Patterns that it lacks stand here.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from importlib import import_module

# How what stands for a secret begins.
MARK = "[redacted: "
# Loading detect-secrets costs 0.13 s, so it is loaded only for texts with something as long as a key.
_SUSPECT = re.compile(r"[A-Za-z0-9_+/=.~-]{16,}|://[^\s/]*:[^\s/]*@|PRIVATE KEY")
# A private key's block; its end may be cut off, and dashes in front may have been taken for a list's.
_KEY_BLOCK = re.compile(
    r"-{0,5}BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]*-----.*?(?:-----END [A-Z0-9 ]*-----|\Z)", re.DOTALL
)
# The least length of a group that can be a secret: shorter ones are prefixes such as "ghp".
_SHORTEST = 6
# Letters of other scripts stand right beside a key, and are not part of it: hence ASCII.
_OWN = (
    ("private key", _KEY_BLOCK),
    ("JSON web token", re.compile(r"\beyJ[\w=-]+\.[\w=-]+\.?[\w.+/=-]*", re.ASCII)),
    ("Anthropic key", re.compile(r"\bsk-ant-[A-Za-z0-9_-]{16,}", re.ASCII)),
    ("Google API key", re.compile(r"\bAIza[0-9A-Za-z_-]{35}", re.ASCII)),
    ("OpenAI key", re.compile(r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}", re.ASCII)),
    ("GitHub token", re.compile(r"\bgithub_pat_[A-Za-z0-9_]{20,}", re.ASCII)),
    ("bearer token", re.compile(r"(?<=[Bb]earer )[A-Za-z0-9._~+/-]{20,}=*")),
)
_PLUGINS = (
    ("artifactory", "ArtifactoryDetector"), ("aws", "AWSKeyDetector"), ("azure_storage_key", "AzureStorageKeyDetector"),
    ("basic_auth", "BasicAuthDetector"), ("discord", "DiscordBotTokenDetector"),
    ("github_token", "GitHubTokenDetector"), ("gitlab_token", "GitLabTokenDetector"),
    ("mailchimp", "MailchimpDetector"), ("npm", "NpmDetector"), ("openai", "OpenAIDetector"),
    ("pypi_token", "PypiTokenDetector"), ("sendgrid", "SendGridDetector"), ("slack", "SlackDetector"),
    ("square_oauth", "SquareOAuthDetector"), ("stripe", "StripeDetector"),
    ("telegram_token", "TelegramBotTokenDetector"), ("twilio", "TwilioKeyDetector"),
)  # fmt: skip


def redact(text: str) -> tuple[str, int]:
    """Replace every secret that is recognised by `[redacted: kind]`.

    Args:
        text: any text.

    Returns:
        the text without them, and how many there were.
    """
    if not _SUSPECT.search(text):
        return text, 0
    found = 0
    for kind, pattern in (*_OWN, *_library()):
        text, times = pattern.subn(partial(_without_secret, kind), text)
        found += times
    return text, found


def _without_secret(kind: str, match: re.Match[str]) -> str:
    """A pattern with a long group finds the secret in its surroundings; any other pattern is the secret itself."""
    mark = f"{MARK}{kind}]"
    secret = max((group for group in match.groups() if group), key=len, default="")
    return match[0].replace(secret, mark) if len(secret) >= _SHORTEST else mark


@lru_cache(maxsize=1)
def _library() -> tuple[tuple[str, re.Pattern[str]], ...]:
    patterns: list[tuple[str, re.Pattern[str]]] = []
    for module, name in _PLUGINS:
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)
        for pattern in detector.denylist:
            ascii_only = re.compile(pattern.pattern, pattern.flags & ~re.UNICODE | re.ASCII)
            patterns.append((str(detector.secret_type), ascii_only))
    return tuple(patterns)
