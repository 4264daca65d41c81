"""Japanese words as the guard needs them. Hiragana is grammar here, but for the negations; katakana runs are words."""

from wrapgen.pipeline.guard.lexicon import groups, opposites

NEGATIONS = ("ない", "なし", "なく", "ません", "せず", "不可", "禁止", "しない")

OPPOSITES = opposites(
    """
    追加/削除 作成/削除 開始/終了 開く/閉じる 有効/無効 有効化/無効化 成功/失敗 許可/禁止 送信/受信 入力/出力
    入金/出金 登録/解除 登録/削除 接続/切断 保存/破棄 表示/非表示 公開/非公開 同期/非同期 購入/売却 増加/減少
    最大/最小 内部/外部 午前/午後 今日/明日 昨日/今日 今週/来週 先週/今週 今月/来月 事前/事後 必須/任意 手動/自動
    暗号化/復号 アップロード/ダウンロード インポート/エクスポート ログイン/ログアウト インストール/アンインストール
    オン/オフ フロントエンド/バックエンド クライアント/サーバー
    """
)

SYNONYMS = groups(
    """
    確認 検証 テスト チェック 点検
    修正 直す 対応 解決 バグ修正
    追加 作成 実装 新規作成
    削除 除去 消去
    更新 アップデート
    変更 修正 改修
    調査 検討 調べる リサーチ
    購入 買う
    連絡 電話
    会議 ミーティング 打ち合わせ 打合せ
    サーバ サーバー
    ユーザ ユーザー
    """
)
