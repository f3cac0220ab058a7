// Generated from packages/texts/languages by make generate. Do not edit.

import { defineLocale } from '../../modal/defineLocale.ts'

/** Simplified Chinese. */
export const zhCN = defineLocale(
  { tag: 'zh-CN', direction: 'ltr', buttons: { connect: '连接钱包', connecting: '连接中…', account: '账户', selectNetwork: '选择网络', switchNetwork: '切换网络' } },
  () => import('./modal.ts'),
)
