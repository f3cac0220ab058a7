import type { SendState } from '../types/state.ts'
import { sentContract } from './tokenContract.ts'

/** Why a receiver is hardly the one that is meant: what is sent there is lost, or does not leave the account. */
export type ReceiverWarning = 'zeroAddress' | 'tokenContract' | 'ownAddress'

/**
 * What is odd about the receiver of a draft; undefined when nothing is.
 *
 * @param sender the account that sends.
 */
export function receiverWarning(send: SendState, sender?: string): ReceiverWarning | undefined {
  const receiver = send.receiverAddress.toLowerCase()
  if (/^0x0{40}$/.test(receiver)) return 'zeroAddress'
  if (receiver === sender?.toLowerCase()) return 'ownAddress'
  return sentContract(send)?.toLowerCase() === receiver ? 'tokenContract' : undefined
}
