import { en } from '../locale/en.ts'

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat('en', { style: 'narrow' })
const shortDate = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const fullDate = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })
const month = new Intl.DateTimeFormat('en', { month: 'long' })
const monthAndYear = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' })

/** "5m ago" within the last week, else "12 Mar". Undefined within the last minute. Times are Unix milliseconds. */
export function relativeTime(at: number, now: number): string | undefined {
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  if (seconds >= 7 * 86_400) return shortDate.format(at)
  const step = STEPS.find(([, length]) => seconds >= length)
  return step && relative.format(-Math.floor(seconds / step[1]), step[0])
}

/** Formats date and time to the second, in the visitor's time zone. */
export function fullTime(at: number): string {
  return fullDate.format(at)
}

const dayAndMonth = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long' })
const dayMonthAndYear = new Intl.DateTimeFormat('en', { dateStyle: 'long' })

/** "Today", "Yesterday", "March 12", or "March 12, 2024" of another year than now's; by the visitor's own calendar. */
export function dayOf(at: number, now: number): string {
  const today = new Date(now)
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1)
  const day = new Date(at)
  // A clock behind that of the chain must not show "Tomorrow".
  if (at >= now || day.toDateString() === today.toDateString()) return en.today
  if (day.toDateString() === yesterday.toDateString()) return en.yesterday
  return (day.getFullYear() === today.getFullYear() ? dayAndMonth : dayMonthAndYear).format(at)
}

/** "March", or "March 2024" of another year than now's. */
export function monthOf(at: number, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? month : monthAndYear).format(at)
}
