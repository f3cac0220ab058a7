import type { AccountEntry, CaipNetworkId, ConnectorContext, SolanaProvider } from '@hawser/core'
import { accountsOf, chainOf, type Session, type SignClient } from '@hawser/walletconnect'
import { base58, base64 } from '@scure/base'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'
import { isPrompting } from './methods.ts'
import { asProviderError, unauthorized } from './sessionErrors.ts'

/** A Solana provider over the newest session, and what the client reports to it. */
export interface SolanaSession extends SolanaProvider {
  /** The accounts of the session changed, or it ended. */
  changed(): void
}

export interface SolanaSessionDeps {
  readonly client: SignClient
  readonly context: Pick<ConnectorContext, 'openWallet'>
  readonly current: () => Session | undefined
}

/** Size of a signature, and where that of the first signer is in a transaction: after their count. */
const SIGNATURE_SIZE = 64
const SIGNATURE_AT = 1

export function createSolanaSession({ client, context, current }: SolanaSessionDeps): SolanaSession {
  const listeners = new Set<(accounts: readonly AccountEntry[]) => void>()

  function solanaAccounts(): readonly string[] {
    return accountsOf(current()?.namespaces ?? {}).filter((account) => account.startsWith('solana:'))
  }

  function entries(): readonly AccountEntry[] {
    const addresses = solanaAccounts().map((account) => account.slice(chainOf(account).length + 1))
    return [...new Set(addresses)].map((address) => ({ address, type: 'eoa' }))
  }

  /** @param caipNetworkId the first network of the session when undefined. */
  async function request(
    method: string,
    params: object,
    caipNetworkId = solanaAccounts().map(chainOf)[0],
  ): Promise<Record<string, unknown>> {
    const topic = current()?.topic
    if (!topic || !caipNetworkId) throw unauthorized()
    const onSend = (id: number) => {
      if (isPrompting(method)) context.openWallet({ id, topic })
    }
    try {
      return Object(await client.request({ topic, chainId: caipNetworkId, method, params, onSend }))
    } catch (error) {
      throw asProviderError(error)
    }
  }

  return {
    get networks() {
      return [...new Set(solanaAccounts().map(chainOf))] as CaipNetworkId[]
    },

    connect: async () => entries(),

    onAccounts(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    async signMessage(address, message) {
      const params = { pubkey: address, message: base58.encode(message) }
      const { signature } = await request('solana_signMessage', params)
      return signatureOf(signature)
    },

    async signTransaction(address, transaction, caipNetworkId) {
      const params = { pubkey: address, feePayer: address, transaction: base64.encode(transaction) }
      const answer = await request('solana_signTransaction', params, caipNetworkId)
      // Wallets that change a transaction, as by a fee, return it whole; others return the signature alone.
      if (typeof answer.transaction === 'string') return base64.decode(answer.transaction)
      const signed = transaction.slice()
      signed.set(signatureOf(answer.signature), SIGNATURE_AT)
      return signed
    },

    changed() {
      for (const listener of [...listeners]) listener(entries())
    },
  }
}

/** @throws ProviderError for anything but the base58 text of 64 bytes. */
function signatureOf(text: unknown): Uint8Array {
  try {
    const signature = base58.decode(String(text))
    if (signature.length === SIGNATURE_SIZE) return signature
  } catch {
    // Not base58.
  }
  throw new ProviderError(providerErrorCode.internal, 'The wallet answered no signature.')
}
