import { readChainId } from '@hawser/frame/protocol'
import { FrameError, providerErrorCode } from './frameError.ts'

/** Returns the CAIP-2 id of a network, as `readChainId` does. @throws FrameError -32602 for anything else */
export function caipNetworkId(chainId: unknown): string {
  const id = readChainId(chainId)
  if (id === undefined) throw new FrameError('The chain id is malformed', providerErrorCode.invalidParams)
  return id
}

/** Returns the chain id of an EVM network. @throws FrameError for a network of another namespace. */
export function evmChainId(chainId: string): number {
  const id = Number(chainId.slice('eip155:'.length))
  if (chainId.startsWith('eip155:') && Number.isSafeInteger(id)) return id
  throw new FrameError('The network is no EVM network', providerErrorCode.chainDisconnected)
}
