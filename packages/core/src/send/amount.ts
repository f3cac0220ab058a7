import { AmountError, baseUnits, parseUnits, tokenDecimals } from '../amounts/units.ts'
import type { TokenBalance } from '../types/account.ts'
import type { SendState } from '../types/state.ts'

/**
 * Returns the typed amount in base units of the token, or the count of the NFT; undefined when there is nothing to
 * send or it is not an amount.
 */
export function sendAmountInBaseUnits({ token, nft, sendTokenAmount }: SendState): bigint | undefined {
  if (!token && !nft) return undefined
  try {
    return parseUnits(sendTokenAmount, token ? tokenDecimals(token.quantity.decimals) : 0)
  } catch (error) {
    if (error instanceof AmountError) return undefined
    throw error
  }
}

export function isNativeToken(token: TokenBalance): boolean {
  return token.address === undefined
}

/** Reports whether two rows are the same token of the same network; prices and quantities may differ. */
export function isSameToken(a: TokenBalance, b: TokenBalance): boolean {
  return (
    a.address?.toLowerCase() === b.address?.toLowerCase() &&
    (a.chainId ?? b.chainId) === (b.chainId ?? a.chainId)
  )
}

/** Returns the native base units that a transfer takes at most beside its amount; undefined until they are known. */
export function gasCost({ fee }: SendState): bigint | undefined {
  return fee?.amount
}

/** Returns the whole balance of the token in base units, less the fee for the native one; undefined until known. */
export function maxSendAmount(send: SendState): bigint | undefined {
  if (!send.token) return undefined
  if (!isNativeToken(send.token)) return baseUnits(send.token)
  if (!send.fee) return undefined
  const { amount: cost, reserve = 0n } = send.fee
  const balance = nativeBalanceOf(send)
  return balance > cost + reserve ? balance - cost - reserve : 0n
}

/** Returns the sender's native balance in base units: from the chain, or else from the balance list. */
export function nativeBalanceOf({ networkBalance, token, tokenBalances }: SendState): bigint {
  if (networkBalance !== undefined) return networkBalance
  const native = tokenBalances.find(isNativeToken) ?? (token && isNativeToken(token) ? token : undefined)
  return native ? baseUnits(native) : 0n
}
