import type { en } from './en.ts'
import type { enBuy } from './enBuy.ts'
import type { enGetWallet } from './enGetWallet.ts'
import type { enLogin } from './enLogin.ts'
import type { enLoginTitles } from './enLoginTitles.ts'
import type { enNames } from './enNames.ts'
import type { enNamespaces } from './enNamespaces.ts'
import type { enOtherChains } from './enOtherChains.ts'
import type { enOwnNames } from './enOwnNames.ts'
import type { enPairing } from './enPairing.ts'
import type { enSessions } from './enSessions.ts'
import type { enSigning } from './enSigning.ts'
import type { enSwap } from './enSwap.ts'
import type { AnyTexts } from './textsOf.ts'
import type { Translated } from './translated.ts'

/** All texts of the modal in one language, by feature. */
export interface Texts extends AnyTexts {
  readonly base: Translated<typeof en>
  readonly buy: Translated<typeof enBuy>
  readonly getWallet: Translated<typeof enGetWallet>
  readonly login: Translated<typeof enLogin>
  readonly loginTitles: Translated<typeof enLoginTitles>
  readonly names: Translated<typeof enNames>
  readonly namespaces: Translated<typeof enNamespaces>
  readonly otherChains: Translated<typeof enOtherChains>
  readonly ownNames: Translated<typeof enOwnNames>
  readonly pairing: Translated<typeof enPairing>
  readonly sessions: Translated<typeof enSessions>
  readonly signing: Translated<typeof enSigning>
  readonly swap: Translated<typeof enSwap>
}

/** Returns the text of a key that comes from outside, such as an operation of the gateway; undefined for an unknown one. */
export function textFor<Text>(texts: Readonly<Record<string, Text>>, key: string): Text | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}
