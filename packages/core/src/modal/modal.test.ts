import { describe, expect, it } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { unknownNetwork } from '../network/network.ts'
import { createConnectedKit, createKit } from '../testing/kit.ts'
import { showToast } from '../toast/toast.ts'
import { closeModal, openModal, requestCloseModal, setModalLoading, shakeModal } from './modal.ts'

describe('opening the modal', () => {
  it('is done when the call returns, whatever the network does', () => {
    const { hawser, gateway } = createKit()
    openModal(hawser)
    expect(hawser.modal.getState().open).toBe(true)
    expect(gateway.requests).toEqual([])
  })

  it('starts at Connect for a visitor without a wallet', () => {
    const { hawser, events } = createKit()
    openModal(hawser)
    expect(hawser.router.getState().history).toEqual(['Connect'])
    expect(events).toEqual([{ event: 'MODAL_OPEN', properties: { connected: false } }])
  })

  it('starts at Account for a connected visitor', async () => {
    const { hawser } = await createConnectedKit()
    openModal(hawser)
    expect(hawser.router.getState().view).toBe('Account')
  })

  it('starts at UnsupportedChain when the site does not list the network', async () => {
    const { hawser } = await createConnectedKit()
    setActiveNetwork(hawser, unknownNetwork('eip155:999'))
    closeModal(hawser)
    openModal(hawser)
    expect(hawser.router.getState().view).toBe('UnsupportedChain')
  })

  it('starts at the requested view', () => {
    const { hawser } = createKit()
    openModal(hawser, { view: 'Networks' })
    expect(hawser.router.getState().history).toEqual(['Networks'])
  })
})

describe('closing the modal', () => {
  it('clears loading, the pairing and the toast', () => {
    const { hawser } = createKit()
    openModal(hawser)
    setModalLoading(hawser, true, 'eip155')
    hawser.connection.setState({ wcUri: 'wc:1', wcPairingExpiry: 1 })
    showToast(hawser, { message: 'x', variant: 'success' })
    closeModal(hawser)
    expect(hawser.modal.getState()).toEqual({
      open: false,
      loading: false,
      loadingNamespaceMap: new Map(),
      shake: false,
    })
    expect(hawser.connection.getState()).toMatchObject({ wcUri: undefined, wcPairingExpiry: undefined })
    expect(hawser.toast.getState().open).toBe(false)
  })

  it('emits one event, and none when it was not open', () => {
    const { hawser, eventNames } = createKit()
    openModal(hawser)
    closeModal(hawser)
    closeModal(hawser)
    expect(eventNames()).toEqual(['MODAL_OPEN', 'MODAL_CLOSE'])
  })
})

describe('the close button', () => {
  it('closes', () => {
    const { hawser } = createKit()
    openModal(hawser)
    requestCloseModal(hawser)
    expect(hawser.modal.getState().open).toBe(false)
  })

  it('shakes for 500 ms on UnsupportedChain, and a second press does not prolong it', async () => {
    const { hawser, clock } = createKit()
    openModal(hawser, { view: 'UnsupportedChain' })
    requestCloseModal(hawser)
    await clock.advance(400)
    shakeModal(hawser)
    expect(hawser.modal.getState()).toMatchObject({ open: true, shake: true })
    await clock.advance(100)
    expect(hawser.modal.getState().shake).toBe(false)
  })
})
