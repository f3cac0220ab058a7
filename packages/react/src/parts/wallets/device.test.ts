import { expect, it } from 'vitest'
import { extensionStore, isLoopback } from './device.ts'

const agents = {
  chrome:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
}

it.each([
  [agents.chrome, 'chrome'],
  [agents.edge, 'edge'],
  [agents.firefox, 'firefox'],
  [agents.safari, undefined],
])('returns the extension store of %s', (agent, store) => {
  expect(extensionStore({ userAgent: agent } as Navigator)).toBe(store)
})

it.each([
  ['localhost', true],
  ['demo.localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['wallet.example.com', false],
  ['192.168.1.4', false],
])('%s can be opened on this computer only: %s', (hostname, expected) => {
  expect(isLoopback({ hostname } as Location)).toBe(expected)
})
