// Generated from packages/texts/languages by make generate. Do not edit.

import type { HandoffTexts } from '../types.ts'

/** The texts of the wallet page in Japanese. */
export const texts: HandoffTexts = {
  title: 'ウォレットを接続',
  site: 'サイト',
  loading: '読み込み中…',
  tryAgain: '再試行',
  finding: { title: 'ウォレットを探しています' },
  noWallet: { title: 'ここにはウォレットがありません', text: 'このブラウザにはウォレットがありません。ウォレットアプリのブラウザでこのリンクを開いてください。', copy: 'リンクをコピー', copied: 'リンクをコピーしました', notCopied: 'ここからリンクをコピーしてください：' },
  choosing: { title: 'どのウォレットを使いますか？' },
  taken: { title: '先に別の場所で開かれました', text: '別の端末がこのリンクを先に開きました。心当たりがない場合は、もう一方の画面で何も承認しないでください。サイトで新しいコードを取得してください。' },
  expired: { title: 'このリンクは期限切れです', text: 'サイトで新しいコードを取得してスキャンしてください。' },
  unreached: { title: '接続できませんでした', text: '接続を確認して再試行してください。' },
  comparing: { title: '番号を比べてください', asks: (site) => `${site} がウォレットへの接続を求めています。`, number: 'あなたの番号', question: 'もう一方の画面に同じ番号が表示されていますか？', confirm: 'はい、同じです', differ: 'いいえ、違います', waiting: 'もう一方の画面を待っています…' },
  waiting: { title: 'もう一方の画面で確認してください', text: 'その後、共有するアカウントをウォレットが尋ねます。' },
  asking: { title: 'ウォレットで続行', text: (site) => `${site} と共有するアカウントをウォレットが尋ねています。` },
  declined: { title: '接続していません', differ: '番号が違うため、ほかの人がリンクを開いた可能性があります。何も共有されていません。サイトで新しいコードを取得してください。', text: 'サイトには何も共有されていません。', unsupported: 'サイトが使うネットワークがウォレットにありません。' },
  connected: { title: '接続しました', keepOpen: 'サイトを使う間は、このページを開いたままにしてください。', account: 'アカウント', network: 'ネットワーク', wallet: 'ウォレット', disconnect: '切断', disconnectFrom: (site) => `${site} から切断`, notStored: 'このブラウザには何も保存されません。このページを閉じると接続が終わります。', lost: '接続が切れました。再接続しています…', resumed: '再び接続しました', others: 'ほかのサイト' },
  ended: { title: '切断しました', text: 'もう一度接続するには、サイトで新しいコードを取得してください。' },
  request: { kind: { message: 'メッセージに署名', data: 'データに署名', send: 'トランザクションを送信', transaction: 'トランザクションに署名', permission: '許可を与える', other: 'リクエスト' }, asks: (site) => `${site} が求めています。`, give: 'ウォレットで続行', reject: '拒否', given: 'ウォレットで確認してください', more: (count) => `ほかに ${count} 件のリクエストが待っています`, done: '完了しました。サイトで続けられます。', refused: '拒否しました。何も署名されていません。', failed: 'ウォレットが実行できませんでした。', lost: 'ウォレットに確認している間にページが再読み込みされました。実行されたかどうかをウォレットで確認してください。' },
  preview: { checking: '実行結果を確認しています…', unchecked: '確認できませんでした。表示より多くのことが行われる可能性があります。', fails: 'これは失敗します。', leaves: '送るもの', arrives: '受け取るもの', mayTake: '使用できるようになる', mayNoLongerTake: '使用できなくなる', all: (token) => `すべての ${token}`, tokens: 'トークン', baseUnits: '基本単位', to: '送信先', amount: '金額', message: 'メッセージ', details: '詳細', deploys: 'コントラクトを作成' },
}
