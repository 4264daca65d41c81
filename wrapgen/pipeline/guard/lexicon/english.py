"""English words as the guard needs them; every word in the form that `normal.stem` leaves, or as written where both count."""

# Words that carry no work of their own. Prepositions with an opposite (before, without) are not among them.
FILLERS = frozenset(
    """a an the this that these those it its i me my we us our you your he she they them their and or of to in on at by for
    from with as into onto over via per within across about is are be been being was were am do does did done has have had
    having will would shall should can could may might must need needs needed please also just still then so such very
    properly correctly successfully all each every entire whole any some both there here when while which who what how
    if than too only own etc eg ie vs up out existing new current currently now""".split()
)  # fmt: skip

# Words whose presence on one side alone turns the meaning round.
NEGATIONS = frozenset(
    """not no never none neither nor without cannot cant prevent dont doesnt didnt isnt arent wasnt wont shouldnt couldnt stop avoid
    skip except unless fails failed fail failing missing disable disabled un non""".split()
)  # fmt: skip

# Pairs that stand against each other. Inflected forms are found by their stems.
OPPOSITES: tuple[tuple[str, str], ...] = tuple(
    (one, other)
    for line in """
    with/without to/from before/after open/close open/closed pass/fail success/failure success/fail successful/failed
    succeed/fail plan/apply start/stop start/end start/finish begin/end enable/disable on/off in/out up/down add/remove
    add/delete add/drop create/delete create/remove create/drop create/destroy install/uninstall install/remove
    increase/decrease increase/reduce raise/lower grow/shrink encrypt/decrypt encode/decode import/export upload/download
    push/pull read/write get/set get/put get/post load/save load/unload load/store backup/restore lock/unlock show/hide
    expand/collapse attach/detach connect/disconnect mount/unmount bind/unbind subscribe/unsubscribe register/deregister
    register/unregister login/logout signin/signout signup/signin log/unlog allow/deny allow/block allow/forbid
    accept/reject accept/decline approve/reject approve/deny grant/revoke merge/split merge/revert join/leave
    join/split send/receive publish/unpublish publish/subscribe request/response client/server frontend/backend
    front/back input/output inbound/outbound incoming/outgoing ingress/egress internal/external public/private
    local/remote local/global online/offline sync/async synchronous/asynchronous manual/automatic manual/automated
    manually/automatically static/dynamic old/new new/existing first/last first/second first/third second/third
    next/previous previous/current min/max minimum/maximum
    least/most less/more fewer/more low/high lower/higher lower/upper short/long small/large small/big light/dark
    left/right top/bottom above/below over/under inside/outside inner/outer horizontal/vertical row/column early/late
    earlier/later fast/slow hot/cold warm/cold black/white true/false yes/no valid/invalid positive/negative
    active/inactive visible/hidden mutable/immutable optional/required optional/mandatory always/never all/none
    ascending/descending asc/desc upgrade/downgrade migrate/rollback deploy/rollback promote/demote forward/backward
    forward/reverse do/undo redo/undo wrap/unwrap pack/unpack zip/unzip compress/decompress serialize/deserialize
    inherit/override source/target source/destination sender/receiver buyer/seller buy/sell borrow/lend win/lose
    monday/tuesday am/pm morning/evening morning/afternoon day/night today/tomorrow today/yesterday weekday/weekend
    daily/weekly weekly/monthly daily/monthly monthly/yearly monthly/quarterly quarterly/yearly weekly/quarterly
    staging/production dev/prod development/production test/production staging/dev unit/integration desktop/mobile
    ios/android mac/windows windows/linux linux/mac male/female mother/father credit/debit income/expense
    profit/loss asset/liability primary/secondary primary/replica master/replica leader/follower parent/child
    ancestor/descendant add/subtract multiply/divide plus/minus start/complete started/completed pending/completed
    pending/done todo/done draft/final draft/published pause/resume suspend/resume freeze/unfreeze block/unblock
    follow/unfollow like/dislike arrive/depart arrival/departure entry/exit enter/exit enter/leave major/minor
    critical/minor pros/cons theory/practice question/answer problem/solution cause/effect
    """.split()
    for one, other in [tuple(line.split("/"))]
)  # fmt: skip

