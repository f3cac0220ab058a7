import { createNode, type PreviewOptions } from '@hawser/vault'
import { decodeAbiParameters, type Hex } from 'viem'
import type { Unit } from './locale/amount.ts'

const SYMBOL = '0x95d89b41'
const DECIMALS = '0x313ce567'
const MAX_DECIMALS = 36

/**
 * Returns a token as its contract describes it. Amounts of a token without a description are in base units.
 */
export async function loadToken(calls: PreviewOptions, chainId: string, token: string): Promise<Unit> {
  const node = createNode(calls)
  const read = (data: string) => node(chainId, 'eth_call', [{ to: token, data }, 'latest'])
  try {
    const [symbol, decimals] = await Promise.all([read(SYMBOL), read(DECIMALS)])
    const [text] = decodeAbiParameters([{ type: 'string' }], symbol as Hex)
    const places = Number(BigInt(String(decimals)))
    if (places <= MAX_DECIMALS) return { symbol: text.slice(0, 16), decimals: places }
  } catch {
    // Such a token has no symbol that could be shown.
  }
  return { symbol: '', decimals: 0 }
}
