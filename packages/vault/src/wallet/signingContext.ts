import type { Addresses } from '../keys/derive.ts'
import type { Session } from '../permissions/session.ts'
import type { BundlerClient } from '../smartAccount/bundlerClient.ts'
import type { SmartAccounts } from '../smartAccount/smartAccount.ts'
import type { Vault } from '../vault/vault.ts'
import type { Approvals } from './approvals.ts'
import type { ApprovalView, GrantView } from './approvalView.ts'
import type { Node } from './node.ts'
import type { Preview } from './preview.ts'

export interface RequestsOptions {
  readonly vault: Vault
  readonly node: Node
  readonly approvals: Approvals
  /** Origin of the page that embeds the frame. */
  readonly site: string
  /** CAIP-2 id of the network in use. */
  readonly network: () => string
  /** Reports whether the gateway serves a network. @throws Error when its list cannot be loaded */
  readonly isListed: (chainId: string) => Promise<boolean>
  readonly smartAccounts: SmartAccounts
  readonly bundler: BundlerClient
  /** Unix milliseconds. */
  readonly now: () => number
  /** The type of account that the user prefers. */
  readonly preferredAccount: () => 'eoa' | 'smartAccount'
}

/** The context of a method that is answered without a click. */
export interface AnswerContext extends RequestsOptions {
  readonly chainId: string
  /** Returns the addresses of the signed-in user. @throws FrameError 4100 */
  readonly addresses: () => Promise<Addresses>
}

/** The context of a signing method. */
export interface SigningContext extends RequestsOptions {
  readonly chainId: string
  readonly addresses: Addresses
  /** Shows a session that a site requests, and opens the wallet once it is approved. Returns it within the limits that the user chose. */
  readonly approveGrant: (view: Omit<GrantView, 'site'>) => Promise<Session>
  /**
   * Shows a request with the network that it is for, and opens the wallet once it is approved. Returns the preview that was shown.
   *
   * @throws FrameError for a network that the gateway does not serve, and for a request that cannot be previewed
   */
  readonly approve: (
    chainId: string,
    address: string,
    content: ApprovalView['content'],
  ) => Promise<Preview | undefined>
}
