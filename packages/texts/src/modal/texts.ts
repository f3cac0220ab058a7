import type { base } from '../en/base.ts'
import type { buy } from '../en/buy.ts'
import type { getWallet } from '../en/getWallet.ts'
import type { login } from '../en/login.ts'
import type { loginTitles } from '../en/loginTitles.ts'
import type { names } from '../en/names.ts'
import type { namespaces } from '../en/namespaces.ts'
import type { otherChains } from '../en/otherChains.ts'
import type { ownNames } from '../en/ownNames.ts'
import type { pairing } from '../en/pairing.ts'
import type { sessions } from '../en/sessions.ts'
import type { signing } from '../en/signing.ts'
import type { swap } from '../en/swap.ts'
import type { AnyTexts } from './anyTexts.ts'
import type { Translated } from './translated.ts'

/** All texts of the modal in one language, by feature. */
export interface Texts extends AnyTexts {
  readonly base: Translated<typeof base>
  readonly buy: Translated<typeof buy>
  readonly getWallet: Translated<typeof getWallet>
  readonly login: Translated<typeof login>
  readonly loginTitles: Translated<typeof loginTitles>
  readonly names: Translated<typeof names>
  readonly namespaces: Translated<typeof namespaces>
  readonly otherChains: Translated<typeof otherChains>
  readonly ownNames: Translated<typeof ownNames>
  readonly pairing: Translated<typeof pairing>
  readonly sessions: Translated<typeof sessions>
  readonly signing: Translated<typeof signing>
  readonly swap: Translated<typeof swap>
}

/** Returns the text of a key that comes from outside, such as an operation of the gateway; undefined for an unknown one. */
export function textFor<Text>(texts: Readonly<Record<string, Text>>, key: string): Text | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}
