import type { Message } from '@hawser/texts/message'
import type { Approval } from './access.ts'
import type { AccountEntry, TokenBalance } from './account.ts'
import type { ActivityPage, SentCall } from './activity.ts'
import type { Connector, RelaySession } from './connector.ts'
import type { NodeRequest } from './environment.ts'
import type { CaipNetworkId, Namespace, Network } from './network.ts'
import type { Providers } from './providers.ts'

/** A connected wallet. The first account is the active one. */
export interface WalletSession<N extends Namespace = Namespace> {
  readonly accounts: readonly AccountEntry[]
  readonly caipNetworkId: CaipNetworkId
  readonly provider: Providers[N]
  /** The networks that the wallet signs for; absent when it signs for all. */
  readonly networks?: readonly CaipNetworkId[]
  /** The session with a wallet that answers through a relay. */
  readonly relay?: RelaySession
  /** True if only this page can open the session, so that nothing stored connects it again. */
  readonly endsWithTab?: true
}

/** Events of a connected wallet. */
export interface WalletListener {
  /** An empty list: the wallet was locked, or the site's permission was revoked. */
  accountsChanged(accounts: readonly AccountEntry[]): void
  networkChanged(id: CaipNetworkId): void
  disconnected(): void
}

export interface TransferDraft {
  readonly from: string
  readonly to: string
  /** Contract of the token; absent for the native token. */
  readonly tokenAddress?: string
  /** Decimals of the token that its amount was shown with. */
  readonly decimals?: number
  /** The NFT to move instead; `amount` is then the number of its tokens. */
  readonly nft?: NftReference
  /** Base units. */
  readonly amount: bigint
  /** True for the quote of all of a native balance: `amount` is a part of it, because the fee is taken from it too. */
  readonly isMax?: boolean
}

export interface NftReference {
  /** Plain address. */
  readonly contract: string
  readonly tokenId: bigint
  readonly standard: 'erc721' | 'erc1155'
}

/** How an adapter reaches a network. */
export interface NetworkAccess {
  readonly caipNetworkId: CaipNetworkId
  /** The network's node, behind the gateway. */
  readonly node: NodeRequest
}

/** How soon a transfer should be in a block, on networks where the sender chooses. */
export type FeeSpeed = 'slow' | 'normal' | 'fast'

/** The cost of a transfer in addition to its amount. */
export interface FeeQuote {
  /** The most that it takes from the sender in native base units: the network's fee and `rent`. */
  readonly amount: bigint
  /** Native base units of `amount` that pay for an account which has to be created for the receiver. */
  readonly rent?: bigint
  /** Native base units that have to stay with the sender in addition. */
  readonly reserve?: bigint
  /** Native base units that the receiver has to get at least, where accounts or outputs of less do not exist. */
  readonly minimum?: bigint
  /** Base units of the moved token that the token itself withholds from the receiver. */
  readonly tokenFee?: bigint
  readonly terms: FeeTerms
}

/** The parts of the fee, and what the transaction is signed with. */
export type FeeTerms =
  | {
      readonly namespace: 'eip155'
      /** Wei per unit of gas. */
      readonly gasPrice: bigint
      /** Units of gas. */
      readonly gasLimit: bigint
      /** Wei a rollup takes on top for writing the transaction to its base chain; 0 elsewhere. */
      readonly dataFee: bigint
    }
  | {
      readonly namespace: 'solana'
      /** Micro-lamports per compute unit. */
      readonly computeUnitPrice: bigint
      readonly computeUnitLimit: number
    }
  | {
      readonly namespace: 'bip122'
      readonly speed: FeeSpeed
      /** Satoshis per virtual byte. */
      readonly feeRate: number
      /** Virtual bytes. */
      readonly size: number
    }
  | { readonly namespace: 'polkadot' }

export interface SendTerms {
  /** The network that the visitor saw; the transfer is refused if the wallet is on another one. */
  readonly caipNetworkId: CaipNetworkId
  /** The fee as it was shown, which limits what is paid. The wallet or the adapter estimates it when absent. */
  readonly fee?: FeeQuote
}

/**
 * How a sent transaction stands.
 *
 * - `expired`: it is in no block and cannot be included any more.
 * - `cancelled`, `replaced`: another transaction of the sender used its nonce: one that does nothing, or any other.
 * - `unknown`: it is in no block and no node knows it, though it could still be included.
 */
export type ReceiptStatus =
  | 'success'
  | 'reverted'
  | 'pending'
  | 'expired'
  | 'cancelled'
  | 'replaced'
  | 'unknown'

/** How a sent transaction stands, perhaps as another transaction that took its place. */
export interface SentState {
  readonly status: ReceiptStatus
  /** Hash of the transaction of this status. */
  readonly hash: string
  readonly call: SentCall
}

/** Why a transfer would fail: what the page found, or the reason that a contract or a program gives, which may be empty. */
export type TransferRefusal = { readonly page: Message } | { readonly chain: string }

