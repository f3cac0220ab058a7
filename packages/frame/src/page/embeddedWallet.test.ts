// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEmbeddedWallet } from './embeddedWallet.ts'

const ORIGIN = 'https://wallet.example'

/** What the frame answers, by the name of the call: a payload, or a failure. */
type Answers = Record<
  string,
  (payload: unknown) => { readonly payload?: unknown; readonly error?: object } | undefined
>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false
  }
})

afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

/** Creates a wallet whose frame is loaded and answers; `port` is the end of the frame. */
async function setUp(answers: Answers = {}) {
  const wallet = createEmbeddedWallet({ frameOrigin: ORIGIN, projectId: 'p1', chainId: 'eip155:1' })
  const loading = wallet.load()
  const iframe = document.querySelector('iframe')
  if (!iframe?.contentWindow) throw new Error('no frame')
  const posted = vi.spyOn(iframe.contentWindow, 'postMessage').mockImplementation(() => undefined)
  iframe.dispatchEvent(new Event('load'))
  const [message, target, transfer] = posted.mock.calls[0] as unknown as [object, string, MessagePort[]]
  const [port] = transfer
  if (!port) throw new Error('no port')
  const seen: { type: string; payload: unknown }[] = []
  port.onmessage = ({ data }) => {
    seen.push(data)
    const name = data.type.slice('@w3m-app/'.length)
    const answer = answers[name]?.(data.payload)
    if (!answer) return
    const { payload, error } = answer
    const type = `@w3m-frame/${name}_${error ? 'ERROR' : 'SUCCESS'}`
    port.postMessage({ type, id: data.id, payload: error ?? payload })
  }
  port.postMessage({ type: '@w3m-frame/READY', payload: { version: '5' } })
  return { wallet, loading, iframe, message, target, port, seen }
}

it.each([
  ['is stored', { isConnected: true, isPersistent: true }, false],
  ['is of a frame that does not say so', { isConnected: true }, false],
  ['is not stored', { isConnected: true, isPersistent: false }, true],
])('a login that %s ends with the tab, or does not', async (_, payload, endsWithTab) => {
  const { wallet, loading } = await setUp({ IS_CONNECTED: () => ({ payload }) })
  await delivered()
  await vi.advanceTimersByTimeAsync(500)
  await loading
  expect(await wallet.endsWithTab()).toBe(endsWithTab)
})

/** Resolves after the messages that were posted before. */
function delivered(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}

/** `setUp`, and the half second after READY. */
async function loaded(answers?: Answers) {
  const set = await setUp(answers)
  await vi.waitFor(() => vi.advanceTimersByTimeAsync(100).then(() => expect(vi.getTimerCount()).toBe(0)))
  await set.loading
  return set
}

describe('load', () => {
  it('adds the frame, hands it a port at its exact origin, and waits 500 ms after READY', async () => {
    const { iframe, target, message, loading } = await setUp()
    expect(iframe.src).toBe(`${ORIGIN}/?projectId=p1&chainId=eip155%3A1&version=5&enableLogger=false`)
    expect(iframe.allow).toBe(
      `publickey-credentials-get ${ORIGIN}; publickey-credentials-create ${ORIGIN}; clipboard-write ${ORIGIN}`,
    )
    expect(target).toBe(ORIGIN)
    expect(message).toEqual({ type: '@hawser/hello', version: 5 })
    const done = vi.fn()
    loading.then(done)
    await delivered()
    await vi.advanceTimersByTimeAsync(499)
    expect(done).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toHaveBeenCalledOnce()
  })

  it('fails 5 seconds after an error page of the browser was loaded in its place', async () => {
    const wallet = createEmbeddedWallet({ frameOrigin: ORIGIN, projectId: 'p1', chainId: 'eip155:1' })
    const failed = expect(wallet.load()).rejects.toThrow('Unable to load email login dependency')
    await vi.advanceTimersByTimeAsync(10_000)
    const iframe = document.querySelector('iframe')
    vi.spyOn(iframe?.contentWindow as Window, 'postMessage').mockImplementation(() => undefined)
    iframe?.dispatchEvent(new Event('load'))
    await vi.advanceTimersByTimeAsync(5_000)
    await failed
    expect(document.querySelector('iframe')).toBeNull()
  })

  it('fails after 20 seconds without its document, and can be tried again', async () => {
    const wallet = createEmbeddedWallet({ frameOrigin: ORIGIN, projectId: 'p1', chainId: 'eip155:1' })
    const failed = expect(wallet.load()).rejects.toThrow('Unable to load email login dependency')
    await vi.advanceTimersByTimeAsync(20_000)
    await failed
    expect(document.querySelector('iframe')).toBeNull()
    wallet.load().catch(() => undefined)
    expect(document.querySelector('iframe')).not.toBeNull()
  })
})

