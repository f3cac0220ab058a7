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
  'sendTransfer',
  'signMessage',
  'signPsbt',
  'polkadot_signMessage',
  'polkadot_signTransaction',
] as const

/** Methods that a session is proposed with, by namespace; nodes answer the others. */
export const methods: Readonly<Record<Namespace, readonly string[]>> = {
  eip155: [
    ...prompting.filter((name) => /^(?:personal|eth|wallet)_/.test(name)),
    'wallet_getCapabilities',
    'wallet_getCallsStatus',
    'wallet_getAssets',
  ],
  solana: [
    ...prompting.filter((name) => name.startsWith('solana_')),
    'solana_requestAccounts',
    'solana_getAccounts',
  ],
  bip122: ['sendTransfer', 'getAccountAddresses', 'signMessage', 'signPsbt'],
  polkadot: prompting.filter((name) => name.startsWith('polkadot_')),
}

/** Events that a session is proposed with, by namespace. */
export const events: Readonly<Record<Namespace, readonly string[]>> = {
  eip155: ['accountsChanged', 'chainChanged'],
  solana: ['accountsChanged', 'chainChanged'],
  bip122: ['accountsChanged', 'chainChanged', 'bip122_addressesChanged'],
  polkadot: ['accountsChanged', 'chainChanged'],
}

/** Reports whether a request waits for the visitor in the wallet. */
export function isPrompting(method: string): boolean {
  return prompting.some((name) => name === method)
}
