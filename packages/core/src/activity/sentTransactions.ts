import type { AccountOwner } from '../account/owner.ts'
import type { ActivityTransaction, ActivityTransfer } from '../types/activity.ts'
import type { Hawser } from '../types/hawser.ts'

/** More than anybody waits for at once. */
const MOST_SENT = 20

/** One thing that moves, as a history would tell it. */
export type Movement = Pick<ActivityTransfer, 'fungible_info' | 'nft_info' | 'quantity'>

/** What was asked of the wallet, and the hash it answered. */
export interface SentTransfer {
  readonly hash: string
  readonly to: string
  readonly transfer: Movement
  /** What a swap brings in return. */
  readonly received?: Movement
}

/** Shows a transaction as pending from the moment the wallet has sent it. */
export function rememberSent(
  hawser: Hawser,
  owner: AccountOwner,
  { hash, to, transfer, received }: SentTransfer,
): void {
  const { address, network } = owner
  const transaction: ActivityTransaction = {
    id: `${network.caipNetworkId}:${hash}`,
    metadata: {
      operationType: received ? 'trade' : 'send',
      hash,
      minedAt: new Date(hawser.clock.now()).toISOString(),
      sentFrom: address,
      sentTo: to,
      status: 'pending',
      nonce: 0,
      chain: network.caipNetworkId,
    },
    transfers: [
      { ...transfer, direction: 'out', sender: address, recipient: to },
      ...(received ? [{ ...received, direction: 'in', sender: to, recipient: address }] : []),
    ],
  }
  hawser.activity.setState(({ sent }) => ({
    sent: [{ owner: owner.caipAddress, transaction }, ...sent].slice(0, MOST_SENT),
  }))
}

/** Says how a sent transaction ended; what its owner's history holds by now is not looked at. */
export function settleSent(hawser: Hawser, hash: string, status: 'confirmed' | 'failed'): void {
  hawser.activity.setState(({ sent }) => ({
    sent: sent.map((each) => (each.transaction.metadata.hash === hash ? withStatus(each, status) : each)),
  }))
  hawser.push.setState(({ activityChanges }) => ({ activityChanges: activityChanges + 1 }))
}

function withStatus<Sent extends { transaction: ActivityTransaction }>(sent: Sent, status: string): Sent {
  const { transaction } = sent
  return { ...sent, transaction: { ...transaction, metadata: { ...transaction.metadata, status } } }
}
