import type { Namespace } from '@hawser/core'

/** Methods that open a prompt in the wallet. */
const prompting = [
  'personal_sign',
  'eth_sendTransaction',
  'eth_signTransaction',
  'eth_signTypedData',
  'eth_signTypedData_v4',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_watchAsset',
  'wallet_sendCalls',
  'wallet_showCallsStatus',
  'wallet_grantPermissions',
  'wallet_revokePermissions',
  'solana_signMessage',
  'solana_signTransaction',
  'solana_signAllTransactions',
  'solana_signAndSendTransaction',
] as const

/** Methods that a session is proposed with, by namespace; nodes answer the others. */
export const methods: Readonly<Record<PairedNamespace, readonly string[]>> = {
  eip155: [
    ...prompting.filter((name) => !name.startsWith('solana_')),
    'wallet_getCapabilities',
    'wallet_getCallsStatus',
    'wallet_getAssets',
  ],
  solana: [
    ...prompting.filter((name) => name.startsWith('solana_')),
    'solana_requestAccounts',
    'solana_getAccounts',
  ],
}

/** The namespaces that wallets can be paired for. */
export const pairedNamespaces = ['eip155', 'solana'] as const satisfies readonly Namespace[]

export type PairedNamespace = (typeof pairedNamespaces)[number]

/** Events that a session is proposed with. */
export const events: readonly string[] = ['accountsChanged', 'chainChanged']

/** Reports whether a request waits for the visitor in the wallet. */
export function isPrompting(method: string): boolean {
  return prompting.some((name) => name === method)
}
