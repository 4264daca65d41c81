"""Pairs of items, `one|other` a line: one piece of work in other words, and two pieces of work in like words."""

SAME = """\
Update the onboarding guide for new contributors|Update onboarding guide for new contributors (draft)
Fix broken links in README.md|Fix the broken links in the README
Write unit tests for the parser module|Add unit tests for parser module
Add dark mode toggle to settings page|Add a dark-mode toggle to the settings page
Email Sarah about the contract renewal|Email Sarah re: contract renewal
Schedule dentist appointment for Leo|Book dentist appointment for Leo
Review PR #142 (auth refactor)|Review PR #142 - auth refactor
Refactor auth middleware to use the new session store|Refactor auth middleware to use new SessionStore
Document the release process in CONTRIBUTING.md|Document release process (CONTRIBUTING.md)
Deploy v2.3.0 to production|Deploy 2.3.0 to production
Investigate memory leak in the worker process|Investigate worker process memory leak
Rotate API keys for the staging environment|Rotate the staging environment's API keys
All unit tests pass locally|All unit tests passing locally
Migrate cron jobs to systemd timers|Migrate cron jobs to systemd timers (blocked on ops)
Backfill missing invoices from March|Backfill the missing March invoices
Confirm venue booking with Daniel|Confirm the venue booking with Daniel by phone
Add rate limiting to the public API endpoints|Add rate-limiting on public API endpoints
Clean up temp files after export|Cleanup temporary files after export
Set up CI pipeline with GitHub Actions|Setup CI pipeline (GitHub Actions)
Finish reading "Designing Data-Intensive Applications"|Finish "Designing Data-Intensive Applications"
Implement retry logic for failed uploads|Retry logic for failed uploads implemented
Check whether the webhook signature is verified|Check that webhook signatures are verified
Waiting on legal to approve the DPA (12 days)|Waiting on legal to approve the DPA (19 days)
Follow up with vendor, third reminder|Follow up with the vendor (third reminder)
Optimise image loading on the landing page|Optimize image loading on landing page
Pay the electricity bill 💡|Pay electricity bill
Prepare slides for Thursday's demo|Prepare the slides for Thursday demo
Verify that backups can be restored|Verify backups can be restored successfully
Update dependencies to their latest versions|Update all dependencies to latest versions
Remove deprecated endpoints from the v1 API|Remove the deprecated v1 API endpoints
Improve error messages in the CLI|Improve CLI error messages
Publish the blog post on caching|Publish blog post about caching
Buy birthday gift for mum|Buy a birthday gift for mum 🎁
- Decide on a logging library (structlog vs loguru)|Decide on logging library: structlog or loguru
Split the monolithic config into per-service files|Split monolithic config file into per-service files
Get feedback from design team on the mockups|Get design team feedback on mockups
Ensure error handling covers network timeouts|Error handling covers network timeouts
Talk to Priya about onboarding checklist|Discuss onboarding checklist with Priya
Move secrets from .env to the vault|Move secrets out of .env into the vault
Add healthcheck endpoint (/healthz)|Add `/healthz` healthcheck endpoint
로그인 페이지 오류 수정|로그인 페이지의 오류를 수정하기
주간 보고서 작성 및 공유|주간 보고서 작성 후 공유
API 문서 업데이트|API 문서 업데이트하기
사용자 피드백 정리해서 노션에 공유|사용자 피드백 정리하여 노션에 공유
배포 스크립트 리팩토링 (진행중)|배포 스크립트 리팩토링
DB 마이그레이션 스크립트 작성 필요|DB 마이그레이션 스크립트 작성
캐시 만료 정책 검토|캐시 만료 정책을 검토한다
세금계산서 발행 확인 요청|세금계산서 발행 확인요청
디자인 시안 2차 피드백 반영|디자인 시안 2차 피드백을 반영
서버 응답 지연 원인 분석 (5일째 미해결)|서버 응답 지연 원인 분석 (8일째 미해결)
完善用户登录模块的单元测试|完善用户登录模块单元测试
编写接口文档并同步给前端|编写接口文档，并同步给前端
修复首页加载缓慢的问题|修复首页加载缓慢问题
整理项目会议纪要|整理项目的会议纪要
优化数据库查询性能|优化一下数据库的查询性能
完成第三季度总结报告|完成第三季度的总结报告
跟进客户A的合同续签|跟进客户 A 的合同续签事宜
更新 README 中的安装说明|更新README中的安装说明
ログイン画面のエラーを修正する|ログイン画面のエラー修正
週次レポートを作成して共有する|週次レポートを作成し共有
Stop the nightly job from emailing twice|Prevent the nightly job from emailing twice
Make sure the installer works offline|Ensure installer works offline
Compress images before uploading to the CDN|Compress the images before upload to CDN
Research pricing of competitors|Research competitor pricing
Draft Q3 OKRs for platform team|Draft the platform team's Q3 OKRs
Evaluate hosting costs before the June budget review|Evaluate hosting cost before June's budget review meeting
Reconcile bank statements (Jan–Mar) with the ledger|Reconcile bank statements with ledger (Jan-Mar)
Ask landlord about replacing the boiler|Ask the landlord to replace the boiler
[ ] Check fire extinguishers in building|Check fire extinguishers in the building (annual)
Add pagination to `GET /orders` endpoint|Add pagination to the GET /orders endpoint
Replace hard-coded strings with translations|Replace hardcoded strings with translations (i18n)
Fix flaky test `test_retry_backoff` on CI|Fix the flaky `test_retry_backoff` test
Remove feature flag `new_checkout` after rollout|Remove `new_checkout` feature flag once rollout is done
Find an accountant for the company tax return|Find accountant for company's tax returns
Add structured logging (JSON) to all services|Add structured JSON logging to all services
Test migration on staging with production snapshot|Test the migration on staging using a production snapshot
Write postmortem for the May outage|Write post-mortem for May outage
Check in with Omar about his thesis chapter|Check-in with Omar about thesis chapter
Switch package manager from npm to pnpm|Switch from npm to pnpm as package manager
Update Terraform modules to the latest provider version|Update terraform modules to latest provider
Enable two-factor authentication for all admin accounts|Enable 2FA / two-factor authentication for all admin accounts
Ship onboarding emails (welcome + day 3)|Ship onboarding emails (welcome, day 3)
Compare Postgres full-text search with Elasticsearch|Compare Postgres full text search vs Elasticsearch
Finalize seating plan for the wedding|Finalise the seating plan for wedding
Prepare data for the quarterly review with finance|Prepare the quarterly review data with finance
Fix typo on pricing page footer|Fix typo in the footer of the pricing page
Reply to reviewer 2 comments|Reply to reviewer 2's comments
Measure cold start time of the lambda functions|Measure lambda cold start times
No regressions in existing test suite|No regressions in the test suite
All endpoints return proper error codes|All endpoints return correct error codes
Support for custom themes|Custom theme support
Tests cover edge cases and error paths|Tests cover edge cases and error handling paths
Code reviewed and approved by two people|Code is reviewed and approved by 2 people
Keyboard navigation works for all menus|Keyboard navigation working on all menus
Verify the app works without JavaScript enabled|Verify app works without JavaScript
Docs: explain how to configure proxies|Docs: explain proxy configuration
Read paper: attention mechanisms survey|Read the attention mechanisms survey paper
Add screenshot to README|Add screenshots to README.md
Verify SSL certificate auto-renewal works|Verify SSL certificate auto-renewal is working
Contact insurance about the water damage claim|Call insurance about the water damage claim
Clean data set: remove duplicates, fix dates|Clean dataset: remove duplicates, fix dates
Run load test with 500 concurrent users against staging|Run load test against staging (500 concurrent users)
Resolve 14 remaining type errors in the billing package|Resolve 9 remaining type errors in the billing package
Fix remaining lint warnings (37 left)|Fix remaining lint warnings (21 left)
Translate strings: 120/300 done so far for the app|Translate strings: 180/300 done so far for the app
Triage backlog of customer support tickets, 45 open|Triage backlog of customer support tickets, 38 open
프로젝트 킥오프 미팅 준비 (자료, 일정)|프로젝트 킥오프 미팅 준비 - 자료, 일정
테스트 커버리지 80% 이상 달성하기|테스트 커버리지 80% 이상 달성
에러 로그 수집 파이프라인 구축|에러 로그 수집용 파이프라인 구축
모바일 화면에서 버튼 겹침 현상 수정|모바일 화면 버튼 겹침 현상 수정
신규 입사자 온보딩 문서 업데이트|신규 입사자용 온보딩 문서 업데이트
남은 이슈 12건 처리 후 릴리스 노트 작성 및 배포|남은 이슈 7건 처리 후 릴리스 노트 작성 및 배포
매출 대시보드 쿼리 성능 개선|매출 대시보드 쿼리 성능을 개선
블로그 글 초안 작성 (주제: 생산성)|블로그 글 초안 작성 - 주제: 생산성
整理客户反馈并输出改进方案|整理客户反馈，输出改进方案
补充支付模块的异常处理逻辑|补充支付模块异常处理逻辑
确认服务器备份是否正常|确认服务器备份正常
和设计师沟通首页改版方案|与设计师沟通首页改版方案
每周复盘：记录完成情况与问题|每周复盘: 记录完成情况和问题
Implement exponential backoff in the sync client|Exponential backoff in sync client
Dashboard loads in under 2 seconds on a cold cache|The dashboard loads in less than 2 seconds with a cold cache
Ensure the database connection pool is closed on shutdown|Close database connection pool on shutdown
Run the full test suite before tagging the release|Run full test suite prior to tagging a release
Monitor error rates for 24 hours after the deploy|Monitor error rate for 24h after deployment
Write user documentation for the import wizard|Create user documentation for import wizard
Add input validation to the registration form|Input validation added to registration form
Decide whether to keep the legacy importer|Decide if we keep the legacy importer
Create a Slack channel for incident response|Create Slack channel for incident responses (#incidents)
Backups are encrypted at rest|Backups encrypted at rest
Schedule a call with the new supplier in Porto|Schedule call with new supplier (Porto)
Review security audit findings with the team|Go over security audit findings with the team
Set calendar reminders for passport renewal|Set a calendar reminder for the passport renewal
Config file is loaded from the home directory|Config is loaded from home directory
Extract common helpers into a shared package|Extract common helpers to shared package `utils`
Fix: sidebar overlaps the content on narrow screens|Sidebar overlaps content on narrow screens - fix
Configure alerts for disk usage above 90%|Set up alerts for disk usage above 90%
Enable branch protection on main|Enable branch protection rules on `main`
Test rollback procedure on staging|Test the rollback procedure (staging)
Inventory all third-party licenses in the repo|Inventory third-party licences in the repository
Plan the garden beds for spring planting|Plan garden beds for spring planting season
Upload signed lease to the shared drive|Upload the signed lease to shared drive
Automate weekly export of sales figures|Automate the weekly sales figures export
Validate JSON schema against sample payloads|Validate JSON schemas against the sample payloads
Error messages are localized in German and French|Error messages localised in German and French
Sync notes between phone and laptop|Sync notes between laptop and phone
Refill prescription at the pharmacy before the 20th|Refill prescription at pharmacy before the 20th
Add CHANGELOG entry for the new flags|Add changelog entry for new flags
Collect testimonials from three pilot customers|Collect testimonials from 3 pilot customers
Get quotes from two roofing companies|Get quotes from at least two roofing companies
Handle empty state in search results view|Handle empty state for the search results view
Benchmark ingest throughput with realistic data|Benchmark ingestion throughput using realistic data
Fix race condition between worker shutdown and job pickup|Fix race condition between job pickup and worker shutdown
이메일 템플릿 수정 요청 회신하기|이메일 템플릿 수정 요청에 회신
신규 기능 배포 전 QA 체크리스트 작성|신규 기능 배포 전에 QA 체크리스트 작성하기
고객사 미팅 일정 확정 및 안건 공유|고객사 미팅 일정 확정, 안건 공유
프로필 이미지 업로드 용량 제한 추가|프로필 이미지 업로드 용량 제한 기능 추가
도서관 책 반납하기 (연체 3일)|도서관 책 반납하기 (연체 5일)
코드 리뷰 반영 후 재배포|코드 리뷰 반영하고 재배포
자동 백업 스케줄러 동작 확인|자동 백업 스케줄러가 동작하는지 확인
梳理用户反馈中的高频问题|梳理用户反馈里的高频问题
准备周五的项目汇报材料|准备周五项目汇报的材料
补齐接口自动化测试用例|补齐接口的自动化测试用例
把配置项迁移到环境变量|配置项迁移到环境变量
调研向量数据库选型方案|调研向量数据库的选型方案（初步）
新機能のリリースノートを書く|新機能のリリースノートを書いておく
完成系统架构设计文档初稿|完成系统架构设计文档的初稿
确定产品上线时间并通知各部门|确定产品上线时间，通知各部门
检查日志中的异常信息|查看日志中的异常信息
为订单模块编写单元测试|给订单模块编写单元测试
优化图片加载速度，减少首屏时间|优化图片加载速度以减少首屏时间
整理本周会议记录并归档|整理本周会议记录，归档
更新依赖到最新版本|更新依赖至最新版本
增加接口限流功能|接口增加限流功能
和运营确认活动规则|与运营同事确认活动规则
撰写技术方案评审报告|编写技术方案评审报告
补充数据字典说明（第 3 天）|补充数据字典说明（第 5 天）
设计数据库表结构（用户、订单）|设计数据库表结构：用户、订单
跟进服务器采购进度|跟进服务器的采购进展
测试导出功能是否正常|验证导出功能是否正常
每日阅读英文文章一篇|每日阅读一篇英文文章
部署到测试环境并验证|部署到测试环境，验证功能
需求文档评审通过|需求文档已评审通过
接入统一登录认证系统|对接统一登录认证系统
提交代码并发起合并请求|提交代码，发起合并请求
拆分单体服务为微服务|将单体服务拆分为微服务
明确各角色的职责分工|明确各角色职责与分工
向导师汇报实验进展|给导师汇报实验进展
错误码统一管理|统一管理错误码
결제 실패 케이스 예외 처리 추가|결제 실패 케이스에 대한 예외 처리 추가
사내 세미나 발표 자료 만들기|사내 세미나 발표자료 만들기
신용카드 명세서 확인하고 정리|신용카드 명세서 확인 및 정리
운영 서버 메모리 사용량 모니터링|운영 서버 메모리 사용량을 모니터링
앱 스토어 스크린샷 교체|앱스토어 스크린샷 교체하기
팀원들과 회고 미팅 진행|팀원과 회고 미팅 진행
테스트 코드 작성 (로그인, 회원가입)|로그인, 회원가입 테스트 코드 작성
블로그에 회고 글 쓰기|블로그 회고 글 작성
데이터베이스 인덱스 추가 검토|DB 인덱스 추가 검토
문서 오타 수정|문서의 오타를 수정
알림톡 발송 실패 원인 파악|알림톡 발송 실패 원인 확인
입주 청소 업체 예약|입주청소 업체 예약하기
건강검진 예약 (6월 중)|건강검진 예약하기 (6월)
API 응답 속도 개선 - 캐시 적용|API 응답 속도 개선 (캐시 적용)
다음 분기 목표 설정하기|다음 분기 목표를 정하기
이력서 업데이트 및 포트폴리오 정리|이력서 업데이트, 포트폴리오 정리
검색 기능에 자동완성 붙이기|검색 기능에 자동완성 추가
로그 레벨 조정해서 용량 줄이기|로그 레벨을 조정해서 용량 줄이기
자격증 시험 접수하기|자격증 시험 접수
오래된 브랜치 정리 (12개 남음)|오래된 브랜치 정리 (8개 남음)
메인 배너 이미지 변경 요청|메인 배너 이미지 교체 요청
インフラ構成図を更新する|インフラ構成図の更新
ユーザー登録フォームのバリデーション追加|ユーザー登録フォームにバリデーションを追加
毎週の進捗報告を提出する|毎週の進捗報告の提出
テストケースを見直す|テストケースの見直し
ドキュメントの誤字を修正|ドキュメントの誤字修正
Add integration tests for webhook retries|Integration tests for webhook retry behavior
Update architecture diagram to include the cache layer|Update the architecture diagram with cache layer
Implement role-based access control (RBAC) for admin routes|Implement RBAC (role-based access control) on admin routes
Verify CLI works when installed via pipx|Test CLI install via pipx
Document known limitations of the sync protocol|Document the sync protocol's known limitations
User sees confirmation after saving changes|User sees a confirmation message after saving changes
Check licence compatibility of bundled fonts|Verify license compatibility for bundled fonts
Look into intermittent 502 errors from gateway|Investigate intermittent 502 errors from the gateway
Set up error tracking with Sentry in production|Configure Sentry error tracking in production
Create reusable table component with sorting|Create a reusable sortable table component
Prepare agenda for Wednesday's planning meeting|Prepare Wednesday planning meeting agenda
Return laptop and badge to IT on last day|Return laptop and badge to IT (last day)
Draft outline for keynote about local-first software|Outline keynote talk about local-first software
Cancel unused cloud subscriptions|Cancel unused cloud service subscriptions
Fill out visa application form online|Complete online visa application form
Split large PR into smaller reviewable commits|Split large PR into smaller, reviewable commits
Ask HR about parental leave policy|Ask HR regarding parental leave policy
Audit npm dependencies for vulnerabilities|Audit npm packages for known vulnerabilities
Reproduce crash reported by beta testers on Android 14|Reproduce the Android 14 crash reported by beta testers
Replace moment.js with date-fns|Replace `moment.js` by `date-fns` everywhere
Make the quick-start example runnable|Make quickstart example runnable
Add tooltips explaining each pricing tier|Add tooltips that explain each pricing tier
Ensure logs don't contain personal data|Make sure that logs contain no personal data
Verify no secrets are committed to the repository|Verify that no secrets are committed to repo
Confirm delivery date with furniture store|Confirm furniture store delivery date
Spec: define the plugin lifecycle hooks|Define plugin lifecycle hooks in the spec
Convert the FAQ into structured help articles|Convert FAQ to structured help articles
Publish migration guide for users of the old plugin API|Publish a migration guide for old plugin API users
Check that exported CSV opens correctly in Excel and Numbers|Check exported CSV opens in Excel and Numbers
Collect quotes for solar panels from local installers|Collect quotes for solar panels from three local installers
"""

