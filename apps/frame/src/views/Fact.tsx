import type { ComponentChild } from 'preact'

interface Props {
  readonly name: ComponentChild
  /** What is shown in full when the pointer rests on the value. */
  readonly title?: string
  /** Whether the value is an address or another machine-readable text. */
  readonly isAddress?: boolean
  /** What is shown below the value. */
  readonly note?: string | undefined
  readonly children: ComponentChild
}

/** One row of a list of facts. The value keeps its own direction. */
export function Fact({ name, title, isAddress = false, note, children }: Props) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi class={isAddress ? 'address' : undefined} title={title}>
          {children}
        </bdi>
        {note && (
          <span class="name">
            <bdi>{note}</bdi>
          </span>
        )}
      </dd>
    </>
  )
}
