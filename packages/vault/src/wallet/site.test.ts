import { describe, expect, it, vi } from 'vitest'
import { isAllowedOrigin } from './originPattern.ts'
import { type FrameWindow, waitForSite } from './site.ts'

const SHOP = 'https://shop.example'

/** Creates a window with a parent; messages are delivered as a browser does. */
function fakeWindow() {
  const listeners = new Set<(event: MessageEvent) => void>()
  const parent = { postMessage: vi.fn() } as unknown as Window
  const window: FrameWindow = {
    parent,
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  }
  function deliver(data: unknown, { source = parent, origin = SHOP, ports = [] as MessagePort[] } = {}) {
    for (const listener of [...listeners])
      listener({ data, source, origin, ports } as unknown as MessageEvent)
  }
  return { window, parent, deliver }
}

const hello = { type: '@hawser/hello', version: 5 }
const options = { isAllowed: (origin: string) => origin === SHOP, ancestorOrigin: SHOP }

/** Resolves with what arrives at a port next. */
const next = (port: MessagePort) =>
  new Promise((resolve) => {
    port.onmessage = ({ data }) => resolve(data)
  })

describe('a hello', () => {
  it('of the parent with an allowed origin is answered with READY on its port', async () => {
    const { window, deliver } = fakeWindow()
    const waiting = waitForSite({ ...options, window, version: '5' })
    const { port1, port2 } = new MessageChannel()
    deliver(hello, { ports: [port2] })
    const site = await waiting
    expect(site.origin).toBe(SHOP)
    expect(await next(port1)).toEqual({ type: '@w3m-frame/READY', payload: { version: '5' } })
    port1.close()
  })

  it('of another window, another origin or without a port is ignored, and so is a second one', async () => {
    const { window, deliver } = fakeWindow()
    const waiting = waitForSite({ ...options, window, version: '5' })
    const [wrong, right, second] = [new MessageChannel(), new MessageChannel(), new MessageChannel()]
    deliver(hello, { ports: [wrong.port2], source: {} as Window })
    deliver(hello, { ports: [wrong.port2], origin: 'https://evil.example' })
    deliver(hello, { ports: [wrong.port2], origin: 'null' })
    deliver(hello)
    deliver({ type: 'hello' }, { ports: [wrong.port2] })
    deliver(null, { ports: [wrong.port2] })
    deliver(hello, { ports: [right.port2] })
    const site = await waiting
    deliver(hello, { ports: [second.port2] })

    const received = vi.fn()
    site.listen(received)
    const ready = next(right.port1)
    const silent = vi.fn()
    wrong.port1.onmessage = silent
    second.port1.onmessage = silent
    expect(await ready).toMatchObject({ type: '@w3m-frame/READY' })
    right.port1.postMessage({ type: '@w3m-app/IS_CONNECTED', id: '1' })
    second.port1.postMessage({ type: '@w3m-app/SIGN_OUT', id: '2' })
    await vi.waitFor(() => expect(received).toHaveBeenCalledOnce())
    expect(silent).not.toHaveBeenCalled()
    for (const { port1 } of [wrong, right, second]) port1.close()
  })
})

describe('an older SDK', () => {
  it('is answered through the window, at its exact origin', async () => {
    const { window, parent, deliver } = fakeWindow()
    const site = await waitForSite({ ...options, window, version: '4' })
    const received = vi.fn()
    site.listen(received)
    deliver({ type: '@w3m-app/IS_CONNECTED', id: 'a' })
    deliver({ type: '@w3m-app/IS_CONNECTED', id: 'b' }, { source: {} as Window })
    deliver({ type: '@w3m-app/IS_CONNECTED', id: 'c' }, { origin: 'https://evil.example' })
    expect(received).toHaveBeenCalledExactlyOnceWith({ name: 'IS_CONNECTED', id: 'a', payload: undefined })
    site.succeed('IS_CONNECTED', 'a', { isConnected: false })
    expect(parent.postMessage).toHaveBeenCalledExactlyOnceWith(
      { type: '@w3m-frame/IS_CONNECTED_SUCCESS', id: 'a', payload: { isConnected: false } },
      SHOP,
    )
  })

  it.each([['https://evil.example'], [undefined]])(
    'embedded by %s is never answered',
    async (ancestorOrigin) => {
      const { window, parent } = fakeWindow()
      const answered = vi.fn()
      waitForSite({ ...options, ancestorOrigin, window, version: '3' }).then(answered)
      await Promise.resolve()
      expect(answered).not.toHaveBeenCalled()
      expect(parent.postMessage).not.toHaveBeenCalled()
    },
  )
})

describe('a pattern of a project', () => {
  it.each([
    ['https://shop.example', 'https://shop.example', true],
    ['https://shop.example:8443', 'https://shop.example', true],
    ['https://shop.example', 'https://shop.example:8443', false],
    ['http://shop.example', 'https://shop.example', false],
    ['http://shop.example', 'shop.example', true],
    ['https://a.shop.example', '*.shop.example', true],
    ['https://a.b.shop.example', '*.shop.example', false],
    ['https://shop.example', '*.shop.example', false],
    ['https://evilshop.example', 'shop.example', false],
    ['https://shop.example.evil', 'shop.example', false],
    ['https://shop.example@evil.example', 'shop.example', false],
    ['null', '*', false],
    ['https://shop.example', 'https://shop.example:443', true],
  ])('%s is matched by %s: %s', (origin, pattern, matches) => {
    expect(isAllowedOrigin(origin, [pattern], false)).toBe(matches)
  })

  it('is not needed on the own machine, in development', () => {
    expect(isAllowedOrigin('http://localhost:5173', [], true)).toBe(true)
    expect(isAllowedOrigin('http://localhost:5173', [], false)).toBe(false)
    expect(isAllowedOrigin('http://localhost.evil.example', [], true)).toBe(false)
  })
})
