import { formatUnits } from '@hawser/core'

/** How many decimals the native token of an EVM chain has. */
const DECIMALS = 18

/**
 * Formats wei in whole tokens, exactly: "0.25 ETH".
 *
 * @param wei decimal digits.
 * @param symbol of the token; empty if it is not known.
 */
export function weiText(wei: string, symbol: string): string {
  return `${formatUnits(BigInt(wei), DECIMALS)} ${symbol}`.trimEnd()
}

/** Formats wei as [weiText] does, with at most six decimals, rounded down; an amount below is "<0.000001 ETH". */
export function shortWeiText(wei: string, symbol: string): string {
  const amount = BigInt(wei)
  const shown = amount - (amount % SMALLEST)
  if (amount > 0n && shown === 0n) return `<${weiText(String(SMALLEST), symbol)}`
  return weiText(String(shown), symbol)
}

const SMALLEST = 10n ** 12n
