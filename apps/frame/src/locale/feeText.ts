import type { FrameTexts } from '@hawser/texts/frame/texts'
import { amountText, type Unit } from './amount.ts'

/** The digits of a fee that are read. */
const DIGITS = 3

/** Returns a fee in base units with three significant digits, rounded up, for reading. */
export function feeText(fee: bigint, unit: Unit, texts: FrameTexts, tag: string): string {
  const step = 10n ** BigInt(Math.max(0, String(fee).length - DIGITS))
  return amountText(((fee + step - 1n) / step) * step, unit, texts, tag)
}
