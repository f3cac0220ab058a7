import { describe, expect, it, vi } from 'vitest'
import { setActiveNetwork } from '../chain/activeNetwork.ts'
import { loadedAdapter } from '../chain/adapters.ts'
import { isServed } from '../gateway/servedFeatures.ts'
import { closeModal } from '../modal/modal.ts'
import { defineNetwork } from '../network/network.ts'
import { goBack } from '../router/navigate.ts'
import { Refusal } from '../testing/connectRouter.ts'
import { settle } from '../testing/fakeClock.ts'
import { ETHER } from '../testing/fakeGateway.ts'
import { ALICE, BOB, deferred } from '../testing/fakeWallet.ts'
import { createConnectedKit, createKit, devnetTwo, type Kit } from '../testing/kit.ts'
import { previewing, sent } from '../testing/previewing.ts'
import type { Transfers } from '../types/adapter.ts'
import { openSend, setSendAmount } from './edit.ts'
import { sendReadiness } from './readiness.ts'
import { acceptMovedReceiver, resolveReceiver, setReceiver } from './receiver.ts'
import { sendToken } from './sendToken.ts'

describe('the receiver', () => {
  it.each([
    ['a checksummed address', BOB, 'valid'],
    ['an address without checksum', BOB.toLowerCase(), 'valid'],
    ['an address with white space around', ` ${BOB}\n`, 'valid'],
    ['a wrong checksum', BOB.replace('C5', 'c5'), 'invalid'],
    ['an address without 0x', BOB.slice(2), 'invalid'],
    ['a word', 'alice', 'invalid'],
    ['nothing', '  ', 'empty'],
  ])('judges %s', async (_, text, status) => {
    const { hawser } = await createConnectedKit()
    await setReceiver(hawser, text)
    expect(hawser.send.getState().receiverStatus).toBe(status)
  })

  it('is looked up by the normal form of a name, and never by letters that look like others', async () => {
    const { hawser, gateway, clock } = await createConnectedKit()
    const asked: string[] = []
    gateway.names.resolve = (name) => {
      asked.push(name)
      return BOB
    }
    const type = async (text: string) => {
      const set = setReceiver(hawser, text)
      await clock.advance(500)
      await set
      return hawser.send.getState()
    }
    expect(await type('Ünïcode.eth')).toMatchObject({
      receiverStatus: 'valid',
      receiverProfileName: 'ünïcode.eth',
    })
    expect(await type('аlice.hawser.id')).toMatchObject({
      receiverStatus: 'unknownName',
      receiverAddress: '',
    })
    expect(asked).toEqual(['ünïcode.eth'])
  })

  it('says which networks an address of another namespace belongs to', async () => {
    const { hawser } = await createConnectedKit()
    await setReceiver(hawser, '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM')
    expect(hawser.send.getState()).toMatchObject({ receiverStatus: 'invalid', receiverKind: 'solana' })
    await setReceiver(hawser, BOB)
    expect(hawser.send.getState()).toMatchObject({ receiverStatus: 'valid', receiverKind: undefined })
  })

  it('cannot be sent to while what checks it cannot be loaded, and can once it is typed again', async () => {
    const { hawser } = await createConnectedKit()
    const evm = loadedAdapter(hawser, 'eip155')
    openSend(hawser, { token: ETHER })
    setSendAmount(hawser, '0.1')
    hawser.adapters.set('eip155', { ...evm, transfers: () => Promise.reject(new Error('offline')) })
    await setReceiver(hawser, BOB)
    expect(sendReadiness(hawser.send.getState())).toBe('gasUnavailable')
    hawser.adapters.set('eip155', evm)
    await setReceiver(hawser, BOB)
    expect(hawser.send.getState()).toMatchObject({ receiverStatus: 'valid', isGasUnavailable: false })
  })

  it('is the last typed one, however long the check of another takes', async () => {
    const { hawser } = await createConnectedKit()
    const evm = loadedAdapter(hawser, 'eip155')
    const late = deferred<Transfers>()
    const checks = [late.promise, evm.transfers()]
    hawser.adapters.set('eip155', {
      ...evm,
      transfers: () => checks.shift() ?? evm.transfers(),
    })
    const first = setReceiver(hawser, BOB)
    await setReceiver(hawser, 'alice')
    late.resolve(await evm.transfers())
    await first
    expect(hawser.send.getState()).toMatchObject({ receiverAddress: 'alice', receiverStatus: 'invalid' })
  })
})

