import type { Message } from '@hawser/texts/message'
import type { Connector } from './connector.ts'
import type { SelectedWallet } from './directory.ts'
import type { Namespace } from './network.ts'

/** An outcome whose only effect is a toast. */
export type NoticeKind = 'addressCopied' | FailureKind

/** A failure whose only effect is a toast. */
type FailureKind =
  | 'addressNotCopied'
  | 'balancesFailed'
  | 'disconnectFailed'
  | 'historyFailed'
  | 'nameChangeBlocked'
  | 'signInUnavailable'
  | 'swapGasFailed'
  | 'swapPlanFailed'
  | 'swapUnavailable'

/**
 * What an action did, for `modal/flows.ts` to select the view and toast that follow. A `message` is a text of the
 * catalogue for the visitor.
 */
export type Outcome =
  | ({ readonly kind: NoticeKind } & Message)
  /** Something that had failed works again, or is retried. Without a message: any failure. */
  | { readonly kind: 'failureEnded'; readonly message?: string }

  // Connection
  | { readonly kind: 'connectorSelected'; readonly connector: Connector }
  /**
   * A wallet outside this page was selected, to be paired; without a wallet, any wallet that scans the code.
   */
  | { readonly kind: 'walletSelected'; readonly wallet?: SelectedWallet }
  | { readonly kind: 'connected' }
  /** The account of the active namespace is no longer connected. */
  | { readonly kind: 'sessionEnded' }
  | {
      readonly kind: 'disconnecting'
      readonly isPending: boolean
      readonly namespace?: Namespace | undefined
    }
  /** The wallet uses another account. */
  | { readonly kind: 'accountChanged' }

  // Sign-in
  /** The active account has to sign in. */
  | { readonly kind: 'signInNeeded' }
  | ({ readonly kind: 'signInFailed'; readonly isDeclined: boolean } & Message)
  | { readonly kind: 'signInCancelled' }
  /** The messages that a wallet signed with its pairing are being verified; `authenticated` ends it. */
  | ({ readonly kind: 'authenticating' } & Message)
  | { readonly kind: 'authenticated' }
  | { readonly kind: 'signedIn' }
  /** The active account does not have to sign in on its network. */
  | { readonly kind: 'signInSkipped' }

  // Network
  /** The active network is not one that the site lists. */
  | { readonly kind: 'networkRefused' }
  /** The wallet moved to a network that the site lists. */
  | { readonly kind: 'networkAccepted' }
  /** The visitor switched the network. */
  | { readonly kind: 'networkSwitched' }
