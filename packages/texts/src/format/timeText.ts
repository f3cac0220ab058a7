/** Returns a time in seconds since 1970 as a date and a time of the visitor's zone, with the digits of amounts. */
export function timeText(seconds: number, tag: string): string {
  const format = new Intl.DateTimeFormat(tag, {
    dateStyle: 'medium',
    timeStyle: 'short',
    numberingSystem: 'latn',
  })
  return format.format(seconds * 1_000)
}
