// @vitest-environment jsdom

import type { Appearance, ApprovalView, GuardState, Sheet } from '@hawser/frame/wallet'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SheetView } from './drawSheets.ts'

const appearance: Appearance = { themeMode: 'dark', themeVariables: {}, locale: 'en', siteName: 'Shop' }
const THIEF = `0x${'66'.repeat(20)}`
const permit = { domain: {}, types: {}, primaryType: 'Permit', message: { spender: THIEF, value: '5' } }

/** What the guard of the sheet answers, and how often it was started again. */
const guard = { accepts: true, restarts: 0 }

vi.mock('@hawser/frame/wallet', async (original) => ({
  ...(await original<object>()),
  guardSheet({ changed }: { changed: (state: GuardState) => void }) {
    changed('armed')
    const restart = () => {
      guard.restarts += 1
    }
    return { accepts: () => guard.accepts, restart, stop() {} }
  },
}))

class StillObserver {
  observe() {}
  disconnect() {}
}

let view: SheetView | undefined

/** Draws a request whose preview is answered when the test says so. */
async function open(content: object, chainId = 'eip155:1') {
  const { createSheetView } = await import('./sheets.tsx')
  let answer: (response: Response) => void = () => undefined
  const simulated = new Promise<Response>((resolve) => {
    answer = resolve
  })
  const networks = [{ chainId, name: 'Ethereum', nativeCurrency: { symbol: 'ETH', decimals: 18 } }]
  const fetch = vi.fn(async (url: unknown) => {
    if (String(url).includes('ListNetworks')) return Response.json({ networks })
    return String(url).includes('Simulate') ? simulated : new Response('', { status: 503 })
  }) as unknown as typeof globalThis.fetch
  vi.stubGlobal('fetch', fetch)
  const approve = vi.fn()
  const shown = { site: 'https://shop.test', chainId, address: '0xcd', content } as ApprovalView
  view = createSheetView({ projectId: 'p1', fetch }, { resized: () => undefined, hasCloseButton: false })
  view.draw({ kind: 'approval', view: shown, approve, reject() {} } as Sheet, appearance, undefined)
  await vi.waitFor(() => expect(document.body.textContent).toContain('Ethereum'))
  const button = () => document.querySelector<HTMLButtonElement>('button.primary') as HTMLButtonElement
  const box = () => document.querySelector<HTMLInputElement>('input[type=checkbox]')
  const dangers = () =>
    [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent?.trim())
  /** Answers the preview, and waits until the sheet shows that. */
  async function answerWith(response: Response) {
    answer(response)
    await vi.waitFor(() => expect(document.body.textContent).not.toContain('Checking what this does'))
  }
  return { answerWith, approve, button, box, dangers }
}

beforeEach(() => {
  // The networks are kept for the life of the page.
  vi.resetModules()
  Object.assign(guard, { accepts: true, restarts: 0 })
  vi.stubGlobal('IntersectionObserver', StillObserver)
  vi.stubGlobal('ResizeObserver', StillObserver)
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  document.body.innerHTML = '<div id="root"></div>'
})

afterEach(() => {
  view?.clear()
  vi.unstubAllGlobals()
})

const message = { kind: 'message', text: 'hello', hex: '0x68656c6c6f' }

describe('a request with a preview', () => {
  it('can be approved once the preview is shown, and the guard has started again', async () => {
    const { answerWith, approve, button, box } = await open(message)
    expect(button().disabled).toBe(true)
    const before = guard.restarts
    await answerWith(Response.json({ outcome: 'OUTCOME_MESSAGE' }))
    expect(button().disabled).toBe(false)
    expect(box()).toBeNull()
    await vi.waitFor(() => expect(guard.restarts).toBeGreaterThan(before))
    button().click()
    expect(approve).toHaveBeenCalledOnce()
  })

  it('has the warnings of the preview alone', async () => {
    const { answerWith, dangers } = await open({ kind: 'typedData', data: permit })
    const text = 'This signature alone lets a thief take tokens.'
    const warning = { severity: 'SEVERITY_DANGER', text, phrase: 'PHRASE_SIGNED_APPROVAL', value: THIEF }
    await answerWith(Response.json({ outcome: 'OUTCOME_MESSAGE', warnings: [warning] }))
    expect(dangers()).toEqual([text])
  })
})

