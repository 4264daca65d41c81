"""What an item is about: the heading and the list items above it, and whether it needs them to be understood. PURE."""

import re
from functools import lru_cache

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
_PART = re.compile(r"[^\W_]+")
_NUMBERED = re.compile(
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
_DENSE = re.compile("[\u3400-\u9fff\u3040-\u30ff]")
# Scripts without blanks: so many of their characters make a word.
_CHARACTERS = 2
_TAG = re.compile(r"(?<!\S)#[^\s#]+")


# To be gone through before a release or after a change, or by every agent and newcomer; in documents such boxes stay
# open for ever. So do those of what somebody may like to see or read one day.
_CHECKLIST = re.compile(
    r"check[\s_-]?list|\bcriteria(?:[\s:*_]*$|\.md$)|(?:acceptance|success)[\s_-]criteria|definition[\s_-]of[\s_-]done"
    r"|\bdod\b|(?:run|play)[\s_-]?book|smoke[\s_-]tests?\b|test[\s_-]plan\b"
    r"|^(?:agents|claude|gemini|skill|contributing)\.md$"
    r"|^(?:(?:manual|final|first|(?:pre|post)-?\w+)[\s_-])?(?:validation|verification)"
    r"(?:[\s_-](?:steps|plan|gates?))?(?:\.md)?$"
    r"|(?:^|[\s_-])(?:watch|reading|wish|bucket)[\s_-]?lists?(?:\.md)?$"
    r"|\bfuture[\s_-](?:enhancements?|improvements?|ideas|work)\b|\brecommend(?:ed|ations?)\b|recomendad|empfehlung"
    r"|^\W*(?:\d+\W+)?quality[\s_-](?:checks?|gates?)\b|品質(?:チェック|ゲート)"
    r"|체크\s?리스트|(?<=\s)체크[\W_]*$|점검표"
    r"|检查清单|检查表|核对清单|檢查清單|チェックリスト|lista de verifica|liste de contrôle"
    r"|criterios de|critères d|위시\s?리스트|버킷\s?리스트|书单|愿望清单|読書リスト|ほしいもの",
    re.IGNORECASE,
)
# What must hold before something counts as done.
_CRITERIA = re.compile(
    r"(?:acceptance|success|exit)[\s_-]criteria|definition[\s_-]of[\s_-]done|\bdod\b|受け入れ(?:条件|基準)|完了の定義"
    r"|(?:인수|완료)\s?(?:조건|기준|정의)|验收(?:标准|条件)|驗收(?:標準|條件)|完成的?定义|критерии\s(?:при[её]мки|готовности)"
    r"|criterios\sde\saceptaci|critères\sd.acceptation|abnahmekriterien",
    re.IGNORECASE,
)
_DONE_FOLDER = re.compile(
    r"[\W\d_]*(?:done|completed|closed|finished|archived?|archives|완료|已完成|归档|完了|アーカイブ)[\W_]*",
    re.IGNORECASE,
)
_HABITS = re.compile(r"(?:\w+ )?(?:habits?|routines?|습관|루틴|习惯|習慣|hábitos|rutinas?|gewohnheiten)(?: tracker)?")


_TASKS = re.compile(
    r"(?<![^\W_])(?:to[\s_-]?dos?|tasks|kanban|action[\s_-]items?|next[\s_-]actions?|tareas|aufgaben|taken|tâches)(?![^\W_])"
    r"|할\s?일|작업\s?목록|待办|任务|タスク",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def names_tasks(path: str) -> bool:
    """Whether a file's name, or that of its folder, says that it holds tasks."""
    return _TASKS.search("/".join(path.rsplit("/", 2)[-2:])) is not None


_PLANS = re.compile(
    r"(?<![^\W_])(?:plans?|epics?|prd|rfcs?|specs?|specification|design|proposal|strategy|implementation|migration"
    r"|architecture|playbook)(?![^\W_])|계획|설계|计划|方案|设计|計画|設計",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def names_plan(path: str) -> bool:
    """Whether a file's name, or that of its folder, says that it is a plan or a design."""
    return _PLANS.search("/".join(path.rsplit("/", 2)[-2:])) is not None


# How far work is, and what comes next of it.
_WORK = re.compile(
    r"(?<![^\W_])(?:hand[\s_-]?(?:off|over)|progress|status|next|session|plan|roadmap|backlog|worklog|log|daily|weekly"
    r"|meeting|standup|retro|estado|reunión|protokoll|übergabe)s?(?![^\W_])"
    "|진행|현황|계획|인수인계|회의|进度|计划|交接|会议|進捗|計画|引き継ぎ|議事録",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def names_work(path: str) -> bool:
    """Whether a file's name, or that of its folder, says that it holds tasks or how far work is."""
    return names_tasks(path) or _WORK.search("/".join(path.rsplit("/", 2)[-2:])) is not None


_WAYS_ON = re.compile(
    r"next steps?$|what's next$|where to go next|start here|what to do next|(?:up next|next up)$"
    r"|nächste schritte|prochaines étapes|próximos pasos|다음 단계$|下一步$|次のステップ$"
)


@lru_cache(maxsize=4096)
def names_way_on(title: str) -> bool:
    """Whether a heading is one below which documents tell their readers where to go on."""
    return _WAYS_ON.match(fold_name(title)) is not None


@lru_cache(maxsize=4096)
def names_criteria(title: str) -> bool:
    """Whether a heading says that what is below must hold before something is done."""
    return _CRITERIA.search(title) is not None


def in_done_folder(path: str) -> bool:
    """Whether a file lies in a folder for what is done."""
    return any(_DONE_FOLDER.fullmatch(part) for part in path.split("/")[:-1])


@lru_cache(maxsize=4096)
def names_checklist(title: str) -> bool:
    """Whether a heading or a file's name says that what is below is gone through again and again."""
    return _CHECKLIST.search(title) is not None


# The program's own texts to try things out with.
_FIXTURE = re.compile(r"(?:^|[\s_-])(?:fixtures?|tests?|sandbox)(?=[\s_.-])|测试|測試|테스트|テスト", re.IGNORECASE)
_SLOT = re.compile(
    r"[\W_]*\d{1,2}[:.]\d\d\s?(?:[ap]m)?\s?(?:[-–—~]|to\b|until\b|bis\b)\s?\d{1,2}[:.]\d\d", re.IGNORECASE
)


@lru_cache(maxsize=4096)
def names_fixture(name: str) -> bool:
    """Whether a file's name says that something is tried out in it."""
    return _FIXTURE.search(name) is not None


def is_slot(text: str) -> bool:
    """Whether a text is a line of a day's timetable: it begins with the hours from and to which something is done."""
    return _SLOT.match(text) is not None


def names_habits(title: str) -> bool:
    """Whether a heading says that what is below is done on every day."""
    return _HABITS.fullmatch(fold_name(title)) is not None


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
