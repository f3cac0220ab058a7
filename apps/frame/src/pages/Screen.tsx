import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'
import { Icon } from './Icon.tsx'

interface Props {
  readonly title: string
  /** Shows the screen before; absent on the first one. */
  readonly back?: (() => void) | undefined
  readonly children: ComponentChildren
}

/** One task of a page, in the shape of the modal's card. */
export function Screen({ title, back, children }: Props) {
  const { screen } = useTexts()
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(back === undefined)
  useEffect(() => {
    // A screen reader says where it is, and the keyboard continues there.
    if (!isFirst.current) heading.current?.focus()
  }, [])
  return (
    <main class="sheet lone">
      <header>
        {back && (
          <button type="button" class="close" aria-label={screen.back} onClick={back}>
            <Icon name="back" />
          </button>
        )}
        <div class="title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
        </div>
      </header>
      <div class="content">
        <div>{children}</div>
      </div>
    </main>
  )
}
