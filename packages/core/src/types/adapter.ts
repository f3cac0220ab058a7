import type { TokenBalance } from './account.ts'
import type { Connector, Eip1193Provider } from './connector.ts'
import type { CaipNetworkId, Namespace, Network } from './network.ts'

/** What a wallet answered when it was asked to connect. The first account is the one in use. */
export interface WalletSession {
  readonly accounts: readonly string[]
  readonly caipNetworkId: CaipNetworkId
  readonly provider: Eip1193Provider
}

/** What a connected wallet may tell on its own. */
export interface WalletListener {
  /** An empty list means the wallet was locked or the site's permission was taken back. */
  accountsChanged(accounts: readonly string[]): void
  networkChanged(id: CaipNetworkId): void
  disconnected(): void
}

export interface TransferDraft {
  readonly from: string
  readonly to: string
  /** Contract of the token; absent for the native token. */
  readonly tokenAddress?: string
  /** The NFT to move instead; `amount` then counts how many of it. */
  readonly nft?: NftReference
  /** Base units. */
  readonly amount: bigint
}

export interface NftReference {
  /** Plain address. */
  readonly contract: string
  readonly tokenId: bigint
  readonly standard: 'erc721' | 'erc1155'
}

/** Asks a chain's node through the gateway, under the deadline of the gateway's client. */
export type NodeRequest = (
  method: string,
  params: readonly unknown[],
  signal?: AbortSignal,
) => Promise<unknown>

export interface GasQuote {
  /** Wei per unit of gas. */
  readonly gasPrice: bigint
  /** Units of gas. */
  readonly gasLimit: bigint
  /** Wei a rollup takes on top for writing the transaction to its base chain; 0 elsewhere. */
  readonly dataFee: bigint
}

export interface SendTerms {
  /** The network the visitor saw: a wallet that is on another one by now is refused. */
  readonly caipNetworkId: CaipNetworkId
  /**
   * Wei per unit of gas and units, both as the visitor saw them: together they bound the fee. The wallet's own estimate when
   * absent.
   */
  readonly gas?: { readonly price: bigint; readonly limit: bigint }
}

export type ReceiptStatus = 'success' | 'reverted' | 'pending'

/** A call of a contract, as a wallet is asked to make it. */
export interface ContractCall {
  /** Plain address. */
  readonly to: string
  /** Hex. */
  readonly data: string
  /** Wei. */
  readonly value: bigint
}

/** How far a batch is; `hash` as soon as it is in a block. */
export interface BatchStatus {
  readonly status: ReceiptStatus
  readonly hash: string | undefined
}

/** What a wallet is asked besides moving tokens: loaded only when somebody swaps or signs. */
export interface Contracts {
  /**
   * Asks the wallet to make one call.
   *
   * @param gasLimit units; the wallet's own estimate when undefined.
   * @returns the transaction hash.
   */
  send(
    session: WalletSession,
    from: string,
    call: ContractCall,
    caipNetworkId: CaipNetworkId,
    gasLimit?: bigint,
  ): Promise<string>
  /** Asks for a signature of a text (ERC-191 `personal_sign`), hex. */
  signMessage(
    session: WalletSession,
    from: string,
    message: string,
    caipNetworkId: CaipNetworkId,
  ): Promise<string>
  /**
   * Asks for a signature of typed data (EIP-712).
   *
   * @param typedData JSON.
   */
  signTypedData(
    session: WalletSession,
    from: string,
    typedData: string,
    caipNetworkId: CaipNetworkId,
  ): Promise<string>
  /** Whether the wallet carries out several calls at once or not at all (EIP-5792). Throws when it cannot say. */
  carriesBatches(session: WalletSession, from: string, caipNetworkId: CaipNetworkId): Promise<boolean>
  /** Asks the wallet to make all calls at once or none (EIP-5792); answers the batch's id. */
  sendBatch(
    session: WalletSession,
    from: string,
    calls: readonly ContractCall[],
    caipNetworkId: CaipNetworkId,
  ): Promise<string>
  batchStatus(session: WalletSession, id: string): Promise<BatchStatus>
  /**
   * Base units of a token that a transaction in a block brought its owner, all in all; undefined when that cannot be
   * read.
   */
  received(node: NodeRequest, hash: string, token: string, owner: string): Promise<bigint | undefined>
  /** Base units of a token that an account holds. */
  balanceOf(node: NodeRequest, token: string, owner: string, signal?: AbortSignal): Promise<bigint>
  /**
   * Reads a contract through the wallet's own node (`eth_call` at the latest block).
   *
   * @param data call data, hex.
   * @returns the word that it answers, 0x and 64 lower-case digits; undefined when it answers anything else.
   * @throws the wallet's own error, as when the contract reverts.
   */
  readWord(
    session: WalletSession,
    contract: string,
    data: string,
    caipNetworkId: CaipNetworkId,
  ): Promise<string | undefined>
  /** What the wallet's own node says of a token's decimals; undefined when it does not. */
  decimals(session: WalletSession, token: string, caipNetworkId: CaipNetworkId): Promise<number | undefined>
  /** Whether an address is a contract that signs nothing itself. */
  isContract(node: NodeRequest, address: string, signal?: AbortSignal): Promise<boolean>
}

/** Reading a chain and moving tokens on it: loaded only when somebody sends. */
export interface Transfers {
  isAddress(text: string): boolean
  estimate(node: NodeRequest, draft: TransferDraft, signal?: AbortSignal): Promise<GasQuote>
  /** Asks the wallet to sign and send; answers the transaction hash. */
  send(session: WalletSession, draft: TransferDraft, terms: SendTerms): Promise<string>
}

/** All that is particular to one namespace. */
export interface ChainAdapter {
  readonly namespace: Namespace
  /** @throws the wallet's own error when the visitor declines. */
  connect(connector: Connector): Promise<WalletSession>
  /** Asks for what was granted before without a prompt; undefined when nothing is granted any more. */
  reconnect(connector: Connector): Promise<WalletSession | undefined>
  disconnect(connector: Connector): Promise<void>
  watch(session: WalletSession, listener: WalletListener): () => void
  switchNetwork(session: WalletSession, network: Network): Promise<void>
  /**
   * What the wallet itself says an account holds, for wallets that know; undefined for all others. Never throws,
   * never prompts, and asks a wallet that does not know once per network.
   */
  walletAssets(
    session: WalletSession,
    address: string,
    network: Network,
  ): Promise<readonly TokenBalance[] | undefined>
  /** Base units. */
  nativeBalance(node: NodeRequest, address: string, signal?: AbortSignal): Promise<bigint>
  /** How a transaction ended, if it has. */
  receipt(node: NodeRequest, hash: string, signal?: AbortSignal): Promise<ReceiptStatus>
  transfers(): Promise<Transfers>
  contracts(): Promise<Contracts>
}
