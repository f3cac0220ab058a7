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
] as const

/** Methods that a session is proposed with; nodes answer the others. */
export const methods: readonly string[] = [
  ...prompting,
  'wallet_getCapabilities',
  'wallet_getCallsStatus',
  'wallet_getAssets',
]

/** Events that a session is proposed with. */
export const events: readonly string[] = ['accountsChanged', 'chainChanged']

/** Reports whether a request waits for the visitor in the wallet. */
export function isPrompting(method: string): boolean {
  return prompting.some((name) => name === method)
}
