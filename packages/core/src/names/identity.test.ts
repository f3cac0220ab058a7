import { describe, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { selectAccount } from '../chain/selectors.ts'
import { disconnect } from '../connection/disconnect.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { defineNetwork } from '../network/network.ts'
import { settle } from '../testing/fakeClock.ts'
import { ALICE, BOB, deferred } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, devnetTwo, type Kit } from '../testing/kit.ts'
import type { Connector, ConnectorFactory } from '../types/connector.ts'
import type { SolanaProvider } from '../types/providers.ts'
import { fetchIdentity } from './identity.ts'

const PICTURE = 'data:image/png;base64,AAAA'

const profile = ({ hawser }: Kit) => {
  const { profileName, profileImage } = selectAccount(hawser.chain.getState())
  return { profileName, profileImage }
}
const asked = ({ gateway }: Kit) => gateway.requests.filter((request) => request.includes('/GetIdentity '))

/** Connects a visitor whose names the gateway returns. */
async function connectNamed(names: Record<string, string>, avatar?: string): Promise<Kit> {
  const kit = createKit()
  kit.gateway.names.identity = (address) => {
    const name = names[address]
    return { ...(name && { name }), ...(avatar && { avatar }) }
  }
  kit.hawser.mount()
  const { connect } = await import('../connection/connect.ts')
  await connect(kit.hawser, { connector: kit.wallet.connector })
  await vi.waitFor(() => expect(asked(kit)).toHaveLength(1))
  await settle()
  return kit
}

describe('the account in use', () => {
  it('is shown by its name and picture once it is connected', async () => {
    const kit = await connectNamed({ [ALICE]: 'alice.hawser.id' }, PICTURE)
    await vi.waitFor(() =>
      expect(profile(kit)).toEqual({ profileName: 'alice.hawser.id', profileImage: PICTURE }),
    )
  })

  it('is shown by another name when it changes, and by none until that is known', async () => {
    const kit = await connectNamed({ [ALICE]: 'alice.hawser.id', [BOB]: 'bob.hawser.id' })
    await vi.waitFor(() => expect(profile(kit).profileName).toBe('alice.hawser.id'))
    kit.wallet.emit('accountsChanged', [BOB])
    expect(profile(kit)).toEqual({ profileName: undefined, profileImage: undefined })
    await vi.waitFor(() => expect(profile(kit).profileName).toBe('bob.hawser.id'))
  })

  it('keeps its name on another network', async () => {
    const kit = await connectNamed({ [ALICE]: 'alice.hawser.id' })
    await vi.waitFor(() => expect(profile(kit).profileName).toBe('alice.hawser.id'))
    setActiveNetwork(kit.hawser, devnetTwo)
    expect(profile(kit).profileName).toBe('alice.hawser.id')
  })

  it('is never shown by the name of the one before, however late that comes', async () => {
    const kit = await connectNamed({})
    const late = deferred<{ name: string }>()
    kit.hawser.storage.remove('identity_cache')
    kit.gateway.names.identity = (address) => (address === ALICE ? late.promise : { name: 'bob.hawser.id' })
    const first = fetchIdentity(kit.hawser)
    await settle()
    kit.wallet.emit('accountsChanged', [BOB])
    await vi.waitFor(() => expect(profile(kit).profileName).toBe('bob.hawser.id'))
    late.resolve({ name: 'alice.hawser.id' })
    await first
    expect(profile(kit).profileName).toBe('bob.hawser.id')
  })

  it('loses its name with the wallet', async () => {
    const kit = await connectNamed({ [ALICE]: 'alice.hawser.id' })
    await vi.waitFor(() => expect(profile(kit).profileName).toBe('alice.hawser.id'))
    await disconnect(kit.hawser)
    expect(profile(kit).profileName).toBeUndefined()
  })
})

