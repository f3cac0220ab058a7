import { formatUnits } from '../amounts/units.ts'
import { toasts } from '../errors/catalogue.ts'
import { thrown } from '../errors/thrown.ts'
import { convertClient } from '../gateway/clients.ts'
import type { Hawser } from '../types/hawser.ts'
import { sourceAmount } from './amounts.ts'
import { isRefusedFor } from './problems.ts'
import { isNativeSwapToken, swapBalance } from './tokens.ts'

/** More gas than a swap through a few pools takes: what is left over for it before a quote tells. */
const GENEROUS_SWAP_GAS = 400_000n

/** Fills in all of the sold token; of the own currency, what is left after gas. Never throws. */
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

/** Makes room when gas turns out to cost more than was left for it. What is left over stays: the amount must not flicker. */
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

/** Wei to leave for gas; undefined when nobody knows what it costs, which is told in a toast. */
async function gasReserve(hawser: Hawser): Promise<bigint | undefined> {
  const { quote } = hawser.swap.getState()
  if (quote?.networkFee !== undefined) return withHeadroom(quote.networkFee)
  const { activeCaipNetwork: network } = hawser.chain.getState()
  if (!network) return undefined
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
    const message = isUnsupported ? thrown.gasPriceUnsupported : toasts.gasPriceUnavailable
    hawser.report({ kind: 'swapGasFailed', message })
    return undefined
  }
}

/** Gas may cost a quarter more by the time the wallet has asked. */
function withHeadroom(fee: bigint): bigint {
  return fee + fee / 4n
}
