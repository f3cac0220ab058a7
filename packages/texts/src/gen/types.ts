// Generated from packages/texts/languages by make generate. Do not edit.

import type { access } from './en/access.ts'
import type { asks } from './en/asks.ts'
import type { base } from './en/base.ts'
import type { buy } from './en/buy.ts'
import type { contacts } from './en/contacts.ts'
import type { frame } from './en/frame.ts'
import type { getWallet } from './en/getWallet.ts'
import type { handoff } from './en/handoff.ts'
import type { login } from './en/login.ts'
import type { loginTitles } from './en/loginTitles.ts'
import type { nameRefusals } from './en/nameRefusals.ts'
import type { names } from './en/names.ts'
import type { namespaces } from './en/namespaces.ts'
import type { otherChains } from './en/otherChains.ts'
import type { ownNames } from './en/ownNames.ts'
import type { pairing } from './en/pairing.ts'
import type { receiver } from './en/receiver.ts'
import type { receiverCheck } from './en/receiverCheck.ts'
import type { sendLabels } from './en/sendLabels.ts'
import type { sendRefusals } from './en/sendRefusals.ts'
import type { sessions } from './en/sessions.ts'
import type { signing } from './en/signing.ts'
import type { swap } from './en/swap.ts'
import type { swapRefusals } from './en/swapRefusals.ts'
import type { thrown } from './en/thrown.ts'
import type { toasts } from './en/toasts.ts'
import type { walletTexts } from './en/walletTexts.ts'
import type { Translated } from '../translated.ts'

/** The texts of the modal, by feature. */
export interface ModalFeatures {
  readonly base: Translated<typeof base>
  readonly access: Translated<typeof access>
  readonly buy: Translated<typeof buy>
  readonly contacts: Translated<typeof contacts>
  readonly getWallet: Translated<typeof getWallet>
  readonly login: Translated<typeof login>
  readonly loginTitles: Translated<typeof loginTitles>
  readonly names: Translated<typeof names>
  readonly namespaces: Translated<typeof namespaces>
  readonly otherChains: Translated<typeof otherChains>
  readonly ownNames: Translated<typeof ownNames>
  readonly pairing: Translated<typeof pairing>
  readonly receiver: Translated<typeof receiver>
  readonly receiverCheck: Translated<typeof receiverCheck>
  readonly sessions: Translated<typeof sessions>
  readonly signing: Translated<typeof signing>
  readonly swap: Translated<typeof swap>
}

/** What core reports and throws. */
export interface CoreCatalogues {
  readonly toasts: Translated<typeof toasts>
  readonly walletTexts: Translated<typeof walletTexts>
  readonly sendLabels: Translated<typeof sendLabels>
  readonly thrown: Translated<typeof thrown>
  readonly loginErrors: Readonly<Record<string, string>>
  readonly swapRefusals: Translated<typeof swapRefusals>
  readonly sendRefusals: Translated<typeof sendRefusals>
  readonly nameRefusals: Translated<typeof nameRefusals>
}

/** The texts of the frame. */
export type FrameCatalogue = Translated<typeof frame>

/** The texts of the wallet page. */
export type HandoffTexts = Translated<typeof handoff>

/** What the frame and the wallet page say of what a site asks. */
export type AsksTexts = Translated<typeof asks>
