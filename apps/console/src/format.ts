const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const dateTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const withSeconds = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const numbers = new Intl.NumberFormat('en')
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Formats a Unix time in seconds in the operator's time zone. */
export function timeText(seconds: bigint): string {
  return dateTime.format(Number(seconds) * 1000)
}

/** Formats a Unix time in milliseconds to the second. */
export function exactTimeText(ms: bigint): string {
  return withSeconds.format(Number(ms))
}

/** Formats an RFC 3339 time in the operator's time zone. Returns a text that is no such time unchanged. */
export function isoTimeText(time: string): string {
  const at = new Date(time)
  return Number.isNaN(at.getTime()) ? time : dateTime.format(at)
}

/** Formats a day in UTC of the form 2026-01-31. */
export function dayText(date: string): string {
  return day.format(new Date(`${date}T00:00:00Z`))
}

/** Formats a whole number with separators. */
export function numberText(value: number | bigint): string {
  return numbers.format(value)
}

/** Formats how long ago a Unix time in seconds was: "3 hours ago". */
export function agoText(seconds: bigint, nowMs: number): string {
  const past = Number(seconds) - nowMs / 1000
  const size = Math.abs(past)
  if (size < MINUTE) return 'just now'
  if (size < HOUR) return relative.format(Math.round(past / MINUTE), 'minute')
  if (size < DAY) return relative.format(Math.round(past / HOUR), 'hour')
  if (size < 60 * DAY) return relative.format(Math.round(past / DAY), 'day')
  return relative.format(Math.round(past / (30 * DAY)), 'month')
}

/** Formats a duration in seconds by its two largest units: "3 d 4 h". */
export function durationText(seconds: bigint): string {
  const total = Number(seconds)
  const parts = [
    [Math.floor(total / DAY), 'd'],
    [Math.floor((total % DAY) / HOUR), 'h'],
    [Math.floor((total % HOUR) / MINUTE), 'min'],
    [total % MINUTE, 's'],
  ] as const
  const first = parts.findIndex(([count]) => count > 0)
  if (first < 0) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

/** Formats bytes in units of 1024. */
export function bytesText(bytes: bigint): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = Number(bytes)
  let unit = 0
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}

/** Shortens an id or an address, which is longer than people compare: `0123…cdef`. */
export function shortText(text: string, start = 6, end = 4): string {
  return text.length <= start + end + 1 ? text : `${text.slice(0, start)}…${text.slice(-end)}`
}
