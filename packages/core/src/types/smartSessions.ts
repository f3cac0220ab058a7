import type { CaipAddress, CaipNetworkId } from './network.ts'

/** A key that may use a session. */
export interface SmartSessionKey {
  readonly type: 'secp256k1' | 'secp256r1'
  /** 0x and hex digits. */
  readonly publicKey: string
}

/** The functions of a contract that a session may call. */
export interface ContractCallPermission {
  readonly type: 'contract-call'
  readonly data: {
    /** Plain address. */
    readonly address: string
    readonly abi: readonly object[]
    readonly functions: readonly {
      readonly functionName: string
      /** Rules of the arguments by position; null for none. */
      readonly args?: readonly ({
        readonly operator: 'EQUAL' | 'GREATER_THAN' | 'LESS_THAN'
        /** A word, 0x and hex digits. */
        readonly value: string
      } | null)[]
      /** The most native currency of one call in wei, 0x and hex digits. */
      readonly valueLimit?: string
    }[]
  }
}

/** How much a session may spend in each period. Amounts are 0x and hex digits in base units, times are in seconds. */
export type AllowancePermission =
  | {
      readonly type: 'native-token-recurring-allowance'
      readonly data: { readonly allowance: string; readonly start: number; readonly period: number }
    }
  | {
      readonly type: 'erc20-recurring-allowance'
      readonly data: {
        /** Plain address. */
        readonly token: string
        readonly allowance: string
        readonly start: number
        readonly period: number
      }
    }

/** What a session may do (ERC-7715). */
export type SmartSessionPermission = ContractCallPermission | AllowancePermission

/** A limit of a session as a whole: `call-limit` with `{count}`. */
export interface SmartSessionPolicy {
  readonly type: string
  readonly data: unknown
}

/** What a site requests of an account (ERC-7715). */
export interface SmartSessionRequest {
  /** EIP-695 hex of the active network. */
  readonly chainId: string
  /** Plain address; the active account by default. */
  readonly address?: string
  /** Unix seconds, at most 30 days ahead. */
  readonly expiry: number
  /** The site's own key. */
  readonly signer: { readonly type: 'keys'; readonly data: { readonly keys: readonly SmartSessionKey[] } }
  readonly permissions: readonly SmartSessionPermission[]
  readonly policies: readonly SmartSessionPolicy[]
}

/** What an account granted: at most what was requested. */
export interface SmartSessionGrant extends SmartSessionRequest {
  readonly address: string
  /** Id of the session (a UUID) for `wallet_prepareCalls`. */
  readonly context: string
}

/** `revoking` from the revocation on until the chain refuses the session as well. */
export type SmartSessionStatus = 'active' | 'revoking' | 'revoked' | 'expired'

/** A limit of a session and how much of it is spent in the current period, in base units. */
export interface SmartSessionAllowance {
  /** Plain address; empty for the native currency. */
  readonly token: string
  readonly allowed: bigint
  /** Undefined when the chain did not answer. */
  readonly spent: bigint | undefined
  /** Seconds. */
  readonly period: number
  /** Unix seconds when the current period ends. */
  readonly renewsAt: number
}

/** A session that an account granted. Times are Unix seconds. */
export interface SmartSession {
  /** A UUID. */
  readonly pci: string
  readonly project: { readonly id: string; readonly name: string; readonly url: string | undefined }
  readonly caipNetworkId: CaipNetworkId
  readonly status: SmartSessionStatus
  readonly createdAt: number
  readonly expiry: number
  readonly revokedAt: number | undefined
  readonly permissions: readonly SmartSessionPermission[]
  readonly allowances: readonly SmartSessionAllowance[]
  /** How often the session may be used, 0 for without a limit. */
  readonly callsAllowed: number
  /** Undefined when the chain did not answer. */
  readonly callsMade: number | undefined
  /** Delegation chain of ERC-7710, ABI-encoded; undefined before the grant. */
  readonly context: string | undefined
  /** 0x and 64 hex digits; empty before the grant. */
  readonly delegationHash: string
}

/** The sessions of the active account. */
export interface SmartSessionsState {
  /** CAIP-10 account that the sessions are of; undefined while none are read. */
  readonly owner?: CaipAddress | undefined
  /** `unread` until the account has proved that it may read them. */
  readonly status: 'unread' | 'reading' | 'read' | 'failed'
  /** Newest first. */
  readonly sessions: readonly SmartSession[]
  /** Id of the session whose revocation is being signed. */
  readonly revoking?: string | undefined
}
