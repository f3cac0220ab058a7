import type { LocalWarning, Preview } from '@hawser/frame/wallet'
import { useWarnings } from '../locale/useLanguage.ts'

interface Props {
  /** Those of a preview, or of the frame itself. */
  readonly warnings: readonly (NonNullable<Preview['warnings']>[number] | LocalWarning)[]
}

const classOf: Readonly<Record<string, string>> = {
  SEVERITY_DANGER: 'warning danger',
  SEVERITY_CAUTION: 'warning',
}

/** What the user should know about a request, one sentence each. */
export function Warnings({ warnings }: Props) {
  const say = useWarnings()
  return (
    <>
      {warnings.map((warning) => (
        <p
          key={JSON.stringify(warning)}
          class={classOf[warning.severity ?? ''] ?? 'hint'}
          role={warning.severity === 'SEVERITY_DANGER' ? 'alert' : undefined}
        >
          {say(warning)}
        </p>
      ))}
    </>
  )
}
