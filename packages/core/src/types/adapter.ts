import type { TokenBalance } from './account.ts'
import type { Connector, Eip1193Provider, RelaySession } from './connector.ts'
import type { NodeRequest } from './environment.ts'
import type { CaipNetworkId, Namespace, Network } from './network.ts'

/** A connected wallet. The first account is the active one. */
export interface WalletSession {
  readonly accounts: readonly string[]
  readonly caipNetworkId: CaipNetworkId
  readonly provider: Eip1193Provider
  /** The session with a wallet that answers through a relay. */
  readonly relay?: RelaySession
}

/** Events of a connected wallet. */
export interface WalletListener {
  /** An empty list: the wallet was locked, or the site's permission was revoked. */
  accountsChanged(accounts: readonly string[]): void
  networkChanged(id: CaipNetworkId): void
  disconnected(): void
}

export interface TransferDraft {
  readonly from: string
  readonly to: string
  /** Contract of the token; absent for the native token. */
  readonly tokenAddress?: string
  /** The NFT to move instead; `amount` is then its count. */
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

export interface GasQuote {
  /** Wei per unit of gas. */
  readonly gasPrice: bigint
  /** Units of gas. */
  readonly gasLimit: bigint
  /** Wei a rollup takes on top for writing the transaction to its base chain; 0 elsewhere. */
  readonly dataFee: bigint
}

export interface SendTerms {
  /** The network that the visitor saw; the transfer is refused if the wallet is on another one. */
  readonly caipNetworkId: CaipNetworkId
  /**
   * Wei per unit of gas and gas units, both as shown: together they limit the fee. The wallet estimates them when
   * absent.
   */
  readonly gas?: { readonly price: bigint; readonly limit: bigint }
}

export type ReceiptStatus = 'success' | 'reverted' | 'pending'

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

/** Wallet requests other than transfers: loaded only for swaps and signatures. */
export interface Contracts {
  /**
   * Sends one call with the wallet.
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
  /** Signs a text (ERC-191 `personal_sign`); hex. */
  signMessage(
    session: WalletSession,
    from: string,
    message: string,
    caipNetworkId: CaipNetworkId,
  ): Promise<string>
  /**
   * Signs typed data (EIP-712).
   *
   * @param typedData JSON.
   */
  signTypedData(
    session: WalletSession,
    from: string,
    typedData: string,
    caipNetworkId: CaipNetworkId,
  ): Promise<string>
  /** Reports whether the wallet makes several calls atomically (EIP-5792). Throws when it does not answer. */
  carriesBatches(session: WalletSession, from: string, caipNetworkId: CaipNetworkId): Promise<boolean>
  /** Sends calls atomically with the wallet (EIP-5792); returns the id of the batch. */
  sendBatch(
    session: WalletSession,
    from: string,
    calls: readonly ContractCall[],
    caipNetworkId: CaipNetworkId,
  ): Promise<string>
  batchStatus(session: WalletSession, id: string): Promise<BatchStatus>
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
    session: WalletSession,
    contract: string,
    data: string,
    caipNetworkId: CaipNetworkId,
  ): Promise<string | undefined>
  /** Returns a token's decimals from the wallet's own node; undefined without a response. */
  decimals(session: WalletSession, token: string, caipNetworkId: CaipNetworkId): Promise<number | undefined>
  /** Reports whether an address is a contract that has no key of its own. */
  isContract(node: NodeRequest, address: string, signal?: AbortSignal): Promise<boolean>
}

/** Reads a chain and moves tokens on it: loaded only for sends. */
export interface Transfers {
  isAddress(text: string): boolean
  estimate(node: NodeRequest, draft: TransferDraft, signal?: AbortSignal): Promise<GasQuote>
  /** Signs and sends a transfer with the wallet; returns the transaction hash. */
  send(session: WalletSession, draft: TransferDraft, terms: SendTerms): Promise<string>
}

/** Everything that is specific to one namespace. */
export interface ChainAdapter {
  readonly namespace: Namespace
  /** @throws the wallet's own error when the visitor declines. */
  connect(connector: Connector): Promise<WalletSession>
  /** Restores an earlier permission without a prompt; undefined if it was revoked. */
  reconnect(connector: Connector): Promise<WalletSession | undefined>
  disconnect(connector: Connector): Promise<void>
  watch(session: WalletSession, listener: WalletListener): () => void
  switchNetwork(session: WalletSession, network: Network): Promise<void>
  /**
   * Returns the assets that the wallet itself lists; undefined for wallets that do not. Never throws or prompts, and
   * requests them once per network from a wallet that does not.
   */
  walletAssets(
    session: WalletSession,
    address: string,
    network: Network,
  ): Promise<readonly TokenBalance[] | undefined>
  /** Base units. */
  nativeBalance(node: NodeRequest, address: string, signal?: AbortSignal): Promise<bigint>
  /** Returns the outcome of a transaction. */
  receipt(node: NodeRequest, hash: string, signal?: AbortSignal): Promise<ReceiptStatus>
  transfers(): Promise<Transfers>
  contracts(): Promise<Contracts>
}
