import { describe, expect, it, vi } from 'vitest'
import { selectAccount } from '../chain/selectors.ts'
import { ConnectError } from '../errors/walletErrors.ts'
import { PAIRING_LIFETIME_MS } from '../limits.ts'
import { closeModal, openModal } from '../modal/modal.ts'
import { defineNetwork } from '../network/network.ts'
import { createPairingKit, type PairingKit } from '../testing/createPairingKit.ts'
import { settle } from '../testing/fakeClock.ts'
import { createFakeRelayWallet, type FakeRelayWallet, relaySession } from '../testing/fakeRelayWallet.ts'
import { ALICE, createFakeWallet, walletError } from '../testing/fakeWallet.ts'
import { createKit, devnet, devnetTwo, type Kit, offer } from '../testing/kit.ts'
import type { Connector, RecentWallet } from '../types/connector.ts'
import type { SolanaProvider } from '../types/providers.ts'
import { connect } from './connect.ts'
import { disconnect } from './disconnect.ts'
import { cancelPairing, isPairingExpired, openWalletApp, pair, startBuffering } from './pairing.ts'

const SOLANA_ALICE = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const solana = defineNetwork({
  id: 'dev',
  name: 'Solana',
  chainNamespace: 'solana',
  nativeCurrency: { name: 'SOL', symbol: 'SOL', decimals: 9 },
})

/** Creates a page that lists networks of two namespaces, and a wallet that is paired for both. */
function createPairingKitOfTwo() {
  const phone = createFakeRelayWallet(() => kit.clock)
  const provider: SolanaProvider = {
    connect: async () =>
      (phone.session?.accounts ?? [])
        .filter((account) => account.startsWith('solana:'))
        .map((account) => ({ address: account.split(':')[2] ?? '', type: 'eoa' })),
    onAccounts: () => () => undefined,
    signMessage: async () => new Uint8Array(64),
  }
  const onSolana: Connector<'solana'> = {
    ...phone.connector,
    chain: 'solana',
    getProvider: async () => provider,
  }
  const connectors = [offer(phone), offer({ ...phone, connector: onSolana })]
  const base: Kit = createKit({ networks: [devnet, solana], connectors })
  const kit: PairingKit = { ...base, phone, state: () => base.hawser.connection.getState() }
  base.hawser.mount()
  return { kit, phone, onSolana }
}

const rainbow: RecentWallet = {
  id: 'ff'.repeat(32),
  name: 'Rainbow',
  rdns: 'me.rainbow',
  imageUrl: 'http://gateway.test/rainbow.svg',
  links: { mobile: 'rainbow://' },
}

/** Starts a pairing and waits until it is offered. */
async function offered({ hawser, phone, state }: PairingKit, wallet?: RecentWallet) {
  const attempt = pair(hawser, { connector: phone.connector, wallet })
  attempt.catch(() => undefined)
  await vi.waitFor(() => expect(state().wcUri).toBe(phone.pairings.at(-1)?.uri))
  return { attempt, pairing: phone.pairings.at(-1) as FakeRelayWallet['pairings'][number] }
}

