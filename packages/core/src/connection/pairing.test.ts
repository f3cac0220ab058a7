import { describe, expect, it } from 'vitest'
import { createKit } from '../testing/kit.ts'
import { resetConnection } from './forgetSession.ts'
import { finalizePairing, isPairingExpired, setPairingUri } from './pairing.ts'

describe('a pairing', () => {
  it('lives for 4 minutes, and is not offered in the last 10 seconds', async () => {
    const { hawser, clock } = createKit()
    setPairingUri(hawser, 'wc:1')
    const { wcPairingExpiry } = hawser.connection.getState()
    await clock.advance(229_999)
    expect(isPairingExpired(wcPairingExpiry, clock.now())).toBe(false)
    await clock.advance(1)
    expect(isPairingExpired(wcPairingExpiry, clock.now())).toBe(true)
  })

  it('without an end has expired', () => {
    expect(isPairingExpired(undefined, 0)).toBe(true)
  })
})

describe('finalising a connection', () => {
  it('stores the link and the wallet, and tells that a phone was used', () => {
    const { hawser, storage, events } = createKit()
    const wcLinking = { href: 'example://wc', name: 'Example' }
    hawser.connection.setState({ wcLinking, recentWallet: { id: 'e', name: 'Example' } })
    finalizePairing(hawser)
    expect(storage.values.get('@hawser/v1/deep_link_choice')).toBe(JSON.stringify(wcLinking))
    expect(hawser.connectors.getState().recentWallets).toEqual([{ id: 'e', name: 'Example' }])
    expect(events).toEqual([{ event: 'CONNECT_SUCCESS', properties: { method: 'mobile', name: 'Example' } }])
  })

  it('tells that a QR code was used when there was no link', () => {
    const { hawser, events } = createKit()
    finalizePairing(hawser)
    expect(events).toEqual([
      { event: 'CONNECT_SUCCESS', properties: { method: 'qrcode', name: 'WalletConnect' } },
    ])
  })

  it('is undone by a reset, stored link included', () => {
    const { hawser, storage } = createKit()
    hawser.connection.setState({ wcLinking: { href: 'x', name: 'y' } })
    finalizePairing(hawser)
    resetConnection(hawser)
    expect(storage.values.has('@hawser/v1/deep_link_choice')).toBe(false)
    expect(hawser.connection.getState()).toMatchObject({ status: 'disconnected', wcLinking: undefined })
  })
})
