import type { Network, TokenBalance } from '@hawser/core'

/** A payment that is requested from another wallet. */
export interface PaymentRequest {
  readonly network: Network
  readonly address: string
  /** A decimal string in whole tokens. */
  readonly amount: string
  /** The native token when absent. */
  readonly token?: TokenBalance | undefined
}

/**
 * Returns the URI of a payment request: a transfer request of Solana Pay, or BIP-21 on Bitcoin. Undefined for an amount
 * that is not positive or has more decimals than the token, and for other networks.
 */
export function paymentUri({ network, address, amount, token }: PaymentRequest): string | undefined {
  const decimals = Number(token?.quantity.decimals ?? network.nativeCurrency.decimals)
  const [, whole = '', fraction = ''] = /^(\d*)\.?(\d*)$/.exec(amount) ?? []
  if (!/[1-9]/.test(whole + fraction) || fraction.length > decimals) return undefined
  // Both standards require a digit before the point, and allow no trailing zeros.
  const exact = `${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction && `.${fraction}`}`
  if (network.chainNamespace === 'bip122') return `bitcoin:${address}?amount=${exact}`
  if (network.chainNamespace !== 'solana') return undefined
  const mint = token?.address?.slice(token.address.lastIndexOf(':') + 1)
  return `solana:${address}?amount=${exact}${mint ? `&spl-token=${mint}` : ''}`
}
