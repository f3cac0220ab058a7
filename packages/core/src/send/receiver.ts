import { adapterOf } from '../chain/adapters.ts'
import { NAME_DEBOUNCE_MS } from '../constants.ts'
import type { Latest } from '../latestOnly.ts'
import type { Hawser } from '../types/hawser.ts'
import type { ReceiverStatus } from '../types/state.ts'
import { estimateSendGas } from './gas.ts'

/**
 * Takes a typed or pasted receiver: an address, or a name that is resolved once typing rests for half a second. A wrong
 * checksum makes an address invalid; a plain lower-case one has none. Until a name is resolved there is no address.
 */
export async function setReceiver(hawser: Hawser, text: string): Promise<void> {
  const receiver = text.trim()
  const latest = hawser.latest.begin('send:receiver')
  if (isName(hawser, receiver)) {
    await takeName(hawser, receiver, latest)
    return
  }
  take(hawser, receiver === '' ? 'empty' : 'unchecked', { address: receiver })
  if (receiver === '') return
  await check(hawser, receiver, 'invalid', latest)
}

/** Asks again for the address of a name that could not be resolved. */
export async function resolveReceiver(hawser: Hawser): Promise<void> {
  const { receiverProfileName: name } = hawser.send.getState()
  if (name === undefined) return
  take(hawser, 'resolving', { name })
  await resolve(hawser, name, hawser.latest.begin('send:receiver'))
}

/** Two labels or more, of the letters that names are made of. EVM networks alone have names. */
function isName(hawser: Hawser, text: string): boolean {
  return hawser.chain.getState().activeChain === 'eip155' && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)
}

async function takeName(hawser: Hawser, text: string, latest: Latest): Promise<void> {
  const name = text.toLowerCase()
  take(hawser, 'resolving', { name })
  await new Promise<void>((rested) => hawser.clock.after(NAME_DEBOUNCE_MS, rested))
  if (latest.isCurrent()) await resolve(hawser, name, latest)
}

async function resolve(hawser: Hawser, name: string, latest: Latest): Promise<void> {
  const { activeCaipNetwork: network } = hawser.chain.getState()
  if (!network) return
  try {
    const { resolveName } = await import('../names/resolveName.ts')
    const resolved = await resolveName(hawser, name, network, latest.signal)
    if (!latest.isCurrent()) return
    if (!resolved) {
      take(hawser, 'unknownName', { name })
      return
    }
    const { address, picture } = resolved
    take(hawser, 'unchecked', { name, address, picture })
    await check(hawser, address, 'unresolved', latest)
  } catch {
    if (latest.isCurrent()) take(hawser, 'unresolved', { name })
  }
}

/** @param otherwise what it is when it is no address. */
async function check(
  hawser: Hawser,
  address: string,
  otherwise: ReceiverStatus,
  { isCurrent }: Latest,
): Promise<void> {
  const transfers = await adapterOf(hawser, hawser.chain.getState().activeChain).transfers()
  if (!isCurrent()) return
  hawser.send.setState({ receiverStatus: transfers.isAddress(address) ? 'valid' : otherwise })
  await estimateSendGas(hawser)
}

interface Receiver {
  readonly address?: string
  readonly name?: string
  readonly picture?: string | undefined
}

function take(
  hawser: Hawser,
  receiverStatus: ReceiverStatus,
  { address = '', name, picture }: Receiver,
): void {
  hawser.send.setState({
    receiverStatus,
    receiverAddress: address,
    receiverProfileName: name,
    receiverProfileImageUrl: picture,
    gasLimit: undefined,
  })
}
