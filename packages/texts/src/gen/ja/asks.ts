// Generated from packages/texts/languages by make generate. Do not edit.

import type { AsksTexts } from '../types.ts'

/** What the frame and the wallet page say of what a site asks in Japanese. */
export const asks: AsksTexts = {
  title: 'サイトが求めている内容',
  unlimited: (token) => `無制限の ${token}`,
  yes: 'はい',
  no: 'いいえ',
}
