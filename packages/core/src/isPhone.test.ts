import { afterEach, describe, expect, it, vi } from 'vitest'
import { isPhone } from './isPhone.ts'

const agents = {
  chrome:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  pixel:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
}

afterEach(() => void vi.unstubAllGlobals())

describe('a phone', () => {
  it.each([
    ['a desktop Chrome', agents.chrome, 0, false],
    ['a Windows laptop with a touch screen', agents.edge, 10, false],
    ['a Mac', agents.safari, 0, false],
    ['an iPad that calls itself a Mac', agents.safari, 5, true],
    ['an iPhone', agents.iphone, 5, true],
    ['an Android phone', agents.pixel, 5, true],
  ])('%s: %s', (_, userAgent, maxTouchPoints, expected) => {
    expect(isPhone({ userAgent, maxTouchPoints })).toBe(expected)
  })

  it('is no server, which may be without a navigator', () => {
    vi.stubGlobal('navigator', undefined)
    expect(isPhone()).toBe(false)
  })
})