const NAME = 'bob.hawser.id'
const SOLANA_BOB = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
const solana = defineNetwork({
  id: 'dev',
  name: 'Solana',
  chainNamespace: 'solana',
  nativeCurrency: { name: 'SOL', symbol: 'SOL', decimals: 9 },
})
const DEVNET_COIN_TYPE = '2147514985'

/** Returns a lookup of addresses by coin type. */
const leadsTo = (addresses: Record<string, string>) => (_name: string, coinType: number) =>
  addresses[String(coinType)]

const receiver = ({ hawser }: Kit) => hawser.send.getState()
const lookups = ({ gateway }: Kit) => gateway.requests.filter((request) => request.includes('/ResolveName '))

/** Types a receiver and lets half a second pass. */
async function type({ hawser, clock }: Kit, text: string) {
  const set = setReceiver(hawser, text)
  await clock.advance(500)
  await set
}

describe('a receiver by name', () => {
  it.each([NAME, 'nick.eth'])('is the address that %s resolves to', async (name) => {
    const kit = await createConnectedKit()
    kit.gateway.names.resolve = leadsTo({ [DEVNET_COIN_TYPE]: BOB })
    await type(kit, name.toUpperCase())
    expect(receiver(kit)).toMatchObject({
      receiverProfileName: name,
      receiverAddress: BOB,
      receiverStatus: 'valid',
    })
  })

  it('is resolved on Solana by the coin type of Solana alone', async () => {
    const kit = createKit({ networks: [solana], connectors: [] })
    kit.gateway.served = ['solana:dev']
    kit.gateway.names.resolve = leadsTo({ '60': BOB, '501': SOLANA_BOB })
    await type(kit, 'bob.sol')
    expect(receiver(kit)).toMatchObject({ receiverAddress: SOLANA_BOB, receiverStatus: 'valid' })
    kit.gateway.names.resolve = leadsTo({ '60': BOB })
    await type(kit, 'bob.sol')
    expect(receiver(kit)).toMatchObject({ receiverAddress: '', receiverStatus: 'unknownName' })
  })

  it('is that of this very network before that of Ethereum', async () => {
    const kit = await createConnectedKit()
    kit.gateway.names.resolve = leadsTo({ '60': ALICE, [DEVNET_COIN_TYPE]: BOB })
    await type(kit, NAME)
    expect(receiver(kit).receiverAddress).toBe(BOB)
  })

  it('is that of Ethereum when this network has none', async () => {
    const kit = await createConnectedKit()
    kit.gateway.names.resolve = leadsTo({ '60': BOB })
    await type(kit, NAME)
    expect(receiver(kit).receiverAddress).toBe(BOB)
  })

  it('is resolved once typing stops, and has no address until then', async () => {
    const kit = await createConnectedKit()
    kit.gateway.names.resolve = leadsTo({ [DEVNET_COIN_TYPE]: BOB })
    void setReceiver(kit.hawser, 'bob.hawser.i')
    await kit.clock.advance(499)
    const set = setReceiver(kit.hawser, NAME)
    await kit.clock.advance(499)
    expect(lookups(kit)).toEqual([])
    expect(receiver(kit)).toMatchObject({ receiverStatus: 'resolving', receiverAddress: '' })
    await kit.clock.advance(1)
    await set
    expect(lookups(kit)).toHaveLength(1)
  })

  it.each([
    ['that nobody has', () => undefined],
    ['of the zone that leads elsewhere only', leadsTo({ '2147483785': BOB })],
    [
      'that cannot be',
      () => {
        throw new Refusal(400, 'NAME_INVALID', 'Invalid name')
      },
    ],
  ])('%s is not found', async (_, resolve) => {
    const kit = await previewing(ETHER, '0.1')
    kit.gateway.names.resolve = resolve
    await type(kit, NAME)
    expect(receiver(kit)).toMatchObject({ receiverStatus: 'unknownName', receiverAddress: '' })
    expect(sendReadiness(receiver(kit))).toBe('invalidAddress')
  })

  it('with addresses of other networks only has no address', async () => {
    const kit = await previewing(ETHER, '0.1')
    kit.gateway.names.resolve = leadsTo({ '2147483785': BOB })
    kit.gateway.names.lookup = (name) => ({
      name,
      registeredAt: '2026-01-01T00:00:00Z',
      registered: 1_767_225_600,
      updatedAt: '2026-01-01T00:00:00Z',
      updated: 1_767_225_600,
      attributes: {},
      addresses: {},
    })
    await type(kit, NAME)
    expect(receiver(kit)).toMatchObject({ receiverStatus: 'noAddress', receiverAddress: '' })
    expect(sendReadiness(receiver(kit))).toBe('invalidAddress')
  })

  it.each([
    ['that the gateway does not look up', 400, 'NAME_INVALID'],
    ['whose registration is not known', 503, 'CHAIN_UNAVAILABLE'],
  ])('%s is not called unknown', async (_, status, reason) => {
    const kit = await previewing(ETHER, '0.1')
    kit.gateway.names.lookup = () => {
      throw new Refusal(status, reason, 'refused')
    }
    await type(kit, 'vitalik.eth')
    expect(receiver(kit)).toMatchObject({ receiverStatus: 'noAddress', receiverAddress: '' })
    expect(sendReadiness(receiver(kit))).toBe('invalidAddress')
  })

  it.each(['0x1234', BOB.replace('C5', 'c5'), ''])(
    'is unresolved at %j, which is not an address',
    async (address) => {
      const kit = await createConnectedKit()
      kit.gateway.names.resolve = leadsTo({ '60': address })
      await type(kit, NAME)
      expect(receiver(kit).receiverStatus).not.toBe('valid')
    },
  )

  it('is resolved again on demand after the gateway failed', async () => {
    const kit = await createConnectedKit()
    await isServed(kit.hawser, 'eip155:31337')
    kit.gateway.status = 503
    await type(kit, NAME)
    expect(receiver(kit)).toMatchObject({ receiverStatus: 'unresolved', receiverProfileName: NAME })
    kit.gateway.status = 200
    kit.gateway.names.resolve = leadsTo({ '60': BOB })
    await resolveReceiver(kit.hawser)
    expect(receiver(kit)).toMatchObject({ receiverStatus: 'valid', receiverAddress: BOB })
  })

  it.each([
    ['/v1/picture/1', 'http://gateway.test/v1/picture/1?projectId=00000000000000000000000000000001'],
    [undefined, undefined],
  ])('has the picture that the gateway hands on: %s', async (picture, shown) => {
    const kit = await createConnectedKit()
    openSend(kit.hawser, { token: ETHER })
    kit.gateway.names.resolve = leadsTo({ '60': BOB })
    kit.gateway.names.identity = () => ({
      name: NAME,
      avatar: 'https://elsewhere.test/bob.png',
      ...(picture && { picture }),
    })
    await type(kit, NAME)
    await vi.waitFor(() => expect(kit.gateway.requests.join()).toContain('/GetIdentity '))
    await settle()
    expect(receiver(kit).receiverProfileImageUrl).toBe(shown)
  })

  it('is never the one typed before, however late that is resolved', async () => {
    const kit = await createConnectedKit()
    const late = deferred<string>()
    kit.gateway.names.resolve = () => late.promise
    const first = setReceiver(kit.hawser, NAME)
    await kit.clock.advance(500)
    await settle()
    await setReceiver(kit.hawser, ALICE)
    late.resolve(BOB)
    await first
    expect(receiver(kit)).toMatchObject({ receiverAddress: ALICE, receiverProfileName: undefined })
  })

  it('is dropped with the network it was resolved on', async () => {
    const kit = await createConnectedKit()
    kit.gateway.names.resolve = leadsTo({ '60': BOB })
    await type(kit, NAME)
    setActiveNetwork(kit.hawser, devnetTwo)
    expect(receiver(kit)).toMatchObject({ receiverAddress: '', receiverStatus: 'empty' })
  })

  it('gets what is sent', async () => {
    const kit = await previewing(ETHER, '0.1')
    kit.gateway.names.resolve = leadsTo({ '60': ALICE })
    await type(kit, NAME)
    await sendToken(kit.hawser)
    expect(sent(kit)[0]?.params).toMatchObject([{ to: ALICE }])
  })
})

