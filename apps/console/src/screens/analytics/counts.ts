/** How often an event happened on a day; the part of an EventCount that is used. */
export interface Count {
  /** Day in UTC, as 2026-01-31. */
  readonly day: string
  readonly event: string
  readonly detail: string
  readonly count: bigint
}

/** A name and how often it was counted. */
export interface Total {
  readonly name: string
  readonly count: number
}

/** Numbers of a day, by the names of their series. */
export type Day<Series extends string> = { readonly day: string } & Readonly<Record<Series, number>>

/** Returns how often any of these events happened. */
export function totalOf(counts: readonly Count[], ...events: readonly string[]): number {
  return sum(counts.filter(({ event }) => events.includes(event)))
}

/** Returns the counts of an event by its detail, the most frequent first. */
export function byDetail(counts: readonly Count[], event: string): Total[] {
  return totals(
    counts.filter((each) => each.event === event),
    ({ detail }) => detail,
  )
}

/** Returns the counts of every event, the most frequent first. */
export function byEvent(counts: readonly Count[]): Total[] {
  return totals(counts, ({ event }) => event)
}

/** Returns the events that end in an error, the most frequent first. */
export function failuresOf(counts: readonly Count[]): Total[] {
  return byEvent(counts).filter(({ name }) => /(^|_)ERROR(_|$)|_FAIL$/.test(name))
}

/**
 * Returns a row for each day up to today, the oldest first, also for those on which nothing happened.
 *
 * @param series the events that each number counts
 */
export function byDay<Series extends string>(
  counts: readonly Count[],
  series: Readonly<Record<Series, readonly string[]>>,
  days: number,
  nowMs: number,
): Day<Series>[] {
  const names = Object.keys(series) as Series[]
  const groups = new Map<string, Count[]>()
  for (const count of counts) groups.set(count.day, [...(groups.get(count.day) ?? []), count])
  return lastDays(days, nowMs).map((day) => {
    const numbers = names.map((name) => [name, totalOf(groups.get(day) ?? [], ...series[name])])
    return { day, ...Object.fromEntries(numbers) }
  })
}

/** The share of a number in another one, in whole percent; undefined of nothing. */
export function percentOf(part: number, whole: number): number | undefined {
  return whole > 0 ? Math.round((part / whole) * 100) : undefined
}

function lastDays(days: number, nowMs: number): string[] {
  return [...Array(days).keys()].map((back) =>
    new Date(nowMs - (days - 1 - back) * 86_400_000).toISOString().slice(0, 10),
  )
}

function totals(counts: readonly Count[], nameOf: (count: Count) => string): Total[] {
  const names = new Set(counts.map(nameOf))
  return [...names]
    .map((name) => ({ name, count: sum(counts.filter((each) => nameOf(each) === name)) }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
}

function sum(counts: readonly Count[]): number {
  return Number(counts.reduce((total, { count }) => total + count, 0n))
}
