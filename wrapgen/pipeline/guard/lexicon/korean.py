"""Korean words as the guard needs them. Particles and verb endings are taken off before words are compared."""

from wrapgen.pipeline.guard.lexicon import groups, opposites, words

# Particles and endings, tried longest first; a stem of at least one syllable must be left.
ENDINGS = sorted(
    words(
        """
        은 는 이 가 을 를 의 에 에서 에게 께 로 으로 와 과 도 만 까지 부터 마다 보다 처럼 이나 나 이랑 랑 밖에 조차
        별 용 하기 하고 하여 해서 하면 하는 한 할 함 해 했음 했다 하다 한다 하자 하세요 해주세요 해줘 합니다 하며
        하고자 된다 됩니다 됨 된 될 되는 되어 되면 돼 됐음 되었음 되도록 하도록 시키기 시킴 시킬 받기 받음 화 적 적인
        들 들을 들이 들의 들에 중 후에 전에 시 때 및 인 임 입니다 이다 였음 이었음 하지 기 음 하는지 되는지 는지 한지
        인지 할지 될지 려면 하려면 해야 해야함 필요 예정 완료 진행 요망 바람
        """
    ),
    key=lambda ending: (-len(ending), ending),
)

# Short words whose particle the stemmer leaves, since little more than it would be left.
SHORT = {"전에": "전", "후에": "후", "시에": "시", "때에": "때", "때는": "때"}

FILLERS = words(
    """
    그 이 저 것 수 등 및 또는 그리고 에 의 를 을 대한 대해 위한 위해 관련 통해 따라 현재 해당 각 모든 전체 다시 먼저
    바로 꼭 좀 하기 하는 할 한 함 있음 되어 됨 진행 예정 필요
    """
)

# Surnames that are fillers elsewhere ("이" is "this", "한" is "a"), and what is said behind a surname.
SURNAMES = words("이 한 함")
TITLES = words(
    """
    팀장 부장 과장 차장 대리 사원 주임 실장 본부장 이사 상무 전무 사장 대표 회장 책임 선임 수석 매니저 교수 박사 선생
    원장 소장 기자 변호사 작가 감독 코치 님 씨
    """
)

# Whole words, and beginnings of words.
NEGATIONS = words("안 못 금지 불가 불가능 실패 제외 말기 말고")
NEGATION_STARTS = ("없", "않", "아니", "아닌", "못하", "못한")
NEGATING_PREFIXES = ("미", "비", "불", "부", "무")

OPPOSITES = opposites(
    """
    전/후 이전/이후 시작/종료 시작/완료 시작/중지 시작/끝 열기/닫기 열/닫 성공/실패 활성/비활성
    활성화/비활성화 입고/출고 입력/출력 입금/출금 수입/지출 등록/해지 등록/삭제 추가/삭제 추가/제거 생성/삭제
    있는/없는 있음/없음 위/아래 안/밖 안/바깥 상/하 상단/하단 왼쪽/오른쪽 좌/우 좌측/우측 오전/오후 아침/저녁
    오늘/내일 어제/오늘 증가/감소 상승/하락 켜기/끄기 켜/끄 가능/불가 가능/불가능 필요/불필요 허용/금지 허용/차단
    승인/거절 승인/반려 업로드/다운로드 최대/최소 최고/최저 내부/외부 수신/발신 수신/송신 보내기/받기 매수/매도
    구매/판매 사기/팔기 공개/비공개 로그인/로그아웃 설치/제거 연결/해제 잠금/해제 백업/복구 백업/복원 저장/불러오기
    읽기/쓰기 신규/기존 구/신 처음/마지막 첫/마지막 이번/다음 이번/지난 지난/다음 많은/적은 높은/낮은 크게/작게
    큰/작은 긴/짧은 빠른/느린 수동/자동 정적/동적 동기/비동기 온라인/오프라인 합격/불합격 정상/비정상 정방향/역방향
    가로/세로 주간/월간 일간/주간 일일/주간 개발/운영 서버/클라이언트 프론트/백엔드 프론트엔드/백엔드 남자/여자
    출발/도착 출근/퇴근 입장/퇴장 찬성/반대 장점/단점 원인/결과 질문/답변 병합/분리 확대/축소 포함/제외
    적용/해제
    """
)

SYNONYMS = groups(
    """
    확인 파악 점검 검증 체크 검사 테스트 재검 재검증
    수정 변경 고치 고침
    수정 해결 픽스 버그픽스
    추가 생성 만들 작성 구현 만들
    삭제 제거 지우
    작성 쓰 쓰기 정리
    정리 청소
    개선 향상 보강 최적화
    렌더링 표시 노출 출력
    검토 리뷰 살펴보
    조사 알아보 리서치 분석
    설정 구성 세팅
    설정 정하 정 결정
    추가 붙이 넣
    배포 릴리스 릴리즈
    오류 에러 버그 문제 이슈
    구매 구입 사기
    연락 전화 문의
    회의 미팅
    문서 도큐먼트 문서화
    공유 전달 전파
    공부 학습
    준비 대비
    시작 착수 개시
    완료 마무리 끝내
    교체 변경 대체
    이동 이관 옮기 옮김
    건 행 개
    일정 스케줄
    예약 부킹
    보내 전송 발송
    제출 접수 신청
    제작 만들 작성
    수집 모으 취합
    조정 조율 변경
    db 데이터베이스 디비
    bug 버그
    error 에러 오류
    test 테스트
    server 서버
    client 클라이언트
    review 리뷰 검토
    build 빌드
    deploy 배포
    log 로그
    google 구글
    github 깃허브
    notion 노션
    slack 슬랙
    docker 도커
    refactoring refactor 리팩토링 리팩터링
    component 컴포넌트
    page 페이지
    image 이미지
    file 파일
    folder 폴더
    script 스크립트
    issue 이슈
    commit 커밋
    branch 브랜치
    merge 머지 병합
    cache 캐시
    token 토큰
    session 세션
    query 쿼리
    table 테이블
    index 인덱스 색인
    backup 백업
    module 모듈
    button 버튼
    menu 메뉴
    dashboard 대시보드
    project 프로젝트
    update 업데이트 업뎃 갱신
    report 리포트 보고서
    """
)

STATUS = words("진행 진행중 완료 보류 대기 대기중 중요 긴급 이월 예정")
DIRECTIONS = ("에서", "보다", "전에", "후에")
COORDINATORS = frozenset({"및", "와", "과", "그리고", "또는"})