describe('offering a pairing', () => {
  it('shows its URI for four minutes', async () => {
    const kit = createPairingKit()
    await offered(kit)
    expect(kit.state()).toMatchObject({
      status: 'disconnected',
      wcUri: 'wc:0@2',
      wcPairingExpiry: kit.clock.now() + PAIRING_LIFETIME_MS,
      wcError: false,
    })
    expect(isPairingExpired(kit.hawser)).toBe(false)
    await kit.clock.advance(PAIRING_LIFETIME_MS - 10_000)
    expect(isPairingExpired(kit.hawser)).toBe(true)
  })

  it('requests the networks of the site, the active one first', async () => {
    const kit = createPairingKit({ defaultNetwork: devnetTwo })
    const { pairing } = await offered(kit)
    expect(pairing.options.networks).toEqual([devnetTwo, devnet])
  })

  it('connects each namespace that the wallet approves, with one pairing and one disconnect', async () => {
    const { kit, phone, onSolana } = createPairingKitOfTwo()
    const { attempt, pairing } = await offered(kit)
    expect(pairing.options.networks).toEqual([devnet, solana])
    phone.session = { ...relaySession, accounts: [...relaySession.accounts, `solana:dev:${SOLANA_ALICE}`] }
    pairing.approve(phone.session)
    await attempt
    const { chains, activeChain } = kit.hawser.chain.getState()
    expect(activeChain).toBe('eip155')
    expect([...chains.values()].map(({ accountState }) => accountState.address)).toEqual([
      ALICE,
      SOLANA_ALICE,
    ])
    expect(chains.get('solana')?.networkState.supportsAllNetworks).toBe(false)
    await disconnect(kit.hawser, { namespace: 'solana' })
    expect(kit.hawser.sessions.size).toBe(0)
    expect(onSolana.id).toBe(phone.connector.id)
  })

  it('is on Solana when the wallet approves nothing else', async () => {
    const { kit, phone } = createPairingKitOfTwo()
    const { attempt, pairing } = await offered(kit)
    phone.accounts = []
    pairing.approve({ accounts: [`solana:dev:${SOLANA_ALICE}`] })
    await expect(attempt).resolves.toMatchObject({ address: SOLANA_ALICE })
    const { chains, activeChain } = kit.hawser.chain.getState()
    expect(activeChain).toBe('solana')
    expect(chains.get('eip155')?.accountState.status).toBe('disconnected')
    expect(kit.state().status).toBe('connected')
  })

  it('leaves a namespace that the wallet does not approve to the wallet that is connected there', async () => {
    const { kit, phone } = createPairingKitOfTwo()
    await connect(kit.hawser, { connector: createFakeWallet().connector })
    const { attempt, pairing } = await offered(kit)
    phone.accounts = []
    pairing.approve({ ...relaySession, accounts: [`solana:dev:${SOLANA_ALICE}`] })
    await expect(attempt).resolves.toMatchObject({ address: SOLANA_ALICE })
    const state = kit.hawser.chain.getState()
    expect(selectAccount(state, 'eip155')).toMatchObject({ address: ALICE, status: 'connected' })
  })

  it('connects the namespaces that do not fail', async () => {
    const { kit, phone, onSolana } = createPairingKitOfTwo()
    Object.assign(onSolana, { getProvider: () => Promise.reject(new Error('The code was not loaded')) })
    const { attempt, pairing } = await offered(kit)
    phone.session = { ...relaySession, accounts: [...relaySession.accounts, `solana:dev:${SOLANA_ALICE}`] }
    pairing.approve(phone.session)
    await expect(attempt).resolves.toMatchObject({ address: ALICE })
    expect([...kit.hawser.sessions.keys()]).toEqual(['eip155'])
  })

  it('is shared by concurrent calls', async () => {
    const kit = createPairingKit()
    const first = pair(kit.hawser, { connector: kit.phone.connector })
    const second = pair(kit.hawser, { connector: kit.phone.connector })
    expect(second).toBe(first)
    const { attempt } = await offered(kit)
    expect(attempt).toBe(first)
    expect(kit.phone.pairings).toHaveLength(1)
  })

  it('after it expired is repeated, and the earlier one can still be approved', async () => {
    const kit = createPairingKit()
    const { attempt, pairing } = await offered(kit)
    await kit.clock.advance(PAIRING_LIFETIME_MS)
    const again = await offered(kit)
    expect(again.attempt).toBe(attempt)
    expect(kit.state().wcUri).toBe('wc:1@2')
    pairing.approve()
    await expect(attempt).resolves.toMatchObject({ address: ALICE })
    expect(again.pairing.isCancelled).toBe(true)
  })

  it('fails when no wallet answers until the URI expires', async () => {
    const kit = createPairingKit()
    const { attempt } = await offered(kit)
    await kit.clock.advance(300_000)
    await expect(attempt).rejects.toMatchObject({ kind: 'expired' })
    expect(kit.state()).toMatchObject({ status: 'disconnected', wcUri: undefined, wcError: true })
  })

  it('fails when the relay cannot be reached, and can be tried again', async () => {
    const kit = createPairingKit()
    kit.phone.pairError = new Error('socket closed')
    await expect(pair(kit.hawser, { connector: kit.phone.connector })).rejects.toMatchObject({
      kind: 'unreachable',
    })
    expect(kit.state()).toMatchObject({ status: 'disconnected', wcError: true })
    kit.phone.pairError = undefined
    const { pairing, attempt } = await offered(kit)
    expect(kit.state().wcError).toBe(false)
    pairing.approve()
    await attempt
  })

  it('ends when another wallet is chosen', async () => {
    const kit = createPairingKit()
    const { attempt, pairing } = await offered(kit)
    await connect(kit.hawser, { connector: createFakeWallet().connector })
    await expect(attempt).rejects.toMatchObject({ kind: 'superseded' })
    expect(pairing.isCancelled).toBe(true)
    expect(kit.state().status).toBe('connected')
  })

  it('ends with the modal while a code is shown', async () => {
    const kit = createPairingKit()
    openModal(kit.hawser)
    const { attempt, pairing } = await offered(kit)
    closeModal(kit.hawser)
    await expect(attempt).rejects.toBeInstanceOf(ConnectError)
    expect(pairing.isCancelled).toBe(true)
    expect(kit.state()).toMatchObject({ status: 'disconnected', wcUri: undefined, wcError: false })
    expect(kit.eventNames()).not.toContain('CONNECT_ERROR')
  })

  it('can be cancelled and started again', async () => {
    const kit = createPairingKit()
    const first = await offered(kit)
    cancelPairing(kit.hawser)
    const second = await offered(kit)
    expect(second.attempt).not.toBe(first.attempt)
    expect(first.pairing.isCancelled).toBe(true)
    await settle()
    expect(kit.state()).toMatchObject({ status: 'disconnected', wcUri: 'wc:1@2' })
  })
})

