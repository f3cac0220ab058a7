import { type LocalAccount, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { isHex } from 'viem/utils'
import type { Signer, TransactionRequest } from '../pageWallet/pageWallet.ts'
import { ProviderError, providerErrorCode } from '../pageWallet/providerError.ts'
import { createCallBatches } from './callBatches.ts'
import { requestNode } from './node.ts'

/** The key that signs: a private key, or an index of the standard mnemonic. */
export interface DevKey {
  readonly privateKey?: `0x${string}`
  readonly mnemonicIndex?: number
}

/** The mnemonic that development chains fund. It is public: anyone can spend from its accounts. */
const DEV_MNEMONIC = 'test test test test test test test test test test test junk'

export interface KeySignerOptions {
  readonly key: DevKey
  readonly rpcUrls: Readonly<Record<number, string>>
  readonly batchAccounts?: Readonly<Record<number, `0x${string}`>> | undefined
}

/** Creates a signer that uses a development key and sends through the given nodes. */
export function createKeySigner({ key, rpcUrls, batchAccounts }: KeySignerOptions): Signer {
  const account = accountOf(key)
  const nodes = new Map(Object.entries(rpcUrls).map(([chainId, url]) => [Number(chainId), url]))
  let lastSend: Promise<unknown> = Promise.resolve()

  function nodeOf(chainId: number): string {
    const url = nodes.get(chainId)
    if (url) return url
    throw new ProviderError(providerErrorCode.unrecognisedChain, `Unrecognized chain ID ${chainId}.`)
  }

  /** Runs tasks one after the other, so that no two transactions use the same nonce. */
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = lastSend.then(task, task)
    lastSend = turn.catch(() => undefined)
    return turn
  }

  const batches = batchAccounts && createCallBatches({ account, batchAccounts, nodeOf })

  return {
    accounts: async () => [account.address],
    signMessage: (message) => account.signMessage({ message: isHex(message) ? { raw: message } : message }),
    signTypedData: (typedData) => account.signTypedData(typedData as never),
    send: (chainId, transaction) => inTurn(() => signAndSend(account, nodeOf(chainId), chainId, transaction)),
    read: (chainId, method, params) => requestNode(nodeOf(chainId), method, params),
    addChain(chainId, [url]) {
      if (url) nodes.set(chainId, url)
    },
    knows: (chainId) => nodes.has(chainId),
    ...(batches && { batches: { ...batches, send: (batch) => inTurn(() => batches.send(batch)) } }),
  }
}

function accountOf(key: DevKey): LocalAccount {
  if (key.privateKey) return privateKeyToAccount(key.privateKey)
  return mnemonicToAccount(DEV_MNEMONIC, { addressIndex: key.mnemonicIndex ?? 0 })
}

async function signAndSend(
  account: LocalAccount,
  node: string,
  chainId: number,
  transaction: TransactionRequest,
): Promise<string> {
  const call = { ...transaction, from: account.address }
  const [nonce, gas, gasPrice] = await Promise.all([
    requestNode(node, 'eth_getTransactionCount', [account.address, 'pending']),
    transaction.gas ?? requestNode(node, 'eth_estimateGas', [call]),
    transaction.gasPrice ?? requestNode(node, 'eth_gasPrice', []),
  ])
  const signed = await account.signTransaction({
    type: 'legacy',
    chainId,
    nonce: Number(nonce),
    gas: BigInt(gas as string),
    gasPrice: BigInt(gasPrice as string),
    value: BigInt(transaction.value ?? '0x0'),
    ...(isHex(transaction.to) && { to: transaction.to }),
    ...(isHex(transaction.data) && { data: transaction.data }),
  })
  return (await requestNode(node, 'eth_sendRawTransaction', [signed])) as string
}
