import { describe, expect, it } from 'vitest'
import { connect } from '../connection/connect.ts'
import { createFakeWallet, type FakeWallet } from '../testing/fakeWallet.ts'
import { createKit, offer } from '../testing/kit.ts'
import type { Connector } from '../types/connector.ts'
import type { ConnectorGroup } from '../types/options.ts'
import { isContested, isRecent, listConnectors, withConnector } from './connectorList.ts'
import { withRecentWallet } from './recentWallets.ts'

const found = (fields: Partial<Connector>): Connector =>
  createFakeWallet({ info: {}, ...fields, id: fields.id ?? fields.name ?? 'wallet' }).connector

const names = (connectors: readonly Connector[]) => connectors.map(({ name }) => name)
const noOrder: readonly ConnectorGroup[] = []

describe('finding a wallet', () => {
  it('twice by the same announcement keeps the first', () => {
    const first = found({ id: 'io.a', name: 'A', info: { rdns: 'io.a', uuid: '1' } })
    const again = found({ id: 'io.a', name: 'A', info: { rdns: 'io.a', uuid: '1' } })
    expect(withConnector([first], again)[0]).toBe(first)
    expect(withConnector([first], again)).toHaveLength(1)
  })

  it('under a name with hidden characters is listed without them', () => {
    const [named, hidden] = [
      found({ name: '\u202eksaMateM\u202c\u200b' }),
      found({ id: 'io.a', name: '\u200b' }),
    ]
    expect(withConnector([], named)[0]?.name).toBe('ksaMateM')
    expect(withConnector([], hidden)[0]?.name).toBe('io.a')
  })

  it('with the rdns of another one is listed beside it as a duplicate', () => {
    const first = found({ id: 'io.a', name: 'A', info: { rdns: 'io.a', uuid: '1' } })
    const other = found({ id: 'io.a', name: 'A', info: { rdns: 'io.a', uuid: '2' } })
    const all = withConnector([first], other)
    expect(all[0]).toBe(first)
    expect(all[1]).toMatchObject({ id: 'io.a#2', name: 'A', isDuplicate: true })
    expect(withConnector(all, other)).toEqual(all)
    expect(listConnectors(all, noOrder)).toEqual(all)
    expect(all.map((connector) => isContested(all, connector))).toEqual([true, true])
    expect(isContested([first], first)).toBe(false)
  })

  it('with the name of another one of its chain is contested', () => {
    const [first, other, elsewhere] = [
      found({ id: 'solana:A', name: 'A', chain: 'solana' }),
      found({ id: 'solana:A#2', name: 'A', chain: 'solana', isDuplicate: true }),
      found({ id: 'bip122:A', name: 'A', chain: 'bip122' }),
    ]
    const all = [first, other, elsewhere]
    expect(all.map((connector) => isContested(all, connector))).toEqual([true, true, false])
  })

  it('that does not announce itself twice keeps the latest finding', () => {
    const again = found({ name: 'A' })
    expect(withConnector([found({ name: 'A' })], again)[0]).toBe(again)
  })

  it('keeps wallets apart that share neither name nor domain', () => {
    const list = withConnector([found({ name: 'A' })], found({ name: 'B' }))
    expect(names(list)).toEqual(['A', 'B'])
  })
})

describe('listing wallets', () => {
  it('merges one wallet found on two namespaces', () => {
    const [merged, ...others] = listConnectors(
      [found({ name: 'Trust Wallet', chain: 'eip155' }), found({ name: 'Trust', chain: 'solana' })],
      noOrder,
    )
    expect(others).toEqual([])
    expect(merged).toMatchObject({ name: 'Trust', type: 'MULTI_CHAIN' })
    expect(merged?.connectors?.map(({ chain }) => chain)).toEqual(['eip155', 'solana'])
  })

  it('lists pairings once, whichever namespaces they are for', () => {
    const both = [
      found({ name: 'WalletConnect', type: 'WALLET_CONNECT', chain: 'eip155' }),
      found({ name: 'WalletConnect', type: 'WALLET_CONNECT', chain: 'solana' }),
    ]
    expect(listConnectors(both, noOrder)).toEqual(both.slice(0, 1))
  })

  it('leaves the embedded wallet as it is on every namespace', () => {
    const both = [
      found({ name: 'Auth', type: 'AUTH', chain: 'eip155' }),
      found({ name: 'Auth', type: 'AUTH', chain: 'solana' }),
    ]
    expect(listConnectors(both, noOrder)).toEqual(both)
  })

  it('orders by the kinds the site names, then by the default order', () => {
    const wallets = [
      found({ name: 'External', type: 'EXTERNAL' }),
      found({ name: 'Announced', type: 'ANNOUNCED' }),
      found({ name: 'WalletConnect', type: 'WALLET_CONNECT' }),
    ]
    expect(names(listConnectors(wallets, noOrder))).toEqual(['Announced', 'WalletConnect', 'External'])
    expect(names(listConnectors(wallets, ['external']))).toEqual(['External', 'Announced', 'WalletConnect'])
  })
})

describe('a wallet that was used lately', () => {
  const wallets = ['A', 'B', 'C'].map((name) => found({ id: name, name, type: 'ANNOUNCED' }))
  const recent = [
    { id: 'C', name: 'C' },
    { id: 'B', name: 'B' },
  ]

  it('is listed in the site’s order, the last used one first', () => {
    expect(names(listConnectors(wallets, noOrder, recent))).toEqual(['C', 'B', 'A'])
    expect(names(listConnectors(wallets, ['injected', 'recent'], recent))).toEqual(['A', 'C', 'B'])
  })

  it('is known on several namespaces by any of them', () => {
    const merged = [found({ id: 'x', name: 'X' }), found({ id: 'y', name: 'X', chain: 'solana' })]
    const list = listConnectors([...wallets, ...merged], noOrder, [{ id: 'y', name: 'X' }])
    expect(names(list)).toEqual(['X', 'A', 'B', 'C'])
    expect(list.map((connector) => isRecent([{ id: 'y', name: 'X' }], connector))).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('moves to the top once it is connected, and is at the top on the next visit', async () => {
    const [first, second] = ['First', 'Second'].map((name) => createFakeWallet({ id: name, name, info: {} }))
    const connectors = [first, second].map((wallet) => offer(wallet as FakeWallet))
    const kit = createKit({ connectors })
    kit.hawser.mount()
    await connect(kit.hawser, { connector: (second as FakeWallet).connector })
    expect(names(kit.hawser.connectors.getState().connectors)).toEqual(['Second', 'First'])

    const next = createKit({ connectors, storage: kit.storage })
    next.hawser.mount()
    expect(names(next.hawser.connectors.getState().connectors)).toEqual(['Second', 'First'])
  })
})

describe('recent wallets', () => {
  it('are two at most, the newest first, none twice', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, name: id.toUpperCase() }))
    const ids = [a, b, a, c].reduce<readonly { id: string; name: string }[]>(
      (wallets, wallet) => (wallet ? withRecentWallet(wallets, wallet) : wallets),
      [],
    )
    expect(ids.map(({ id }) => id)).toEqual(['c', 'a'])
  })
})
