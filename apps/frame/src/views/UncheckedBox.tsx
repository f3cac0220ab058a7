import type { Preview } from '@hawser/frame/wallet'
import { useReasons, useTexts } from '../locale/useLanguage.ts'

interface Props {
  /** Why the request was not simulated; undefined when there is no preview. */
  readonly preview: Preview | undefined
  readonly isConfirmed: boolean
  /** Whether the guard waits. */
  readonly isSettling: boolean
  /** Only a guarded click counts. */
  readonly toggle: (event: MouseEvent) => void
}

/** Says that nothing checked a request. It can be approved only after the box in it is ticked. */
export function UncheckedBox({ preview, isConfirmed, isSettling, toggle }: Props) {
  const { approval: texts } = useTexts()
  const reasonOf = useReasons()
  return (
    <div class="warning danger">
      <p role="alert">
        {texts.notSimulated} {preview && <bdi>{reasonOf(preview)}</bdi>}
      </p>
      <label class="check">
        <input type="checkbox" checked={isConfirmed} aria-disabled={isSettling} onClick={toggle} />
        {texts.understand}
      </label>
    </div>
  )
}
