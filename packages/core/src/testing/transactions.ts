import type { ActivityTransaction, ActivityTransfer } from '../types/activity.ts'
import { DOLLAR } from './fakeGateway.ts'
import { ALICE, BOB } from './fakeWallet.ts'

const etherInfo = { name: 'Ether', symbol: 'ETH', decimals: 18 }

export const dollarInfo = {
  name: DOLLAR.name,
  symbol: DOLLAR.symbol,
  decimals: 6,
  address: DOLLAR.address as string,
}

/** Returns a transfer, by default of one ether from Bob to Alice. */
export function transfer(change: Partial<ActivityTransfer> = {}): ActivityTransfer {
  return {
    fungibleInfo: etherInfo,
    direction: 'in',
    quantity: { numeric: '1.000000000000000000' },
    sender: BOB,
    recipient: ALICE,
    spam: false,
    ...change,
  }
}

/** Returns a confirmed transaction of the history; its hash contains its number. */
export function transaction(
  number: number,
  metadata: Partial<ActivityTransaction['metadata']> = {},
  transfers = [transfer()],
): ActivityTransaction {
  const hash = `0x${number.toString(16).padStart(64, '0')}`
  return {
    id: `eip155:31337:${hash}`,
    metadata: {
      operationType: 'receive',
      hash,
      minedAt: '2023-11-14T22:00:00Z',
      sentFrom: BOB,
      sentTo: ALICE,
      status: 'confirmed',
      nonce: number,
      chain: 'eip155:31337',
      block: String(number),
      ...metadata,
    },
    transfers,
    spam: false,
  }
}
