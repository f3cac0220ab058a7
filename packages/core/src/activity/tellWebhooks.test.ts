import { describe, expect, it } from 'vitest'
import { updateFeatures } from '../options/options.ts'
import { sendToken } from '../send/sendToken.ts'
import { settle } from '../testing/fakeClock.ts'
import { DOLLAR } from '../testing/fakeGateway.ts'
import { previewing } from '../testing/previewing.ts'
import { HASH } from '../testing/swapping.ts'
import type { SentTransaction } from '../types/activity.ts'
import { tellWebhooks } from './tellWebhooks.ts'

describe('the webhooks of the site', () => {
  it('get a transfer that was sent, if the site asks for them', async () => {
    const kit = await previewing(DOLLAR, '1.25')
    updateFeatures(kit.hawser, { transactionWebhooks: true })
    await sendToken(kit.hawser)
    await settle()
    expect(kit.gateway.followed).toEqual([{ chainId: 'eip155:31337', hash: HASH }])
  })

  it('get nothing otherwise', async () => {
    const kit = await previewing(DOLLAR, '1.25')
    await sendToken(kit.hawser)
    await settle()
    expect(kit.gateway.followed).toEqual([])
  })

  it('get the hash that a batch has once it is in a block', async () => {
    const kit = await previewing(DOLLAR, '1.25')
    updateFeatures(kit.hawser, { transactionWebhooks: true })
    const metadata = { chain: 'eip155:31337', hash: '' }
    const batch = { transaction: { metadata } } as SentTransaction
    tellWebhooks(kit.hawser, batch)
    tellWebhooks(kit.hawser, batch, HASH)
    await settle()
    expect(kit.gateway.followed).toEqual([{ chainId: 'eip155:31337', hash: HASH }])
  })

  it('get nothing of other namespaces', async () => {
    const kit = await previewing(DOLLAR, '1.25')
    updateFeatures(kit.hawser, { transactionWebhooks: true })
    const metadata = { chain: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', hash: HASH }
    tellWebhooks(kit.hawser, { transaction: { metadata } } as SentTransaction)
    await settle()
    expect(kit.gateway.followed).toEqual([])
  })

  it('are not awaited, and a request that fails is dropped', async () => {
    const kit = await previewing(DOLLAR, '1.25')
    updateFeatures(kit.hawser, { transactionWebhooks: true })
    kit.gateway.status = 429
    const metadata = { chain: 'eip155:31337', hash: HASH }
    tellWebhooks(kit.hawser, { transaction: { metadata } } as SentTransaction)
    await settle()
    expect(kit.gateway.requests.at(-1)).toContain('/v1/webhooks/transactions')
    expect(kit.hawser.alert.getState()).toEqual(kit.hawser.alert.getInitialState())
    expect(kit.hawser.toast.getState()).toEqual(kit.hawser.toast.getInitialState())
  })
})
