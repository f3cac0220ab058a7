import { numberText } from '../format.ts'

/** A bar: a name, its number, and what is said beside it. */
export interface BarOf {
  readonly name: string
  readonly count: number
  readonly note?: string | undefined
}

/** Numbers by name, each with a bar of its length. */
export function BarList({ label, bars }: { label: string; bars: readonly BarOf[] }) {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <ul className="bars" aria-label={label}>
      {bars.map(({ name, count, note }) => (
        <li key={name}>
          <span className="bar-name">{name}</span>
          <span className="bar-count">
            {numberText(count)}
            {note && <span className="bar-note">{note}</span>}
          </span>
          <span className="bar-rail" aria-hidden="true">
            <span className="bar-fill" style={{ inlineSize: `${(count / most) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
