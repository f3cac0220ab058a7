import type { Hawser } from '../types/hawser.ts'
import type { SendState } from '../types/state.ts'

export const initialSend: SendState = {
  status: 'draft',
  token: undefined,
  nft: undefined,
  sendTokenAmount: '',
  isMaxAmount: false,
  receiverAddress: '',
  receiverTyped: undefined,
  receiverStatus: 'empty',
  receiverKind: undefined,
  receiverObjection: undefined,
  receiverProfileName: undefined,
  receiverProfileImageUrl: undefined,
  fee: undefined,
  feeSpeed: 'normal',
  gasPrice: undefined,
  isGasUnavailable: false,
  refusal: undefined,
  networkBalance: undefined,
  gasPriceInUSD: undefined,
  networkBalanceInUSD: undefined,
  tokenBalances: [],
  loading: false,
  lastRetry: undefined,
  transactionHash: undefined,
  sent: undefined,
}

/** Changes what is sent. The preview of the draft before is dropped, also one that is still being read. */
export function editDraft(hawser: Hawser, change: Partial<SendState>): void {
  hawser.latest.abandon('send:preview')
  hawser.send.setState({ ...change, preview: undefined })
}

/**
 * Clears the draft. The gas price stays, because it belongs to the network and is read again before use. A sent
 * transfer is still followed, also one that the wallet approves later.
 */
export function resetSend(hawser: Hawser): void {
  hawser.latest.abandon('send')
  hawser.send.setState(({ gasPrice, sent }) => ({ ...initialSend, gasPrice, sent }), true)
}
