// Apart from the tests of one relay: what the SDKs of those tests leave in their process would slow down these ones.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keepClients } from './kept.mjs'
import { answerRequests, establish, makeSignClient, makeWalletKit, sign } from './peers.mjs'
import { startReplicas } from './relay.mjs'

const kept = keepClients()

describe('two relays of one NATS server', async () => {
  const { replicas } = await startReplicas()

  test('a page at one and a wallet at the other live a session', async () => {
    const page = await kept(makeSignClient(replicas[0].url))
    const wallet = await kept(makeWalletKit(replicas[1].url))
    const session = await establish(page, wallet)
    answerRequests(wallet)
    for (let n = 0; n < 10; n += 1) assert.equal(await sign(page, session, `0x1${n}`), `signed: 0x1${n}`)
  })

  test('a session goes on after one of them was killed', async () => {
    const page = await kept(makeSignClient(replicas[0].url))
    const wallet = await kept(makeWalletKit(replicas[1].url))
    const session = await establish(page, wallet)
    answerRequests(wallet)
    const signed = sign(page, session, '0x06')
    await replicas[1].process.stop('SIGKILL')
    await replicas[1].process.start()
    assert.equal(await signed, 'signed: 0x06')
  })
})
