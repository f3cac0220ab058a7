const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Returns a duration in seconds in its largest unit that has no remainder, in a language: `90 minutes`. */
export function durationText(seconds: number, tag: string): string {
  const [unit, size] =
    UNITS.find(([, each]) => seconds > 0 && seconds % each === 0) ?? (['second', 1] as const)
  const format = new Intl.NumberFormat(tag, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    numberingSystem: 'latn',
  })
  return format.format(seconds / size)
}
