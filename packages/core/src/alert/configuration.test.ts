import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fetchTokenBalance } from '../account/tokenBalance.ts'
import { fetchActivity } from '../activity/fetchActivity.ts'
import { balancesClient, namesClient } from '../gateway/clients.ts'
import { suggestNames } from '../names/suggest.ts'
import { loadOnramp } from '../onramp/options.ts'
import { requestBuyQuotes } from '../onramp/quotes.ts'
import { startSwap } from '../swap/watchSwap.ts'
import { Refusal } from '../testing/connectRouter.ts'
import { settle } from '../testing/fakeClock.ts'
import { openStream } from '../testing/fakeGateway.ts'
import { createConnectedKit, type Kit } from '../testing/kit.ts'

const consoleError = vi.spyOn(console, 'error')
const INVALID_PROJECT = '[hawser] Invalid Project ID - update configuration'

beforeEach(() => {
  consoleError.mockReset().mockImplementation(() => undefined)
})

/** Connects a developer whose project is refused from now on. */
async function refusing(status: number): Promise<Kit> {
  const kit = await createConnectedKit({ debug: true })
  await settle()
  kit.gateway.status = status
  return kit
}

describe('a project that is set up wrongly', () => {
  it.each([
    ['swaps', (kit: Kit) => startSwap(kit.hawser, {})],
    ['the on-ramp', (kit: Kit) => loadOnramp(kit.hawser)],
    ['the history', (kit: Kit) => fetchActivity(kit.hawser)],
    ['the JSON-RPC endpoint', (kit: Kit) => kit.hawser.client.rpc('eip155:31337', 'eth_blockNumber', [])],
    [
      'names',
      (kit: Kit) => {
        kit.hawser.names.setState({ label: 'alice' })
        return suggestNames(kit.hawser)
      },
    ],
    [
      'prices',
      async (kit: Kit) => (await balancesClient(kit.hawser)).listPrices({ addresses: ['eip155:31337:0xa'] }),
    ],
  ])('is reported by a call of %s', async (_, call) => {
    const kit = await refusing(401)
    await Promise.resolve(call(kit)).catch(() => undefined)
    expect(consoleError).toHaveBeenCalledExactlyOnceWith(INVALID_PROJECT)
    expect(kit.hawser.alert.getState()).toMatchObject({ open: true, message: 'Invalid App Configuration' })
  })

  it('is reported by a stream that ends with it', async () => {
    const kit = await createConnectedKit()
    await settle()
    kit.gateway.watch = () => openStream().end({ code: 'permission_denied' }).body
    kit.wallet.emit('chainChanged', '0x7a6a')
    await vi.waitFor(() => expect(consoleError).toHaveBeenCalledOnce())
    expect(consoleError.mock.calls[0]?.[0]).toContain('not found on Allowlist')
  })

  it('is reported once until a call succeeds, and again when it recurs', async () => {
    const kit = await refusing(401)
    await Promise.all([
      fetchTokenBalance(kit.hawser),
      fetchActivity(kit.hawser),
      requestBuyQuotes(kit.hawser),
    ])
    await fetchActivity(kit.hawser)
    expect(consoleError).toHaveBeenCalledOnce()

    kit.gateway.status = 200
    await fetchActivity(kit.hawser)
    expect(kit.hawser.alert.getState().open).toBe(false)
    kit.gateway.status = 401
    await fetchActivity(kit.hawser)
    expect(consoleError).toHaveBeenCalledTimes(2)
  })

  it('is not reported for a refused signature', async () => {
    const kit = await createConnectedKit()
    await settle()
    kit.gateway.names.register = () => {
      throw new Refusal(401, 'SIGNATURE_INVALID', 'Signature validation error')
    }
    const names = await namesClient(kit.hawser)
    await expect(names.registerName({})).rejects.toMatchObject({ reason: 'SIGNATURE_INVALID' })
    expect(consoleError).not.toHaveBeenCalled()
  })
})
