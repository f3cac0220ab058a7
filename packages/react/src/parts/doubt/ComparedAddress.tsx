import { differences } from './differences.ts'

const FIRST_GROUP = 6
const GROUP = 4

export interface ComparedAddressProps {
  address: string
  /** Where it differs from this one, its characters are marked. */
  other?: string | undefined
}

/** A whole address in groups of characters, the first as long as in a shortened address. */
export function ComparedAddress({ address, other = address }: ComparedAddressProps) {
  const isDifferent = differences(address, other)
  const characters = [...address]
  return (
    // Read as one text, not as its groups and marks.
    <bdi className="hw-compared hw-mono" dir="ltr" role="img" aria-label={address}>
      {startsOf(characters.length).map((start, index, starts) => (
        <span key={start} className="hw-compared-group">
          {characters.slice(start, starts[index + 1]).map((character, at) =>
            isDifferent[start + at] ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: characters have no identity and never move
              <mark key={at}>{character}</mark>
            ) : (
              character
            ),
          )}
        </span>
      ))}
    </bdi>
  )
}

/** Returns where the groups of an address start. */
function startsOf(length: number): readonly number[] {
  const others = Math.max(0, Math.ceil((length - FIRST_GROUP) / GROUP))
  return [0, ...Array.from({ length: others }, (_, index) => FIRST_GROUP + index * GROUP)]
}
