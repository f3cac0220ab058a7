// Generated from packages/texts/languages by make generate. Do not edit.

import type { AsksTexts } from '../types.ts'

/** What the frame and the wallet page say of what a site asks in Simplified Chinese. */
export const asks: AsksTexts = {
  title: '网站请求的内容',
  unlimited: (token) => `无限量的 ${token}`,
  yes: '是',
  no: '否',
}