describe('a wallet that approves', () => {
  it('is connected, with the networks that it approved', async () => {
    const kit = createPairingKit()
    const { attempt, pairing } = await offered(kit)
    pairing.approve()
    await expect(attempt).resolves.toMatchObject({ address: ALICE, network: devnet })
    const record = kit.hawser.chain.getState().chains.get('eip155')
    expect(record?.networkState).toMatchObject({
      supportsAllNetworks: false,
      approvedCaipNetworkIds: ['eip155:31337'],
    })
    expect(selectAccount(kit.hawser.chain.getState()).connectedWalletInfo).toEqual({
      name: 'Phone Wallet',
      type: 'WALLET_CONNECT',
    })
    expect(kit.state()).toMatchObject({ status: 'connected', wcUri: undefined })
  })

  it('by a code is reported with the method qrcode, and is remembered', async () => {
    const kit = createPairingKit()
    const { attempt, pairing } = await offered(kit, rainbow)
    pairing.approve()
    await attempt
    expect(kit.events).toContainEqual({
      event: 'CONNECT_SUCCESS',
      properties: { method: 'qrcode', name: 'Rainbow' },
    })
    expect(kit.hawser.connectors.getState().recentWallets).toEqual([rainbow])
    expect(kit.hawser.storage.read('deep_link')).toBeUndefined()
  })

  it('without a name of the directory is not remembered', async () => {
    const kit = createPairingKit()
    const { attempt, pairing } = await offered(kit)
    pairing.approve()
    await attempt
    expect(kit.events).toContainEqual({
      event: 'CONNECT_SUCCESS',
      properties: { method: 'qrcode', name: 'Phone Wallet' },
    })
    expect(kit.hawser.connectors.getState().recentWallets).toEqual([])
  })

  it('by a deep link is reported with the method mobile, and its link is stored', async () => {
    const open = vi.fn()
    vi.stubGlobal('window', { open })
    const kit = createPairingKit()
    const { attempt, pairing } = await offered(kit, rainbow)
    openWalletApp(kit.hawser, rainbow)
    expect(open.mock.calls[0]?.[0]).toBe('rainbow://wc?uri=wc%3A0%402')
    expect(kit.state().wcLinking).toEqual({ href: 'rainbow://', name: 'Rainbow' })
    closeModal(kit.hawser)
    pairing.approve()
    await attempt
    expect(kit.events).toContainEqual({
      event: 'CONNECT_SUCCESS',
      properties: { method: 'mobile', name: 'Rainbow' },
    })
    expect(kit.hawser.storage.read('deep_link')).toEqual({ href: 'rainbow://', name: 'Rainbow' })
    vi.unstubAllGlobals()
  })

  it('later changes its networks, which are read again', async () => {
    const kit = createPairingKit()
    const { attempt, pairing } = await offered(kit)
    pairing.approve()
    await attempt
    kit.phone.session = {
      ...(await kit.phone.connector.getSession?.()),
      approvedNetworkIds: ['eip155:31338'],
    } as never
    kit.phone.emit('accountsChanged', [ALICE])
    await vi.waitFor(() =>
      expect(kit.hawser.chain.getState().chains.get('eip155')?.networkState.approvedCaipNetworkIds).toEqual([
        'eip155:31338',
      ]),
    )
  })

  it('is reconnected on the next visit', async () => {
    const kit = createPairingKit()
    const { attempt, pairing } = await offered(kit)
    pairing.approve()
    await attempt
    const next = createKit({ storage: kit.storage, connectors: [offer(kit.phone)] })
    next.hawser.mount()
    await vi.waitFor(() => expect(next.hawser.connection.getState().status).toBe('connected'))
    expect(next.hawser.chain.getState().chains.get('eip155')?.networkState.supportsAllNetworks).toBe(false)
    expect(selectAccount(next.hawser.chain.getState()).connectedWalletInfo?.name).toBe('Phone Wallet')
  })
})

