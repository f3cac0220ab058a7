import type { PreparedOperation } from '../smartAccount/prepareOperation.ts'
import type { PreparedRemoval } from '../smartAccount/removal.ts'
import type { OperationView } from './approvalView.ts'
import { type Fees, feesOf, isFarAbove, priceOf } from './transaction.ts'

/**
 * Returns what an operation of a smart account costs, and the code that it gives the account, as it is shown.
 *
 * @throws FrameError -32602 when the bundler names a fee that is too far above that of the network
 */
export function operationView(
  { operation, maxFee, delegate }: PreparedOperation | PreparedRemoval,
  network: Fees,
): OperationView {
  if (!operation || isSponsored(operation)) return { maxFee, isHighFee: false, delegate }
  // The bundler names the fees, and the account pays them.
  const price = priceOf(feesOf(operation, network))
  const usual = price === 0n ? 0n : (maxFee * priceOf(network)) / price
  return { maxFee, isHighFee: isFarAbove(maxFee, usual), delegate }
}

const isSponsored = (operation: object) => 'paymaster' in operation && operation.paymaster !== undefined
