import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz

from tests.pipeline import matching_tables
from tests.support import each
from wrapgen.pipeline.matching import Side, alike, compare, refusal, similarity
from wrapgen.text.folding import fold

SAME = [
    ("Renew the TLS certificate", "renew TLS certificate."),
    ("Verify the nightly backup job", "Check the nightly backup job"),
    ("Delete unused docker images", "Remove unused docker images"),
    ("Organise the team offsite in May", "Organize the team offsite in May"),
    ("Backup the server configuration", "Backup the server config"),
    ("Investigate flaky checkout tests (20th day)", "Investigate flaky checkout tests (27th day)"),
    ("Set up the staging cluster monitoring", "Setup the staging cluster monitoring"),
    ("Read `docs/setup/install.md` again", "Read `install.md` again"),
    ("Write the quarterly investor report", "Write the quaterly investor report"),
    ("Send invitation to all speakers", "Send invitations to all the speakers"),
    ("AC9 user can reset the password", "6.6 user can reset the password"),
    ("Clean the kitchen cupboards", "Step 3: Clean the kitchen cupboards"),
    ("디스크 정리 미루지 말기 (3일째)", "디스크 정리 미루지 말기 (4일째)"),
    ("결제 모듈 오류 확인하기", "결제 모듈 오류 확인"),
    ("백업 서버를 점검", "백업 서버 점검"),
    ("修复登录页面的错误提示", "修正登录页面的错误提示"),
    ("检查数据库备份", "检查一下数据库备份"),
    ("バックアップを確認する", "バックアップを確認した"),
    ("Guests without an account cannot see the prices", "Guests without an account can not see the prices"),
    ("Read [the guide](https://example.com/guide) again", "Read the guide again"),
    ("Read [the guide](http://www.example.com/Guide/)", 'Read [the guide](<https://example.com/guide> "Guide")'),
    ("Read [the plan](../projects/web/the%20plan.md)", "Read [the plan](the%20plan.md)"),
    ("Read [[projects/web/plan|the plan]]", "Read [the plan](./plan.md)"),
    ("Read [this](a) and [that](b)", "Read [this](a) and that"),
    ("이 문서의 오타 고치기", "문서의 오타 고치기"),
]

