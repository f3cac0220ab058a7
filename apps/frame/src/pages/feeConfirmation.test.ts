// @vitest-environment jsdom

import type { GuardState } from '@hawser/vault'
import { h, render } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FeeConfirmation } from './FeeConfirmation.tsx'

const guard = { accepts: true }

vi.mock('@hawser/vault', async (original) => ({
  ...(await original<object>()),
  guardSheet({ changed }: { changed: (state: GuardState) => void }) {
    changed('armed')
    return { accepts: () => guard.accepts, restart() {}, stop() {} }
  },
}))

const CODE = `0x${'66'.repeat(20)}` as const

beforeEach(() => {
  guard.accepts = true
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  document.body.innerHTML = '<div id="root"></div>'
})

afterEach(() => {
  render(null, root())
  vi.restoreAllMocks()
})

const root = () => document.getElementById('root') as HTMLElement

/** Draws what a transaction costs. */
function open(view: object) {
  const confirm = vi.fn()
  const network = { name: 'Ethereum', symbol: 'ETH', decimals: 18 }
  const step = {
    chainId: 'eip155:1',
    network,
    view: { maxFee: 1n, isHighFee: false, delegate: undefined, ...view },
  }
  const props = {
    title: 'Revoke',
    text: '',
    steps: [step],
    label: 'Revoke',
    isPending: false,
    cancel() {},
    confirm,
  }
  act(() => render(h(FeeConfirmation, props), root()))
  const [, button] = root().querySelectorAll<HTMLButtonElement>('.buttons button')
  const box = root().querySelector<HTMLInputElement>('input[type=checkbox]')
  return { button, box, confirm }
}

it.each([
  ['a high fee', { isHighFee: true }],
  ['code that this build does not know', { delegate: CODE }],
])('a transaction with %s needs a tick', (_, view) => {
  const { button, box, confirm } = open(view)
  expect(button?.disabled).toBe(true)
  guard.accepts = false
  act(() => box?.click())
  expect(button?.disabled).toBe(true)
  guard.accepts = true
  act(() => box?.click())
  expect(button?.disabled).toBe(false)
  act(() => button?.click())
  expect(confirm).toHaveBeenCalledOnce()
})

it('another transaction needs no tick', () => {
  const { button, box } = open({})
  expect(box).toBeNull()
  expect(button?.disabled).toBe(false)
})
