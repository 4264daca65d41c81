"""English words as the guard needs them, in their plain form: inflected ones are found by `variants.are_variants`."""

from wrapgen.pipeline.guard.lexicon import groups, heads, opposites, words

# Words that carry no work of their own. Prepositions with an opposite (before, without) are not among them.
FILLERS = words(
    """
    a an the this that these those it its i me my we us our you your he she they them their and or of to in on at by
    for from with as into onto over via per within across about is are be been being was were am do does did done has
    have had having will would shall should can could may might must need needs needed please also just still then so
    such very properly correctly successfully all each every entire whole any some both there here when while which
    who what how if than too only own etc eg ie vs up out existing new current currently now
    """
)

# Words whose presence on one side alone turns the meaning round.
NEGATIONS = words(
    """
    not no never none neither nor without cannot cant dont doesnt didnt isnt arent wasnt werent wont shouldnt couldnt
    hasnt havent except unless prevent stop avoid
    """
)

# Opposites. Inflected forms are found by their stems.
OPPOSITES = opposites(
    """
    with/without to/from before/after open/close open/closed pass/fail success/failure success/fail successful/failed
    succeed/fail plan/apply start/stop start/end start/finish begin/end enable/disable on/off in/out up/down
    add/remove add/delete add/drop create/delete create/remove create/drop create/destroy install/uninstall
    install/remove increase/decrease increase/reduce raise/lower grow/shrink encrypt/decrypt encode/decode
    import/export upload/download push/pull read/write get/set get/put get/post load/save load/unload load/store
    backup/restore lock/unlock show/hide expand/collapse attach/detach connect/disconnect mount/unmount bind/unbind
    subscribe/unsubscribe register/deregister register/unregister login/logout signin/signout signup/signin log/unlog
    allow/deny allow/block allow/forbid accept/reject accept/decline approve/reject approve/deny grant/revoke
    merge/split merge/revert join/leave join/split send/receive publish/unpublish publish/subscribe request/response
    client/server frontend/backend front/back input/output inbound/outbound incoming/outgoing ingress/egress
    internal/external public/private local/remote local/global online/offline sync/async synchronous/asynchronous
    manual/automatic manual/automated manually/automatically static/dynamic old/new new/existing first/last
    first/second first/third second/third next/previous previous/current min/max minimum/maximum least/most less/more
    fewer/more low/high lower/higher lower/upper short/long small/large small/big light/dark left/right top/bottom
    above/below over/under inside/outside inner/outer horizontal/vertical row/column early/late earlier/later
    fast/slow hot/cold warm/cold black/white true/false yes/no valid/invalid positive/negative active/inactive
    visible/hidden mutable/immutable optional/required optional/mandatory always/never all/none ascending/descending
    asc/desc upgrade/downgrade migrate/rollback deploy/rollback promote/demote forward/backward forward/reverse
    do/undo redo/undo wrap/unwrap pack/unpack zip/unzip compress/decompress serialize/deserialize inherit/override
    source/target source/destination sender/receiver buyer/seller buy/sell borrow/lend win/lose monday/tuesday am/pm
    morning/evening morning/afternoon day/night today/tomorrow today/yesterday weekday/weekend daily/weekly
    weekly/monthly daily/monthly monthly/yearly monthly/quarterly quarterly/yearly weekly/quarterly
    staging/production dev/prod development/production test/production staging/dev unit/integration desktop/mobile
    ios/android mac/windows windows/linux linux/mac male/female mother/father credit/debit income/expense profit/loss
    asset/liability primary/secondary primary/replica master/replica leader/follower parent/child ancestor/descendant
    add/subtract multiply/divide plus/minus start/complete started/completed pending/completed pending/done todo/done
    draft/final draft/published pause/resume suspend/resume freeze/unfreeze block/unblock follow/unfollow
    like/dislike arrive/depart arrival/departure entry/exit enter/exit enter/leave major/minor critical/minor
    pros/cons theory/practice question/answer problem/solution cause/effect own/other own/others
    """
)

