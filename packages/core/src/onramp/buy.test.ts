import type { OpenWidgetResponseJson, OrderJson } from '@hawser/client/onramp'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { closeModal, openModal } from '../modal/modal.ts'
import { buying, orderNow, paying, purchaseNow, QUAY } from '../testing/buying.ts'
import { Refusal } from '../testing/connectRouter.ts'
import { settle } from '../testing/fakeClock.ts'
import { openStream } from '../testing/fakeGateway.ts'
import { moveOrder, orderOf } from '../testing/fakeOnramp.ts'
import { BOB, createFakeWallet, deferred } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, type Kit } from '../testing/kit.ts'
import { createMemoryStorage } from '../testing/memoryStorage.ts'
import { buy, buyAgain, leavePurchase, reopenCheckout, retryPurchase, showOrder } from './buy.ts'
import { setBuyAmount } from './edit.ts'
import { fetchOlderOrders, fetchOrders } from './orders.ts'
import { watchOnramp } from './watchOnramp.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const orderRequests = ({ gateway }: Kit) =>
  gateway.requests.filter((request) => request.includes('/GetOrder ')).length
const onrampRequests = ({ gateway }: Kit) =>
  gateway.requests.filter((request) => request.includes('OnrampService')).length
const toastOf = ({ hawser }: Kit) => hawser.toast.getState()

