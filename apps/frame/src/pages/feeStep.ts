import {
  type Node,
  networkFees,
  type OperationView,
  operationView,
  type PreparedOperation,
  type PreparedRemoval,
} from '@hawser/vault'
import type { NetworkInfo } from '../networks.ts'

/** A transaction that a page is about to sign, with what it costs. */
export interface FeeStep {
  readonly network: NetworkInfo
  /** Undefined where it cannot be sent now. */
  readonly view: OperationView | undefined
}

/** Returns how a prepared transaction is shown. @throws FrameError, BundlerError */
export async function viewOf(
  node: Node,
  chainId: string,
  preparing: Promise<PreparedOperation | PreparedRemoval>,
): Promise<OperationView> {
  const [prepared, fees] = await Promise.all([preparing, networkFees(node, chainId)])
  return operationView(prepared, fees)
}
