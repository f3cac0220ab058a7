// Generated from packages/texts/languages by make generate. Do not edit.

import type { AsksTexts } from '../types.ts'

/** What the frame and the wallet page say of what a site asks in Korean. */
export const asks: AsksTexts = {
  title: '사이트가 요청하는 내용',
  unlimited: (token) => `무제한 ${token}`,
  yes: '예',
  no: '아니요',
}
