import { expect } from 'vitest'
import { openModal } from '../modal/modal.ts'
import { openNames } from '../modal/nameFlows.ts'
import { fetchOwnNames, openName } from '../names/ownNames.ts'
import type { NameRecord } from '../types/names.ts'
import { ALICE } from './fakeWallet.ts'
import { createConnectedKit, type Kit } from './kit.ts'

export const NAME = 'alice.hawser.id'
export const SIGNATURE = `0x${'1b'.repeat(65)}`
/** The coin type of the first local chain (ENSIP-11). */
export const DEVNET_COIN_TYPE = 2147514985

/** Returns a name of ALICE's as the gateway lists it, except for what a test changes. */
export function recordOf(changes: Partial<NameRecord> = {}): NameRecord {
  return {
    name: NAME,
    registeredAt: '2026-01-01T00:00:00.000Z',
    registered: 1_767_225_600,
    updatedAt: '2026-01-01T00:00:00.000Z',
    updated: 1_767_225_600,
    attributes: { bio: 'Sails' },
    addresses: leadingTo({ '60': ALICE, [DEVNET_COIN_TYPE]: ALICE }),
    ...changes,
  }
}

export function leadingTo(addresses: Record<string, string>): NameRecord['addresses'] {
  const createdAt = '2026-01-01T00:00:00.000Z'
  return Object.fromEntries(
    Object.entries(addresses).map(([coin, address]) => [
      coin,
      { address, createdAt, created: 1_767_225_600 },
    ]),
  )
}

/** Connects a visitor and opens the view of one of their names; the wallet signs. */
export async function owning(...records: NameRecord[]): Promise<Kit> {
  const kit = await createConnectedKit()
  const [first = recordOf()] = records
  kit.wallet.answers.personal_sign = () => SIGNATURE
  kit.gateway.names.owned = () => (records.length > 0 ? records : [first])
  openModal(kit.hawser, { view: 'Account' })
  openNames(kit.hawser)
  await fetchOwnNames(kit.hawser)
  openName(kit.hawser, first.name)
  return kit
}

/** Returns the texts that the wallet signed, one item per line. */
export function signedTexts({ wallet }: Kit): string[][] {
  return wallet.calls
    .filter(({ method }) => method === 'personal_sign')
    .map(({ params }) => decodeURIComponent(String(params[0]).slice(2).replace(/../g, '%$&')).split('\n'))
}

/** Returns the lines of a statement that describe the change. */
export function saying(action: string, ...lines: string[]) {
  const first = `Hawser names at installation 0x${'0b'.repeat(20)}: ${action}`
  return [first, '', expect.stringMatching(/^Account: 0x[0-9a-f]{40} on eip155:\d+$/), ...lines, ...TIMES]
}

const TIMES = [
  expect.stringMatching(/^Issued: [\dT:-]+Z$/),
  expect.stringMatching(/^Expires: [\dT:-]+Z$/),
  expect.stringMatching(/^Code: [0-9a-f]{32}$/),
]
