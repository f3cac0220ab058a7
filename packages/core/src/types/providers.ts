import type { AccountEntry } from './account.ts'
import type { CaipNetworkId, Namespace } from './network.ts'

/** An EIP-1193 provider. */
export interface Eip1193Provider {
  request(args: { method: string; params?: readonly unknown[] | object }): Promise<unknown>
  on?(event: string, listener: (payload: never) => void): unknown
  removeListener?(event: string, listener: (payload: never) => void): unknown
}

/** What the providers of wallets without EIP-1193 have in common. Such a wallet signs for the network that a call names. */
export interface AccountProvider {
  /** The networks that the wallet signs for; absent when it signs for all of its namespace. */
  readonly networks?: readonly CaipNetworkId[]
  /**
   * Returns the accounts that the site may use, the active one first.
   *
   * @param options.isSilent true: without a prompt, and an empty list when the permission was revoked.
   * @param options.caipNetworkId the network of the session: accounts of other networks are left out, also later, where
   * addresses tell them apart.
   * @throws the wallet's own error when the visitor declines.
   */
  connect(options?: {
    readonly isSilent?: boolean
    readonly caipNetworkId?: CaipNetworkId
  }): Promise<readonly AccountEntry[]>
  /** Ends the permission, in wallets that can. */
  disconnect?(): Promise<void>
  /** Subscribes to the accounts; an empty list when the wallet was locked. Returns a function that unsubscribes. */
  onAccounts(listener: (accounts: readonly AccountEntry[]) => void): () => void
}

/** A wallet of Solana accounts. Addresses are base58; transactions are in wire format. */
export interface SolanaProvider extends AccountProvider {
  /** Signs bytes; returns the 64 bytes of the signature (Ed25519). */
  signMessage(address: string, message: Uint8Array): Promise<Uint8Array>
  /**
   * Signs a transaction, and returns it with the account's signature; it is not sent. Absent in wallets that only
   * send transactions themselves.
   */
  signTransaction?(
    address: string,
    transaction: Uint8Array,
    caipNetworkId: CaipNetworkId,
  ): Promise<Uint8Array>
  /** Signs a transaction and sends it through the wallet's own node; returns the 64 bytes of the signature. */
  signAndSendTransaction?(
    address: string,
    transaction: Uint8Array,
    caipNetworkId: CaipNetworkId,
  ): Promise<Uint8Array>
}

/** A wallet of Bitcoin accounts. */
export interface BitcoinProvider extends AccountProvider {
  /** Signs a text (BIP-322, or the older format for P2PKH); base64. */
  signMessage(address: string, message: string): Promise<string>
  /**
   * Signs inputs of a transaction (BIP-174) and returns it; it is not sent.
   *
   * @param inputs indexes of the inputs that `address` signs.
   */
  signPsbt(
    address: string,
    psbt: Uint8Array,
    inputs: readonly number[],
    caipNetworkId: CaipNetworkId,
  ): Promise<Uint8Array>
}

/** An extension with Polkadot accounts, by SS58 address. */
export interface PolkadotProvider extends AccountProvider {
  /** Signs bytes, which the extension shows as a text; hex. */
  signMessage(address: string, message: Uint8Array): Promise<string>
  /**
   * Signs an extrinsic; hex.
   *
   * @param payload as `SignerPayloadJSON` of the injected extensions has it.
   */
  signPayload(
    address: string,
    payload: Readonly<Record<string, unknown>>,
    caipNetworkId: CaipNetworkId,
  ): Promise<string>
}

/** The provider of each namespace's wallets. */
export interface Providers {
  readonly eip155: Eip1193Provider
  readonly solana: SolanaProvider
  readonly bip122: BitcoinProvider
  readonly polkadot: PolkadotProvider
}

/** The provider of a wallet of any namespace. */
export type WalletProvider = Providers[Namespace]