describe('a request without a preview', () => {
  it.each([
    ['a service that refuses', () => new Response('{}', { status: 429 })],
    ['a service that does not know', () => Response.json({})],
    [
      'a simulation that failed',
      () => Response.json({ outcome: 'OUTCOME_NOT_SIMULATED', reason: 'too slow' }),
    ],
  ])('needs a second confirmation: %s', async (_, response) => {
    const { answerWith, approve, button, box, dangers } = await open(message)
    await answerWith(response())
    expect(button().disabled).toBe(true)
    expect(dangers()[0]).toMatch(/^This couldn’t be checked. It may do more than is shown./)
    button().click()
    expect(approve).not.toHaveBeenCalled()

    box()?.click()
    await vi.waitFor(() => expect(button().disabled).toBe(false))
    expect(box()?.checked).toBe(true)
    button().click()
    expect(approve).toHaveBeenCalledOnce()
  })

  it.each([
    ['solana:SoL', { kind: 'solanaTransactions', transactions: [] }, true],
    ['eip155:1', { kind: 'calls', calls: [], isAtomic: false, maxFee: 0n, isHighFee: false }, false],
  ])(
    'a request of %s that fails needs it where nothing of it was seen',
    async (chainId, content, isNeeded) => {
      const { answerWith, button, box } = await open(content, chainId)
      await answerWith(Response.json({ outcome: 'OUTCOME_REVERTS', reason: 'A lookup table is empty' }))
      expect(box() !== null).toBe(isNeeded)
      expect(button().disabled).toBe(isNeeded)
    },
  )

  it('is not confirmed by a click that its guard does not accept', async () => {
    const { answerWith, button, box } = await open(message)
    await answerWith(new Response('{}', { status: 503 }))
    guard.accepts = false
    box()?.click()
    await new Promise((resolve) => setTimeout(resolve))
    expect(box()?.checked).toBe(false)
    expect(button().disabled).toBe(true)
  })

  it('has the box before its buttons, with a name, for the keyboard and screen readers', async () => {
    const { answerWith, button, box } = await open(message)
    await answerWith(new Response('{}', { status: 503 }))
    expect(box()?.labels?.[0]?.textContent).toBe('I understand that this couldn’t be checked')
    expect(box()?.compareDocumentPosition(button())).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  })

  it('has the warnings that need no node', async () => {
    const { answerWith, dangers } = await open({ kind: 'typedData', data: permit })
    await answerWith(new Response('{}', { status: 503 }))
    expect(dangers()).toContain(
      `This signature alone lets ${THIEF} take tokens. No transaction of yours is needed.`,
    )
  })

  it.each([
    ['a message of Solana', message],
    [
      'transactions of Solana',
      {
        kind: 'solanaTransactions',
        transactions: ['AQ==', 'Ag=='].map((transaction) => ({
          transaction,
          message: { feePayer: '1', maxFee: 5000n, instructions: [] },
        })),
      },
    ],
  ])('needs a second confirmation for %s too', async (_, content) => {
    const { answerWith, button } = await open(content, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')
    await answerWith(new Response('{}', { status: 400 }))
    expect(button().disabled).toBe(true)
  })
})

it('a revocation needs neither', async () => {
  const { button } = await open({ kind: 'revocation', delegate: THIEF })
  await vi.waitFor(() => expect(button().disabled).toBe(false))
})

it('a fee that the site has set far too high is a danger', async () => {
  const calls = [{ to: THIEF, value: 0n, data: '0x' }]
  const content = { kind: 'calls', calls, isAtomic: false, maxFee: 1n, isHighFee: true, delegate: undefined }
  const { answerWith, dangers } = await open(content)
  await answerWith(Response.json({ outcome: 'OUTCOME_SUCCEEDS' }))
  expect(dangers()).toEqual(['The site set a network fee that is far higher than usual.'])
})
