import { AssetIcon } from '@hawser/ui'
import { useHawser } from '../hooks/useHawser.ts'

/** The fields that balances, swap tokens and transfers share. */
interface MarkedToken {
  readonly symbol: string
  /** Empty when there is none. */
  readonly iconUrl: string
  /** CAIP-2; needed where `address` is absent. */
  readonly chainId?: string
  /** CAIP-10; absent or `0xeeee…eeee` for the native token. */
  readonly address?: string
}

export interface TokenMarkProps {
  token: MarkedToken
  /** CSS pixels. */
  size?: number
}

/** The logo of a token, or its symbol on a colour derived from its address. The gateway has those of native tokens. */
export function TokenMark({ token, size = 40 }: TokenMarkProps) {
  const { client } = useHawser()
  const { symbol, iconUrl, chainId, address } = token
  const native = chainId && !address ? client.tokenMarkUrl(chainId, 'native') : undefined
  return <AssetIcon name={symbol} seed={seedOf(token)} src={client.iconUrl(iconUrl) ?? native} size={size} />
}

/** Returns the chain and address of a token, because symbols are not unique. */
function seedOf({ chainId, address }: MarkedToken): string {
  return address?.replace(/0xe{40}$/i, 'native') ?? `${chainId}:native`
}