describe('a wallet that declines', () => {
  it('fails the attempt, and what was stored stays', async () => {
    const kit = createPairingKit()
    const { attempt, pairing } = await offered(kit)
    pairing.reject(walletError(5000, 'User rejected.'))
    await expect(attempt).rejects.toMatchObject({ kind: 'rejected' })
    expect(kit.state()).toMatchObject({ status: 'disconnected', wcUri: undefined, wcError: true })
    expect(kit.events).toContainEqual({ event: 'CONNECT_ERROR', properties: { message: 'User rejected.' } })
  })
})

it('disconnecting clears the pairing, the deep link, the recent wallet and the history', async () => {
  const kit = createPairingKit()
  const { attempt, pairing } = await offered(kit, rainbow)
  pairing.approve()
  await attempt
  kit.hawser.storage.write('deep_link', { href: 'rainbow://', name: 'Rainbow' })
  kit.hawser.activity.setState({ isLoaded: true, transactions: [{ id: '1' } as never] })
  await disconnect(kit.hawser)
  expect(kit.state()).toEqual({
    status: 'disconnected',
    wcUri: undefined,
    wcPairingExpiry: undefined,
    wcLinking: undefined,
    wcError: false,
    buffering: false,
    recentWallet: undefined,
  })
  expect(kit.hawser.activity.getState()).toMatchObject({ isLoaded: false, transactions: [] })
  expect(kit.hawser.storage.read('deep_link')).toBeUndefined()
  expect(kit.hawser.chain.getState().chains.get('eip155')?.networkState.supportsAllNetworks).toBe(true)
})

it('a return from the wallet’s app is marked for five seconds', async () => {
  const kit = createPairingKit()
  startBuffering(kit.hawser)
  expect(kit.state().buffering).toBe(true)
  await kit.clock.advance(5_000)
  expect(kit.state().buffering).toBe(false)
})

it('a link that runs code is refused', async () => {
  const open = vi.fn()
  vi.stubGlobal('window', { open })
  const kit = createPairingKit()
  const bad = { ...rainbow, links: { mobile: 'javascript:alert(1)' } }
  await offered(kit, bad)
  openWalletApp(kit.hawser, bad)
  expect(open).not.toHaveBeenCalled()
  expect(kit.events).toContainEqual({ event: 'CONNECT_PROXY_ERROR', properties: { name: 'Rainbow' } })
  vi.unstubAllGlobals()
})
