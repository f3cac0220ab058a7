import type { SolanaProvider } from '@hawser/core'
import { base58, base64 } from '@scure/base'
import {
  type AccountCall,
  type AccountMethods,
  createAccountBridge,
  type Params,
  textOf,
} from './accounts.ts'
import type { Bridge } from './bridge.ts'

const KEY_SIZE = 32
const SIGNATURE_SIZE = 64
/** Ids that older wallets have for the networks. */
const olderIds = ['solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ', 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K']

/** Creates the bridge to a Solana wallet: the methods of WalletConnect's `solana` namespace. */
export function createSolanaBridge(provider: SolanaProvider): Bridge {
  /** Returns the account that a request names, or the first one. */
  function signerOf(params: Params, { address, addresses }: AccountCall): string {
    const named = params.pubkey ?? params.feePayer
    return addresses.find((each) => each === named) ?? address
  }

  async function listAccounts(_: Params, { addresses }: AccountCall): Promise<unknown> {
    return addresses.map((pubkey) => ({ pubkey }))
  }

  const { signTransaction, signAndSendTransaction } = provider
  const handlers: AccountMethods['handlers'] = {
    solana_getAccounts: listAccounts,
    solana_requestAccounts: listAccounts,
    async solana_signMessage(params, call) {
      const message = base58.decode(textOf(params, 'message'))
      return { signature: base58.encode(await provider.signMessage(signerOf(params, call), message)) }
    },
    ...(signTransaction && {
      async solana_signTransaction(params, call) {
        const address = signerOf(params, call)
        const transaction = base64.decode(textOf(params, 'transaction'))
        const signed = await signTransaction(address, transaction, call.caipNetworkId)
        return { signature: base58.encode(signatureOf(signed, address)), transaction: base64.encode(signed) }
      },
      async solana_signAllTransactions(params, call) {
        const transactions = []
        for (const text of Array.isArray(params.transactions) ? params.transactions : []) {
          const transaction = base64.decode(String(text))
          const signed = await signTransaction(signerOf(params, call), transaction, call.caipNetworkId)
          transactions.push(base64.encode(signed))
        }
        return { transactions }
      },
    }),
    ...(signAndSendTransaction && {
      async solana_signAndSendTransaction(params, call) {
        const transaction = base64.decode(textOf(params, 'transaction'))
        const sent = await signAndSendTransaction(signerOf(params, call), transaction, call.caipNetworkId)
        return { signature: base58.encode(sent) }
      },
    }),
  }
  return createAccountBridge(provider, { handlers, olderIds })
}

/** Returns the signature of an account in a transaction, legacy or of version 0; that of the fee payer if it is no signer. */
function signatureOf(transaction: Uint8Array, address: string): Uint8Array {
  const count = transaction[0] ?? 0
  const message = transaction.subarray(1 + SIGNATURE_SIZE * count)
  // A version is a byte above 127. Then come three counts, and the number of keys, which is one byte while signers are few.
  const keys = message.subarray(((message[0] ?? 0) > 127 ? 1 : 0) + 4)
  const key = base58.decode(address)
  const positions = Array.from({ length: count }, (_, at) => at)
  const position =
    positions.find((at) => key.every((byte, index) => keys[at * KEY_SIZE + index] === byte)) ?? 0
  return transaction.subarray(1 + SIGNATURE_SIZE * position, 1 + SIGNATURE_SIZE * (position + 1))
}
