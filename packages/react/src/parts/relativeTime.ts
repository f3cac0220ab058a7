import type { Texts } from '@hawser/texts/modal/texts'

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/**
 * Returns "5m ago" within the last week, else "12 Mar". Undefined within the last minute. Times are Unix
 * milliseconds.
 */
export function relativeTime(at: number, now: number, tag: string): string | undefined {
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  if (seconds >= 7 * 86_400) return format(at, tag, { day: 'numeric', month: 'short' })
  const step = STEPS.find(([, length]) => seconds >= length)
  if (!step) return undefined
  // The narrow form is a bare "-5 min" in some languages.
  const style = tag === 'en' ? 'narrow' : 'short'
  return new Intl.RelativeTimeFormat(tag, { style }).format(-Math.floor(seconds / step[1]), step[0])
}

/** Formats date and time to the second, in the visitor's time zone. */
export function fullTime(at: number, tag: string): string {
  return format(at, tag, { dateStyle: 'medium', timeStyle: 'medium' })
}

/**
 * Returns "Today", "Yesterday", "March 12", or "March 12, 2024" for a year other than the current one; by the
 * visitor's own calendar.
 */
export function dayOf(at: number, now: number, texts: Texts['base'], tag: string): string {
  const today = new Date(now)
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  const day = new Date(at)
  // A clock behind that of the chain must not show "Tomorrow".
  if (at >= now || day.toDateString() === today.toDateString()) return texts.today
  if (day.toDateString() === yesterday.toDateString()) return texts.yesterday
  if (day.getFullYear() === today.getFullYear()) return format(at, tag, { day: 'numeric', month: 'long' })
  return format(at, tag, { dateStyle: 'long' })
}

/** Returns "March", or "March 2024" for a year other than the current one. */
export function monthOf(at: number, now: number, tag: string): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return format(at, tag, isThisYear ? { month: 'long' } : { month: 'long', year: 'numeric' })
}

function format(at: number, tag: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(tag, options).format(at)
}