/** A contract call for the wallet to make. */
export interface ContractCall {
  /** Plain address. */
  readonly to: string
  /** Hex. */
  readonly data: string
  /** Wei. */
  readonly value: bigint
}

/** State of a batch; `hash` once it is in a block. */
export interface BatchStatus {
  readonly status: ReceiptStatus
  readonly hash: string | undefined
}

/** Requests of contract calls, typed data and batches, in namespaces that have contracts: loaded only when used. */
export interface Contracts<N extends Namespace = Namespace> {
  /**
   * Sends one call with the wallet.
   *
   * @param gasLimit units; the wallet's own estimate when undefined.
   * @returns the transaction hash.
   */
  send(
    session: WalletSession<N>,
    from: string,
    call: ContractCall,
    caipNetworkId: CaipNetworkId,
    gasLimit?: bigint,
  ): Promise<string>
  /**
   * Signs typed data (EIP-712).
   *
   * @param typedData JSON.
   */
  signTypedData(
    session: WalletSession<N>,
    from: string,
    typedData: string,
    caipNetworkId: CaipNetworkId,
  ): Promise<string>
  /** Reports whether the wallet makes several calls atomically (EIP-5792). Throws when it does not answer. */
  carriesBatches(session: WalletSession<N>, from: string, caipNetworkId: CaipNetworkId): Promise<boolean>
  /** Sends calls atomically with the wallet (EIP-5792); returns the id of the batch. */
  sendBatch(
    session: WalletSession<N>,
    from: string,
    calls: readonly ContractCall[],
    caipNetworkId: CaipNetworkId,
  ): Promise<string>
  batchStatus(session: WalletSession<N>, id: string): Promise<BatchStatus>
  /**
   * Returns the base units of a token that a mined transaction paid to an account; undefined when they cannot be
   * read.
   */
  received(node: NodeRequest, hash: string, token: string, owner: string): Promise<bigint | undefined>
  /** Returns the base units of a token that an account holds. */
  balanceOf(node: NodeRequest, token: string, owner: string, signal?: AbortSignal): Promise<bigint>
  /**
   * Calls a contract through the wallet's own node (`eth_call` at the latest block).
   *
   * @param data call data, hex.
   * @returns the result as a word, 0x and 64 lower-case digits; undefined for any other result.
   * @throws the wallet's own error, as when the contract reverts.
   */
  readWord(
    session: WalletSession<N>,
    contract: string,
    data: string,
    caipNetworkId: CaipNetworkId,
  ): Promise<string | undefined>
  /** Returns a token's decimals from the wallet's own node; undefined without a response. */
  decimals(
    session: WalletSession<N>,
    token: string,
    caipNetworkId: CaipNetworkId,
  ): Promise<number | undefined>
  /** Reports whether an address is a contract that has no key of its own. */
  isContract(node: NodeRequest, address: string, signal?: AbortSignal): Promise<boolean>
}

/** Reads a chain and moves tokens on it: loaded only for sends. */
export interface Transfers<N extends Namespace = Namespace> {
  /**
   * Reports whether a text is an address of the namespace, with a valid checksum where it has one. Where networks have
   * addresses of their own, it has to be one of `network`.
   */
  isAddress(text: string, network?: CaipNetworkId): boolean
  /**
   * Returns a valid address in the form of one network, where each network writes the same account differently.
   *
   * @throws the node's error.
   */
  localAddress?(address: string, network: NetworkAccess): Promise<string>
  /** Returns the call that moves the draft's asset, in namespaces that have contracts. */
  call?(draft: TransferDraft): ContractCall
  /**
   * Returns the transaction that moves the draft's asset, unsigned and in base64, in namespaces where it is previewed.
   *
   * @param fee as it was quoted; the preview has no priority fee without one.
   * @throws UnsendableError when the chain shows that it would fail; the node's error.
   */
  transaction?(
    network: NetworkAccess,
    draft: TransferDraft,
    fee: FeeQuote | undefined,
    signal: AbortSignal,
  ): Promise<string>
  /**
   * Reads what a transfer costs.
   *
   * @param options.speed `normal` by default.
   * @throws the node's error, as when the transfer would fail; DecimalsError when the token has other decimals than
   * the draft and the adapter reads them.
   */
  quote(
    network: NetworkAccess,
    draft: TransferDraft,
    options?: { readonly speed?: FeeSpeed; readonly signal?: AbortSignal },
  ): Promise<FeeQuote>
  /** Signs a transfer with the wallet and sends it; returns the transaction's hash, in Solana its signature. */
  send(
    session: WalletSession<N>,
    draft: TransferDraft,
    terms: SendTerms,
    network: NetworkAccess,
  ): Promise<string>
}

/** What a wallet was requested to sign, for a preview. */
export type RevocationSubject =
  | { readonly calls: readonly ContractCall[] }
  /** Transaction of Solana in base64. */
  | { readonly transaction: string }

