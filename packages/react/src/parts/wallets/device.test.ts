import { describe, expect, it } from 'vitest'
import { extensionStore, isLoopback, isPhone } from './device.ts'

const agents = {
  chrome:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  pixel:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
}

function browser(userAgent: string, maxTouchPoints = 0) {
  return { userAgent, maxTouchPoints } as Navigator
}

describe('a phone', () => {
  it.each([
    ['a desktop Chrome', agents.chrome, 0, false],
    ['a Windows laptop with a touch screen', agents.edge, 10, false],
    ['a Mac', agents.safari, 0, false],
    ['an iPad that calls itself a Mac', agents.safari, 5, true],
    ['an iPhone', agents.iphone, 5, true],
    ['an Android phone', agents.pixel, 5, true],
  ])('%s: %s', (_, agent, touchPoints, expected) => {
    expect(isPhone(browser(agent, touchPoints))).toBe(expected)
  })
})

it.each([
  [agents.chrome, 'chrome'],
  [agents.edge, 'edge'],
  [agents.firefox, 'firefox'],
  [agents.safari, undefined],
])('returns the extension store of %s', (agent, store) => {
  expect(extensionStore(browser(agent))).toBe(store)
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