DIFFERENT = """\
Write unit tests for the parser module|Write unit tests for the lexer module
Deploy v2.3.0 to production|Deploy v2.4.0 to production
Deploy the billing service to production|Deploy the billing service to staging
Review PR #142|Review PR #143
Email Sarah about the contract|Email Sandra about the contract
Add login endpoint to the API|Add logout endpoint to the API
Test upload of large files|Test download of large files
Book flight to Berlin|Book flight from Berlin
Book flights to Berlin for the team|Book flights to Dublin for the team
Meeting notes 2026-02-03|Meeting notes 2026-02-10
Call John at 10:30|Call John at 14:30
Run `make test` on the CI runner|Run `make lint` on the CI runner
Create users table migration|Create orders table migration
Enable caching for API responses|Disable caching for API responses
Chapter 3 review questions|Chapter 4 review questions
Read chapter 7 of the networking book|Read chapter 8 of the networking book
Fix memory leak in worker|Fix memory leak in scheduler
Increase the timeout of the payment client|Decrease the timeout of the payment client
Users with admin role can delete posts|Users without admin role can delete posts
Verify English translations of the settings page|Verify German translations of the settings page
Add index on users.email|Add index on users.created_at
Write integration tests for the payments API endpoint|Write integration tests for the orders API endpoint
Milestone 1: design approved|Milestone 2: design approved
Week 3 retrospective|Week 4 retrospective
Buy milk and eggs|Buy milk and bread
Update iOS app screenshots in the store|Update Android app screenshots in the store
Check server A logs for errors|Check server B logs for errors
Sprint 12 planning|Sprint 13 planning
Renew domain example.org|Renew domain example.com
Component renders correctly on mobile|Component renders correctly on desktop
Show error when name is empty|Show error when email is empty
GET /api/users returns 200|POST /api/users returns 200
GET /api/users returns 200|GET /api/users returns 404
The form validates on submit|The form does not validate on submit
Submit expense report for March|Submit expense report for April
Prepare slides for Monday's demo|Prepare slides for Friday's demo
Set max connections to 100|Set min connections to 100
Add tests for create_user()|Add tests for delete_user()
Read article on consistent hashing|Read article on perfect hashing
Send invoice to Acme Corp|Send invoice to Apex Corp
Water the plants in the living room|Water the plants in the dining room
Import contacts from CSV|Export contacts from CSV
Exercise 2.3 solution|Exercise 2.4 solution
Ask Tom for the budget numbers|Ask Tim for the budget numbers
Phase 1: migrate read traffic|Phase 2: migrate write traffic
User can edit own comments|User can edit others' comments
Configure nginx for service foo|Configure nginx for service bar
Set up monitoring for postgres|Set up monitoring for redis
로그인 페이지 오류 수정|회원가입 페이지 오류 수정
3월 매출 보고서 작성|4월 매출 보고서 작성
프론트엔드 빌드 스크립트 정리|백엔드 빌드 스크립트 정리
사용자 등록 API 구현|사용자 삭제 API 구현
오전 회의 자료 준비|오후 회의 자료 준비
1차 면접 일정 조율|2차 면접 일정 조율
서울 출장 예약하기|부산 출장 예약하기
결제 취소 테스트|결제 승인 테스트
토요일 모임 장소 예약|일요일 모임 장소 예약
导入用户数据到新系统|导出用户数据到新系统
编写前端单元测试|编写后端单元测试
修复登录接口错误|修复注册接口错误
完成第三章习题|完成第四章习题
上线测试环境|上线生产环境
周一例会准备材料|周二例会准备材料
更新英文版文档|更新中文版文档
学习第5课|学习第6课
提交3月份报销单|提交4月份报销单
商品を追加するテスト|商品を削除するテスト
フロントエンドのテストを書く|バックエンドのテストを書く
月曜日の会議の準備|火曜日の会議の準備
Section 4.2 rewrite|Section 4.3 rewrite
Order new laptop for Maya|Order new monitor for Maya
Lunch with Anna|Lunch with Hanna
Upgrade Node to 20|Upgrade Node to 22
Compile on Linux without warnings|Compile on macOS without warnings
Returns empty list when no results|Returns null when no results
Add caching layer for product search|Add logging layer for product search
User story: reset password via email|User story: reset password via SMS
Measure latency at p95|Measure latency at p99
Task A: draft outline|Task B: draft outline
Record video 3: hooks|Record video 4: hooks
Scenario: guest checks out with card|Scenario: guest checks out with PayPal
Train model on dataset v1|Train model on dataset v2
Pair with Lin on listing page|Pair with Lin on linting page
Add OAuth login for GitHub accounts|Add OAuth login for GitLab accounts
As a user I can filter tasks by project in the sidebar|As a user I can filter tasks by priority in the sidebar
As an admin I can invite new members by email|As an admin I can remove old members by email
Unit tests for repository layer pass in CI|Unit tests for service layer pass in CI
Daily standup notes for team Falcon|Daily standup notes for team Eagle
Log water intake for day 12|Log water intake for day 13
Write chapter two of the novel|Write chapter three of the novel
Create Dockerfile for the web service|Create Dockerfile for the worker service
Add `created_at` column to invoices|Add `updated_at` column to invoices
Call mum on Saturday morning|Call mum on Sunday morning
Configure backups for the primary database cluster|Configure backups for the replica database cluster
Response time below 200 ms|Response time below 500 ms
Coverage at least 80%|Coverage at least 90%
Handle timeout errors in the HTTP client|Handle connection errors in the HTTP client
Fill in form A-38|Fill in form A-39
Port 8080 is reachable from outside|Port 8443 is reachable from outside
Answer email from professor Miller|Answer email from professor Muller
Buy 2 litres of white paint|Buy 5 litres of white paint
Pay rent for June|Pay rent for July
Backup laptop to NAS|Restore laptop from NAS
Plan trip to Japan in spring|Plan trip to Japan in autumn
Error is shown when password is too short|Error is shown when password is too long
Cancel gym subscription before renewal|Cancel gym subscription after renewal
Move standup from Monday to Tuesday|Move standup from Tuesday to Monday
Left sidebar collapses on small screens|Right sidebar collapses on small screens
Ensure API returns JSON when Accept header is set|Ensure API returns XML when Accept header is set
Hypothesis 1: price is the main factor|Hypothesis 2: trust is the main factor
Test case: valid coupon applies discount|Test case: invalid coupon applies discount
Test case: valid coupon applies discount|Test case: expired coupon applies discount
Install and configure fail2ban on web-01|Install and configure fail2ban on web-02
Watch lecture 4 and take notes|Watch lecture 5 and take notes
Prepare 2025 tax documents|Prepare 2026 tax documents
Send the signed contract to Alice|Send the signed contract to Bob
Update homepage hero text|Update homepage hero image
Add retry to email sender job|Add retry to report sender job
Review design doc for search service|Review design doc for cache service
Lesson 12: past tense exercises|Lesson 12: future tense exercises
Confirm catering for 40 guests on Friday|Confirm catering for 60 guests on Friday
User receives SMS notification on login|User receives push notification on login
Check CPU usage of node-1|Check memory usage of node-1
회원 목록 조회 API 구현|회원 상세 조회 API 구현
회원 목록 조회 API 테스트|상품 목록 조회 API 테스트
iOS 앱 심사 제출|안드로이드 앱 심사 제출
5월 정산 내역 확인|6월 정산 내역 확인
월요일 팀 회의록 정리|목요일 팀 회의록 정리
알림 설정 켜기 기능 추가|알림 설정 끄기 기능 추가
왼쪽 사이드바 메뉴 수정|오른쪽 사이드바 메뉴 수정
김대리에게 견적서 전달|박대리에게 견적서 전달
영어 단어 30개 외우기|영어 단어 50개 외우기
아침 운동 30분|저녁 운동 30분
수학 문제집 3장 풀기|수학 문제집 4장 풀기
유저가 로그인하지 않은 경우 처리|유저가 로그인한 경우 처리
新增用户权限管理页面|新增角色权限管理页面
优化列表页加载速度|优化详情页加载速度
联系供应商确认交货时间|联系供应商确认付款时间
支持微信支付回调|支持支付宝支付回调
用户未登录时跳转首页|用户已登录时跳转首页
完成上半年工作总结|完成下半年工作总结
给张老师发邮件|给李老师发邮件
删除测试数据库|备份测试数据库
增加按日期筛选功能|增加按状态筛选功能
早上跑步5公里|晚上跑步5公里
ユーザー一覧画面の実装|ユーザー詳細画面の実装
テスト環境にデプロイする|本番環境にデプロイする
Add retry logic to upload client|Add retry logic to download client
Invoice template shows the tax number|Invoice template shows the order number
All buttons have hover states|All buttons have focus states
All links have hover states|All buttons have hover states
Search works with partial names|Search works with partial emails
User can upload PNG files|User can upload PDF files
Page loads in under 2 seconds|Page loads in under 5 seconds
Verify webhook for successful payments|Verify webhook for refunded payments
Write ADR for message queue choice|Write ADR for database choice
Phase 2 kickoff meeting with the design team|Phase 3 kickoff meeting with the design team
Add unit tests for date parsing helpers|Add unit tests for date formatting helpers
Fix alignment of header on tablet|Fix alignment of footer on tablet
Update profile page copy|Update pricing page copy
T012 Create user model in src/models/user.py|T013 Create order model in src/models/order.py
T021 Write contract test for login|T022 Write contract test for logout
Review Q1 numbers with finance|Review Q2 numbers with finance
Install smoke detectors upstairs|Install smoke detectors downstairs
Publish episode 14 show notes|Publish episode 15 show notes
Build succeeds on Windows runner|Build succeeds on macOS runner
Grant read access to the data bucket|Grant write access to the data bucket
Order replacement filter for kitchen|Order replacement filter for bathroom
Draft email to parents of class 4a|Draft email to parents of class 4b
Agent can list files in workspace|Agent can delete files in workspace
Tool returns an error for missing file|Tool returns an error for invalid file
Rename `getUser` to `fetchUser`|Rename `getTeam` to `fetchTeam`
Set TTL of session cache to 1 hour|Set TTL of session cache to 2 hours
Read "Deep Work" chapter 1|Read "Deep Work" chapter 2
Weekly review: projects|Weekly review: finances
What went well this week?|What went badly this week?
Morning: stretch for ten minutes|Evening: stretch for ten minutes
Ask Kim for her feedback on the draft|Ask Lee for his feedback on the draft
Smoke test on staging passes|Load test on staging passes
Schema migration applied to eu-west-1|Schema migration applied to us-east-1
Add English subtitles to the demo video|Add Korean subtitles to the demo video
Enable logging for auth module|Enable logging for billing module
신규 회원 이메일 인증 구현|신규 회원 휴대폰 인증 구현
주문 목록 페이지네이션 추가|상품 목록 페이지네이션 추가
관리자 페이지 접근 권한 추가|관리자 페이지 접근 권한 제거
2월 뉴스레터 초안 작성|3월 뉴스레터 초안 작성
유튜브 영상 편집 - 3화|유튜브 영상 편집 - 4화
엄마 생신 선물 고르기|아빠 생신 선물 고르기
회의실 A 예약|회의실 B 예약
로그인 성공 시 메인으로 이동|로그인 실패 시 메인으로 이동
수요일 운동: 상체|금요일 운동: 하체
修改用户头像上传接口|修改用户昵称上传接口
给客户甲发送合同|给客户乙发送合同
整理一月份账单|整理二月份账单
测试安卓端登录流程|测试苹果端登录流程
首页支持下拉刷新|首页支持上拉刷新
备份生产数据库|备份测试数据库
申请公司邮箱账号|注销公司邮箱账号
阅读论文第二节|阅读论文第三节
管理者がユーザーを承認できる|管理者がユーザーを却下できる
增加用户注册功能|增加用户注销功能
完成登录页面开发|完成登录页面测试
编写需求文档初稿|编写设计文档初稿
验证密码长度限制|验证密码复杂限制
上午开会讨论预算|下午开会讨论预算
订购会议室投影仪|订购会议室音响
给妈妈打电话|给爸爸打电话
每天背50个单词|每天背80个单词
支持批量导入商品|支持批量删除商品
确认发票抬头信息|确认发票金额信息
优化搜索结果排序|优化搜索结果分页
回复王经理的邮件|回复陈经理的邮件
用户可以编辑评论|用户不可以编辑评论
管理员可以查看报表|管理员可以导出报表
第一阶段验收材料|第二阶段验收材料
회의실 예약 확인|회의실 예약 취소
주문 취소 API 테스트 작성|주문 환불 API 테스트 작성
안드로이드 푸시 알림 테스트|안드로이드 결제 알림 테스트
월간 보고서 초안 공유|주간 보고서 초안 공유
부모님 여행 비행기 예매|부모님 여행 기차표 예매
헤더 컴포넌트 스타일 수정|푸터 컴포넌트 스타일 수정
캐시 서버 이중화 구성|메일 서버 이중화 구성
비밀번호 변경 메일 발송|비밀번호 초기화 메일 발송
디자인 팀 피드백 반영|개발 팀 피드백 반영
유닛 테스트 통과 확인|통합 테스트 통과 확인
7월 휴가 계획 세우기|8월 휴가 계획 세우기
관리자 로그인 기록 조회|관리자 수정 기록 조회
Write chapter summary for biology|Write chapter summary for chemistry
Add pagination to the users table view|Add sorting to the users table view
Enable gzip compression on the API server|Enable brotli compression on the API server
Verify signup flow on Safari|Verify signup flow on Firefox
Send reminder to attendees one week before the event|Send reminder to attendees one day before the event
Update API docs for v3 endpoints|Update API docs for v4 endpoints
Fix login redirect loop on Safari|Fix logout redirect loop on Safari
Create database backup script for orders|Create database restore script for orders
Migrate user avatars to object storage|Migrate user documents to object storage
Review contract with supplier Meyer|Review contract with supplier Braun
Add keyboard shortcut for search|Add keyboard shortcut for save
Test with Node 18 LTS|Test with Node 20 LTS
Backup photos from phone|Backup contacts from phone
Write tests for happy path of checkout|Write tests for error path of checkout
Export report as PDF|Export report as CSV
Invite Jonas to the planning session|Invite Marta to the planning session
Clean gutters on the north side|Clean gutters on the south side
Feature: filter invoices by customer|Feature: filter invoices by date
Feature: filter invoices by customer name|Feature: sort invoices by customer name
Set up staging environment for mobile team|Set up staging environment for data team
Set up production environment for mobile team|Set up staging environment for mobile team
Research grants for small museums|Research grants for small theaters
Model returns 0 for empty input|Model returns 1 for empty input
Shows spinner while loading comments|Shows spinner while loading attachments
Verify that deleting a project removes its tasks|Verify that archiving a project hides its tasks
Daily note: gratitude|Daily note: goals
Print boarding pass for outbound flight|Print boarding pass for return flight
Write unit tests for utils/date.ts|Write unit tests for utils/string.ts
Approve budget for marketing campaign in Spain|Approve budget for marketing campaign in Italy
Refactor payment module to async|Refactor shipping module to async
Read chapter on transactions|Read chapter on replication
The parser rejects duplicate keys|The parser accepts duplicate keys
Emit event when job starts|Emit event when job finishes
Emit event `job.started`|Emit event `job.finished`
Add German locale|Add French locale
Step 2: Run tests|Step 4: Run tests
Block A: 25 minutes reading|Block B: 25 minutes writing
Renew car insurance|Renew home insurance
Renew car insurance 2025|Renew car insurance 2026
Wash blue curtains|Wash white curtains
Deploy the billing service to the EU production cluster|Deploy shipping service to EU production cluster
Update the quarterly roadmap slides for the board meeting|Update the quarterly budget slides for board meeting
Write end-to-end tests for the guest checkout flow|Write end-to-end tests for the account deletion flow
Create onboarding checklist for new backend engineers|Create onboarding checklist for new product designers
Schedule parent-teacher meeting for Emma in March|Schedule parent-teacher meeting for Noah in early March
Set up nightly restore test for the customer database|Set up nightly restore test for analytics database
Record screencast about importing contacts from Google|Record a screencast about importing contacts from Outlook
"""