describe('the frame', () => {
  it('is shown over a rectangle, and tells the height that it needs', async () => {
    const { wallet, iframe, port } = await loaded()
    const heights: number[] = []
    wallet.on('height', (height) => heights.push(height))
    wallet.show({ left: 1, top: 2, width: 380, height: 400, radius: 28 })
    expect(iframe.style).toMatchObject({ top: '2px', height: '400px', borderRadius: '0px 0px 28px 28px' })
    wallet.show({ left: 1, top: 2, width: 380, height: 400, radius: 0, upperRadius: 28 })
    expect(iframe.style.borderRadius).toBe('28px 28px 0px 0px')
    for (const payload of [412.5, '500', undefined]) port.postMessage({ type: '@w3m-frame/HEIGHT', payload })
    await delivered()
    expect(heights).toEqual([412.5])
  })
})

describe('a call', () => {
  it('resolves with the result of the frame, and rejects with its message', async () => {
    const { wallet } = await loaded({
      CONNECT_EMAIL: () => ({ payload: { action: 'VERIFY_OTP' } }),
      CONNECT_OTP: () => ({ error: { message: 'The code is wrong' } }),
    })
    await expect(wallet.connectEmail('ada@example.com')).resolves.toEqual({ action: 'VERIFY_OTP' })
    await expect(wallet.connectOtp('000000')).rejects.toThrow('The code is wrong')
  })

  it('rejects with the reason of the frame, and when it may be repeated', async () => {
    const error = { message: 'In English', reason: 'RATE_LIMITED', retrySeconds: 30 }
    const { wallet } = await loaded({ CONNECT_OTP: () => ({ error }) })
    await expect(wallet.connectOtp('000000')).rejects.toMatchObject(error)
  })

  it('fails after its timeout', async () => {
    const { wallet } = await loaded()
    const failed = expect(wallet.connectOtp('123456')).rejects.toThrow('Something went wrong')
    await vi.advanceTimersByTimeAsync(30_000)
    await failed
  })

  it('ignores a result that its schema refuses', async () => {
    const { wallet } = await loaded({ CONNECT_EMAIL: () => ({ payload: { action: 'LATER' } }) })
    const failed = expect(wallet.connectEmail('ada@example.com')).rejects.toThrow('Something went wrong')
    await vi.advanceTimersByTimeAsync(30_000)
    await failed
  })

  it('names networks by CAIP-2, however the frame does', async () => {
    const { wallet } = await loaded({
      GET_CHAIN_ID: () => ({ payload: { chainId: 137 } }),
      GET_SMART_ACCOUNT_ENABLED_NETWORKS: () => ({ payload: { smartAccountEnabledNetworks: [1, 10] } }),
    })
    expect(await wallet.getChainId()).toBe('eip155:137')
    expect(await wallet.getSmartAccountEnabledNetworks()).toEqual(['eip155:1', 'eip155:10'])
  })
})

