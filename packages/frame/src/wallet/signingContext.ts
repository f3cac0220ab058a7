import type { Addresses } from '../keys/derive.ts'
import type { SmartAccounts } from '../smartAccount/smartAccount.ts'
import type { Vault } from '../vault/vault.ts'
import type { Approvals } from './approvals.ts'
import type { ApprovalView } from './approvalView.ts'
import type { Node } from './node.ts'

export interface RequestsOptions {
  readonly vault: Vault
  readonly node: Node
  readonly approvals: Approvals
  /** Origin of the page that embeds the frame. */
  readonly site: string
  /** CAIP-2 id of the network in use. */
  readonly network: () => string
  readonly smartAccounts: SmartAccounts
  /** The type of account that the user prefers. */
  readonly preferredAccount: () => 'eoa' | 'smartAccount'
}

/** What a method that is answered without a click needs. */
export interface AnswerContext extends RequestsOptions {
  readonly chainId: string
  /** Returns the addresses of the signed-in user. @throws FrameError 4100 */
  readonly addresses: () => Promise<Addresses>
}

/** What a signing method needs. */
export interface SigningContext extends RequestsOptions {
  readonly chainId: string
  readonly addresses: Addresses
  /** Shows a request, and opens the wallet once it is approved. */
  readonly approve: (address: string, content: ApprovalView['content']) => Promise<void>
}
