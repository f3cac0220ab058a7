import { Address } from './Address.tsx'
import type { Concern } from './concerns.ts'

interface Props {
  /** Dangers first. */
  readonly concerns: readonly Concern[]
  /** FrameTexts of the sheet in which an address may stand whole already. */
  readonly beside?: readonly string[]
}

/** What the user should know about a request, in one card: the first as its headline. Each address is whole once in the sheet. */
export function ConcernCard({ concerns, beside = [] }: Props) {
  const [first, ...others] = concerns
  if (!first) return null
  const shown = beside.join(' ').toLowerCase()
  const named = new Set(concerns.flatMap(({ address }) => address ?? []))
  const hidden = [...named].filter((address) => !shown.includes(address.toLowerCase()))
  return (
    <div class={first.isDanger ? 'warning danger' : 'warning'}>
      <p role={first.isDanger ? 'alert' : undefined}>
        <strong>{first.text}</strong>
      </p>
      {others.map(({ text }) => (
        <p key={text}>{text}</p>
      ))}
      {hidden.map((address) => (
        <p key={address}>
          <Address>{address}</Address>
        </p>
      ))}
    </div>
  )
}
