import { describe, expect, it } from 'vitest'
import { selectAccount } from '../chain/selectors.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { sessionOf as signedInBy } from '../signIn/message.ts'
import { ALICE, BOB, createFakeWallet, type FakeWallet } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit } from '../testing/kit.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Eip1193Provider } from '../types/providers.ts'

const active = (hawser: Hawser) => selectAccount(hawser.chain.getState()).address

/** Connects a wallet whose provider is changed. */
async function connected(
  change: (provider: Eip1193Provider) => Eip1193Provider,
  wallet = createFakeWallet(),
) {
  const provider = change((await wallet.connector.getProvider()) as Eip1193Provider)
  const connector = { ...wallet.connector, getProvider: async () => provider }
  const kit = createKit({}, { ...wallet, connector } as FakeWallet)
  kit.hawser.mount()
  await connect(kit.hawser, { connector })
  return { ...kit, wallet }
}

describe('the accounts of a wallet', () => {
  it.each([
    ['lower case', (address: string) => address.toLowerCase()],
    ['upper case', (address: string) => address.toUpperCase()],
    ['a wrong checksum', (address: string) => `0x${address.slice(2).toLowerCase().replace('f', 'F')}`],
    ['white space around them', (address: string) => ` ${address}\n`],
  ])('have their checksums when the wallet writes %s', async (_, spell) => {
    const wallet = createFakeWallet()
    wallet.answers.eth_requestAccounts = () => [spell(ALICE)]
    wallet.answers.eth_accounts = () => [spell(ALICE)]
    const { hawser } = await createConnectedKit({}, wallet)
    expect(active(hawser)).toBe(ALICE)
    wallet.emit('accountsChanged', [spell(BOB)])
    expect(active(hawser)).toBe(BOB)
    const provider = hawser.sessions.get('eip155')?.provider as Eip1193Provider
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([ALICE])
  })

  it('are those that are addresses, each once', async () => {
    const wallet = createFakeWallet()
    wallet.answers.eth_requestAccounts = () => ['not an address', ALICE.toLowerCase(), '0x12', null, ALICE]
    const { hawser } = await createConnectedKit({}, wallet)
    expect(selectAccount(hawser.chain.getState()).allAccounts).toEqual([{ address: ALICE, type: 'eoa' }])
    wallet.emit('accountsChanged', ['not an address'])
    expect(active(hawser)).toBe(ALICE)
  })

  it('are none when none is an address', async () => {
    const wallet = createFakeWallet()
    wallet.accounts = ['not an address']
    const { hawser } = createKit({}, wallet)
    await expect(connect(hawser, { connector: wallet.connector })).rejects.toMatchObject({
      kind: 'noAccounts',
    })
  })

  it('have their checksums in a settled session and in what it signed', async () => {
    const wallet = createFakeWallet({
      getSession: async () => ({
        topic: 'topic',
        accounts: [`eip155:31337:${ALICE.toLowerCase()}`, 'eip155:31337:nothing'] as never,
        approvedNetworkIds: ['eip155:31337'],
        supportsAllNetworks: false,
        methods: [],
        expiresAt: 0,
        peer: { name: 'Phone', url: '', icons: [] },
      }),
    })
    const { hawser } = await createConnectedKit({}, wallet)
    expect(hawser.sessions.get('eip155')?.relay?.accounts).toEqual([`eip155:31337:${ALICE}`])
    const iss = `did:pkh:eip155:31337:${ALICE.toLowerCase()}`
    const signed = await signedInBy({
      h: { t: 'caip122' },
      p: { iss, nonce: 'abcdefgh', version: '1', domain: 'a.test', aud: 'https://a.test', iat: '' },
      s: { t: 'eip191', s: '0x' },
    })
    expect(signed?.data.accountAddress).toBe(ALICE)
    expect(signed?.message).toContain(ALICE.toLowerCase())
  })
})

describe('a provider', () => {
  it('may have frozen members, private fields and members of its own', async () => {
    class Wallet {
      readonly isExample = true
      #chain = 31337
      name() {
        return `wallet of ${this.#chain}`
      }
    }
    const { hawser } = await connected((provider) => Object.freeze(Object.assign(new Wallet(), provider)))
    const provider = hawser.sessions.get('eip155')?.provider as Eip1193Provider & Wallet
    expect([provider.isExample, provider.name(), 'isExample' in provider]).toEqual([
      true,
      'wallet of 31337',
      true,
    ])
  })

  it('that throws at once when it is asked to revoke is disconnected', async () => {
    const { hawser } = await connected((provider) => ({
      ...provider,
      request(args) {
        if (args.method === 'wallet_revokePermissions') throw new Error('not now')
        return provider.request(args)
      },
    }))
    await disconnect(hawser)
    expect(hawser.sessions.size).toBe(0)
  })

  it.each(['on', 'removeListener'] as const)(
    'whose %s throws is connected and disconnected',
    async (member) => {
      const { hawser } = await connected((provider) => ({
        ...provider,
        [member]: () => {
          throw new Error('no events')
        },
      }))
      expect(active(hawser)).toBe(ALICE)
      await disconnect(hawser)
      expect(hawser.sessions.size).toBe(0)
    },
  )

  it('has its listeners removed', async () => {
    const { hawser, wallet } = await createConnectedKit()
    expect(wallet.listenerCount()).toBe(3)
    await disconnect(hawser)
    expect(wallet.listenerCount()).toBe(0)
  })
})

describe('the chain of a wallet', () => {
  it.each(['0x7a69', '31337', 31337, 31337n, 'eip155:31337', ' 0x7a69 ', { chainId: '0x7a69' }])(
    'is read from %o',
    async (answer) => {
      const wallet = createFakeWallet()
      wallet.answers.eth_chainId = () => answer
      const { hawser } = await createConnectedKit({}, wallet)
      expect(hawser.chain.getState().activeCaipNetwork?.caipNetworkId).toBe('eip155:31337')
      wallet.emit('chainChanged', answer)
      expect(hawser.chain.getState().activeCaipNetwork?.caipNetworkId).toBe('eip155:31337')
    },
  )

  it.each([null, undefined, '', '0x', {}, 'eip155:', Number.NaN])(
    'is that of net_version when eth_chainId is %o',
    async (answer) => {
      const wallet = createFakeWallet()
      wallet.answers.eth_chainId = () => answer
      wallet.answers.net_version = () => '31338'
      const { hawser } = await createConnectedKit({}, wallet)
      expect(hawser.chain.getState().activeCaipNetwork?.caipNetworkId).toBe('eip155:31338')
    },
  )

  it('has to be named', async () => {
    const wallet = createFakeWallet()
    wallet.answers.eth_chainId = () => null
    const { hawser } = createKit({}, wallet)
    await expect(connect(hawser, { connector: wallet.connector })).rejects.toThrow('answer can’t be read')
  })
})
