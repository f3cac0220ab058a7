// @vitest-environment jsdom

import type { Appearance, ApprovalView, GuardState, Sheet } from '@hawser/vault'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SheetView } from './drawSheets.ts'

const appearance: Appearance = { themeMode: 'dark', themeVariables: {}, locale: 'en', siteName: 'Shop' }
const THIEF = `0x${'66'.repeat(20)}`
const permit = { domain: {}, types: {}, primaryType: 'Permit', message: { spender: THIEF, value: '5' } }

/** What the guard of the sheet answers, and how often it was started again. */
const guard = { accepts: true, restarts: 0, changed: (_: GuardState) => undefined as unknown }

vi.mock('@hawser/vault', async (original) => ({
  ...(await original<object>()),
  guardSheet({ changed }: { changed: (state: GuardState) => void }) {
    guard.changed = changed
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
    if (!String(url).includes('Simulate')) return new Response('', { status: 503 })
    return (await simulated).clone()
  }) as unknown as typeof globalThis.fetch
  vi.stubGlobal('fetch', fetch)
  const approve = vi.fn()
  const shown = { site: 'https://shop.test', chainId, address: '0xcd', content } as ApprovalView
  view = createSheetView({ projectId: 'p1', fetch }, { resized: () => undefined, hasCloseButton: false })
  view.draw({ kind: 'approval', view: shown, approve, reject() {} } as Sheet, appearance, undefined)
  await vi.waitFor(() => expect(document.body.textContent).toContain('Ethereum'))
  const buttons = () => [...document.querySelectorAll<HTMLButtonElement>('.buttons button')]
  const button = () =>
    buttons().find(({ textContent }) => textContent?.startsWith('Appr')) as HTMLButtonElement
  const box = () => document.querySelector<HTMLInputElement>('input[type=checkbox]')
  const dangers = () =>
    [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent?.trim())
  /** Answers the preview, and waits until the sheet shows that. */
  async function answerWith(response: Response) {
    answer(response)
    await vi.waitFor(() => expect(document.body.textContent).not.toContain('Checking what this does'))
  }
  const card = () => [...document.querySelectorAll('.warning p')].map(({ textContent }) => textContent)
  const previews = () =>
    vi.mocked(fetch).mock.calls.filter(([url]) => String(url).includes('Simulate')).length
  return { answerWith, approve, button, buttons, box, dangers, card, previews }
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
  vi.restoreAllMocks()
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

  it('is previewed again when it is seen half a minute later', async () => {
    const { answerWith, previews } = await open(message)
    await answerWith(Response.json({ outcome: 'OUTCOME_MESSAGE' }))
    const seenAgain = async (ms: number) => {
      vi.spyOn(Date, 'now').mockReturnValue(now + ms)
      guard.changed('settling')
      await vi.waitFor(() => expect(document.querySelector('.buttons')).not.toBeNull())
      guard.changed('armed')
    }
    const now = Date.now()
    await seenAgain(20_000)
    await seenAgain(40_000)
    await vi.waitFor(() => expect(previews()).toBe(2))
  })

  it('needs its tick again when it is previewed again', async () => {
    const { answerWith, button, box, previews } = await open({ kind: 'typedData', data: permit })
    await answerWith(Response.json({ outcome: 'OUTCOME_MESSAGE', warnings: [danger('PHRASE_NEW')] }))
    box()?.click()
    await vi.waitFor(() => expect(button().disabled).toBe(false))
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 40_000)
    guard.changed('settling')
    await vi.waitFor(() => expect(box()?.ariaDisabled).toBe('true'))
    guard.changed('armed')
    await vi.waitFor(() => expect(previews()).toBe(2))
    await vi.waitFor(() => expect(box()?.checked).toBe(false))
    expect(button().disabled).toBe(true)
  })

  it('has the warnings of the preview alone', async () => {
    const { answerWith, card } = await open({ kind: 'typedData', data: permit })
    const warning = { severity: 'SEVERITY_DANGER', text: 'A thief takes tokens.', phrase: 'PHRASE_NEW' }
    await answerWith(Response.json({ outcome: 'OUTCOME_MESSAGE', warnings: [warning] }))
    expect(card()).toEqual(['A thief takes tokens.'])
  })
})