describe('the gateway', () => {
  it('is requested once in five minutes', async () => {
    const kit = await connectNamed({ [ALICE]: 'alice.hawser.id' })
    await fetchIdentity(kit.hawser)
    expect(asked(kit)).toHaveLength(1)
    await kit.clock.advance(300_000)
    await fetchIdentity(kit.hawser)
    expect(asked(kit)).toHaveLength(2)
  })

  it('is not requested on a network that the gateway does not serve', async () => {
    const kit = createKit()
    kit.gateway.served = []
    kit.hawser.mount()
    const { connect } = await import('../connection/connect.ts')
    await connect(kit.hawser, { connector: kit.wallet.connector })
    await fetchIdentity(kit.hawser)
    expect(asked(kit)).toEqual([])
  })

  it('is requested despite the cache when the name may have changed', async () => {
    const kit = await connectNamed({ [ALICE]: 'alice.hawser.id' })
    kit.gateway.names.identity = () => ({})
    await fetchIdentity(kit.hawser, { bypassCache: true })
    expect(profile(kit).profileName).toBeUndefined()
    expect(asked(kit)).toHaveLength(2)
  })

  it('that fails shows the account by its address, and is retried', async () => {
    const kit = await createConnectedKit()
    kit.hawser.storage.remove('identity_cache')
    await isServed(kit.hawser, 'eip155:31337')
    kit.gateway.status = 503
    await fetchIdentity(kit.hawser)
    expect(profile(kit).profileName).toBeUndefined()
    kit.gateway.status = 200
    kit.gateway.names.identity = () => ({ name: 'alice.hawser.id' })
    await fetchIdentity(kit.hawser)
    expect(profile(kit).profileName).toBe('alice.hawser.id')
  })
})

describe('a picture', () => {
  it('is loaded from the gateway, whatever its origin', async () => {
    const kit = createKit({ baseUrl: 'http://gateway.test/' })
    kit.gateway.names.identity = () => ({
      name: 'alice.hawser.id',
      avatar: 'https://tracker.test/a.png',
      picture: '/v1/identity/0xf39F/avatar?v=ab12',
    })
    kit.hawser.mount()
    const { connect } = await import('../connection/connect.ts')
    await connect(kit.hawser, { connector: kit.wallet.connector })
    await vi.waitFor(() =>
      expect(profile(kit).profileImage).toBe(
        'http://gateway.test/v1/identity/0xf39F/avatar?v=ab12&projectId=00000000000000000000000000000001',
      ),
    )
  })

  it('is never taken from another host, whatever the gateway says', async () => {
    const kit = await connectNamed({ [ALICE]: 'alice.hawser.id' })
    for (const picture of ['@tracker.test/a.png', '.tracker.test/a.png', ':81/a.png']) {
      kit.gateway.names.identity = () => ({ name: 'alice.hawser.id', picture })
      await fetchIdentity(kit.hawser, { bypassCache: true })
      expect(profile(kit).profileImage).toBeUndefined()
    }
  })

  it.each([
    ['is shown from the gateway', 'http://gateway.test/v1/nft-media/a', 'http://gateway.test/v1/nft-media/a'],
    ['is shown when it is written out', PICTURE, PICTURE],
    ['of another host is not asked for', 'https://tracker.test/a.png', undefined],
    ['of another port is not asked for', 'http://gateway.test:81/a.png', undefined],
    ['is never a script', 'javascript:alert(1)', undefined],
    ['is never a page', 'data:text/html,hello', undefined],
    ['of a scheme that browsers do not know is none', 'ipfs://bafy/a.png', undefined],
  ])('%s', async (_, url, shown) => {
    const kit = await connectNamed({ [ALICE]: 'alice.hawser.id' }, url)
    await vi.waitFor(() =>
      expect(profile(kit)).toEqual({ profileName: 'alice.hawser.id', profileImage: shown }),
    )
  })
})

describe('an account of Solana', () => {
  const SOLANA_ALICE = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
  const solana = defineNetwork({
    id: 'dev',
    name: 'Solana',
    chainNamespace: 'solana',
    nativeCurrency: { name: 'SOL', symbol: 'SOL', decimals: 9 },
  })
  const provider: SolanaProvider = {
    connect: async () => [{ address: SOLANA_ALICE, type: 'eoa' }],
    onAccounts: () => () => undefined,
    signMessage: async () => new Uint8Array(64),
  }
  const connector: Connector<'solana'> = {
    id: 'solana:test',
    name: 'Test',
    type: 'ANNOUNCED',
    chain: 'solana',
    getProvider: async () => provider,
  }
  const wallets: ConnectorFactory = ({ add }) => {
    add(connector)
    return () => undefined
  }

  it('is shown by its primary name', async () => {
    const kit = createKit({ networks: [solana], connectors: [wallets] })
    kit.gateway.served = ['solana:dev']
    kit.gateway.names.primaryName = (address) => (address === SOLANA_ALICE ? 'alice.sns' : undefined)
    kit.hawser.mount()
    const { connect } = await import('../connection/connect.ts')
    await connect(kit.hawser, { connector })
    await vi.waitFor(() => expect(profile(kit).profileName).toBe('alice.sns'))
    expect(asked(kit)).toEqual([])
  })
})