# Words that one person writes where another writes the next: each line one meaning within work notes.
SYNONYMS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split())
    for line in """
    verify test check validate confirm ensure recheck retest reverify
    fix repair resolve solve correct address bugfix hotfix patch
    delete remove drop purge
    add create implement build introduce make develop
    add include insert append
    add write create
    stop prevent avoid
    stop halt quit
    set configure setup
    update refresh revise amend
    update upgrade bump
    change modify edit adjust tweak alter
    write draft compose author
    document describe explain record
    state specify document list report describe
    show display render
    find locate search
    look search inspect investigate examine explore
    review read proofread
    finish complete finalize finalise
    start begin launch kickoff initiate
    choose select pick decide
    decide determine
    move migrate transfer relocate port
    rename relabel
    replace swap substitute exchange
    use utilize employ leverage
    call invoke
    run execute
    ask request
    tell inform notify
    contact reach ping
    contact call phone ring
    contact email mail write
    proper correct appropriate right
    valid correct
    talk speak discuss
    meet meeting sync
    send mail email
    schedule book arrange
    organize arrange sort tidy
    clean cleanup tidy
    improve enhance optimize better
    refactor restructure rework
    simplify streamline
    speed accelerate
    gather collect
    buy purchase order
    error bug issue problem defect fault
    task todo item
    document doc documentation
    picture image photo
    function method
    folder directory
    machine computer
    team group
    people folks users
    customer client
    job task
    page screen
    big large huge
    small little tiny
    quick fast rapid
    important critical
    final last
    whole full complete entire
    remaining rest outstanding leftover
    unfinished incomplete uncompleted uncomplete
    broken failing
    guide tutorial
    help support assist
    support handle handler
    agreement contract
    invoice bill
    hire recruit
    """.strip().splitlines()
)

# What a task asks for ("add monitoring") and what its finished state is called ("monitoring active").
MAKING = frozenset("add create implement build introduce enable set setup ensure make provide install have".split())
STATES = frozenset("active present place available enabled working implemented exists exist ready added built".split())

ABBREVIATIONS = {
    "repo": "repository", "repos": "repository", "config": "configuration", "configs": "configuration", "cfg": "configuration",
    "doc": "documentation", "docs": "documentation", "env": "environment", "envs": "environment", "db": "database",
    "app": "application", "apps": "application", "dir": "directory", "dirs": "directory", "pkg": "package", "pkgs": "package",
    "spec": "specification", "specs": "specification", "req": "requirement", "reqs": "requirement", "info": "information",
    "perf": "performance", "impl": "implementation", "msg": "message", "msgs": "message", "btn": "button", "img": "image",
    "imgs": "image", "param": "parameter", "params": "parameter", "arg": "argument", "args": "argument", "var": "variable",
    "vars": "variable", "lib": "library", "libs": "library", "dep": "dependency", "deps": "dependency", "pw": "password",
    "pwd": "password", "mgmt": "management", "mgr": "manager", "dept": "department", "govt": "government", "intl": "international",
    "k8s": "kubernetes", "js": "javascript", "ts": "typescript", "py": "python", "pr": "pull-request", "prs": "pull-request",
    "mr": "merge-request", "e2e": "end-to-end", "appt": "appointment", "asap": "soon", "mins": "minute", "min": "minute",
    "hr": "hour", "hrs": "hour", "sec": "second", "secs": "second", "wk": "week", "wks": "week", "yr": "year", "yrs": "year",
    "mtg": "meeting", "tmrw": "tomorrow", "prod": "production", "dev": "development", "stg": "staging", "ver": "version",
    "num": "number", "max": "maximum", "auth": "authentication", "admin": "administrator", "org": "organization",
    "orgs": "organization", "univ": "university", "sched": "schedule", "temp": "temporary", "tmp": "temporary", "util": "utility",
    "utils": "utility", "func": "function", "funcs": "function", "ref": "reference", "refs": "reference", "desc": "description",
    "w": "with", "wo": "without", "bc": "because", "bg": "background", "fe": "frontend", "be-": "backend", "calc": "calculate",
    "sync": "synchronize", "init": "initialize", "exec": "execute", "gen": "generate", "ok": "okay", "thx": "thanks",
}  # fmt: skip

NUMBER_WORDS = {
    word: str(value)
    for value, words in {
        1: "one first once single", 2: "two second twice double", 3: "three third triple", 4: "four fourth", 5: "five fifth",
        6: "six sixth", 7: "seven seventh", 8: "eight eighth", 9: "nine ninth", 10: "ten tenth", 11: "eleven", 12: "twelve",
    }.items()
    for word in words.split()
}  # fmt: skip

# Several words that stand for one.
PHRASES = {
    "make sure": "ensure", "get rid of": "remove", "look into": "investigate", "follow up": "followup", "sign up": "signup",
    "log in": "login", "log out": "logout", "sign in": "signin", "sign out": "signout", "check in": "checkin",
    "reach out to": "contact", "work on": "do", "in order to": "to", "as well as": "and", "e.g.": "eg", "i.e.": "ie",
    "pull request": "pull-request", "merge request": "merge-request", "find out": "determine", "figure out": "determine",
    "sort out": "resolve", "carry out": "run", "fill in": "complete", "fill out": "complete", "out of": "from",
    "can not": "cannot", "no longer": "not", "left over": "remaining", "try out": "try", "clean up": "cleanup",
}  # fmt: skip

DIRECTIONS = ("to", "from", "before", "after", "over", "into", "instead", "than", "via", "until")
COORDINATORS = frozenset({"and", "or", "plus"})