# Words that one person writes where another writes the next: each line one meaning within work notes.
SYNONYMS = groups(
    """
    verify test check validate confirm ensure recheck retest reverify
    fix repair resolve solve correct address bugfix hotfix patch
    delete remove drop purge
    add create implement build introduce make develop setup
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
    ensure guarantee assure
    handle process manage
    keep retain preserve maintain
    allow permit let enable support
    need require
    provide supply offer
    receive get obtain acquire
    fetch load retrieve get
    send deliver dispatch transmit
    share distribute circulate
    publish release ship
    deploy release ship rollout
    log record track
    track monitor watch observe follow
    measure benchmark profile
    estimate calculate compute
    plan outline sketch
    propose suggest recommend
    reduce lower decrease cut minimize shrink
    increase raise grow boost maximize
    extract split separate
    merge combine consolidate unify
    integrate connect link hook
    connect attach
    convert transform
    export dump
    import ingest
    demonstrate demo show present
    train teach
    learn study
    practice practise rehearse
    pay settle
    cancel abort
    revert rollback undo
    disable deactivate
    enable activate
    save store persist
    audit review inspect
    approve accept
    submit send file
    assign allocate
    assess evaluate review
    debug troubleshoot diagnose investigate
    annotate label tag
    initialize bootstrap
    generate produce create
    answer reply respond
    feature functionality capability
    ticket issue card
    sprint iteration
    server host
    endpoint route
    library package dependency
    setting preference option configuration
    dialog modal popup
    chart graph
    table grid
    page view screen
    comment remark note
    vendor supplier
    staff employee
    kid child children
    apartment flat
    car vehicle
    trash garbage rubbish
    holiday vacation
    mobile phone cell smartphone
    paper article
    talk presentation
    slide deck presentation
    alert notification
    obsolete deprecated outdated stale
    unused dead unneeded unnecessary
    duplicate redundant
    missing absent lacking
    correct right accurate
    necessary required needed mandatory
    various several multiple many
    additional further more extra
    main primary core
    latest newest recent
    automatic automated
    comprehensive complete full thorough
    end finish
    mark track record note
    narrative story
    polite gentle kind friendly
    actual real genuine
    robust solid reliable stable
    detailed thorough indepth
    basic simple
    initial preliminary
    brief short concise
    example sample
    custom bespoke tailored
    clear explicit
    major significant big
    flow workflow process
    heading title
    caption label
    wording copy text
    relevant related applicable
    expected intended desired
    instruct guide
    instruction guideline direction
    sign signature
    retrieve recover
    examine inspect
    collaborate cooperate
    outcome result
    objective goal aim
    member participant
    purpose reason
    frequent common
    trigger start
    prior previous earlier
    after once following
    """
)

# What a task asks for ("add monitoring") and what its finished state is called ("monitoring active").
MAKING = words("add create implement build introduce enable set setup ensure make provide install have")
STATES = words("active present place available enabled working implemented exists exist ready added built")

# The long form: its short ones.
ABBREVIATIONS = heads(
    """
    repository: repo repos; configuration: config configs cfg; documentation: doc docs; environment: env envs;
    database: db; application: app apps; directory: dir dirs; package: pkg pkgs; specification: spec specs;
    requirement: req reqs; information: info; performance: perf; implementation: impl; message: msg msgs;
    button: btn; image: img imgs; parameter: param params; argument: arg args; variable: var vars; library: lib libs;
    dependency: dep deps; password: pw pwd; management: mgmt; manager: mgr; department: dept; government: govt;
    international: intl; kubernetes: k8s; javascript: js; typescript: ts; python: py; pullrequest: pr prs;
    mergerequest: mr; endtoend: e2e; appointment: appt; soon: asap; minute: mins min; hour: hr hrs h;
    second: sec secs; week: wk wks; year: yr yrs; meeting: mtg; tomorrow: tmrw; production: prod; development: dev;
    staging: stg; version: ver; number: num; maximum: max; authentication: auth; administrator: admin;
    organization: org orgs; university: univ; schedule: sched; temporary: temp tmp; utility: util utils;
    function: func funcs; reference: ref refs; description: desc; with: w; without: wo; because: bc; background: bg;
    frontend: fe; calculate: calc; synchronize: sync; initialize: init; execute: exec; generate: gen; okay: ok;
    thanks: thx;
    """
)

