import type { SendState } from '../types/state.ts'
import { sentContract } from './tokenContract.ts'

/** Why a receiver is hardly the one that is meant: what is sent there is lost. */
export type ReceiverWarning = 'zeroAddress' | 'tokenContract'

/** What is odd about the receiver of a draft; undefined when nothing is. */
export function receiverWarning(send: SendState): ReceiverWarning | undefined {
  const receiver = send.receiverAddress.toLowerCase()
  if (/^0x0{40}$/.test(receiver)) return 'zeroAddress'
  return sentContract(send)?.toLowerCase() === receiver ? 'tokenContract' : undefined
}
