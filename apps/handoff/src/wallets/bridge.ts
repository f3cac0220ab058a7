import type { ApprovedNamespace, ProposedNamespace } from '@hawser/walletconnect'

/** What a site proposes of one namespace. */
export interface Wanted extends ProposedNamespace {
  /** CAIP-2, the preferred one first. */
  readonly chains: readonly string[]
  /** Those of the chains without which the site takes no session. */
  readonly required: readonly string[]
}

/** A request of a site. */
export interface Call {
  /** CAIP-2. */
  readonly chainId: string
  readonly method: string
  readonly params: unknown
}

/** An event of the wallet, as a session has it. */
export interface WalletEvent {
  readonly name: string
  readonly data: unknown
  /** CAIP-2. */
  readonly chainId: string
}

/** Carries requests of sessions to the provider of a wallet in one namespace. */
export interface Bridge {
  /** Asks the wallet for accounts. Returns what it offers of what is wanted; undefined for nothing. Rejects as the wallet does. */
  approve(wanted: Wanted): Promise<ApprovedNamespace | undefined>
  /** Returns what the wallet offers now of what it had approved, without a prompt. */
  current(approved: ApprovedNamespace): Promise<ApprovedNamespace>
  /** Gives a request to the wallet. Rejects as the wallet does. */
  request(call: Call, approved: ApprovedNamespace): Promise<unknown>
  /** Listens for changes of accounts and network. Returns a function that stops it. */
  onChange(listener: (event?: WalletEvent) => void): () => void
}

/** Methods that send calls or give rights (EIP-5792, ERC-7715). */
const giving = ['wallet_sendCalls', 'wallet_grantPermissions', 'wallet_requestExecutionPermissions']

/** Reports whether a method signs or gives rights: what it does is shown before the wallet is asked. */
export function isSigning(method: string): boolean {
  return giving.includes(method) || /sign|^eth_send|sendTransaction|sendTransfer/i.test(method)
}
