import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepClients } from './kept.mjs'
import {
  account,
  answerRequests,
  approved,
  establish,
  makeSignClient,
  makeWalletKit,
  next,
  propose,
  sign,
  versions,
} from './peers.mjs'
import { memory, startRelay } from './relay.mjs'

const kept = keepClients()

/** @type {Array<[string, (url: string) => Promise<any>]>} */
const wallets = [
  ['WalletKit 1.2.4', makeWalletKit],
  ['sign-client 2.21.8', (url) => makeSignClient(url, '2.21.8', 'wallet')],
  ['sign-client 2.20.1', (url) => makeSignClient(url, '2.20.1', 'wallet')],
]

describe('one relay', async () => {
  const relay = await startRelay()

  for (const version of /** @type {Array<keyof typeof versions>} */ (Object.keys(versions))) {
    for (const [name, makeWallet] of wallets) {
      test(`a page of ${version} and a wallet of ${name} live a session from pairing to disconnect`, async () => {
        const page = await kept(makeSignClient(relay.url, version))
        const wallet = await kept(makeWallet(relay.url))
        const session = await establish(page, wallet)
        assert.deepEqual(session.namespaces.eip155.accounts, [account])

        answerRequests(wallet)
        assert.equal(await sign(page, session, '0x01'), 'signed: 0x01')
        const large = `0x${'ab'.repeat(50_000)}`
        assert.equal(await sign(page, session, large), `signed: ${large}`)

        const happened = next(page, 'session_event')
        const emit = wallet.emitSessionEvent ?? wallet.emit
        await emit.call(wallet, {
          topic: session.topic,
          chainId: 'eip155:1',
          event: { name: 'accountsChanged', data: [account] },
        })
        assert.equal((await happened).params.event.name, 'accountsChanged')

        const updated = next(page, 'session_update')
        const update = wallet.updateSession ?? wallet.update
        const more = { eip155: { ...approved.eip155, accounts: [account, `${account.slice(0, -1)}0`] } }
        await (await update.call(wallet, { topic: session.topic, namespaces: more })).acknowledged()
        await updated
        assert.equal(page.session.get(session.topic).namespaces.eip155.accounts.length, 2)

        const extended = next(page, 'session_extend')
        const extend = wallet.extendSession ?? wallet.extend
        await (await extend.call(wallet, { topic: session.topic })).acknowledged()
        await extended

        await page.ping({ topic: session.topic })
        await (wallet.engine?.signClient ?? wallet).ping({ topic: session.topic })

        const ended = next(wallet, 'session_delete')
        await page.disconnect({ topic: session.topic, reason: { code: 6000, message: 'User disconnected.' } })
        assert.equal((await ended).topic, session.topic)
      })
    }
  }

  test('a rejected proposal fails on the page', async () => {
    const page = await kept(makeSignClient(relay.url))
    const wallet = await kept(makeWalletKit(relay.url))
    const { uri, settled } = await propose(page)
    const proposed = next(wallet, 'session_proposal')
    await wallet.pair({ uri })
    const { id } = await proposed
    const refused = assert.rejects(settled, { code: 5000 })
    await wallet.rejectSession({ id, reason: { code: 5000, message: 'User rejected.' } })
    await refused
  })

  test('a proposal waits for a wallet that comes later', async () => {
    const page = await kept(makeSignClient(relay.url))
    const { uri, settled } = await propose(page)
    await sleep(1000)
    const wallet = await kept(makeWalletKit(relay.url))
    const proposed = next(wallet, 'session_proposal')
    await wallet.pair({ uri })
    await wallet.approveSession({ id: (await proposed).id, namespaces: approved })
    assert.ok((await settled).topic)
  })

  test('a request waits for a wallet that is offline', async () => {
    const page = await kept(makeSignClient(relay.url))
    const wallet = await kept(makeWalletKit(relay.url))
    const session = await establish(page, wallet)
    answerRequests(wallet)
    await wallet.core.relayer.transportClose()
    const signed = sign(page, session, '0x02')
    await sleep(2000)
    await wallet.core.relayer.transportOpen()
    assert.equal(await signed, 'signed: 0x02')
  })

  test('a page reaches the relay through the gateway', async () => {
    const page = await kept(makeSignClient(relay.throughGateway))
    const wallet = await kept(makeWalletKit(relay.url))
    const session = await establish(page, wallet)
    answerRequests(wallet)
    assert.equal(await sign(page, session, '0x03'), 'signed: 0x03')
  })

  test('a session goes on after the relay was stopped and started', async () => {
    const page = await kept(makeSignClient(relay.url))
    const wallet = await kept(makeWalletKit(relay.url))
    const session = await establish(page, wallet)
    answerRequests(wallet)
    await relay.process.stop()
    await relay.process.start()
    assert.equal(await sign(page, session, '0x04'), 'signed: 0x04')
  })

  test('a session goes on after the relay was killed', async () => {
    const page = await kept(makeSignClient(relay.url))
    const wallet = await kept(makeWalletKit(relay.url))
    const session = await establish(page, wallet)
    answerRequests(wallet)
    for (const round of [1, 2, 3]) {
      const signed = sign(page, session, `0x0${round}`)
      await relay.process.stop('SIGKILL')
      await relay.process.start()
      assert.equal(await signed, `signed: 0x0${round}`)
    }
  })

  test('a page with a pending request recovers from an outage of five seconds, and the relay stays small', async () => {
    const page = await kept(makeSignClient(relay.url))
    const wallet = await kept(makeWalletKit(relay.url))
    const session = await establish(page, wallet)
    answerRequests(wallet)
    const before = memory(relay.process.pid())
    await relay.process.stop('SIGKILL')
    const signed = sign(page, session, '0x05')
    await sleep(5000)
    await relay.process.start()
    assert.equal(await signed, 'signed: 0x05')
    // Memory of connections that came and went is returned within seconds.
    const grew = () => memory(relay.process.pid()) - before
    for (let tries = 0; grew() >= 100 && tries < 40; tries += 1) await sleep(1000)
    const grown = grew()
    assert.ok(grown < 100, `the relay grew by ${Math.round(grown)} MiB`)
  })
})
