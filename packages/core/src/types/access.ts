import type { MessageData } from '@hawser/client'
import type {
  ApprovedToken,
  Approval as ListedApproval,
  Delegation as ListedDelegation,
  Spender,
} from '@hawser/client/access'
import type { CaipAddress } from './network.ts'
import type { PreviewState } from './preview.ts'

/** What one spender may take from the account without asking again. */
export interface Approval extends Omit<MessageData<ListedApproval>, 'token' | 'spender'> {
  /** Unique among the approvals of an account; the same when they are read again. */
  readonly id: string
  readonly token: MessageData<ApprovedToken>
  readonly spender: MessageData<Spender>
}

/** The code that an account delegated to (EIP-7702). */
export type Delegation = MessageData<ListedDelegation>

/** An approval by its token and its spender: plain addresses, in any case. */
export interface ApprovalReference {
  readonly token: string
  readonly spender: string
}

/**
 * How far a request to the wallet is: not made yet, waiting for the wallet, waiting for its block, in a block, or not. A
 * request that `failed` is made again when the visitor tries again.
 */
export type RevocationStepState = 'next' | 'wallet' | 'chain' | 'done' | 'failed'

/** One request to the wallet, and the approvals that it ends. */
export interface RevocationStep {
  readonly approvals: readonly Approval[]
  readonly state: RevocationStepState
}

/** Approvals that the visitor wants to end. */
export interface Revocation {
  readonly owner: CaipAddress
  readonly approvals: readonly Approval[]
  /** The requests to the wallet, in order; undefined until it is known whether the wallet makes several calls in one. */
  readonly steps: readonly RevocationStep[] | undefined
  /** True from the visitor's confirmation until the last request has ended. */
  readonly isWorking: boolean
  /** What the requests would do; undefined for an embedded wallet, which shows its own preview. */
  readonly preview: PreviewState | undefined
}

/** Who may move what the active account has. A member that is not known yet is absent. */
export interface AccessState {
  /** The account that gave the approvals. */
  readonly owner?: CaipAddress | undefined
  /** Absent until the first answer. */
  readonly isLoaded?: boolean
  readonly isReading?: boolean
  /** True when the last read failed. */
  readonly hasFailed?: boolean
  /** What is at risk most comes first. */
  readonly approvals: readonly Approval[]
  readonly delegation?: Delegation | undefined
  /** The gateway still reads older blocks; more approvals may follow. */
  readonly isBackfilling?: boolean
  /** Oldest block that was read for approvals, in decimal; empty where the chain itself lists them all. */
  readonly fromBlock?: string
  /** The account has more approvals than the gateway lists. */
  readonly isTruncated?: boolean
  /** Ids of the approvals that the visitor ticked. */
  readonly selected: readonly string[]
  /** The approval whose details were asked for from elsewhere, as after a dangerous one was signed. */
  readonly wanted?: ApprovalReference | undefined
  readonly revocation?: Revocation | undefined
}
