"""The forms in which secrets are written, each with a value made here, and ordinary text that looks like them."""

from __future__ import annotations

import base64
import random
import string

DIGITS, HEX = string.digits, "0123456789abcdef"
LETTERS = string.ascii_letters + DIGITS
UPPER = string.ascii_uppercase + DIGITS
URL, BASE64 = LETTERS + "_-", LETTERS + "+/"

# Beginning, alphabet and length of what is a secret by how it begins.
PREFIXED = (
    ("npm_", LETTERS, 36), ("hf_", LETTERS, 34), ("hf_", string.ascii_letters, 34), ("dop_v1_", HEX, 64),
    ("doo_v1_", HEX, 64), ("ya29.", URL, 60), ("GOCSPX-", URL, 28), ("hvs.", LETTERS, 24), ("hvs.", URL, 95),
    ("hvb.", URL, 140), ("dapi", HEX, 32), ("shpat_", HEX, 32), ("shpss_", HEX, 32), ("lin_api_", LETTERS, 40),
    ("ntn_", LETTERS, 46), ("ATATT3xFfGF0", URL, 180), ("ATATT", LETTERS, 60), ("dckr_pat_", URL, 27),
    ("gsk_", LETTERS, 52), ("whsec_", LETTERS, 32), ("ghp_", LETTERS, 36), ("gho_", LETTERS, 36),
    ("ghs_", LETTERS, 36), ("glpat-", LETTERS, 20), ("gldt-", LETTERS, 20), ("sk_live_", LETTERS, 24),
    ("rk_live_", LETTERS, 24), ("sk_test_", LETTERS, 24), ("sk-ant-api03-", URL, 93), ("sk-proj-", URL, 48),
    ("sk-", LETTERS, 48), ("sk-or-v1-", HEX, 64), ("AIza", URL, 35), ("AKIA", UPPER, 16), ("ASIA", UPPER, 16),
    ("AC", HEX, 32), ("SK", HEX, 32), ("pypi-AgEIcHlwaS5vcmc", URL, 80), ("rubygems_", HEX, 48),
    ("pscale_tkn_", URL, 43), ("figd_", LETTERS, 40), ("sbp_", HEX, 40), ("sb_secret_", LETTERS, 31),
    ("xai-", LETTERS, 80), ("pplx-", LETTERS, 48), ("r8_", LETTERS, 37), ("nvapi-", URL, 64), ("fo1_", URL, 43),
    ("1//0", URL, 60), ("AKCp", LETTERS, 69), ("glc_", LETTERS, 80), ("phx_", LETTERS, 43), ("NRAK-", UPPER, 27),
    ("sq0atp-", LETTERS, 22), ("LTAI", LETTERS, 20), ("dp.pt.", LETTERS, 43), ("API-", UPPER, 26), ("p8e-", HEX, 32),
    ("AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
)  # fmt: skip
# What is a secret by what is written around it.
NAMED = (
    ("aws_secret_access_key={}", BASE64, 40), ("AWS_SECRET_ACCESS_KEY: {}", BASE64, 40),
    ("Authorization: Bearer {}", LETTERS, 40), ("Authorization: token {}", HEX, 40), ("bearer {}", LETTERS, 40),
    ("https://{}@github.com/o/r.git", LETTERS, 40), ("https://oauth2:{}@gitlab.com/o/r", LETTERS, 20),
    ("redis://:{}@cache:6379/0", LETTERS, 12), ("postgres://app:{}@db/main", LETTERS, 10),
    ("mongodb+srv://admin:{}@cluster0.mongodb.net", LETTERS, 14), ("amqp://guest:{}@mq", LETTERS, 9),
    ("access_token={}", LETTERS, 32), ("refresh_token: {}", LETTERS, 40), ("client_secret={}", LETTERS, 32),
    ('"api_key": "{}"', LETTERS, 32), (r"\"api_key\": \"{}\"", LETTERS, 32), ("X-API-Key: {}", LETTERS, 32),
    ("AccountKey={}==", BASE64, 86), ("SharedAccessKey={}=", BASE64, 43), ("?sv=2022&sig={}%3D", LETTERS, 43),
    ("//npm.example.org/:_authToken={}", LETTERS, 36), ("secret_key_base: {}", HEX, 64),
    ("Server=db;User Id=sa;Password={}7!x;", LETTERS, 6), ("Password={}3x", LETTERS, 9), ("PGPASSWORD={}2", LETTERS, 9),
    ("password: '{}!1'", LETTERS, 10), ("비밀번호: {}1a", LETTERS, 9), ("--password {}3a", LETTERS, 10),
    ("curl -u admin:{}5a https://x", LETTERS, 10), ("machine api.x login me password {}4a", LETTERS, 11),
    ("<password>{}1a</password>", LETTERS, 9), ("https://hooks.slack.com/services/T0AB12CD/B0EF34GH/{}", LETTERS, 24),
    ("xoxb-123456789012-123456789012-{}", LETTERS, 24), ("xoxp-123456789012-123456789012-{}", HEX, 32),
    ("xapp-1-A0B1C2D3-1234567890123-{}", HEX, 64), ("github_pat_11ABCDEFG0abcdefghijkl_{}", LETTERS, 59),
    ("glsa_{}_1a2b3c4d", LETTERS, 32), ("{}-us12", HEX, 32), ("123456789:AA{}", LETTERS, 33),
    ("x1y2z3a4b5c6d7.atlasv1.{}", LETTERS, 64), ("SG.a1B2c3D4e5F6g7H8i9J0k1.{}", URL, 43),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{}", URL, 43),
    ("key-{}", HEX, 32), ("1/1201234567890123:{}", HEX, 32), ("vercel_blob_rw_{}", LETTERS, 40),
    ("sshpass -p '{}' ssh me@host", LETTERS, 9), ("mysql -u root -p{}7a shop", LETTERS, 9),
    ("SECRET_KEY = 'django-insecure-{}!#('", LETTERS, 45), ('"auth":"{}"', BASE64, 32), ('"auth": "{}="', BASE64, 31),
    ("Cookie: lang=en; session={}", LETTERS, 32), ("Set-Cookie: sid={}; Path=/", LETTERS, 32),
    ("my password is {}!7x", LETTERS, 8), ("//npm.example.org/:_authToken=1a2b3c4d-{}", HEX, 24),
    ("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", BASE64, 64),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\n{}", BASE64, 64), (r"-----BEGIN EC PRIVATE KEY-----\n{}\n", LETTERS, 64),
    ("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{}\n-----END PGP PRIVATE KEY BLOCK-----", BASE64, 64),
)  # fmt: skip

ORDINARY = """\
The password is base64-encoded, the password is required, and the new password is SHA-256 hashed.
Cookie: theme=dark; lang=en
sshpass -p "$PASS" ssh host; sshpass -p <password> ssh host
mysql -u root -p shop < dump.sql; mysql -h db -port=3306; mysql --protocol=tcp
"auth": "required"
//npm.example.org/:_authToken=${NPM_TOKEN}
move 1/2 of the keys: key-value stores, key-abc
password = getpass()
password = getpass.getpass("Password: ")
token: str
token: str | None = None
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer ${{ secrets.GITHUB_TOKEN }}
Authorization: Bearer YOUR_ACCESS_TOKEN_HERE
Authorization: Basic <base64>
basic authentication-based login2-handling
commit 0123456789abcdef0123456789abcdef01234567
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
session 3f2504e0-4f89-11d3-9a0c-0305e82c3301
/home/me/.cache/huggingface/hub/snapshots/0123456789abcdef0123456789abcdef01234567/config.json
PWD: /home/me2/wrapgen
password: z.string().min(8)
password=os.environ["DB_PASSWORD"]
password=process.env.DB_PASSWORD
password=self.password2
const token = jwt.sign({ id: user.id2 }, secret);
API_KEY=your-api-key-here
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
AKIAIOSFODNN7EXAMPLE
export OPENAI_API_KEY=sk-...
postgres://user:password@localhost/db
postgres://user:${DB_PASSWORD}@localhost:5432/db
git clone ssh://git@github.com/owner/repo.git
see http://localhost:8080/@scope and mail me@example.org
{"url":"http://localhost:3000","mail":"me@example.org"}
npm_config_registry_url_for_the_second_time
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
hf_hub_download_with_retries_v2
sk-learn-contrib-something-v2-long
the secret: integration tests of refresh tokens
max_tokens: 100000000000
next_token: see projects/web/todos.md
secret_key = settings.SECRET_KEY
password_hash = hash_password(body.password1)
passwordless login v2: magic links
PASS: tests/test_login2.py
BEGIN PRIVATE KEY is what the file has to say
-----BEGIN PRIVATE KEY----- has to stay in the docs, and the words behind it too
regex = "-----BEGIN RSA PRIVATE KEY-----[A-Za-z0-9]+-----END RSA PRIVATE KEY-----"
docker run -u 1000:1000 image
use --token TOKEN or --password-stdin
**Password**: required, **Password** is hashed with SHA-256
| Password | String, at least 8 characters |
Password (8 to 20 letters), password → OAuth2Client, password — see RFC6749
Password:
See https://example.org/login2?reset
Password: https://vault.example.org/a1?b
| Field | Password |
비밀번호는 8자 이상이어야 한다, 암호화는 AES-256 으로
密码是必填项, パスワードは8文字以上, das Passwort ist Pflicht, la contraseña es obligatoria, a senha é secreta
пароль не хранится, le mot de passe est chiffré en AES256
password root@10.0.0.1 and mail me2@Example2.org
docker run -p 127.0.0.1:5432:5432/tcp postgres
the seed phrase of the wallet is what the user has to write down and never to show to anybody
private-key-in-anchor-and-solana-df05c57ccd04
Recovery codes: stored-in bitwarden, since 2026-11-20
10. **Password Manager** (two contexts), **Portal Password Change:** and **5-Pass Subtraction** + windows
- **PSK Reporter:** after 2 minutes, **WPA2-PSK minimum** (`threshold.authmode`)
las palabras clave: COVID19, SARS-CoV-2
MIIC is how certificates begin, PHPSESSID=... and JSESSIONID are cookies
admin:settings/users2 and root:x:0:0:root:/root:/bin/bash
"""


def secrets(seed: int) -> list[tuple[str, str]]:
    """Every form once: what is written, and the part of it that must not stand anywhere."""
    chance = random.Random(seed)

    def value(alphabet: str, length: int) -> str:
        while True:
            text = "".join(chance.choice(alphabet) for _ in range(length))
            if text[0].isalnum() and text[-1].isalnum():
                return text

    found = [(prefix + tail, tail) for prefix, tail in ((one[0], value(*one[1:])) for one in PREFIXED)]
    found += [(form.format(tail), tail) for form, tail in ((one[0], value(*one[1:])) for one in NAMED)]
    basic = base64.b64encode(f"user:{value(LETTERS, 12)}".encode()).decode()
    return [*found, (f"Authorization: Basic {basic}", basic)]
