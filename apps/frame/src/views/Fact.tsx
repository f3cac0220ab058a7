import type { ComponentChild } from 'preact'
import { Address } from './Address.tsx'
import { isAddress } from './isAddress.ts'

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
export function Fact({ name, title, isAddress: isMachine = false, note, children }: Props) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {typeof children === 'string' && isAddress(children) ? (
          <Address>{children}</Address>
        ) : (
          <bdi class={isMachine ? 'address' : undefined} title={title}>
            {children}
          </bdi>
        )}
        {note && (
          <span class="name">
            <bdi>{note}</bdi>
          </span>
        )}
      </dd>
    </>
  )
}
