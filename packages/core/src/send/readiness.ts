import { baseUnits } from '../amounts/units.ts'
import type { SendState } from '../types/state.ts'
import { isNativeToken, nativeBalanceOf, sendAmountInBaseUnits } from './amount.ts'

/** What keeps a draft from being sent, in the order of the form. */
export type SendReadiness =
  | 'selectToken'
  | 'incorrectValue'
  | 'addAmount'
  | 'insufficientFunds'
  | 'insufficientGas'
  | 'addAddress'
  | 'invalidAddress'
  | 'gasUnavailable'
  | 'loading'
  | 'ready'

/** The text of the send button. */
export const SEND_LABELS: Readonly<Record<SendReadiness, string>> = {
  selectToken: 'Select token',
  incorrectValue: 'Incorrect value',
  addAmount: 'Enter amount',
  insufficientFunds: 'Insufficient balance',
  insufficientGas: 'Insufficient balance for network fee',
  addAddress: 'Enter address',
  invalidAddress: 'Invalid address',
  gasUnavailable: 'Network fee unavailable',
  loading: 'Review send',
  ready: 'Review send',
}

export interface ReadinessOptions {
  /** A smart account's gas may be sponsored, so its native balance is not checked. */
  readonly isSmartAccount?: boolean
}

export function sendReadiness(
  send: SendState,
  { isSmartAccount = false }: ReadinessOptions = {},
): SendReadiness {
  if (!send.token && !send.nft) return 'selectToken'
  if (send.sendTokenAmount === '') return 'addAmount'
  const amount = sendAmountInBaseUnits(send)
  if (!amount) return 'incorrectValue'
  if (amount > balanceToSend(send)) return 'insufficientFunds'
  if (!isSmartAccount && hasInsufficientGas(send, amount)) return 'insufficientGas'
  if (send.receiverStatus === 'empty') return 'addAddress'
  if (hasNoAddress(send)) return 'invalidAddress'
  if (send.isGasUnavailable) return 'gasUnavailable'
  if (send.receiverStatus !== 'valid' || !send.fee) return 'loading'
  return 'ready'
}

/**
 * Reports whether the native balance is 0 or less than the fee. False while either is unknown, so that nothing
 * flashes.
 */
function hasInsufficientGas(send: SendState, amount: bigint): boolean {
  if (send.networkBalance === undefined) return false
  if (send.networkBalance === 0n) return true
  if (!send.fee) return false
  const { amount: cost, reserve = 0n } = send.fee
  const spent = send.token && isNativeToken(send.token) ? amount : 0n
  return spent + cost + reserve > send.networkBalance
}

function hasNoAddress({ receiverStatus }: SendState): boolean {
  return ['invalid', 'unknownName', 'noAddress', 'unresolved', 'moved'].includes(receiverStatus)
}

function balanceToSend(send: SendState): bigint {
  if (send.nft) return BigInt(send.nft.quantity)
  if (!send.token) return 0n
  return isNativeToken(send.token) ? nativeBalanceOf(send) : baseUnits(send.token)
}