# The plain form: its past forms, where no ending makes them. Those that are words of their own (left, found) are out.
IRREGULAR = heads(
    """
    become: became; begin: began begun; bind: bound; bring: brought; build: built; buy: bought; catch: caught;
    choose: chose chosen; come: came; deal: dealt; draw: drew drawn; drive: drove driven; forget: forgot forgotten;
    freeze: froze frozen; get: got gotten; give: gave given; go: went gone; grow: grew grown; hide: hid hidden;
    hold: held; keep: kept; know: knew known; learn: learnt; lose: lost; make: made; mean: meant; meet: met;
    override: overrode overridden; pay: paid; rebuild: rebuilt; rerun: reran; resend: resent; rewrite: rewrote rewritten;
    rise: risen; run: ran; say: said; see: seen; seek: sought; sell: sold; send: sent; shake: shook shaken;
    show: shown; speak: spoke spoken; spend: spent; swap: swopped; take: took taken; teach: taught; tell: told;
    think: thought; throw: threw thrown; undo: undid undone; understand: understood; wake: woke woken; win: won;
    withdraw: withdrew withdrawn; write: wrote written;
    """
)

NUMBER_WORDS = heads(
    """
    1: one first single; 2: two second double; 3: three third triple; 4: four fourth; 5: five fifth;
    6: six sixth; 7: seven seventh; 8: eight eighth; 9: nine ninth; 10: ten tenth; 11: eleven; 12: twelve;
    """
)

# Several words that stand for one.
PHRASES = {
    "make sure": "ensure",
    "get rid of": "remove",
    "look into": "investigate",
    "follow up": "followup",
    "sign up": "signup",
    "log in": "login",
    "log out": "logout",
    "sign in": "signin",
    "sign out": "signout",
    "check in": "checkin",
    "reach out to": "contact",
    "work on": "do",
    "in order to": "to",
    "prior to": "before",
    "go over": "review",
    "go through": "review",
    "look at": "review",
    "look up": "find",
    "look for": "find",
    "take care of": "handle",
    "deal with": "handle",
    "get in touch with": "contact",
    "put together": "prepare",
    "come up with": "create",
    "write up": "write",
    "write down": "record",
    "set up": "setup",
    "roll out": "deploy",
    "get back to": "answer",
    "reply to": "answer",
    "respond to": "answer",
    "at least": "",
    "less than": "under",
    "fewer than": "under",
    "more than": "over",
    "greater than": "over",
    "a couple of": "2",
    "a few": "some",
    "as well as": "and",
    "pull request": "pullrequest",
    "merge request": "mergerequest",
    "end to end": "endtoend",
    "find out": "determine",
    "figure out": "determine",
    "sort out": "resolve",
    "carry out": "run",
    "fill in": "complete",
    "fill out": "complete",
    "out of": "from",
    "can not": "cannot",
    "no longer": "not",
    "left over": "remaining",
    "try out": "try",
    "clean up": "cleanup",
}

# What a remark in brackets begins with that tells how far the item is, not what it is.
STATUS = words(
    """
    wip todo blocked pending done ongoing started deferred urgent important critical optional in waiting carried carry
    carryover moved still
    """
)

DIRECTIONS = ("to", "from", "before", "after", "over", "into", "instead", "than", "via", "until")
COORDINATORS = frozenset({"and", "or", "plus"})
# What is behind "and" or "or" without being a further thing ("Sentry or similar", "run it and confirm that").
NO_MEMBERS = words("similar equivalent alike more others confirm ensure")

# Endings that only inflect a word ("" is none), and those that make another part of speech of it.
INFLECTIONS = words("s es ed d ing e y ies ied") | {""}
DERIVATIONS = INFLECTIONS | words(
    """
    er ers or ors ion ions ation ations ition ment ments al als ally ly able ible ability ness ive ives ity ities
    ance ances ence ences ency ant ent ize ized izes izing ization ise ised ises ising isation ify ified ification
    ication ications ator ators ic ics ical ful less ship ation's ated ating ates ate de sion sions t ted ter ting
    d's ned ning yed ying iness ier iest est
    """
)
# British ending, American ending.
SPELLINGS = opposites(
    """
    isation/ization isations/izations ising/izing ised/ized ise/ize ises/izes yse/yze ysed/yzed ysing/yzing our/or
    ours/ors oured/ored ouring/oring tre/ter bre/ber ogue/og ogues/ogs ence/ense lled/led lling/ling ller/ler
    gramme/gram gement/gment grey/gray licence/license cheque/check ph/f
    """
)
