// @vitest-environment jsdom
import '@hawser/ui/testing'
import type { Preview, PreviewState } from '@hawser/core'
import { BOB, createKit, DOLLAR_ADDRESS } from '@hawser/core/testing'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { HawserContext } from '../../provider/context.ts'
import { SigningPreview } from './SigningPreview.tsx'

function renderPreview(preview: PreviewState | undefined) {
  const { hawser } = createKit()
  return render(
    <HawserContext.Provider value={{ hawser, preload: () => undefined }}>
      <SigningPreview preview={preview} />
    </HawserContext.Provider>,
  )
}

const nothing: Preview = {
  outcome: 'succeeds',
  reason: '',
  cause: '',
  changes: [],
  approvals: [],
  warnings: [],
}
const ether = { amount: '0.100000000000000001', symbol: 'ETH', tokenId: '' }

const shown = () => screen.getByTestId('signing-preview').textContent

it('shows what leaves with its receiver, what arrives, and who may take what until when', () => {
  const changes = [
    { ...ether, contract: '', isOutgoing: true, counterparty: BOB },
    {
      amount: '1',
      symbol: 'MOOR',
      tokenId: '7',
      contract: DOLLAR_ADDRESS,
      isOutgoing: false,
      counterparty: BOB,
    },
  ]
  const all = { contract: DOLLAR_ADDRESS, amount: undefined, symbol: 'tUSD', tokenId: '', spender: BOB }
  const approvals = [
    { ...all, expiresAt: undefined, isRevoked: false },
    { ...all, amount: '0', symbol: 'DAI', expiresAt: undefined, isRevoked: true },
    { ...all, amount: '1', symbol: 'MOOR', tokenId: '8', expiresAt: undefined, isRevoked: true },
    { ...all, symbol: '', expiresAt: undefined, isRevoked: true },
  ]
  renderPreview({ ...nothing, changes, approvals })
  expect(shown()).toContain(`You send0.100000000000000001 ETHto ${BOB}`)
  expect(shown()).toContain('You receive1 MOOR #7')
  expect(shown()).toContain(`Can spendall tUSD${BOB}`)
  expect(shown()).toContain(`Can no longer spendDAI${BOB}`)
  expect(shown()).toContain(`Can no longer spendMOOR #8${BOB}`)
  expect(shown()).toContain(`Can no longer spend${DOLLAR_ADDRESS}${BOB}`)
})

it('shows warnings, and announces dangers', () => {
  const warnings = [
    { severity: 'danger', text: 'All leaves.', subject: BOB, phrase: 'DRAINS', value: BOB },
    { severity: 'notice', text: 'New contract.', subject: BOB, phrase: '', value: '' },
  ] as const
  renderPreview({ ...nothing, warnings })
  expect(screen.getByRole('alert').textContent).toBe('All leaves.')
  expect(shown()).toContain('New contract.')
})

it('scrolls the first danger into sight, and nothing else', () => {
  const scrolled: (string | null)[] = []
  // jsdom has no such method.
  HTMLElement.prototype.scrollIntoView = function () {
    scrolled.push(this.textContent)
  }
  const warning = { subject: BOB, phrase: '', value: '' }
  const warnings = [
    { ...warning, severity: 'danger', text: 'All leaves.' },
    { ...warning, severity: 'danger', text: 'So do the NFTs.' },
    { ...warning, severity: 'notice', text: 'New contract.' },
  ] as const
  renderPreview({ ...nothing, warnings })
  renderPreview({ ...nothing, warnings: warnings.slice(2) })
  expect(scrolled).toEqual(['All leaves.'])
})

it.each([
  ['of a request that moves nothing', nothing, 'Doesn’t move tokens'],
  [
    'that is not a simulation',
    { ...nothing, outcome: 'notSimulated', reason: 'Timeout.' },
    'couldn’t be simulated',
  ],
  ['of a request that reverts', { ...nothing, outcome: 'reverts', reason: 'ERC20: no.' }, 'would fail'],
  ['of which a part is unknown', { ...nothing, isPartial: true }, 'Not everything could be checked'],
  ['that cannot be read', 'unavailable', 'Can’t check what this does'],
  ['that is being read', 'loading', 'Checking what signing does'],
] as const)('a preview %s says so', (_, preview, text) => {
  renderPreview(preview)
  expect(shown()).toContain(text)
})

it('says below the effects what the site asks, with every value in the language of the visitor', () => {
  const amount = { amount: '1500.5', symbol: 'tUSD', tokenId: '' }
  const inner = { intent: 'Return the rest', sentence: [], rows: [], owner: '' }
  const rows = [
    { label: 'Pay', value: { kind: 'amount', amount, isUnlimited: false, message: '' } },
    { label: 'Most', value: { kind: 'amount', amount, isUnlimited: true, message: '' } },
    { label: 'All', value: { kind: 'amount', amount, isUnlimited: true, message: 'Any' } },
    { label: 'To', value: { kind: 'address', address: BOB } },
    { label: 'Final', value: { kind: 'flag', isSet: false } },
    { label: 'Item', value: { kind: 'token', symbol: 'MOOR', tokenId: '7' } },
    { label: 'For', value: { kind: 'duration', seconds: 3_600 } },
    { label: 'Fee', value: { kind: 'quantity', text: '0.3', unit: '%' } },
    { label: 'Count', value: { kind: 'number', text: '1000' } },
    { label: 'Then', value: { kind: 'call', address: BOB, inner } },
  ] as const
  const description = { intent: 'Swap', sentence: ['Pay ', 0, ' to ', 3], rows, owner: 'Example, Router' }
  renderPreview({ ...nothing, descriptions: [description] })
  const asks = screen.getByTestId('signing-asks')
  const short = `${BOB.slice(0, 4)}…`
  expect(asks.textContent).toContain(`What the site asksPay 1,500.5 tUSD to ${short.slice(0, 4)}`)
  expect(asks.textContent).toContain('Example, RouterPay1,500.5')
  for (const text of [
    'Mostunlimited tUSD',
    'AllAny tUSD',
    `To${BOB}`,
    'FinalNo',
    'ItemMOOR #7',
    'For1 hour',
    'Fee0.3\u00a0%',
    'Count1,000',
    `Then${BOB}Copy addressReturn the rest`,
  ])
    expect(asks.textContent).toContain(text)
  expect(screen.getByTestId('signing-preview').lastElementChild).toBe(asks)
})

it('shows nothing for an embedded wallet', () => {
  const { container } = renderPreview(undefined)
  expect(container.textContent).toBe('')
})
