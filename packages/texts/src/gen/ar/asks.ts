// Generated from packages/texts/languages by make generate. Do not edit.

import type { AsksTexts } from '../types.ts'

/** What the frame and the wallet page say of what a site asks in Arabic. */
export const asks: AsksTexts = {
  title: 'ما يطلبه الموقع',
  unlimited: (token) => `${token} بلا حد`,
  yes: 'نعم',
  no: 'لا',
}
