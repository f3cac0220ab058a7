import { describe, expect, it } from 'vitest'
import { createKit } from '../testing/kit.ts'
import { endFailure, hideToast, showToast } from './toast.ts'

describe('a toast', () => {
  it('closes by itself after 2.5 s', async () => {
    const { hawser, clock } = createKit()
    showToast(hawser, { message: 'Address copied', variant: 'success' })
    expect(hawser.toast.getState()).toEqual({
      message: 'Address copied',
      variant: 'success',
      open: true,
      autoClose: true,
    })
    await clock.advance(2_499)
    expect(hawser.toast.getState().open).toBe(true)
    await clock.advance(1)
    expect(hawser.toast.getState().open).toBe(false)
  })

  it('stays as long as its sentence takes to read', async () => {
    const { hawser, clock } = createKit()
    showToast(hawser, { message: 'Failed to send transaction. Please try again.', variant: 'error' })
    await clock.advance(4_499)
    expect(hawser.toast.getState().open).toBe(true)
    await clock.advance(1)
    expect(hawser.toast.getState().open).toBe(false)
  })

  it.each([
    ['error', undefined, false],
    ['neutral', undefined, false],
    ['error', 'Signature declined', false],
    ['error', 'Failed to disconnect', true],
    ['success', undefined, true],
    ['loading', undefined, true],
  ] as const)('of the variant %s ends with its cause (%s): %s', (variant, message, stays) => {
    const { hawser } = createKit()
    showToast(hawser, { message: 'Signature declined', variant })
    endFailure(hawser, message)
    expect(hawser.toast.getState().open).toBe(stays)
  })

  it('stays without autoClose', async () => {
    const { hawser, clock } = createKit()
    showToast(hawser, { message: 'Waiting', variant: 'loading', autoClose: false })
    await clock.advance(60_000)
    expect(hawser.toast.getState().open).toBe(true)
  })

  it('is hidden before the one that replaces it appears 150 ms later', async () => {
    const { hawser, clock } = createKit()
    showToast(hawser, { message: 'first', variant: 'loading', autoClose: false })
    showToast(hawser, { message: 'second', variant: 'error' })
    expect(hawser.toast.getState()).toMatchObject({ message: 'first', open: false })
    await clock.advance(149)
    expect(hawser.toast.getState().open).toBe(false)
    await clock.advance(1)
    expect(hawser.toast.getState()).toMatchObject({ message: 'second', variant: 'error', open: true })
    await clock.advance(2_500)
    expect(hawser.toast.getState().open).toBe(false)
  })

  it('does not appear when it is hidden while it waits its turn', async () => {
    const { hawser, clock } = createKit()
    showToast(hawser, { message: 'first', variant: 'success' })
    showToast(hawser, { message: 'second', variant: 'success' })
    hideToast(hawser)
    await clock.advance(10_000)
    expect(hawser.toast.getState()).toMatchObject({ message: 'first', open: false })
  })
})
