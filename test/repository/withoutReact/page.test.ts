// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import { ALICE, createFakeWallet, walletError } from '@hawser/core/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const wallet = createFakeWallet()
wallet.chainId = 1

beforeAll(async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no gateway')))
  const provider = await wallet.connector.getProvider()
  const info = { uuid: 'u-1', name: 'Example Wallet', icon: 'data:image/svg+xml,<svg/>', rdns: 'org.example' }
  window.addEventListener('eip6963:requestProvider', () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } })),
  )
  await import('./page.ts')
})

afterAll(() => {
  vi.unstubAllGlobals()
  document.body.replaceChildren()
})

const button = (label: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label)
const status = () => document.querySelector('output')?.textContent

test('lists the wallets, connects one and disconnects it', async () => {
  button('Example Wallet')?.click()
  await vi.waitFor(() => expect(status()).toContain(`${ALICE} on Ethereum`))
  button('Disconnect')?.click()
  await vi.waitFor(() => expect(button('Example Wallet')).toBeDefined())
  expect(status()).toBe('')
})

test('says that the visitor declined', async () => {
  wallet.answers.eth_requestAccounts = () => {
    throw walletError(4001, 'User rejected the request.')
  }
  button('Example Wallet')?.click()
  await vi.waitFor(() => expect(status()).toBe('You declined.'))
})

test('is the page of the guide', () => {
  const read = (path: string) => readFileSync(`${import.meta.dirname}/${path}`, 'utf8')
  expect(read('../../../docs/without-react.md')).toContain(`\`\`\`ts\n${read('page.ts')}\`\`\``)
})
