// @vitest-environment jsdom
import { english } from '@hawser/texts/handoff/language'
import { render } from 'preact'
import { afterEach, expect, it, vi } from 'vitest'
import type { Networks } from '../networks.ts'
import type { PendingRequest } from '../session/sessions.ts'
import { loadPreview } from './preview.tsx'

const ALICE = `0x${'a1'.repeat(20)}`
const VAULT = `0x${'c0'.repeat(20)}`

afterEach(() => vi.unstubAllGlobals())

/** Draws the preview of a call that the service answers. */
async function open(response: object, tag = 'en') {
  vi.stubGlobal('fetch', async () => Response.json(response))
  const request = {
    session: { namespaces: { eip155: { accounts: [`eip155:1:${ALICE}`] } } },
    chainId: 'eip155:1',
    method: 'eth_sendTransaction',
    params: [{ from: ALICE, to: VAULT, value: '0x0', data: '0x01020304' }],
    site: { projectId: 'p1', origin: 'https://shop.test' },
  } as unknown as PendingRequest
  const network = { name: 'Ethereum', symbol: 'ETH', decimals: 18 }
  const networks = { load: async () => undefined, get: () => network } as unknown as Networks
  const { content } = await loadPreview(request, tag, english.texts, networks)
  render(content, document.body)
  return () => document.body.textContent?.replace(/[\u2068\u2069]/g, '')
}

it('says below the effects what the call asks in the words of a descriptor', async () => {
  const asset = { kind: 'ASSET_KIND_ERC20', contract: VAULT, symbol: 'tUSD', decimals: 6 }
  const rows = [
    { label: 'Pay', kind: 'VALUE_KIND_AMOUNT', value: '1500000', asset },
    { label: 'For', kind: 'VALUE_KIND_ADDRESS', value: ALICE },
    { label: 'Final', kind: 'VALUE_KIND_FLAG', value: 'true' },
  ]
  const sentence = [{ text: 'Deposit ' }, { row: 0 }]
  const descriptions = [{ intent: 'Deposit', sentence, rows, owner: 'Example', contractName: 'Vault' }]
  const changes = [{ asset, outgoing: true, amount: '1500000', counterparty: VAULT }]
  const text = await open({ outcome: 'OUTCOME_SUCCEEDS', changes, descriptions })
  expect(text()).toContain(`What the site asksDeposit 1.5 tUSDExample, VaultPay1.5 tUSDFor${ALICE}FinalYes`)
  expect(text()?.indexOf('You send')).toBeLessThan(text()?.indexOf('What the site asks') ?? 0)
})

it('tells no amount of an approval that ends', async () => {
  const asset = { kind: 'ASSET_KIND_ERC20', contract: VAULT, symbol: 'tUSD', decimals: 6 }
  const approvals = [{ asset, spender: ALICE, amount: '0', revoked: true }]
  const text = await open({ outcome: 'OUTCOME_SUCCEEDS', approvals })
  expect(text()).toContain('Can no longer spendtUSD')
})

it('says nothing for a call without a descriptor', async () => {
  const text = await open({ outcome: 'OUTCOME_SUCCEEDS' })
  expect(text()).not.toContain('What the site asks')
})

it('has words of the language', async () => {
  const rows = [{ label: 'Final', kind: 'VALUE_KIND_FLAG', value: 'false' }]
  const text = await open({ outcome: 'OUTCOME_SUCCEEDS', descriptions: [{ rows }] }, 'de')
  expect(text()).toContain('Was die Website verlangtFinalNein')
})
