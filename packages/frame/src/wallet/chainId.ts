import { FrameError, providerErrorCode } from './frameError.ts'

/** Returns the CAIP-2 id of a network; a bare chain id, decimal or hexadecimal, is that of an EVM network. */
export function caipNetworkId(chainId: string | number): string {
  const text = String(chainId)
  return text.includes(':') ? text : `eip155:${Number(text)}`
}

/** Returns the chain id of an EVM network. @throws FrameError for a network of another namespace. */
export function evmChainId(chainId: string): number {
  const id = Number(chainId.slice('eip155:'.length))
  if (chainId.startsWith('eip155:') && Number.isSafeInteger(id)) return id
  throw new FrameError('The network is no EVM network', providerErrorCode.chainDisconnected)
}
