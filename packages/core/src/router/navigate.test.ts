import { beforeEach, describe, expect, it } from 'vitest'
import { openModal } from '../modal/modal.ts'
import { createKit, type Kit } from '../testing/kit.ts'
import { goBack, goBackToIndex, pushView, replaceView, resetView } from './navigate.ts'

let kit: Kit

beforeEach(() => {
  kit = createKit()
  openModal(kit.hawser)
})

const router = () => kit.hawser.router.getState()
const isOpen = () => kit.hawser.modal.getState().open

describe('pushing a view', () => {
  it('shows it on top of the current one', () => {
    pushView(kit.hawser, 'Networks')
    expect(router()).toMatchObject({ view: 'Networks', history: ['Connect', 'Networks'] })
  })

  it('does nothing when it is already shown', () => {
    const before = router()
    pushView(kit.hawser, 'Connect', { redirectView: 'Account' })
    expect(router()).toBe(before)
  })
})

describe('replacing and resetting', () => {
  it('replaces the current view alone', () => {
    pushView(kit.hawser, 'Networks')
    replaceView(kit.hawser, 'Account')
    expect(router().history).toEqual(['Connect', 'Account'])
  })

  it('leaves no way back after a reset', () => {
    pushView(kit.hawser, 'Networks')
    resetView(kit.hawser, 'Account')
    expect(router()).toMatchObject({ view: 'Account', history: ['Account'] })
  })
})

describe('going back', () => {
  it('shows the view before', () => {
    pushView(kit.hawser, 'Networks')
    goBack(kit.hawser)
    expect(router()).toMatchObject({ view: 'Connect', history: ['Connect'] })
    expect(isOpen()).toBe(true)
  })

  it('closes the modal from the first view', () => {
    goBack(kit.hawser)
    expect(isOpen()).toBe(false)
  })

  it('closes the modal when the chain is unsupported, however deep the history', () => {
    resetView(kit.hawser, 'UnsupportedChain')
    pushView(kit.hawser, 'SwitchNetwork')
    goBack(kit.hawser)
    expect(isOpen()).toBe(false)
  })

  it('forgets the wallet the left view was about', () => {
    pushView(kit.hawser, 'ConnectingExternal', {
      wallet: { id: 'w', name: 'W' },
      redirectView: 'Account',
    })
    goBack(kit.hawser)
    expect(router().data).toEqual({ redirectView: 'Account' })
  })

  it('goes back to an index of the history, and closes when there is none', () => {
    pushView(kit.hawser, 'Account')
    pushView(kit.hawser, 'Networks')
    goBackToIndex(kit.hawser, 0)
    expect(router().history).toEqual(['Connect'])
    goBackToIndex(kit.hawser, -1)
    expect(isOpen()).toBe(false)
  })
})
