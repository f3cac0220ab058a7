import { describe, expect, it, vi } from 'vitest'
import { interoperableChecksum } from '../address/interoperable.ts'
import { closeModal } from '../modal/modal.ts'
import { defineNetwork } from '../network/network.ts'
import { settle } from '../testing/fakeClock.ts'
import { ETHER } from '../testing/fakeGateway.ts'
import { ALICE, BOB, walletError } from '../testing/fakeWallet.ts'
import { createConnectedKit, devnet, devnetTwo, type Kit } from '../testing/kit.ts'
import { ANCHORS } from '../testing/nfts.ts'
import type { OwnedNft } from '../types/nft.ts'
import type { HawserOptions } from '../types/options.ts'
import { openSend, openSendNft, setSendAmount } from './edit.ts'
import { followReceiver } from './followReceiver.ts'
import { sendReadiness } from './readiness.ts'
import { acceptMovedReceiver, confirmReceiver, resolveReceiver, setReceiver } from './receiver.ts'

const checksumOf = (address: string, chainId: number) =>
  interoperableChecksum('eip155', String(chainId), address)
const draft = ({ hawser }: Kit) => hawser.send.getState()

const [item] = ANCHORS.nfts
const anchor = { ...item, collection: ANCHORS } as OwnedNft

/** Types a receiver and lets half a second pass. */
async function type({ hawser, clock }: Kit, text: string) {
  const set = setReceiver(hawser, text)
  await settle()
  await clock.advance(500)
  await set
}

async function opened(options: Parameters<typeof createConnectedKit>[0] = {}): Promise<Kit> {
  const kit = await createConnectedKit(options)
  openSend(kit.hawser, { token: ETHER })
  setSendAmount(kit.hawser, '0.1')
  return kit
}

describe('a receiver on the active network', () => {
  it.each([
    ['CAIP-10', `eip155:31337:${BOB}`],
    ['an interoperable address', `${BOB}@eip155:31337#${checksumOf(BOB, 31337)}`],
    ['the name of the network', ` ${BOB}@devnet\n`],
  ])('is accepted by %s, and shown with its network', async (_, text) => {
    const kit = await opened()
    await type(kit, text)
    expect(draft(kit)).toMatchObject({
      receiverAddress: BOB,
      receiverStatus: 'valid',
      receiverWithChain: { text: text.trim(), network: 'Devnet' },
    })
    await vi.waitFor(() => expect(sendReadiness(draft(kit))).toBe('ready'))
  })

  it('may be one of any EVM network', async () => {
    const kit = await opened()
    await type(kit, `${BOB}@eip155`)
    expect(draft(kit)).toMatchObject({ receiverAddress: BOB, receiverStatus: 'valid' })
    expect(draft(kit).receiverWithChain?.network).toBeUndefined()
  })

  it('is invalid with the checksum of Ethereum of a mistyped address', async () => {
    const kit = await opened()
    await type(kit, `eip155:31337:${BOB.replace('C5', 'c5')}`)
    expect(draft(kit).receiverStatus).toBe('invalid')
  })

  it('loses its network when another one is typed', async () => {
    const kit = await opened()
    await type(kit, `eip155:31337:${BOB}`)
    await type(kit, ALICE)
    expect(draft(kit)).toMatchObject({ receiverAddress: ALICE, receiverWithChain: undefined })
  })
})

describe('a name on the active network', () => {
  const named = async (text: string, address = BOB) => {
    const kit = await opened()
    kit.gateway.names.resolve = () => address
    await type(kit, text)
    return kit
  }

  it('is resolved', async () => {
    expect(draft(await named('bob.hawser.id@devnet'))).toMatchObject({
      receiverProfileName: 'bob.hawser.id',
      receiverAddress: BOB,
      receiverStatus: 'valid',
      receiverWithChain: { text: 'bob.hawser.id@devnet', network: 'Devnet' },
    })
  })

  it('must resolve to the address of its checksum', async () => {
    const text = `bob.hawser.id@devnet#${checksumOf(BOB, 31337)}`
    expect(draft(await named(text))).toMatchObject({ receiverAddress: BOB, receiverStatus: 'valid' })
    const kit = await named(text, ALICE)
    expect(draft(kit)).toMatchObject({
      receiverStatus: 'invalid',
      receiverObjection: { kind: 'wrongChecksum' },
    })
    expect(sendReadiness(draft(kit))).toBe('invalidAddress')
  })

  it('that moved cannot be accepted against its checksum', async () => {
    const kit = await named(`bob.hawser.id@devnet#${checksumOf(BOB, 31337)}`)
    kit.gateway.names.resolve = () => ALICE
    expect(await confirmReceiver(kit.hawser)).toBe(false)
    expect(draft(kit)).toMatchObject({ receiverStatus: 'moved', receiverAddress: ALICE })
    await acceptMovedReceiver(kit.hawser)
    expect(draft(kit)).toMatchObject({ receiverStatus: 'invalid' })
  })

  it('keeps its chain when it is resolved again', async () => {
    const kit = await opened()
    kit.gateway.status = 503
    await type(kit, 'bob.hawser.id@devnet')
    expect(draft(kit).receiverStatus).toBe('unresolved')
    kit.gateway.status = 200
    kit.gateway.names.resolve = () => BOB
    await resolveReceiver(kit.hawser)
    expect(draft(kit)).toMatchObject({
      receiverStatus: 'valid',
      receiverWithChain: { text: 'bob.hawser.id@devnet' },
    })
  })
})

