import { describe, expect, it } from 'vitest'
import { selectAccount } from './chain/selectors.ts'
import { createHawser } from './createHawser.ts'
import { createFakeGateway } from './testing/fakeGateway.ts'
import { createKit, devnet } from './testing/kit.ts'

describe('on a server', () => {
  it('a kit is created without a window, a storage or a request', () => {
    expect('window' in globalThis).toBe(false)
    const gateway = createFakeGateway()
    const hawser = createHawser({
      projectId: '00000000000000000000000000000001',
      baseUrl: 'http://gateway.test',
      networks: [devnet],
      fetch: gateway.fetch,
    })
    expect(selectAccount(hawser.chain.getState()).status).toBe('disconnected')
    expect(gateway.requests).toEqual([])
  })

  it('two kits share no state', () => {
    const [one, two] = [createKit().hawser, createKit().hawser]
    one.theme.setState({ themeMode: 'light' })
    one.connectors.setState({ recentWallets: [{ id: 'a', name: 'A' }] })
    expect(two.theme.getState().themeMode).toBe('dark')
    expect(two.connectors.getState().recentWallets).toEqual([])
  })

  it('a kit is what it was on the server until it is mounted, whatever the browser has stored', () => {
    const { hawser, storage } = createKit()
    storage.setItem('@hawser/v1/eip155:connected_connector_id', '"org.example.wallet"')
    storage.setItem('@hawser/v1/active_caip_network_id', '"eip155:31338"')
    expect(hawser.connection.getState().status).toBe('disconnected')
    expect(hawser.chain.getState().activeCaipNetwork?.name).toBe('Devnet')
  })
})
