import type { texts } from '../texts.ts'
import { contrast, type Rgba, SHAPE_CONTRAST, TEXT_CONTRAST } from './contrast.ts'

/** Two colours of the modal that are seen together. */
interface Pair {
  readonly name: keyof typeof texts.theme.pairs
  readonly text: `--hw-${string}`
  readonly background: `--hw-${string}`
  readonly needed: number
}

/** A pair with its contrast in a design. */
export interface CheckedPair extends Pair {
  readonly ratio: number
  readonly passes: boolean
}

const pairs: readonly Pair[] = [
  { name: 'text', text: '--hw-color-text', background: '--hw-color-background', needed: TEXT_CONTRAST },
  {
    name: 'secondary',
    text: '--hw-color-text-secondary',
    background: '--hw-color-background',
    needed: TEXT_CONTRAST,
  },
  { name: 'row', text: '--hw-color-text', background: '--hw-color-surface', needed: TEXT_CONTRAST },
  {
    name: 'tertiary',
    text: '--hw-color-text-tertiary',
    background: '--hw-color-surface',
    needed: TEXT_CONTRAST,
  },
  { name: 'accent', text: '--hw-color-on-accent', background: '--hw-color-accent', needed: TEXT_CONTRAST },
  {
    name: 'accentText',
    text: '--hw-color-accent-text',
    background: '--hw-color-background',
    needed: TEXT_CONTRAST,
  },
  { name: 'error', text: '--hw-color-error', background: '--hw-color-background', needed: TEXT_CONTRAST },
  { name: 'focus', text: '--hw-color-focus', background: '--hw-color-background', needed: SHAPE_CONTRAST },
]

/** The variables that the check needs. */
export const checkedVariables = [...new Set(pairs.flatMap(({ text, background }) => [text, background]))]

/** Returns the contrast of each pair. */
export function checkPairs(colours: Readonly<Record<string, Rgba>>): CheckedPair[] {
  const colourOf = (name: string): Rgba => colours[name] ?? [0, 0, 0, 1]
  return pairs.map((pair) => {
    const ratio = contrast(colourOf(pair.text), colourOf(pair.background))
    return { ...pair, ratio, passes: ratio >= pair.needed }
  })
}
