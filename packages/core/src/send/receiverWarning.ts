import type { SendState } from '../types/state.ts'
import { sentContract } from './tokenContract.ts'

/** Why a receiver is probably a mistake: what is sent there is lost, or stays in the account. */
export type ReceiverWarning = 'zeroAddress' | 'tokenContract' | 'ownAddress'

/**
 * Returns a warning about the receiver; undefined without one.
 *
 * @param sender the account that sends.
 */
export function receiverWarning(send: SendState, sender?: string): ReceiverWarning | undefined {
  const receiver = send.receiverAddress.toLowerCase()
  if (/^(0x0{40}|1{32})$/.test(receiver)) return 'zeroAddress'
  if (receiver === sender?.toLowerCase()) return 'ownAddress'
  return sentContract(send)?.toLowerCase() === receiver ? 'tokenContract' : undefined
}