describe('buying', () => {
  it('opens a window within the click, cuts it off, and sends it to the seller once the order is placed', async () => {
    const kit = await buying()
    openModal(kit.hawser, { view: 'OnRampProviders' })
    buy(kit.hawser, QUAY)
    const [window] = kit.browser.windows
    expect(window?.features).toBe('width=600,height=800,scrollbars=yes')
    expect(window?.location.shown).toEqual([''])
    expect(kit.hawser.router.getState().history).toEqual(['OnRampProviders', 'BuyInProgress'])
    expect(purchaseNow(kit)?.checkout).toBe('preparing')
    await settle()
    expect(window?.opener).toBeNull()
    expect(window?.location.shown).toEqual(['', 'https://checkout.test/01JD1'])
    expect(purchaseNow(kit)).toMatchObject({ checkout: 'open', orderId: '01JD1' })
    expect(orderNow(kit)?.state).toBe('created')
    expect(kit.gateway.onramp.purchases[0]).toMatchObject({
      serviceProvider: 'quay',
      sourceAmount: '100',
      sourceCurrencyCode: 'USD',
      destinationCurrencyCode: 'tUSD',
      chainId: 'eip155:31337',
      paymentMethodType: 'card',
    })
    expect(kit.events).toContainEqual({
      event: 'SELECT_BUY_PROVIDER',
      properties: { provider: 'quay', isSmartAccount: false },
    })
  })

  it('opens no checkout for an account that was changed while the order was placed', async () => {
    const kit = await buying()
    buy(kit.hawser, QUAY)
    kit.wallet.emit('accountsChanged', [BOB])
    await settle()
    expect(kit.browser.windows[0]).toMatchObject({ closed: true, location: { shown: [''] } })
    expect(purchaseNow(kit)).toBeUndefined()
  })

  it('does nothing while something is missing', async () => {
    const kit = await buying()
    setBuyAmount(kit.hawser, '1')
    buy(kit.hawser, QUAY)
    await settle()
    expect(kit.browser.windows).toEqual([])
    expect(kit.gateway.onramp.purchases).toEqual([])
  })

  it('continues without a window when the browser blocks it', async () => {
    const kit = await buying()
    kit.browser.isBlocking = true
    buy(kit.hawser, QUAY)
    await settle()
    expect(purchaseNow(kit)).toMatchObject({ checkout: 'blocked', url: 'https://checkout.test/01JD1' })
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_COMPLETED')
    await kit.clock.advance(2_000)
    expect(orderNow(kit)?.state).toBe('completed')
  })

  it('that the gateway refuses closes the window, says why, and can be tried again', async () => {
    const kit = await buying()
    const { widget } = kit.gateway.onramp
    kit.gateway.onramp.widget = () => {
      throw new Refusal(400, 'ONRAMP_LIMIT', 'the amount must be at most 50 USD')
    }
    openModal(kit.hawser, { view: 'OnRampProviders' })
    buy(kit.hawser, QUAY)
    await settle()
    expect(kit.browser.windows[0]?.closed).toBe(true)
    expect(purchaseNow(kit)).toMatchObject({
      checkout: 'refused',
      refusal: 'limit',
    })
    expect(kit.events).toContainEqual({
      event: 'BUY_ERROR',
      properties: expect.objectContaining({ message: 'the amount must be at most 50 USD' }),
    })
    kit.gateway.onramp.widget = widget
    retryPurchase(kit.hawser)
    await settle()
    expect(purchaseNow(kit)?.checkout).toBe('open')
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', 'not a url', ''])(
    'never opens %s',
    async (widgetUrl) => {
      const kit = await buying()
      const { widget } = kit.gateway.onramp
      kit.gateway.onramp.widget = async (purchase) => ({ ...(await widget(purchase)), widgetUrl })
      buy(kit.hawser, QUAY)
      await settle()
      expect(kit.browser.windows[0]?.location.shown).toEqual([''])
      expect(kit.browser.windows[0]?.closed).toBe(true)
      expect(purchaseNow(kit)).toMatchObject({ checkout: 'refused', refusal: 'unexplained', url: undefined })
    },
  )

  it('that was left while the order was being placed opens nothing', async () => {
    const kit = await buying()
    const late = deferred<OpenWidgetResponseJson>()
    kit.gateway.onramp.widget = () => late.promise
    buy(kit.hawser, QUAY)
    leavePurchase(kit.hawser)
    late.resolve({ widgetUrl: 'https://checkout.test/x', order: orderOf({ id: 'x' }) })
    await settle()
    expect(kit.browser.windows[0]?.closed).toBe(true)
    expect(kit.browser.windows[0]?.location.shown).toEqual([''])
    expect(purchaseNow(kit)).toBeUndefined()
  })
})

describe('a window that was closed', () => {
  it('is a hint, not an end: the order is followed on', async () => {
    const kit = await paying()
    kit.browser.windows[0]?.close()
    await kit.clock.advance(500)
    expect(purchaseNow(kit)?.checkout).toBe('closed')
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_COMPLETED', { transaction: '0xabc' })
    await kit.clock.advance(2_000)
    expect(orderNow(kit)?.state).toBe('completed')
  })

  it('is opened again at the checkout, without access to the page', async () => {
    const kit = await paying()
    kit.browser.windows[0]?.close()
    await kit.clock.advance(500)
    reopenCheckout(kit.hawser)
    expect(kit.browser.windows[1]?.location.shown).toEqual(['', 'https://checkout.test/01JD1'])
    expect(purchaseNow(kit)?.checkout).toBe('open')
    reopenCheckout(kit.hawser)
    expect(kit.browser.windows).toHaveLength(2)
    expect(kit.browser.windows[1]?.focused).toBe(1)
  })
})

describe('an open order', () => {
  it('is polled at growing intervals until it has ended', async () => {
    const kit = await buying()
    kit.browser.isBlocking = true
    buy(kit.hawser, QUAY)
    await settle()
    kit.stop()
    await kit.clock.advance(2_000)
    expect(orderRequests(kit)).toBe(1)
    await kit.clock.advance(3_000)
    expect(orderRequests(kit)).toBe(2)
    await kit.clock.advance(60_000)
    expect(orderRequests(kit)).toBeLessThan(9)
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_COMPLETED')
    await kit.clock.advance(30_000)
    const requests = orderRequests(kit)
    await kit.clock.advance(120_000)
    expect(orderRequests(kit)).toBe(requests)
  })

  it('is taken from the update that carries it, without a request', async () => {
    let stream = openStream()
    const kit = await paying(({ gateway }) => {
      gateway.watch = (signal) => {
        stream = openStream(signal).send({ block: '7', alive: {} })
        return stream.body
      }
    })
    await vi.waitFor(() => expect(kit.hawser.push.getState().isLive).toBe(true))
    const requests = onrampRequests(kit)
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_PAID')
    stream.send({ orders: { orderId: '01JD1', order: kit.gateway.onramp.orders.get('01JD1') as OrderJson } })
    await vi.waitFor(() => expect(orderNow(kit)?.state).toBe('paid'))
    expect(onrampRequests(kit)).toBe(requests)
  })

  it('is requested with all others in one go when an update carries none', async () => {
    let stream = openStream()
    const kit = await paying(({ gateway }) => {
      gateway.watch = (signal) => {
        stream = openStream(signal).send({ block: '7', alive: {} })
        return stream.body
      }
    })
    await vi.waitFor(() => expect(kit.hawser.push.getState().isLive).toBe(true))
    const requests = onrampRequests(kit)
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_PAID')
    stream.send({ orders: {} })
    await vi.waitFor(() => expect(orderNow(kit)?.state).toBe('paid'))
    expect(onrampRequests(kit)).toBe(requests + 1)
  })

  it('that was placed in another browser is listed and polled from its update on', async () => {
    let stream = openStream()
    const kit = await buying(({ gateway }) => {
      gateway.watch = (signal) => {
        stream = openStream(signal).send({ block: '7', alive: {} })
        return stream.body
      }
    })
    await vi.waitFor(() => expect(kit.hawser.push.getState().isLive).toBe(true))
    const requests = onrampRequests(kit)
    const order = orderOf({ id: 'elsewhere' })
    kit.gateway.onramp.orders.set(order.id, order)
    stream.send({ orders: { orderId: order.id, order } })
    await vi.waitFor(() => expect(orderNow(kit)?.id).toBe('elsewhere'))
    expect(onrampRequests(kit)).toBe(requests)
    await kit.clock.advance(2_000)
    expect(orderRequests(kit)).toBe(1)
  })

  it('is requested together with the others when there are many', async () => {
    const kit = await paying(({ gateway }) => {
      for (const id of ['a', 'b', 'c']) gateway.onramp.orders.set(id, orderOf({ id }))
    })
    const pages = () => kit.gateway.requests.filter((request) => request.includes('/ListOrders ')).length
    const before = pages()
    moveOrder(kit.gateway.onramp, 'b', 'ORDER_STATE_PAID')
    await kit.clock.advance(2_000)
    expect(pages()).toBe(before + 1)
    expect(orderRequests(kit)).toBe(0)
    expect(kit.hawser.onramp.getState().orders.find(({ id }) => id === 'b')?.state).toBe('paid')
  })

  it('is never reset by a late response', async () => {
    const kit = await paying()
    const early = kit.gateway.onramp.orders.get('01JD1')
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_PAID')
    await kit.clock.advance(2_000)
    kit.gateway.onramp.orders.set('01JD1', early as never)
    await kit.clock.advance(10_000)
    expect(orderNow(kit)?.state).toBe('paid')
  })

  it('that succeeds is reported to the site and to the visitor in any view', async () => {
    const kit = await paying()
    closeModal(kit.hawser)
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_COMPLETED', { transaction: '0xabc' })
    const balances = () => kit.gateway.requests.filter((request) => request.includes('/GetBalance ')).length
    const before = balances()
    await kit.clock.advance(2_000)
    expect(toastOf(kit)).toMatchObject({ message: 'Bought 98.5 tUSD', variant: 'success', open: true })
    expect(kit.events.at(-1)).toEqual({
      event: 'BUY_SUCCESS',
      properties: {
        isSmartAccount: false,
        network: 'eip155:31337',
        provider: 'quay',
        token: 'tUSD',
        amount: '98.5',
        currency: 'USD',
        paid: '100',
        hash: '0xabc',
      },
    })
    expect(balances()).toBe(before + 1)
  })

  it.each([
    ['ORDER_STATE_FAILED', 'Buy failed'],
    ['ORDER_STATE_REFUNDED', 'Your purchase was refunded'],
    ['ORDER_STATE_CANCELLED', 'Your purchase was cancelled'],
    ['ORDER_STATE_EXPIRED', 'Your purchase expired'],
  ] as const)('that ends with %s is reported: %s', async (state, message) => {
    const kit = await paying()
    moveOrder(kit.gateway.onramp, '01JD1', state, { reason: 'the card was declined' })
    await kit.clock.advance(2_000)
    expect(toastOf(kit)).toMatchObject({ message, variant: 'error' })
    expect(kit.events.at(-1)).toMatchObject({
      event: 'BUY_ERROR',
      properties: { message: 'the card was declined' },
    })
  })

  it.each([
    ['ORDER_FAILURE_FUNDS_LOW', 'fundsLow'],
    ['ORDER_FAILURE_UNEXPLAINED', 'unexplained'],
    [99, undefined],
    [undefined, undefined],
  ] as const)('that failed because of %s has the failure %s', async (code, failure) => {
    const kit = await paying()
    const change = code && { failure: code as NonNullable<OrderJson['failure']> }
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_FAILED', change)
    await kit.clock.advance(2_000)
    expect(kit.hawser.onramp.getState().orders[0]).toMatchObject({ state: 'failed', failure })
  })

  it('that the visitor looks at needs no toast', async () => {
    const kit = await buying()
    openModal(kit.hawser, { view: 'OnRampProviders' })
    buy(kit.hawser, QUAY)
    await settle()
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_COMPLETED')
    await kit.clock.advance(2_000)
    expect(orderNow(kit)?.state).toBe('completed')
    expect(toastOf(kit).open).toBe(false)
  })

  it('that the gateway does not know any more is removed', async () => {
    const kit = await paying()
    kit.gateway.onramp.orders.clear()
    await kit.clock.advance(2_000)
    expect(kit.hawser.onramp.getState().orders).toEqual([])
    const requests = orderRequests(kit)
    await kit.clock.advance(60_000)
    expect(orderRequests(kit)).toBe(requests)
  })

  it('is not requested once the visitor has disconnected', async () => {
    const kit = await paying()
    await disconnect(kit.hawser)
    const requests = orderRequests(kit)
    await kit.clock.advance(60_000)
    expect(orderRequests(kit)).toBe(requests)
  })
})

describe('another load of the page', () => {
  it('finds the open orders of the last visit, and reports their outcomes', async () => {
    const kit = await paying()
    const again = createKit({ storage: kit.storage, fetch: kit.gateway.fetch }, kit.wallet)
    again.hawser.mount()
    await vi.waitFor(() => expect(again.hawser.onramp.getState().orders).toHaveLength(1))
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_COMPLETED')
    await again.clock.advance(2_000)
    expect(toastOf(again)).toMatchObject({ message: 'Bought 98.5 tUSD', variant: 'success' })
  })

  it('reports what ended meanwhile', async () => {
    const kit = await paying()
    moveOrder(kit.gateway.onramp, '01JD1', 'ORDER_STATE_FAILED')
    const again = createKit({ storage: kit.storage, fetch: kit.gateway.fetch }, kit.wallet)
    again.hawser.mount()
    await vi.waitFor(() => expect(toastOf(again).message).toBe('Buy failed'))
  })

  it('requests no purchases of another account', async () => {
    const kit = await paying()
    const other = createFakeWallet()
    other.accounts.splice(0, 1, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    const again = createKit({ storage: createMemoryStorage(), fetch: kit.gateway.fetch }, other)
    again.storage.setItem('@hawser/v1/open_orders', kit.storage.getItem('@hawser/v1/open_orders') as string)
    again.hawser.mount()
    await connect(again.hawser, { connector: other.connector })
    await settle()
    const requests = orderRequests(kit)
    await again.clock.advance(60_000)
    expect(orderRequests(kit)).toBe(requests)
  })

  it('requests no purchases when there were none', async () => {
    const kit = await createConnectedKit()
    await settle()
    expect(kit.gateway.requests.filter((request) => request.includes('/hawser.onramp.'))).toEqual([])
  })
})

describe('the orders of an account', () => {
  it('are read a page at a time, the newest first', async () => {
    const kit = await createConnectedKit()
    kit.gateway.onramp.page = (cursor) =>
      cursor === 'older'
        ? { orders: [orderOf({ id: 'a', createdAt: '2023-01-01T00:00:00Z' })] }
        : { orders: [orderOf({ id: 'b', createdAt: '2023-02-01T00:00:00Z' })], next: 'older' }
    await fetchOrders(kit.hawser)
    await fetchOlderOrders(kit.hawser)
    await fetchOlderOrders(kit.hawser)
    expect(kit.hawser.onramp.getState().orders.map(({ id }) => id)).toEqual(['b', 'a'])
    expect(kit.hawser.onramp.getState().nextOrders).toBeUndefined()
  })

  it('say when they could not be read', async () => {
    const kit = await createConnectedKit()
    kit.gateway.onramp.page = () => {
      throw new Refusal(503, 'ONRAMP_UNAVAILABLE', 'away')
    }
    await fetchOrders(kit.hawser)
    expect(kit.hawser.onramp.getState()).toMatchObject({ haveOrdersFailed: true, hasOrders: false })
  })

  it('are begun again for the same', async () => {
    const kit = await createConnectedKit()
    const payment = { amount: '55', currency: 'EUR' }
    kit.gateway.onramp.orders.set('old', orderOf({ id: 'old', state: 'ORDER_STATE_FAILED', payment }))
    await fetchOrders(kit.hawser)
    openModal(kit.hawser, { view: 'OnRampActivity' })
    showOrder(kit.hawser, orderNow(kit) as never)
    buyAgain(kit.hawser)
    expect(kit.hawser.router.getState().history).toEqual(['OnRampActivity', 'OnRampProviders'])
    watchOnramp(kit.hawser)
    await settle()
    expect(kit.hawser.onramp.getState()).toMatchObject({
      amount: '55',
      currency: { id: 'EUR' },
      token: { symbol: 'tUSD' },
    })
  })

  it('can be looked at one by one', async () => {
    const kit = await createConnectedKit()
    kit.gateway.onramp.orders.set('old', orderOf({ id: 'old', state: 'ORDER_STATE_PAID' }))
    await fetchOrders(kit.hawser)
    const [order] = kit.hawser.onramp.getState().orders
    openModal(kit.hawser, { view: 'OnRampActivity' })
    showOrder(kit.hawser, order as never)
    expect(kit.hawser.router.getState().view).toBe('BuyInProgress')
    expect(purchaseNow(kit)).toMatchObject({ checkout: 'elsewhere', orderId: 'old' })
  })
})
