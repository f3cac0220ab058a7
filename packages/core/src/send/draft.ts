import { resetView } from '../router/navigate.ts'
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
}

/** Drops the draft. The gas price stays: it belongs to the network, and a stale one is read again before use. */
export function resetSend(hawser: Hawser): void {
  hawser.latest.abandon('send')
  hawser.send.setState(({ gasPrice }) => ({ ...initialSend, gasPrice }))
}

/** Leaves the views of sending when what they were about is gone. */
export function leaveSend(hawser: Hawser): void {
  if (hawser.router.getState().view.startsWith('WalletSend')) resetView(hawser, 'Account')
}
