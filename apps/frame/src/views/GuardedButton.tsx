import type { ComponentChildren } from 'preact'
import { useGuard } from './useGuard.ts'

interface Props {
  readonly onClick: () => void
  readonly children: ComponentChildren
  readonly class?: string
  readonly id?: string
  readonly disabled?: boolean
  readonly 'aria-label'?: string
  readonly 'aria-labelledby'?: string
}

/** A button of a page for a decision, with a guard of its own. It keeps the focus while its guard settles. */
export function GuardedButton({ onClick, ...rest }: Props) {
  const { watched, state, guarded } = useGuard<HTMLButtonElement>()
  return (
    <button
      {...rest}
      ref={watched}
      type="button"
      aria-disabled={state !== 'armed'}
      onClick={guarded(onClick)}
    />
  )
}