it('a list of sessions names the service that it is for beside the warnings of the preview', async () => {
  const domain = { name: 'Hawser Sessions at https://bank.test' }
  const data = { domain, types: {}, primaryType: 'ListSessions', message: {} }
  const { answerWith, card, box } = await open({ kind: 'typedData', data })
  await answerWith(Response.json({ outcome: 'OUTCOME_MESSAGE' }))
  expect(card()).toEqual([
    'This signs in at \u2068https://bank.test\u2069, not at the site that asks for it.',
  ])
  expect(box()).toBeNull()
})

const danger = (phrase: string, value = '') => ({ severity: 'SEVERITY_DANGER', phrase, value, text: phrase })

const transfer = {
  kind: 'calls',
  calls: [{ to: THIEF, value: 5n, data: '0x' }],
  isAtomic: false,
  maxFee: 1n,
  isHighFee: false,
  delegate: undefined,
}

it('a request shows below its effects what it asks in the words of a descriptor', async () => {
  const { answerWith } = await open(transfer)
  const asset = { kind: 'ASSET_KIND_ERC20', contract: THIEF, symbol: 'tU\u202eSD', decimals: 6 }
  const inner = { intent: 'Return the rest' }
  const rows = [
    { label: 'Pay', kind: 'VALUE_KIND_AMOUNT', value: '1500000', asset },
    { label: 'Fee', kind: 'VALUE_KIND_AMOUNT', value: '5', asset: { kind: 'ASSET_KIND_NATIVE' } },
    { label: 'To', kind: 'VALUE_KIND_ADDRESS', value: THIEF },
    { label: 'Then', kind: 'VALUE_KIND_CALL', value: THIEF, inner },
  ]
  const sentence = [{ text: 'Pay ' }, { row: 0 }, { text: ' to ' }, { row: 2 }]
  const descriptions = [{ intent: 'Pay', sentence, rows, owner: 'Example' }]
  const change = { asset, outgoing: true, amount: '1500000', counterparty: THIEF }
  await answerWith(Response.json({ outcome: 'OUTCOME_SUCCEEDS', changes: [change], descriptions }))
  const asks = document.querySelector('section[aria-label="What the site asks"]')
  expect(asks?.textContent?.replace(/[\u2068\u2069]/g, '')).toBe(
    `What the site asksPay 1.5 tU\\u{202e}SD to 0x666666…666666ExamplePay1.5 tU\\u{202e}SDFee0.000000000000000005 ETHTo${THIEF}Then${THIEF}Return the rest`,
  )
  const effects = document.querySelector('ul.effects') as Node
  expect(asks && effects.compareDocumentPosition(asks)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

describe('a dangerous request', () => {
  async function openDangerous() {
    const page = await open({ kind: 'typedData', data: permit })
    const warnings = [
      danger('PHRASE_UNLIMITED_APPROVAL', THIEF),
      danger('PHRASE_SIGNED_APPROVAL', THIEF),
      danger('PHRASE_SPENDER_PERSON', THIEF),
    ]
    await page.answerWith(Response.json({ outcome: 'OUTCOME_MESSAGE', warnings }))
    return page
  }

  it('offers to reject it first', async () => {
    const { buttons } = await openDangerous()
    expect(buttons().map((button) => [button.textContent, button.className])).toEqual([
      ['Approve anyway', 'danger'],
      ['Reject', 'primary'],
    ])
  })

  it('is approved only after a tick that stands beside the buttons', async () => {
    const { button, box, approve } = await openDangerous()
    expect(button().disabled).toBe(true)
    expect(document.querySelector('footer')?.contains(box())).toBe(true)
    box()?.click()
    await vi.waitFor(() => expect(button().disabled).toBe(false))
    button().click()
    expect(approve).toHaveBeenCalledOnce()
  })

  it('has one card, which names an address once in short', async () => {
    const { card, dangers } = await openDangerous()
    expect(dangers()).toHaveLength(1)
    expect(card().map((text) => text?.replace(/[\u2068\u2069]/g, ''))).toEqual([
      '0x666666…666666 could take all you have of this token, at any time.',
      'Your signature is enough for that. No transaction is needed.',
      'That’s a person’s account, not an app’s contract.',
    ])
  })

  it('shows an address whole that is nowhere else in the sheet', async () => {
    const { answerWith, card } = await open(message)
    const warnings = [danger('PHRASE_HIDDEN_TRANSFER', THIEF)]
    await answerWith(Response.json({ outcome: 'OUTCOME_SUCCEEDS', warnings }))
    expect(card()).toContain(THIEF)
  })
})

describe('a request that would fail', () => {
  const warnings = [
    { ...danger('PHRASE_REVERTS'), severity: 'SEVERITY_CAUTION' },
    danger('PHRASE_DRAINS', THIEF),
  ]

  it('says so also where only the network does', async () => {
    const { answerWith, button, card } = await open({ ...transfer, failure: 'execution reverted: sold out' })
    await answerWith(Response.json({ outcome: 'OUTCOME_SUCCEEDS' }))
    expect(card()).toEqual(['This would fail. The network says: “execution reverted: sold out”.'])
    expect(button().disabled).toBe(false)
  })

  it('quotes at most 200 characters of what the network says', async () => {
    const { answerWith, card } = await open({ ...transfer, failure: `${'a'.repeat(200)} Send all to me.` })
    await answerWith(Response.json({ outcome: 'OUTCOME_SUCCEEDS' }))
    expect(card()).toEqual([`This would fail. The network says: “${'a'.repeat(200)}”.`])
  })

  it('and cannot be sent is not approved', async () => {
    const failing = { ...transfer, isAtomic: true, maxFee: undefined, failure: 'sold out' }
    const { answerWith, button, card } = await open(failing)
    await answerWith(Response.json({ outcome: 'OUTCOME_REVERTS', reason: 'sold out' }))
    expect(card()).toEqual(['This would fail. sold out.'])
    expect(button().disabled).toBe(true)
    expect(document.body.textContent).not.toContain('Maximum network fee')
  })

  it('says so once, with the reason', async () => {
    const { answerWith, card, box } = await open(transfer)
    const failure = { outcome: 'OUTCOME_REVERTS', reason: 'too little', cause: 'CAUSE_NATIVE_LOW' }
    await answerWith(Response.json({ ...failure, warnings }))
    expect(card()).toEqual(['This would fail. You don’t have enough of the network’s own token.'])
    expect(box()).toBeNull()
  })

  it.each([
    ['of a contract', { ...transfer, calls: [{ ...transfer.calls[0], data: '0x01' }] }, 'CAUSE_NATIVE_LOW'],
    ['for another reason', transfer, undefined],
  ])('is as dangerous as one that succeeds: %s', async (_, content, cause) => {
    const { answerWith, button, box } = await open(content)
    await answerWith(Response.json({ outcome: 'OUTCOME_REVERTS', reason: 'no', cause, warnings }))
    expect(box()).not.toBeNull()
    expect(button().disabled).toBe(true)
  })
})

it('a usual trade has no warning, and names who receives what is sent', async () => {
  const { answerWith, card } = await open({ ...transfer, calls: [{ to: '0xab', value: 5n, data: '0x01' }] })
  const hidden = { severity: 'SEVERITY_NOTICE', phrase: 'PHRASE_HIDDEN_PART', value: THIEF, text: 'Goes.' }
  const changes = [{ outgoing: true, amount: '5', counterparty: THIEF, asset: { kind: 'ASSET_KIND_NATIVE' } }]
  await answerWith(Response.json({ outcome: 'OUTCOME_SUCCEEDS', warnings: [hidden], changes }))
  expect(card()).toEqual([])
  const effects = document.querySelector('.effects')?.textContent
  expect(effects).toMatch(/^You send0\.000000000000000005\sETHTo0x6666/)
})

it('an approval that ends has no amount', async () => {
  const { answerWith } = await open({ ...transfer, calls: [{ to: '0xab', value: 0n, data: '0x01' }] })
  const asset = { kind: 'ASSET_KIND_ERC20', contract: '0xab', symbol: 'tUSD', decimals: 6 }
  const nft = { kind: 'ASSET_KIND_ERC721', contract: '0xab', symbol: 'MOOR', tokenId: '7' }
  const approvals = [
    { asset, spender: THIEF, amount: '0', revoked: true },
    { asset: nft, spender: THIEF, amount: '1', revoked: true },
  ]
  await answerWith(Response.json({ outcome: 'OUTCOME_SUCCEEDS', approvals }))
  const effects = document.querySelector('.effects')?.textContent
  expect(effects).toMatch(/^Can no longer spend0x[\w\s.…]*tUSDCan no longer spend0x[\w\s.…]*MOOR #7$/)
  expect(effects).not.toContain('0 tUSD')
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
    const { answerWith, card } = await open({ kind: 'typedData', data: permit })
    await answerWith(new Response('{}', { status: 503 }))
    expect(card()[1]).toMatch(/^With this signature, .0x666666…666666. can take your tokens/)
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

describe('a revocation', () => {
  const operation = { maxFee: 10n ** 15n, isHighFee: false, delegate: undefined }

  it('has its fee, and needs neither', async () => {
    const { button } = await open({ kind: 'revocation', delegate: THIEF, operation })
    await vi.waitFor(() => expect(button().disabled).toBe(false))
    expect(document.body.textContent).toContain(`account ${THIEF}. This takes effect here at once`)
    expect(document.querySelector('.facts:not(.box)')?.textContent).toBe('Maximum network fee0.001\u00a0ETH')
  })

  it('by code that this build does not know, or for a high fee, needs a tick', async () => {
    for (const changed of [{ delegate: THIEF }, { isHighFee: true }]) {
      const { button, box } = await open({
        kind: 'revocation',
        delegate: THIEF,
        operation: { ...operation, ...changed },
      })
      await vi.waitFor(() => expect(box()).not.toBeNull())
      expect(button().disabled).toBe(true)
      view?.clear()
    }
  })

  it('says that no transaction can be sent, or that none is needed', async () => {
    await open({ kind: 'revocation', delegate: THIEF, operation: undefined })
    expect(document.body.textContent).toContain('can’t be sent now')
    view?.clear()
    await open({ kind: 'revocation', delegate: '', operation: undefined })
    expect(document.body.textContent).toContain('Nothing was granted')
  })
})

it('typed data has times as dates and the highest number as such, beside what is signed', async () => {
  const highest = String(2n ** 256n - 1n)
  const message = { deadline: '1999999999', amount: '1999999999', value: highest }
  const { answerWith } = await open({ kind: 'typedData', data: { ...permit, message } })
  await answerWith(Response.json({ outcome: 'OUTCOME_MESSAGE' }))
  const fields = [...document.querySelectorAll('.fields dd')].map(({ textContent }) => textContent)
  expect(fields).toEqual([
    expect.stringMatching(/2033.* 1999999999$/),
    '1999999999',
    `Highest possible number ${highest}`,
  ])
})

it('a fee is rounded for reading, with all of its digits behind it', async () => {
  const { answerWith } = await open({ ...transfer, maxFee: 46_467_000_743_472n })
  await answerWith(Response.json({ outcome: 'OUTCOME_SUCCEEDS' }))
  const fee = document.querySelector('[title="0.000046467000743472 ETH"]')
  expect(fee?.textContent).toBe('0.0000465\u00a0ETH')
})

it('a fee that the site has set far too high is a danger', async () => {
  const calls = [{ to: THIEF, value: 0n, data: '0x' }]
  const content = { kind: 'calls', calls, isAtomic: false, maxFee: 1n, isHighFee: true, delegate: undefined }
  const { answerWith, dangers } = await open(content)
  await answerWith(Response.json({ outcome: 'OUTCOME_SUCCEEDS' }))
  expect(dangers()).toEqual(['The site set a network fee that is far higher than usual.'])
})

it('a batch of more tokens than are checked on chain needs a tick', async () => {
  const minimumBalances = Array.from({ length: 9 }, () => ({ asset: {}, amount: '1' }))
  for (const [count, warnings] of [
    [8, []],
    [9, ['More than 8 tokens move. The others can change more on the network than is shown.']],
  ] as const) {
    const { answerWith, dangers } = await open({ ...transfer, isAtomic: true })
    const preview = { outcome: 'OUTCOME_SUCCEEDS', minimumBalances: minimumBalances.slice(0, count) }
    await answerWith(Response.json(preview))
    expect(dangers()).toEqual(warnings)
    view?.clear()
  }
})
