// Generated from packages/texts/languages by make generate. Do not edit.

import { defineLocale } from '../../modal/defineLocale.ts'

/** Japanese. */
export const ja = defineLocale(
  { tag: 'ja', direction: 'ltr', buttons: { connect: 'ウォレットを接続', connecting: '接続中…', account: 'アカウント', selectNetwork: 'ネットワークを選択', switchNetwork: 'ネットワークを切り替え' } },
  () => import('./modal.ts'),
)
