"""Chinese words as the guard needs them. Han text has no blanks, so these are looked for inside runs of characters."""

# Characters and words that carry no work of their own.
FILLERS: tuple[str, ...] = tuple(
    """进行 一下 是否 需要 应该 必须 已经 可以 能够 相关 所有 全部 目前 当前 现有 继续 的 了 吗 呢 吧 地 得 请 将 把 已 并 等 再 去 来 对 于 在 就 也 都 还 要
    該 請 將 嗎""".split()
)  # fmt: skip

NEGATIONS: tuple[str, ...] = tuple("不 未 无 無 没 沒 非 别 勿 禁 停 缺 失败 失敗 取消 避免 拒绝".split())

OPPOSITES: tuple[tuple[str, str], ...] = tuple(
    (one, other)
    for line in """
    上/下 前/后 左/右 内/外 开/关 进/出 入/出 增/减 增加/减少 添加/删除 新增/删除 创建/删除 上传/下载 导入/导出 输入/输出 登录/退出 登录/登出
    登录/注册 开始/结束 打开/关闭 启用/禁用 启动/停止 成功/失败 通过/失败 通过/拒绝 允许/禁止 允许/拒绝 同意/拒绝 有/无 多/少 大/小 高/低
    长/短 新/旧 快/慢 早/晚 买/卖 收/发 收/支 借/还 加/减 加密/解密 编码/解码 压缩/解压 安装/卸载 连接/断开 锁定/解锁 显示/隐藏 展开/收起
    备份/恢复 合并/拆分 升级/降级 升序/降序 最大/最小 最高/最低 主/从 公/私 公开/私有 正/负 正/反 真/假 男/女 今天/明天 昨天/今天 上午/下午 早上/晚上
    上周/本周 本周/下周 上月/本月 本月/下月 前端/后端 客户端/服务端 线上/线下 手动/自动 静态/动态 同步/异步 内部/外部 必选/可选 读/写 推/拉 存/取
    日报/周报 周报/月报 收入/支出 利润/亏损 优点/缺点 问题/答案
    """.split()
    for one, other in [tuple(line.split("/"))]
)  # fmt: skip

# The first word of a line stands for all of them.
SYNONYMS: tuple[tuple[str, ...], ...] = tuple(
    tuple(line.split())
    for line in """
    检查 核对 核查 校验 验证 确认 测试 檢查 確認 驗證 測試
    修复 修正 解决 处理 修補 修復
    添加 增加 新增 加入 补充 创建 建立 新建 实现
    删除 移除 去掉 清除 刪除
    登录 登入 登錄
    修改 更改 变更 调整 编辑
    更新 升级 刷新
    编写 撰写 写 書寫 整理
    整理 梳理 汇总
    优化 改进 改善 提升 完善
    查看 浏览 阅读
    查找 搜索 寻找 检索
    配置 设置 设定
    部署 发布 上线
    错误 报错 问题 缺陷
    文档 文件 檔案
    购买 采购 买
    联系 联络
    完成 结束 做完
    开始 启动
    学习 研读
    准备 筹备
    用户 使用者 客户
    使用 采用 利用
    图片 图像
    和 与 及 跟 以及
    账号 帐号 账户 帐户
    """.strip().splitlines()
)

COORDINATORS = frozenset("和与及或跟、")
