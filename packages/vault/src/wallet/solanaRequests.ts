import { base58 } from '@scure/base'
import { fromBase64, toBase64 } from '../factors/factorKey.ts'
import { FrameError, providerErrorCode } from './frameError.ts'
import { type Node, UnansweredError } from './node.ts'
import type { SigningContext } from './signingContext.ts'
import { readMessage } from './solanaInstructions.ts'
import { readSigners, readSolanaTransaction, withSignature } from './solanaTransaction.ts'

/** Answers `solana_signMessage`: `message` in base 58, the signature likewise. */
export async function signMessage(
  { vault, addresses, chainId, approve }: SigningContext,
  params: unknown,
): Promise<unknown> {
  const { message, pubkey } = (Array.isArray(params) ? params[0] : params) ?? {}
  if (pubkey !== addresses.solana)
    throw new FrameError('The account is not one of this wallet', providerErrorCode.unauthorized)
  const bytes = decode(() => base58.decode(String(message)))
  // A signed message that is a valid transaction could be sent as one.
  if (readSigners(bytes))
    throw new FrameError('The message is a transaction', providerErrorCode.invalidParams)
  const hex = `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  await approve(chainId, addresses.solana, { kind: 'message', text: utf8(bytes), hex })
  return { signature: await vault.sign({ kind: 'solana', message: bytes }) }
}

/** Signs transactions in base 64 after one approval, and sends them if that is requested. */
export async function signTransactions(
  { vault, node, addresses, chainId, approve }: SigningContext,
  transactions: readonly unknown[],
  isSent: boolean,
): Promise<{ readonly transaction: string; readonly signature: string }[]> {
  const own = base58.decode(addresses.solana)
  const parsed = transactions.map((text) => {
    const bytes = decode(() => fromBase64(String(text)))
    const transaction = readSolanaTransaction(bytes)
    const message = transaction && readMessage(transaction.message)
    if (!message || !withSignature(bytes, transaction, own, new Uint8Array(64)))
      throw new FrameError(
        'The transaction is malformed, or not for this account',
        providerErrorCode.invalidParams,
      )
    return { bytes, transaction, message }
  })
  if (parsed.length === 0) throw new FrameError('There is nothing to sign', providerErrorCode.invalidParams)
  await approve(chainId, addresses.solana, {
    kind: 'solanaTransactions',
    transactions: parsed.map(({ bytes, message }) => ({ transaction: toBase64(bytes), message })),
  })

  const signed: { transaction: string; signature: string }[] = []
  for (const { bytes, transaction } of parsed) {
    const signature = await vault.sign({ kind: 'solana', message: transaction.message })
    const complete = withSignature(bytes, transaction, own, base58.decode(signature)) ?? bytes
    const text = toBase64(complete)
    if (isSent) await send(node, chainId, text)
    signed.push({ transaction: text, signature })
  }
  return signed
}

/** Sends a transaction. Without an answer it may have been sent: the site then follows it by its signature. */
async function send(node: Node, chainId: string, transaction: string): Promise<void> {
  try {
    await node(chainId, 'sendTransaction', [
      transaction,
      { encoding: 'base64', preflightCommitment: 'confirmed' },
    ])
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error
  }
}

function decode(read: () => Uint8Array): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(read())
  } catch {
    throw new FrameError('The data is malformed', providerErrorCode.invalidParams)
  }
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