describe('a name that was reviewed', () => {
  /** Opens the preview of a draft for a name that resolves to BOB. */
  async function reviewed(): Promise<Kit> {
    const kit = await previewing(ETHER, '0.1')
    kit.gateway.names.resolve = leadsTo({ '60': BOB })
    await type(kit, NAME)
    await vi.waitFor(() => expect(sendReadiness(receiver(kit))).toBe('ready'))
    return kit
  }
  const view = ({ hawser }: Kit) => hawser.router.getState().view
  const toast = ({ hawser }: Kit) => hawser.toast.getState().message

  it('that resolves to a new address is sent nothing until the address is accepted', async () => {
    const kit = await reviewed()
    kit.gateway.names.resolve = leadsTo({ '60': ALICE })
    expect(await sendToken(kit.hawser)).toBeUndefined()
    expect(sent(kit)).toEqual([])
    expect(receiver(kit)).toMatchObject({ status: 'draft', receiverStatus: 'moved', receiverAddress: ALICE })
    expect(sendReadiness(receiver(kit))).toBe('invalidAddress')
    expect(view(kit)).toBe('WalletSend')
    expect(toast(kit)).toBe(`${NAME} now points to a different address. Nothing was sent.`)

    await acceptMovedReceiver(kit.hawser)
    await vi.waitFor(() => expect(sendReadiness(receiver(kit))).toBe('ready'))
    await sendToken(kit.hawser)
    expect(sent(kit)[0]?.params).toMatchObject([{ to: ALICE }])
  })

  it.each([
    ['leads nowhere by now', () => undefined, 'unknownName'],
    [
      'cannot be looked up any more',
      () => {
        throw new Refusal(503, 'CHAIN_UNAVAILABLE', 'unavailable')
      },
      'unresolved',
    ],
  ])('and %s gets nothing', async (_, resolve, status) => {
    const kit = await reviewed()
    kit.gateway.names.resolve = resolve
    expect(await sendToken(kit.hawser)).toBeUndefined()
    expect(sent(kit)).toEqual([])
    expect(receiver(kit)).toMatchObject({ receiverStatus: status, receiverAddress: '' })
    expect(view(kit)).toBe('WalletSend')
    expect(toast(kit)).toBe(`Can’t confirm the address of ${NAME}. Nothing was sent.`)
  })

  it.each([
    ['the preview was left', goBack],
    ['the modal was closed', closeModal],
  ])('is sent nothing once %s', async (_, leave) => {
    const kit = await reviewed()
    const late = deferred<string>()
    kit.gateway.names.resolve = () => late.promise
    const sending = sendToken(kit.hawser)
    await settle()
    expect(receiver(kit).status).toBe('checking')
    leave(kit.hawser)
    late.resolve(BOB)
    expect(await sending).toBeUndefined()
    expect(sent(kit)).toEqual([])
    expect(receiver(kit).status).toBe('draft')
  })
})
