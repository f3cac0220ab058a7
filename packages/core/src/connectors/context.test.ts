import { afterEach, describe, expect, it, vi } from 'vitest'
import { createKit } from '../testing/kit.ts'
import type { ConnectorContext } from '../types/connector.ts'
import type { HawserOptions } from '../types/options.ts'

function contextOf(options: Partial<HawserOptions> = {}) {
  let context: ConnectorContext | undefined
  const kit = createKit({
    ...options,
    connectors: [
      (given) => {
        context = given
        return () => undefined
      },
    ],
  })
  kit.hawser.mount()
  if (!context) throw new Error('the factory was not called')
  return { ...kit, context }
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a connector receives', () => {
  it('the project, the gateway and how the site introduces itself', () => {
    vi.stubGlobal('location', { origin: 'https://site.test', host: 'site.test' })
    vi.stubGlobal('document', { title: 'A site' })
    const { context } = contextOf({ baseUrl: 'http://gateway.test/', metadata: { description: 'Ours' } })
    expect(context).toMatchObject({
      projectId: '00000000000000000000000000000001',
      gatewayUrl: 'http://gateway.test',
      metadata: { name: 'A site', description: 'Ours', url: 'https://site.test', icons: [] },
    })
  })

  it('a storage of its own', () => {
    const { context, storage } = contextOf()
    expect(context.storage.getItem('key')).toBeNull()
    context.storage.setItem('key', 'value')
    expect(context.storage.getItem('key')).toBe('value')
    expect(storage.getItem('@hawser/v1/connector/key')).toBe('"value"')
    context.storage.removeItem('key')
    expect(context.storage.getItem('key')).toBeNull()
  })

  it('a log, and the node of each network', async () => {
    const { context, hawser } = contextOf()
    context.log('warn', 'closed', { code: 1006 })
    expect(hawser.log.text()).toContain('"message":"closed","code":1006')
    await expect(context.node('eip155:31337')('eth_gasPrice', [])).resolves.toBe('0x3b9aca00')
  })

  it.each([
    ['token', 'Session Expired'],
    ['project', 'Invalid App Configuration'],
    ['origin', 'Invalid App Configuration'],
  ] as const)('a way to show that a relay refused its %s', async (refusal, title) => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { context, hawser } = contextOf({ debug: true })
    context.relayRefused(refusal)
    await vi.waitFor(() => expect(hawser.alert.getState()).toMatchObject({ open: true, message: title }))
  })

  describe('a way to open the wallet’s app for a request', () => {
    const open = vi.fn()
    async function visit(hasFocus: boolean, link?: unknown) {
      open.mockReset()
      vi.stubGlobal('window', { open })
      vi.stubGlobal('document', { title: '', hasFocus: () => hasFocus })
      const { context, hawser } = contextOf()
      if (link) hawser.storage.write('deep_link', link)
      context.openWallet({ id: 7, topic: 'ab', answered: Promise.resolve(), ping: async () => undefined })
      await vi.dynamicImportSettled()
      return open.mock.calls[0]?.[0]
    }
    const link = { href: 'rainbow://', name: 'Rainbow' }

    it('that was paired by a link', async () => {
      expect(await visit(true, link)).toBe('rainbow://wc?requestId=7&sessionTopic=ab')
    })

    it.each([
      ['it was paired by a code', true, undefined],
      ['the page is in the background', false, link],
      ['the stored link is none', true, { href: 'javascript:x', name: 'X' }],
      ['what is stored is not a link', true, 'text'],
    ])('and opens nothing when %s', async (_, hasFocus, stored) => {
      expect(await visit(hasFocus, stored)).toBeUndefined()
    })
  })
})
