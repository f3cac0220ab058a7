import type { Hawser } from '../types/hawser.ts'
import type { SendState } from '../types/state.ts'

export const initialSend: SendState = {
  status: 'draft',
  token: undefined,
  nft: undefined,
  sendTokenAmount: '',
  isMaxAmount: false,
  receiverAddress: '',
  receiverStatus: 'empty',
  receiverProfileName: undefined,
  receiverProfileImageUrl: undefined,
  gasPrice: undefined,
  gasLimit: undefined,
  dataFee: undefined,
  isGasUnavailable: false,
  networkBalance: undefined,
  gasPriceInUSD: undefined,
  networkBalanceInUSD: undefined,
  tokenBalances: [],
  loading: false,
  lastRetry: undefined,
  transactionHash: undefined,
  sent: undefined,
}

/**
 * Drops the draft. The gas price stays: it belongs to the network, and a stale one is read again before use. A transfer that
 * was sent is followed all the same, and one that the wallet still asks about is followed when it is approved.
 */
export function resetSend(hawser: Hawser): void {
  hawser.latest.abandon('send')
  hawser.send.setState(({ gasPrice, sent }) => ({ ...initialSend, gasPrice, sent }))
}