describe('a receiver that is stopped', () => {
  it.each([
    [
      'on another network of the site',
      `eip155:31338:${BOB}`,
      { kind: 'elsewhere', text: `eip155:31338:${BOB}`, network: 'Devnet Two', target: devnetTwo },
    ],
    [
      'by a name on another network',
      'bob.eth@devnet-two',
      { kind: 'elsewhere', text: 'bob.eth@devnet-two', network: 'Devnet Two', target: devnetTwo },
    ],
    [
      'on a network that the site does not list',
      `${BOB}@eip155:8453`,
      { kind: 'elsewhere', text: `${BOB}@eip155:8453`, network: 'eip155:8453', target: undefined },
    ],
    ['on an unknown chain', `${BOB}@moon`, { kind: 'unknownChain', chain: 'moon' }],
    ['with a wrong checksum', `${BOB}@devnet#00000000`, { kind: 'wrongChecksum' }],
    ['without an address', 'alice@devnet', undefined],
  ])('is one %s', async (_, text, receiverObjection) => {
    const kit = await opened()
    await type(kit, text)
    expect(draft(kit)).toMatchObject({ receiverStatus: 'invalid', receiverAddress: text, receiverObjection })
    const isElsewhere = receiverObjection?.kind === 'elsewhere'
    expect(sendReadiness(draft(kit))).toBe(isElsewhere ? 'otherNetwork' : 'invalidAddress')
    expect(kit.gateway.requests.join()).not.toContain('/ResolveName ')
  })

  it('is one of another namespace', async () => {
    const kit = await opened()
    await type(kit, '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM@solana')
    expect(draft(kit)).toMatchObject({ receiverStatus: 'invalid', receiverKind: 'solana' })
  })

  it('begins a draft on its network once the wallet switched', async () => {
    const kit = await opened()
    await type(kit, `eip155:31338:${BOB}`)
    await followReceiver(kit.hawser)
    expect(kit.hawser.chain.getState().activeCaipNetwork).toBe(devnetTwo)
    expect(kit.hawser.router.getState().view).toBe('WalletSend')
    expect(draft(kit)).toMatchObject({
      receiverAddress: BOB,
      receiverStatus: 'valid',
      receiverWithChain: { network: 'Devnet Two' },
    })
  })

  it('begins none after the modal was closed', async () => {
    const kit = await opened()
    await type(kit, `eip155:31338:${BOB}`)
    const following = followReceiver(kit.hawser)
    closeModal(kit.hawser)
    await following
    expect(kit.hawser.modal.getState().open).toBe(false)
    expect(draft(kit).receiverStatus).toBe('empty')
  })

  it('keeps the draft when the wallet does not switch', async () => {
    const kit = await opened()
    await type(kit, `eip155:31338:${BOB}`)
    kit.wallet.answers.wallet_switchEthereumChain = () => {
      throw walletError(4001, 'declined')
    }
    await expect(followReceiver(kit.hawser)).rejects.toThrow()
    expect(kit.hawser.chain.getState().activeCaipNetwork).toBe(devnet)
    expect(draft(kit)).toMatchObject({ sendTokenAmount: '0.1', receiverObjection: { kind: 'elsewhere' } })
  })

  it.each<[string, Partial<HawserOptions>, string]>([
    ['the site fixes its network', { enableNetworkSwitch: false }, `eip155:31338:${BOB}`],
    [
      'no wallet is connected there',
      {
        networks: [
          devnet,
          defineNetwork({
            id: 'dev',
            name: 'Solana',
            chainNamespace: 'solana',
            nativeCurrency: { name: 'SOL', symbol: 'SOL', decimals: 9 },
          }),
        ],
      },
      'solana:dev:9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
    ],
  ])('cannot be followed when %s', async (_, options, text) => {
    const kit = await opened(options)
    await type(kit, text)
    expect(draft(kit).receiverObjection).toMatchObject({ kind: 'elsewhere', target: undefined })
    await followReceiver(kit.hawser)
    expect(kit.hawser.chain.getState().activeCaipNetwork).toBe(devnet)
  })

  it('cannot be followed with an NFT', async () => {
    const kit = await createConnectedKit()
    openSendNft(kit.hawser, anchor)
    await type(kit, `eip155:31338:${BOB}`)
    expect(draft(kit).receiverObjection).toMatchObject({ kind: 'elsewhere', target: undefined })
  })
})
