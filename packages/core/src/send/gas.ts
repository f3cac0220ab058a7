import { baseUnits, formatUnits, tokenDecimals, worth } from '../amounts/units.ts'
import { accessTo, adapterOf, refusalOf } from '../chain/adapters.ts'
import { selectAccount } from '../chain/selectors.ts'
import type { FeeQuote, TransferDraft } from '../types/adapter.ts'
import type { Hawser } from '../types/hawser.ts'
import type { SendState } from '../types/state.ts'
import { isNativeToken, maxSendAmount, nativeBalanceOf, sendAmountInBaseUnits } from './amount.ts'
import { previewSend } from './previewSend.ts'
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
  hawser.send.setState({ isGasUnavailable: false, refusal: undefined })
  try {
    const transfers = await (await adapterOf(hawser, activeChain)).transfers()
    const options = { speed: send.feeSpeed, signal }
    const quote = await transfers.quote(accessTo(hawser, network), probe(send, address), options)
    if (!isCurrent()) return
    takeQuote(hawser, quote, network.nativeCurrency.decimals)
    followMaxAmount(hawser)
    const { preview, sendTokenAmount } = hawser.send.getState()
    // Another amount is under review.
    if (preview !== undefined && sendTokenAmount !== send.sendTokenAmount) void previewSend(hawser)
  } catch (error) {
    const refusal = await refusalOf(hawser, activeChain, error)
    if (isCurrent()) hawser.send.setState({ fee: undefined, isGasUnavailable: true, refusal })
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
  const isNative = isNativeToken(token)
  const balance = isNative ? nativeBalanceOf(send) : baseUnits(token)
  const isMax = send.isMaxAmount && isNative
  const typed = isMax ? undefined : sendAmountInBaseUnits(send)
  const amount = typed !== undefined && typed <= balance ? typed : someOf(balance)
  const tokenAddress = tokenContract(token)
  return {
    from,
    to,
    amount,
    ...(isMax && { isMax }),
    ...(tokenAddress && { tokenAddress, decimals: tokenDecimals(token.quantity.decimals) }),
  }
}

/**
 * Returns an amount that can be sent: half of the balance, because networks refuse amounts that are too small
 * for an account to exist.
 */
function someOf(balance: bigint): bigint {
  return (balance + 1n) / 2n
}

/** Returns the count of the NFT to estimate: the typed one if there are that many. */
function sendableCount(send: SendState): bigint {
  const typed = sendAmountInBaseUnits(send)
  return typed && typed <= BigInt(send.nft?.quantity ?? 0) ? typed : 1n
}

function takeQuote(hawser: Hawser, fee: FeeQuote, decimals: number): void {
  const gasPrice = fee.terms.namespace === 'eip155' ? fee.terms.gasPrice : undefined
  hawser.send.setState(({ tokenBalances }) => {
    const price = tokenBalances.find(isNativeToken)?.price
    return { fee, gasPrice, gasPriceInUSD: worth(fee.amount, decimals, price) }
  })
}
