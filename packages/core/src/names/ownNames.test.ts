import { describe, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { openNames } from '../modal/nameFlows.ts'
import { openStream } from '../testing/fakeGateway.ts'
import { ALICE, BOB, deferred } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, devnet, devnetTwo, type Kit } from '../testing/kit.ts'
import { DEVNET_COIN_TYPE, leadingTo, NAME, owning, recordOf } from '../testing/owning.ts'
import type { NameRecord } from '../types/names.ts'
import { changeName } from './changeName.ts'
import { chainIdOfCoin, nameAddresses } from './coinType.ts'
import { editRecords, setRecord } from './editName.ts'
import { chosenName, fetchOwnNames, namesOfAddress, watchOwnNames } from './ownNames.ts'
import { registerName } from './registerName.ts'

const state = ({ hawser }: Kit) => hawser.ownNames.getState()

describe('the names of the account', () => {
  it('are all that the gateway lists, with the networks they may lead to', async () => {
    const kit = await createConnectedKit()
    kit.gateway.served = ['eip155:31337']
    const given = recordOf({ name: 'gift.hawser.id', given: true })
    kit.gateway.names.owned = (address) => (address === ALICE ? [recordOf(), given] : [])
    await fetchOwnNames(kit.hawser)
    expect(state(kit)).toMatchObject({ status: 'read', records: [recordOf(), given], networks: [devnet] })
  })

  it('are those of the active account, even when a response for another account comes late', async () => {
    const kit = await createConnectedKit()
    const late = deferred<NameRecord[]>()
    kit.gateway.names.owned = (address) => (address === ALICE ? late.promise : [])
    const first = fetchOwnNames(kit.hawser)
    kit.wallet.emit('accountsChanged', [BOB])
    await fetchOwnNames(kit.hawser)
    late.resolve([recordOf()])
    await first
    expect(state(kit)).toMatchObject({ status: 'read', records: [] })
  })

  it('that cannot be listed leave those that were', async () => {
    const kit = await owning()
    await kit.clock.advance(300_000)
    kit.gateway.status = 503
    await fetchOwnNames(kit.hawser)
    expect(state(kit)).toMatchObject({ status: 'failed', records: [recordOf()] })
  })

  it('are read again when the gateway pushes a change, until the view is closed', async () => {
    const kit = await owning()
    const stop = watchOwnNames(kit.hawser)
    await vi.waitFor(() => expect(state(kit).records).toHaveLength(1))
    kit.gateway.names.owned = () => []
    kit.hawser.push.setState({ identityChanges: 1 })
    await vi.waitFor(() => expect(chosenName(state(kit))).toBeUndefined())
    stop()
    const asked = kit.gateway.requests.length
    kit.hawser.push.setState({ identityChanges: 2 })
    expect(kit.gateway.requests).toHaveLength(asked)
  })

  it('are requested once in five minutes, also by the next visit', async () => {
    const kit = await owning()
    const lists = ({ gateway }: Kit) => gateway.requests.filter((each) => each.includes('/ListNames ')).length
    await fetchOwnNames(kit.hawser)
    expect(lists(kit)).toBe(1)
    const next = createKit({ storage: kit.storage, clock: kit.clock }, kit.wallet)
    expect(await namesOfAddress(next.hawser, ALICE)).toEqual([recordOf()])
    expect(lists(next)).toBe(0)

    await kit.clock.advance(300_000)
    await fetchOwnNames(kit.hawser)
    expect(lists(kit)).toBe(2)
  })

  it.each([
    [
      'the gateway tells of a change',
      async ({ hawser, gateway }: Kit) => {
        gateway.watch = (signal) => openStream(signal).send({ block: '7', identity: {} }).body
        setActiveNetwork(hawser, devnetTwo)
        await vi.waitFor(() => expect(hawser.push.getState().identityChanges).toBe(1))
      },
    ],
    [
      'one was changed',
      async ({ hawser }: Kit) => {
        editRecords(hawser)
        setRecord(hawser, 'bio', 'Rows')
        await changeName(hawser)
      },
    ],
    [
      'one was registered',
      async ({ hawser }: Kit) => {
        await registerName(hawser, 'bob.hawser.id')
      },
    ],
  ] as const)('are requested again once %s', async (_, change) => {
    const kit = await owning()
    kit.gateway.names.owned = () => []
    await change(kit)
    expect(await namesOfAddress(kit.hawser, ALICE)).toEqual([])
  })

  it('that cannot be listed are an error', async () => {
    const kit = await createConnectedKit()
    kit.gateway.status = 503
    await expect(namesOfAddress(kit.hawser, ALICE)).rejects.toThrow('Error fetching names for address')
  })

  it('are left with their account', async () => {
    const kit = await owning()
    kit.wallet.emit('accountsChanged', [BOB])
    expect(state(kit)).toMatchObject({ status: 'unread', records: [], chosen: undefined })
    expect(kit.hawser.router.getState().view).toBe('Account')
  })

  it('are shown from a closed modal too', async () => {
    const kit = await createConnectedKit()
    openNames(kit.hawser)
    expect(kit.hawser.modal.getState().open).toBe(true)
    expect(kit.hawser.router.getState().view).toBe('Names')
  })
})

describe('the places of a name', () => {
  it('are of Ethereum, the site’s networks, and the other coin types of the name', () => {
    const record = recordOf({ addresses: leadingTo({ '2147483658': BOB, '60': ALICE }) })
    expect(nameAddresses(record, [devnet, devnetTwo])).toEqual([
      { coinType: 60, network: undefined, address: ALICE },
      { coinType: DEVNET_COIN_TYPE, network: devnet, address: undefined },
      { coinType: DEVNET_COIN_TYPE + 1, network: devnetTwo, address: undefined },
      { coinType: 2147483658, network: undefined, address: BOB },
    ])
    expect([60, 2147483658, 0].map(chainIdOfCoin)).toEqual([1, 10, undefined])
    expect(record.name).toBe(NAME)
  })
})
