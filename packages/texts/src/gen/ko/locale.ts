// Generated from packages/texts/languages by make generate. Do not edit.

import { defineLocale } from '../../modal/defineLocale.ts'

/** Korean. */
export const ko = defineLocale(
  { tag: 'ko', direction: 'ltr', buttons: { connect: '지갑 연결', connecting: '연결 중…', account: '계정', selectNetwork: '네트워크 선택', switchNetwork: '네트워크 전환' } },
  () => import('./modal.ts'),
)