/** What a wallet sent to end approvals: a transaction, or a batch of calls by its id (EIP-5792). */
export type SentRevocation =
  | {
      readonly hash: string
      /** What was sent, where a wallet may send it again with another hash. */
      readonly call?: ContractCall
    }
  | { readonly batch: string }

/** Ends approvals: loaded only for that. */
export interface Revocations<N extends Namespace = Namespace> {
  /** Divides approvals into those that one request of the wallet ends together, in order. Never throws. */
  divide(
    session: WalletSession<N>,
    from: string,
    approvals: readonly Approval[],
    network: NetworkAccess,
  ): Promise<readonly (readonly Approval[])[]>
  /**
   * Returns what is signed to end approvals.
   *
   * @throws the node's error.
   */
  subject(
    network: NetworkAccess,
    from: string,
    approvals: readonly Approval[],
    signal: AbortSignal,
  ): Promise<RevocationSubject>
  /**
   * Ends approvals with one request of the wallet: those of one item of `divide`.
   *
   * @param isSmart whether `from` is a smart account of the embedded wallet, whose fee a sponsor may pay.
   * @throws the wallet's or the node's error.
   */
  send(
    session: WalletSession<N>,
    from: string,
    approvals: readonly Approval[],
    network: NetworkAccess,
    isSmart: boolean,
  ): Promise<SentRevocation>
}

/** Everything that is specific to one namespace. */
export interface ChainAdapter<N extends Namespace = Namespace> {
  readonly namespace: N
  /**
   * Whether the networks are read through a service of the gateway for this namespace only. Such networks
   * have no JSON-RPC endpoint, and are not in the list of those that have. The service refuses networks that
   * it does not serve.
   */
  readonly hasOwnService?: true
  /**
   * Connects a wallet.
   *
   * @param network the namespace's network, for wallets that are on none themselves.
   * @throws the wallet's own error when the visitor declines.
   */
  connect(connector: Connector<N>, network: Network): Promise<WalletSession<N>>
  /** Restores an earlier permission without a prompt; undefined if it was revoked. @throws Error when the wallet does not answer */
  reconnect(connector: Connector<N>, network: Network): Promise<WalletSession<N> | undefined>
  disconnect(connector: Connector<N>): Promise<void>
  watch(session: WalletSession<N>, listener: WalletListener): () => void
  /**
   * Moves a session to another network: requests it from the wallet, or reports the accounts as that network writes them.
   * Absent where nothing in a session depends on the network.
   */
  switchNetwork?(session: WalletSession<N>, network: Network): Promise<void>
  /** Reports whether two addresses are of one account; absent where each network writes it in the same way. */
  isSameAccount?(a: string, b: string): boolean
  /**
   * Returns the assets that the wallet itself lists; undefined for wallets that do not list any. Never throws
   * or prompts. A wallet that does not list assets is asked once per network.
   */
  walletAssets?(
    session: WalletSession<N>,
    address: string,
    network: Network,
  ): Promise<readonly TokenBalance[] | undefined>
  /** Base units. */
  nativeBalance(network: NetworkAccess, address: string, signal?: AbortSignal): Promise<bigint>
  /**
   * Reads a page of the history of an address, newest first; absent where the activity service has it.
   *
   * @param cursor `next` of the page before; undefined for the newest.
   */
  history?(
    network: Network,
    address: string,
    cursor: string | undefined,
    signal?: AbortSignal,
  ): Promise<ActivityPage>
  /**
   * Returns the outcome of a transaction.
   *
   * @param lastBlock what `lastBlock` returned when the transaction was sent, perhaps before the page was loaded again.
   */
  receipt(
    network: NetworkAccess,
    hash: string,
    signal?: AbortSignal,
    lastBlock?: string,
  ): Promise<ReceiptStatus>
  /**
   * Returns how a transaction without a receipt stands. Absent where no other transaction can take its place.
   *
   * @param call what the last look returned.
   */
  sentState?(network: NetworkAccess, hash: string, call: SentCall): Promise<SentState>
  /**
   * Returns the last block height at which a transaction that was just sent can be included, in decimal; undefined
   * when it is not known. Absent where transactions do not expire.
   */
  lastBlock?(hash: string): string | undefined
  /**
   * Returns why a call would fail or was refused, from the error of `quote`, a node or a wallet; undefined if the error does
   * not say so. Absent in namespaces without contracts.
   */
  refusalOf?(error: unknown): Promise<TransferRefusal | undefined>
  /** Returns why a transaction failed that `receipt` reported as `reverted`, as a sentence; undefined if unknown. */
  failureOf?(hash: string): string | undefined
  /** Signs a text with an account; hex in eip155 and polkadot, base58 in solana, base64 in bip122. */
  signMessage(
    session: WalletSession<N>,
    from: string,
    message: string,
    caipNetworkId: CaipNetworkId,
  ): Promise<string>
  transfers(): Promise<Transfers<N>>
  /** Absent in namespaces without contracts. */
  contracts?(): Promise<Contracts<N>>
  /** Absent where accounts give no approvals. */
  revocations?(): Promise<Revocations<N>>
}
