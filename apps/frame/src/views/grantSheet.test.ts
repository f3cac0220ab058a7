// @vitest-environment jsdom

import type { Appearance, GuardState, Session, Sheet } from '@hawser/vault'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SheetView } from './drawSheets.ts'

const appearance: Appearance = { themeMode: 'dark', themeVariables: {}, locale: 'en', siteName: 'Shop' }
const CONTRACT = `0x${'66'.repeat(20)}` as const

vi.mock('@hawser/vault', async (original) => ({
  ...(await original<object>()),
  guardSheet({ changed }: { changed: (state: GuardState) => void }) {
    changed('armed')
    return { accepts: () => true, restart() {}, stop() {} }
  },
}))

class StillObserver {
  observe() {}
  disconnect() {}
}

let view: SheetView | undefined

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('IntersectionObserver', StillObserver)
  vi.stubGlobal('ResizeObserver', StillObserver)
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  document.body.innerHTML = '<div id="root"></div>'
})

afterEach(() => {
  view?.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Draws the request of a session, and returns the texts that it is allowed only after a tick for. */
async function open(functions: readonly object[], upgrade?: object) {
  const { createSheetView } = await import('./sheets.tsx')
  const networks = [
    { chainId: 'eip155:1', name: 'Ethereum', nativeCurrency: { symbol: 'ETH', decimals: 18 } },
  ]
  const fetch = vi.fn(async () => Response.json({ networks })) as unknown as typeof globalThis.fetch
  vi.stubGlobal('fetch', fetch)
  const session = {
    expiry: 2_000_000_000,
    calls: 5,
    native: undefined,
    token: undefined,
    functions,
  } as unknown as Session
  const shown = {
    site: 'https://shop.test',
    chainId: 'eip155:1',
    address: '0xcd',
    delegate: CONTRACT,
    session,
    isAdjustable: true,
    justification: '',
    upgrade,
  }
  view = createSheetView({ projectId: 'p1', fetch }, { resized: () => undefined, hasCloseButton: false })
  view.draw(
    { kind: 'grant', view: shown, approve() {}, reject() {} } as unknown as Sheet,
    appearance,
    undefined,
  )
  await vi.waitFor(() => expect(document.querySelector('input[inputmode=numeric]')).not.toBeNull())
  const button = [...document.querySelectorAll<HTMLButtonElement>('.buttons button')].find(
    ({ textContent }) => textContent === 'Allow',
  )
  const hasTick = document.querySelector('input[type=checkbox]') !== null
  expect(button?.disabled).toBe(hasTick)
  const texts = [...document.querySelectorAll('.warning.danger p')].map(({ textContent }) => textContent)
  expect(texts.length > 0).toBe(hasTick)
  return texts
}

const functionOf = (fields: object) => ({
  contract: CONTRACT,
  signature: undefined,
  selector: '0x12345678',
  effect: undefined,
  valueLimit: 0n,
  rules: [],
  ...fields,
})
const transfer = { signature: 'transfer(address,uint256)', selector: '0xa9059cbb', effect: 'sends' }
const ruleOf = (position: number, type: string, operator = 'EQUAL') => ({
  position,
  type,
  offset: 4 + 32 * (position - 1),
  operator,
  value: `0x${'0'.repeat(63)}1`,
})

describe('a session', () => {
  it('needs a tick for each function that is unknown, whatever its rules are', async () => {
    const unknown = ['What a function does is unknown here. It may take what you have in this contract.']
    expect(await open([functionOf({})])).toEqual(unknown)
    view?.clear()
    expect(await open([functionOf({ rules: [ruleOf(1, 'uint256')] }), functionOf({})])).toEqual(unknown)
  })

  const sends = ['This function sends your tokens.']
  const approves = ['This function lets another account spend your tokens, even after the session has ended.']
  const named = ruleOf(1, 'address')
  const most = { ...ruleOf(2, 'uint256'), value: `0x${'f'.repeat(64)}` }
  const off = { ...ruleOf(2, 'bool'), value: `0x${'0'.repeat(64)}` }
  const permit = 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)'

  it.each([
    ['transfer(address,uint256)', []],
    ['transfer(address,uint256)', [named]],
    ['transfer(address,uint256)', [ruleOf(2, 'uint256')]],
    ['transfer(address,uint256)', [named, ruleOf(2, 'uint256', 'LESS_THAN')]],
    ['transfer(address,uint256)', [named, ruleOf(2, 'uint256', 'GREATER_THAN')]],
    ['transfer(address,uint256)', [named, most]],
    ['transferFrom(address,address,uint256)', [named, ruleOf(3, 'uint256')]],
    ['transferFrom((address,address,uint160,address)[])', []],
    ['safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', [named, ruleOf(2, 'address')]],
  ])(
    'needs a tick to send tokens by %s whose accounts and amounts are not fixed (%#)',
    async (signature, rules) => {
      expect(await open([functionOf({ ...transfer, signature, rules })])).toEqual(sends)
    },
  )

  it.each([
    ['approve(address,uint256)', [named]],
    ['approve(address,uint256)', [named, most]],
    ['authorizeOperator(address)', [named]],
    ['setApprovalForAll(address,bool)', [named]],
    ['setApprovalForAll(address,bool)', [named, ruleOf(2, 'bool')]],
    [permit, [1, 2, 3, 4, 6].map((position) => ruleOf(position, position < 3 ? 'address' : 'uint256'))],
  ])(
    'needs a tick to approve tokens by %s whose accounts and amounts are not fixed (%#)',
    async (signature, rules) => {
      expect(await open([functionOf({ signature, effect: 'approves', rules })])).toEqual(approves)
    },
  )

  it.each([
    ['transfer(address,uint256)', [named, ruleOf(2, 'uint256')]],
    ['transferAndCall(address,uint256,bytes)', [named, ruleOf(2, 'uint256')]],
    ['transferFrom(address,address,uint256)', [named, ruleOf(2, 'address'), ruleOf(3, 'uint256')]],
    ['setApprovalForAll(address,bool)', [named, off]],
  ])('needs no tick for %s whose accounts and amounts are fixed (%#)', async (signature, rules) => {
    expect(await open([functionOf({ ...transfer, signature, rules })])).toEqual([])
  })

  it('needs a tick for a network fee that is high', async () => {
    expect(
      await open([], { delegate: '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B', maxFee: 1n, isHighFee: true }),
    ).toEqual(['The network fee is high.'])
  })
})
