import { readChainAddress } from '../address/chainAddress.ts'
import { requestedNetwork } from '../chain/requestedNetworks.ts'
import { isNetworkRestricted } from '../chain/selectors.ts'
import type { Hawser } from '../types/hawser.ts'
import type { Network } from '../types/network.ts'
import type { ReceiverObjection, ReceiverWithChain } from '../types/state.ts'

/**
 * Reads a receiver with its chain (see `readChainAddress`), which must be the active network. The state then has its text.
 *
 * @returns the receiver, an address or a name; undefined when it cannot be drafted, whose reason is in the state if the text is a
 *   receiver with its chain.
 */
export function draftChainAddress(hawser: Hawser, text: string): string | undefined {
  const active = hawser.chain.getState().activeCaipNetwork
  const found = readChainAddress(text, allNetworks(hawser))
  if (!active || !found || found.status === 'receiver') return undefined
  if (found.status === 'checksum') return refuse(hawser, { kind: 'wrongChecksum' })
  if (found.status === 'chain') return refuse(hawser, { kind: 'unknownChain', chain: found.chain })
  const { receiver, namespace, caipNetworkId } = found.value
  if (!caipNetworkId) {
    if (namespace === active.chainNamespace) return accept(hawser, receiver, { text })
    hawser.send.setState({ receiverKind: namespace })
    return undefined
  }
  if (caipNetworkId === active.caipNetworkId) return accept(hawser, receiver, { text, network: active.name })
  const network = requestedNetwork(hawser, caipNetworkId)
  return refuse(hawser, {
    kind: 'elsewhere',
    text,
    network: network?.name ?? caipNetworkId,
    target: network && canSwitchTo(hawser, network) ? network : undefined,
  })
}

/** Reports whether the checksum of a receiver with its chain is that of an address. */
export function isChecksumOf(hawser: Hawser, text: string, address: string): boolean {
  const found = readChainAddress(text, allNetworks(hawser))
  return found?.status === 'read' && found.value.isChecksumOf(address)
}

/** The draft of an NFT cannot be begun again on another network. */
function canSwitchTo(hawser: Hawser, network: Network): boolean {
  const isAllowed = hawser.options.getState().enableNetworkSwitch
  const isReachable = hawser.sessions.has(network.chainNamespace)
  const isRestricted = isNetworkRestricted(hawser.chain.getState(), network)
  return isAllowed && isReachable && !isRestricted && !hawser.send.getState().nft
}

function allNetworks(hawser: Hawser): readonly Network[] {
  const records = [...hawser.chain.getState().chains.values()]
  return records.flatMap(({ networkState }) => networkState.requestedCaipNetworks)
}

function accept(hawser: Hawser, receiver: string, receiverWithChain: ReceiverWithChain): string {
  hawser.send.setState({ receiverWithChain })
  return receiver
}

function refuse(hawser: Hawser, receiverObjection: ReceiverObjection): undefined {
  hawser.send.setState({ receiverObjection })
}
