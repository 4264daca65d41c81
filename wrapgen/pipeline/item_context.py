"""What an item is about: the heading and the list items above it, and whether it needs them to be understood. PURE."""

from wrapgen.late_pattern import late
from wrapgen.text.display import one_line
from wrapgen.text.headings import fold_name


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Headings that only say when, how urgent, how far, that tasks follow, or what is listed in front of them; each word of
# such a title is one of these.
_WHEN = _words(
    """
    now today tonight tomorrow yesterday soon later next this last immediate immediately asap first
    second third then morning afternoon evening night daily weekly monthly quarterly yearly week
    weeks day days month quarter year monday tuesday wednesday thursday friday saturday sunday mon
    tue tues wed thu thur thurs fri sat sun january february march april may june july august
    september october november december jan feb mar apr jun jul aug sep sept oct nov dec urgent
    urgency critical high highest medium low lowest normal higher lower top priority priorities
    important must should could nice have to short mid long near term quick wins blocker blockers
    blocking optional required phase step stage part sprint milestone iteration round wave tier
    level batch p0 p1 p2 p3 p4 v1 v2 in progress doing open pending remaining started not waiting
    blocked planned status task tasks todo todos do list lists item items action actions checklist
    file files steps interface interfaces consumes produces notes
    and or the of for a an
    오늘 내일 어제 이번 다음 주 주간 이번주 다음주 일일 오전 오후 아침 저녁 월요일 화요일 수요일
    목요일 금요일 토요일 일요일 긴급 즉시 높음 중간 보통 낮음 우선순위 우선 상 중 하 단계 단기 중기
    장기 진행 진행중 대기 할 일 할일 작업 목록 今天 明天 昨天 本周 下周 星期一 星期二 星期三 星期四
    星期五 星期六 星期日 周一 周二 周三 周四 周五 周六 周日 紧急 立即 重要 高优先级 中优先级
    低优先级 优先级 高 低 短期 中期 长期 阶段 进行中 任务 任务列表 清单 今日 明日 昨日 今週 来週
    月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 至急 優先度 優先度高 優先度中 優先度低 フェーズ
    ステップ 長期 タスク 作業 進行中
    """
)
_PART = late(r"[^\W_]+")
_NUMBERED = late(
    r"\d+[a-z]?|[ivx]+|(?:day|week|phase|step|stage|part|sprint|tier|level|v|p|q)\d+"
    r"|\d+(?:단계|주차|일차|월|일|주)|第[\d一二三四五六七八九十]+(?:阶段|步|周|週|段階|天|日)"
)

# Articles, prepositions, pronouns and auxiliaries say nothing by themselves; verbs do.
_EMPTY_WORDS = _words(
    """
    a an the this that these those some any each all of in on at to for from by with about into onto
    over under after before between through during without within via as per up out off down i you
    he she it we they me him her us them my your his its our their mine yours who what which am is
    are was were be been being do does did have has had will would shall should can could may might
    must and or but nor so if than then not no
    """
)
_DENSE = late("[\u3400-\u9fff\u3040-\u30ff]")
# Scripts without blanks: so many of their characters make a word.
_CHARACTERS = 2
_TAG = late(r"(?<!\S)#[^\s#]+")


def topic(title: str) -> str:
    """What a heading says that its list is about, as it is shown; nothing for one that only says when or how urgent."""
    parts = _PART.findall(fold_name(title))
    if all(part in _WHEN or _NUMBERED.fullmatch(part) for part in parts):
        return ""
    return one_line(title.strip("*_ \t")).rstrip(":：").rstrip("*_ ")


def says_enough(text: str, fewest: int = 3) -> bool:
    """Whether a text has the words of content that tell what is meant; a number or a tag is none."""
    if "#" in text:
        text = _TAG.sub(" ", text)
    if not text.isascii():
        fewest -= len(_DENSE.findall(text)) // _CHARACTERS
        text = _DENSE.sub(" ", text)
    if fewest <= 0:
        return True
    for part in _PART.finditer(text):  # the first few words are enough, nearly always
        fewest -= part[0].casefold() not in _EMPTY_WORDS and not part[0].isdecimal()
        if not fewest:
            return True
    return False