DIFFERENT = [
    ("Order paint for room 3", "Order paint for room 5", "swapped number"),
    ("Review budget 2026-03-01", "Review budget 2026-04-01", "swapped number"),
    ("Upgrade server to v2.1.3", "Upgrade server to v2.1.4", "swapped number"),
    ("Create `src/card.tsx` file", "Create `src/list.tsx` file", "swapped word"),
    ("Create src/card.tsx component", "Create src/list.tsx component", "swapped word"),
    ("Run migration with downtime", "Run migration without downtime", "negated"),
    ("Open the summer registration", "Close the summer registration", "swapped word"),
    ("Import the customer records", "Export the customer records", "swapped word"),
    ("Users can see the draft page", "Users cannot see the draft page", "negated"),
    ("Call the plumber on Elm Street", "Call the painter on Elm Street", "swapped word"),
    ("Step 3: commit", "Step 5: commit", "different label"),
    ("Copy invoices from archive to mailbox", "Copy invoices from mailbox to archive", "exchanged ends"),
    ("Publish code documentation", "Publish code/data documentation", "widened list"),
    ("Accept files ≤ 100 MB", "Accept files > 100 MB", "swapped"),
    ("서버 재시작 후 로그 확인", "서버 재시작 전 로그 확인", "swapped word"),
    ("회원 가입 화면 만들기", "회원 탈퇴 화면 만들기", "swapped word"),
    ("上传用户头像到服务器", "下载用户头像到服务器", "swapped word"),
    ("更新用户表的索引文档", "更新订单表的索引文档", "swapped word"),
    ("允许匿名评论发布", "不允许匿名评论发布", "negated"),
    (
        "Guests without an account should not see the price list",
        "Guests without an account should see the price list",
        "negated",
    ),
    (
        "Do not show the banner to users with no subscription",
        "Show the banner to users with no subscription",
        "negated",
    ),
    ("로그인하지 않은 사용자에게 배너를 보여 주지 않기", "로그인하지 않은 사용자에게 배너를 보여 주기", "negated"),
    ("不登录的用户不能看到价格列表", "不登录的用户能看到价格列表", "negated"),
    ("데이터 이관을 김 팀장에게 물어보기", "데이터 이관을 이 팀장에게 물어보기", "swapped word"),
    ("한 과장에게 배포 일정 물어보기", "이 과장에게 배포 일정 물어보기", "swapped word"),
    ("データを追加する画面", "データを削除する画面", "swapped word"),
    (
        "Review [this PR](https://github.com/x/y/pull/12) of the uploader",
        "Review [this PR](https://github.com/x/y/pull/13) of the uploader",
        "swapped link",
    ),
    ("Read [[Book A|the book]] again", "Read [[Book B|the book]] at last", "swapped link"),
    ("Redraw the logo ![](a.png)", "Redraw the logo ![](b.png)", "swapped link"),
    ("[이 글](https://example.com/1) 읽기", "[이 글](https://example.com/2) 읽기", "swapped link"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_work_in_other_words_matches(one, other):
    assert refusal(Side(one), Side(other)) is None


@pytest.mark.parametrize(("one", "other", "rule"), DIFFERENT)
def test_two_pieces_of_work_are_refused_by_name(one, other, rule):
    assert (refusal(Side(one), Side(other)) or "").startswith(rule)
    assert (refusal(Side(other), Side(one)) or "").startswith(rule)


def table(block):
    return [tuple(line.split("|")) for line in block.splitlines()]


def test_most_items_carried_along_and_reworded_match():
    """A synonym beyond a handful makes two of one item: both stay, which loses nothing."""
    pairs = table(matching_tables.SAME)
    matched = [refusal(Side(one, "june.md", 4), Side(other, "july.md", 90)) is None for one, other in pairs]
    assert sum(matched) >= 0.85 * len(pairs)


@each(table(matching_tables.DIFFERENT))
def test_items_alike_in_their_words_only_are_refused(one, other):
    assert refusal(Side(one, "june.md", 4), Side(other, "july.md", 90)) is not None


def test_links_are_named_as_they_are_compared():
    one, other = Side("Read [this](https://example.com/a) again"), Side("Read [this](../b.md) again")
    assert refusal(one, other) == "swapped link: example.com/a / b"


def test_equal_texts_match_wherever_they_stand():
    assert compare(Side("Call Ann", "a.md", 3), Side("**call** Ann.", "a.md", 4)).match


def test_equal_texts_under_different_labels_do_not_match():
    verdict = compare(Side("Step 3: commit"), Side("Step 5: commit"))
    assert (verdict.score, verdict.match, verdict.refused) == (100, False, "different label: step 3 / step 5")


@pytest.mark.parametrize(("line", "matches"), [(30, False), (36, True)])
def test_neighbours_in_one_file_are_two_items(line, matches):
    verdict = compare(
        Side("Check the nightly backup", "a.md", 10), Side("Verify the nightly backup", "a.md", line), threshold=70
    )
    assert verdict.match is matches
    assert matches or verdict.refused == "place: neighbours in one file: lines 10 / 30"


def test_neighbours_with_the_same_words_are_one_item():
    sides = Side("Design a better logo", "a.md", 10), Side("A better logo: design", "a.md", 20)
    assert compare(*sides, threshold=70).match


def test_without_a_place_no_rule_about_places_applies():
    assert compare(Side("Check the nightly backup job"), Side("Check the nightly backup jobs")).match


def test_a_low_score_says_so():
    verdict = compare(Side("Call Ann"), Side("Paint the fence"))
    assert (verdict.match, verdict.refused) == (False, "score below 85")


def test_many_are_compared_by_both_scorers():
    """Neither their order counts nor how many there are; folded texts are taken as they are."""
    text = "mend the old gate"
    texts = ["gate the old mend", "paint the fence", "", "MEND THE OLD GATE", *[text] * 20, "mend the old gates"]
    assert alike(text, texts, 85) == {0, *range(4, 25)}
    assert alike(text, texts, 100) == {0, *range(4, 24)}
    assert alike(text, [], 85) == set()


def test_the_threshold_can_be_chosen():
    one, other = Side("Verify nightly backup"), Side("Check nightly backup")
    assert not compare(one, other, threshold=95).match
    score = similarity(one.folded, other.folded)
    assert compare(one, other, threshold=score).match, "at the threshold they match"
    assert compare(one, other, threshold=70).match


NEIGHBOURS = """\
Set offset to +1 hour|Set offset to -1 hour
Use == in parser|Use != in parser
Learn the C++ basics|Learn the C# basics
Learn the C basics|Learn the C++ basics
Learn the F# basics|Learn the C# basics
Check that x > 3 holds|Check that x < 3 holds
Check that x >= 3 holds|Check that x > 3 holds
Reach host a over ssh|Reach host b over ssh
Reboot host a|Reboot host b
Reboot host A tonight|Reboot host B tonight
Option A: keep the cache|Option B: keep the cache
Grade A paper review|Grade B paper review
Set the timeout to 5 ms|Set the timeout to 5 s
Set the timeout to 5ms|Set the timeout to 5s
Buy 3 kg of flour|Buy 3 lb of flour
Pay $20 to the printer|Pay €20 to the printer
Cache for 10 min in the proxy|Cache for 10 h in the proxy
Upgrade to v2.1.3|Upgrade to v2.1.4
Upgrade to Python 3.11|Upgrade to Python 3.12
Test with node 18-alpine|Test with node 20-alpine
Move the rows from a to b|Move the rows from b to a
Sync data from staging to prod|Sync data from prod to staging
Turn on the alarm|Turn off the alarm
Turn the alarm on|Turn the alarm off
Scale up the workers|Scale down the workers
Log in with the test user|Log out with the test user
Check in the binary files|Check out the binary files
Mount the volume|Unmount the volume
Encrypt the backups|Decrypt the backups
Lock the release branch|Unlock the release branch
Subscribe to the list|Unsubscribe from the list
Enable the flag|Disable the flag
Allow anonymous uploads|Deny anonymous uploads
Show the banner to guests|Do not show the banner to guests
Show the banner to guests|Never show the banner to guests
Ship with telemetry|Ship without telemetry
We can delete the table|We can't delete the table
We can delete the table|We cannot delete the table
We can delete the table|We can’t delete the table
로그 수집을 켜기|로그 수집을 끄기
배너를 보여 주기|배너를 보여 주지 않기
임시 파일을 삭제하기|임시 파일을 삭제하지 말기
설정 파일이 있는 경우|설정 파일이 없는 경우
1단계: 서버 점검|2단계: 서버 점검
A 서버 재시작|B 서버 재시작
사용자 로그인 화면|사용자 로그아웃 화면
允许匿名访问接口|不允许匿名访问接口
打开夜间模式开关|关闭夜间模式开关
保留旧的日志文件|不要保留旧的日志文件
有密码的账号|无密码的账号
バナーを表示する|バナーを表示しない
ログを保存します|ログを保存しません
設定がある場合のテスト|設定がない場合のテスト
機能をオンにする|機能をオフにする
Включить журнал доступа|Отключить журнал доступа
Показать баннер гостям|Не показывать баннер гостям
Zeige das Banner den Gästen|Zeige das Banner nicht den Gästen
Mostrar el banner a invitados|No mostrar el banner a invitados
Afficher la bannière|Ne pas afficher la bannière
Port 80 is open|Port 443 is open
Set DEBUG=1 in the env|Set DEBUG=0 in the env
Set debug=true in the env|Set debug=false in the env
Use && in the script|Use @@ in the script
Call the API with ?page=1|Call the API with ?page=2
Handle user_id in the log|Handle user_name in the log
Read chapter IV again|Read chapter VI again
Part I of the report|Part II of the report
Book 1 of the trilogy|Book 2 of the trilogy
Draw the x axis|Draw the y axis
Add key k1 to the map|Add key k2 to the map
Increase limit by 1|Increase limit by 10
Set ratio 1:2|Set ratio 2:1
Open ticket ABC-123|Open ticket ABC-124
Open ticket ABC-123|Open ticket ABD-123
Deploy to eu|Deploy to us
Meet at 10:30|Meet at 11:30
Set x to -5|Set x to 5
Use -v in the test|Use -q in the test
Use /a in the router|Use /b in the router
Return 'a' from parse|Return 'b' from parse
Add *.log to ignore|Add *.tmp to ignore
Answer email from professor Miller|Answer email from professor Muller
Run it before the release|Run it after the release
Import the contacts|Export the contacts
Push the branch|Pull the branch
Accept the offer from Ann|Reject the offer from Ann
"""  # `@@` stands for two bars


@pytest.mark.parametrize(("one", "other"), table(NEIGHBOURS.strip("\n")))
def test_one_sign_unit_letter_version_negation_or_verb_makes_two(one, other):
    one, other = one.replace("@@", "||"), other.replace("@@", "||")
    assert refusal(Side(one), Side(other)) is not None
    assert refusal(Side(other), Side(one)) is not None
    assert refusal(Side(one), Side(f"{one} (day 12)")) is None


WORDS = """
    add remove the to from with without not `a.py` `b.py` 3 5 v1.2 v1.3 2026-01-01 and / step login test tests 3:
    登录 上传 下载 不 확인 삭제 전 후 データ ない → report
"""
texts = st.one_of(st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join), st.text(max_size=20))


@settings(deadline=None)
@given(texts, texts, st.integers(1, 60), st.integers(1, 60))
def test_the_answer_does_not_depend_on_the_order(one, other, line_a, line_b):
    a, b = Side(one, "a.md", line_a), Side(other, "a.md" if line_a % 2 else "b.md", line_b)
    forth, back = compare(a, b, threshold=0), compare(b, a, threshold=0)
    assert (forth.score, forth.match) == (back.score, back.match)
    assert (forth.refused or "").split(":")[0] == (back.refused or "").split(":")[0]


@given(texts)
def test_every_text_matches_itself(text):
    assert compare(Side(text, "a.md", 1), Side(text, "a.md", 2)).match


@given(texts, texts)
def test_similarity_is_the_larger_of_both_scorers(one, other):
    a, b = fold(one), fold(other)
    full = max(fuzz.ratio(a.text, b.text), fuzz.token_sort_ratio(a.text, b.text))
    assert similarity(a, b) == full
    assert similarity(a, b, 85) == (full if full >= 85 else 0)
