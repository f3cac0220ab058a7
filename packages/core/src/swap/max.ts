import { formatUnits } from '../amounts/units.ts'
import { toast } from '../errors/messages.ts'
import { thrown } from '../errors/thrown.ts'
import { convertClient } from '../gateway/clients.ts'
import type { Hawser } from '../types/hawser.ts'
import { sourceAmount } from './amounts.ts'
import { isRefusedFor } from './problems.ts'
import { isNativeSwapToken, swapBalance } from './tokens.ts'

/** The gas to reserve before there is a quote: more than a swap through a few pools uses. */
const GENEROUS_SWAP_GAS = 400_000n

/** Sets the amount to the whole balance of the sold token, less the network fee for the native currency. Never throws. */
export async function fillMaxSwapAmount(hawser: Hawser): Promise<void> {
  const { sourceToken } = hawser.swap.getState()
  if (!sourceToken) return
  const balance = swapBalance(hawser.swap.getState(), hawser.chain.getState(), sourceToken)
  if (balance === undefined) return
  if (!isNativeSwapToken(sourceToken)) {
    hawser.swap.setState({ isMaxAmount: true, sourceTokenAmount: formatUnits(balance, sourceToken.decimals) })
    return
  }
  const reserve = await gasReserve(hawser)
  if (reserve === undefined || hawser.swap.getState().sourceToken !== sourceToken) return
  const rest = balance > reserve ? balance - reserve : 0n
  hawser.swap.setState({ isMaxAmount: true, sourceTokenAmount: formatUnits(rest, sourceToken.decimals) })
}

/** Lowers the amount if the network fee turns out higher than reserved. It is never raised, so that it does not flicker. */
export function followMaxSwapAmount(hawser: Hawser): void {
  const swap = hawser.swap.getState()
  const { isMaxAmount, sourceToken, quote } = swap
  if (!isMaxAmount || !sourceToken || !isNativeSwapToken(sourceToken) || quote?.networkFee === undefined)
    return
  const balance = swapBalance(hawser.swap.getState(), hawser.chain.getState(), sourceToken)
  const amount = sourceAmount(swap)
  if (balance === undefined || amount === undefined || amount + quote.networkFee <= balance) return
  const reserve = withHeadroom(quote.networkFee)
  const rest = balance > reserve ? balance - reserve : 0n
  hawser.swap.setState({ sourceTokenAmount: formatUnits(rest, sourceToken.decimals) })
}

/** Returns the wei to reserve for gas; undefined if the gas price is unknown, which is reported. */
async function gasReserve(hawser: Hawser): Promise<bigint | undefined> {
  const { quote } = hawser.swap.getState()
  if (quote?.networkFee !== undefined) return withHeadroom(quote.networkFee)
  const { activeCaipNetwork: network } = hawser.chain.getState()
  if (!network) return undefined
  // Typing an amount cancels the request.
  const { isCurrent, signal } = hawser.latest.begin('swap:gas')
  try {
    const { standard } = await (await convertClient(hawser)).getGasPrice(
      { chainId: network.caipNetworkId },
      { signal },
    )
    return isCurrent() ? withHeadroom(BigInt(standard) * GENEROUS_SWAP_GAS) : undefined
  } catch (error) {
    if (!isCurrent()) return undefined
    const isUnsupported = isRefusedFor(error, 'CHAIN_UNSUPPORTED')
    const message = isUnsupported ? { message: thrown.gasPriceUnsupported } : toast('gasPriceUnavailable')
    hawser.report({ kind: 'swapGasFailed', ...message })
    return undefined
  }
}

/** Adds a quarter, for a gas price that rises until the visitor confirms. */
function withHeadroom(fee: bigint): bigint {
  return fee + fee / 4n
}
