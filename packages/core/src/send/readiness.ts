import { sendLabels } from '@hawser/texts/en/sendLabels'
import { baseUnits } from '../amounts/units.ts'
import type { SendState } from '../types/state.ts'
import { isNativeToken, nativeBalanceOf, sendAmountInBaseUnits } from './amount.ts'
import { openDoubt, type ReceiverCheck } from './receiverCheck.ts'

/** What keeps a draft from being sent, in the order of the form. */
export type SendReadiness =
  | 'selectToken'
  | 'incorrectValue'
  | 'addAmount'
  | 'insufficientFunds'
  | 'insufficientGas'
  | 'insufficientReserve'
  | 'addAddress'
  | 'invalidAddress'
  | 'otherNetwork'
  | 'doubtfulAddress'
  | 'gasUnavailable'
  | 'refused'
  | 'belowMinimum'
  | 'loading'
  | 'ready'

/** The text of the send button. */
export const SEND_LABELS: Readonly<Record<SendReadiness, string>> = sendLabels

export interface ReadinessOptions {
  /** A smart account's gas may be sponsored, so its native balance is not checked. */
  readonly isSmartAccount?: boolean
  /** What the history says about the receiver: see `checkReceiver`. */
  readonly check?: ReceiverCheck | undefined
}

export function sendReadiness(
  send: SendState,
  { isSmartAccount = false, check }: ReadinessOptions = {},
): SendReadiness {
  if (!send.token && !send.nft) return 'selectToken'
  if (send.sendTokenAmount === '') return 'addAmount'
  const amount = sendAmountInBaseUnits(send)
  if (!amount) return 'incorrectValue'
  if (amount > balanceToSend(send)) return 'insufficientFunds'
  const shortage = isSmartAccount ? undefined : nativeShortage(send, amount)
  if (shortage) return shortage
  if (send.receiverStatus === 'empty') return 'addAddress'
  if (hasNoAddress(send)) return isElsewhere(send) ? 'otherNetwork' : 'invalidAddress'
  if (openDoubt(send, check)) return 'doubtfulAddress'
  if (send.isGasUnavailable) return send.refusal ? 'refused' : 'gasUnavailable'
  if (send.receiverStatus !== 'valid' || send.history === 'reading' || !send.fee) return 'loading'
  if (isBelowMinimum(send)) return 'belowMinimum'
  return 'ready'
}

/** Reports whether the amount is below the minimum that the receiver needs. */
function isBelowMinimum(send: SendState): boolean {
  const amount = sendAmountInBaseUnits(send)
  return amount !== undefined && amount < (send.fee?.minimum ?? 0n)
}

/**
 * Returns what the native balance is too small for: the fee, or the reserve that has to stay with the sender.
 * Undefined while the balance or the fee is unknown, so that no message flashes.
 */
function nativeShortage(
  send: SendState,
  amount: bigint,
): 'insufficientGas' | 'insufficientReserve' | undefined {
  const { networkBalance: balance, fee } = send
  if (balance === 0n) return 'insufficientGas'
  if (balance === undefined || !fee) return undefined
  const spent = send.token && isNativeToken(send.token) ? amount : 0n
  if (spent + fee.amount > balance) return 'insufficientGas'
  return spent + fee.amount + (fee.reserve ?? 0n) > balance ? 'insufficientReserve' : undefined
}

function hasNoAddress({ receiverStatus }: SendState): boolean {
  return ['invalid', 'unknownName', 'noAddress', 'unresolved', 'moved'].includes(receiverStatus)
}

/** Reports whether the receiver is on another network. */
function isElsewhere({ receiverKind, receiverObjection }: SendState): boolean {
  return receiverKind !== undefined || /^(elsewhere|otherNetwork)$/.test(receiverObjection?.kind ?? '')
}

function balanceToSend(send: SendState): bigint {
  if (send.nft) return BigInt(send.nft.quantity)
  if (!send.token) return 0n
  return isNativeToken(send.token) ? nativeBalanceOf(send) : baseUnits(send.token)
}