describe('a request', () => {
  it('that signs reports an approval and its end; one that reads does not', async () => {
    const { wallet } = await loaded({ RPC_REQUEST: () => ({ payload: '0x1' }) })
    const events: string[] = []
    wallet.on('approval', ({ method }) => events.push(method))
    wallet.on('approvalEnd', () => events.push('end'))
    await wallet.request({ method: 'eth_blockNumber' })
    await wallet.request({ method: 'personal_sign', params: ['0x61', '0x1'] })
    expect(events).toEqual(['personal_sign', 'end'])
  })

  it('that is in no list is refused without the frame, and rejects those that wait', async () => {
    const { wallet, seen } = await loaded()
    const refused = vi.fn()
    wallet.on('notAllowed', refused)
    const waiting = expect(wallet.request({ method: 'personal_sign' })).rejects.toThrow('Request was aborted')
    await delivered()
    await expect(wallet.request({ method: 'eth_sign' })).rejects.toThrow('Requested RPC call is not allowed')
    await waiting
    expect(refused).toHaveBeenCalledExactlyOnceWith({ method: 'eth_sign' })
    await vi.waitFor(() => expect(seen.map(({ type }) => type)).toContain('@w3m-app/RPC_ABORT'))
    expect(seen.some(({ payload }) => (payload as { method?: string })?.method === 'eth_sign')).toBe(false)
  })

  it('that the page closes is rejected by the user', async () => {
    const { wallet } = await loaded()
    const waiting = expect(wallet.request({ method: 'personal_sign' })).rejects.toMatchObject({
      code: 4001,
      message: 'User rejected the request',
    })
    await delivered()
    wallet.rejectRequests()
    await waiting
  })

  it('keeps the code of the frame', async () => {
    const { wallet } = await loaded({
      RPC_REQUEST: () => ({ error: { message: 'User rejected the request', code: 4001 } }),
    })
    await expect(wallet.request({ method: 'personal_sign' })).rejects.toMatchObject({ code: 4001 })
  })
})

it('a session that ends outside the page is reported', async () => {
  const { wallet, port } = await loaded()
  const signedOut = vi.fn()
  wallet.on('signedOut', signedOut)
  port.postMessage({ type: '@w3m-frame/SIGNED_OUT' })
  await vi.waitFor(() => expect(signedOut).toHaveBeenCalledOnce())
})

it('reset loads the frame again', async () => {
  const { wallet, iframe } = await loaded()
  wallet.reset().catch(() => undefined)
  await Promise.resolve()
  expect(document.querySelectorAll('iframe')).toHaveLength(1)
  expect(document.querySelector('iframe')).not.toBe(iframe)
})

it('a sheet that reset removes does not keep later approvals open', async () => {
  const { wallet, port } = await loaded()
  const events: string[] = []
  wallet.on('approval', () => events.push('approval'))
  wallet.on('approvalEnd', () => events.push('end'))
  port.postMessage({ type: '@w3m-frame/SHOW' })
  await vi.waitFor(() => expect(events).toEqual(['approval']))
  wallet.reset().catch(() => undefined)
  await delivered()
  expect(events).toEqual(['approval', 'end'])
})

it('reads and changes the contacts of the wallet', async () => {
  const bob = { namespace: 'eip155', address: '0x01', name: 'Bob' }
  const { wallet, seen } = await setUp({
    GET_CONTACTS: (payload) => ({ payload: { contacts: (payload as { ask: boolean }).ask ? [bob] : null } }),
    CHANGE_CONTACTS: () => ({ payload: { contacts: [] } }),
  })
  await delivered()
  await vi.advanceTimersByTimeAsync(500)
  expect(await wallet.getContacts()).toBeUndefined()
  expect(await wallet.getContacts({ ask: true })).toEqual([bob])
  const changes = [{ namespace: 'eip155', address: '0x01' }]
  expect(await wallet.changeContacts(changes)).toEqual([])
  expect(seen.at(-1)).toMatchObject({ type: '@w3m-app/CHANGE_CONTACTS', payload: { changes } })
})
