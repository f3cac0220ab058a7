import { baseUnits, formatUnits, tokenDecimals, worth } from '../amounts/units.ts'
import { adapterOf, nodeOf } from '../chain/adapters.ts'
import { selectAccount } from '../chain/selectors.ts'
import type { GasQuote, TransferDraft } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SendState } from '../types/state.ts'
import { gasCost, isNativeToken, maxSendAmount, nativeBalanceOf, sendAmountInBaseUnits } from './amount.ts'
import { nftReference, tokenContract } from './tokenContract.ts'

/**
 * Requests the fee of the drafted transfer from the node and updates a Max amount. Without a receiver, a transfer to
 * oneself is estimated. If the node fails, the fee stays unknown.
 */
export async function estimateSendGas(hawser: Hawser): Promise<void> {
  const { activeCaipNetwork: network, activeChain } = hawser.chain.getState()
  const { address } = selectAccount(hawser.chain.getState())
  const send = hawser.send.getState()
  if (!network || !address || !(send.token || send.nft) || send.status === 'sending') return

  const { signal, isCurrent } = hawser.latest.begin('send:gas')
  hawser.send.setState({ isGasUnavailable: false })
  try {
    const transfers = await adapterOf(hawser, activeChain).transfers()
    const quote = await transfers.estimate(nodeOf(hawser, network), probe(send, address), signal)
    if (!isCurrent()) return
    takeQuote(hawser, quote, network.nativeCurrency.decimals)
    followMaxAmount(hawser)
  } catch {
    if (isCurrent()) hawser.send.setState({ gasLimit: undefined, isGasUnavailable: true })
  }
}

/** Updates the amount while the visitor sends the whole balance. */
export function followMaxAmount(hawser: Hawser): void {
  hawser.send.setState((send) => {
    const max = maxSendAmount(send)
    if (!send.isMaxAmount || !send.token || max === undefined) return send
    return { sendTokenAmount: formatUnits(max, tokenDecimals(send.token.quantity.decimals)) }
  })
}

/** Returns the transfer to estimate, of at most the balance, because a node refuses more. */
function probe(send: SendState, from: string): TransferDraft {
  const to = send.receiverStatus === 'valid' ? send.receiverAddress : from
  if (send.nft) return { from, to, nft: nftReference(send.nft), amount: sendableCount(send) }
  const token = send.token as NonNullable<SendState['token']>
  const balance = isNativeToken(token) ? nativeBalanceOf(send) : baseUnits(token)
  const typed = send.isMaxAmount && isNativeToken(token) ? undefined : sendAmountInBaseUnits(send)
  const smallest = balance > 0n ? 1n : 0n
  const amount = typed !== undefined && typed <= balance ? typed : smallest
  const tokenAddress = tokenContract(token)
  return { from, to, amount, ...(tokenAddress && { tokenAddress }) }
}

/** Returns the count of the NFT to estimate: the typed one if there are that many. */
function sendableCount(send: SendState): bigint {
  const typed = sendAmountInBaseUnits(send)
  return typed && typed <= BigInt(send.nft?.quantity ?? 0) ? typed : 1n
}

function takeQuote(hawser: Hawser, { gasPrice, gasLimit, dataFee }: GasQuote, decimals: number): void {
  hawser.send.setState((send) => {
    const priced = { ...send, gasPrice, gasLimit, dataFee }
    const price = send.tokenBalances.find(isNativeToken)?.price
    return { ...priced, gasPriceInUSD: worth(gasCost(priced) ?? 0n, decimals, price) }
  })
}
