import { CopyButton } from '@hawser/ui'
import { texts } from '../texts.ts'

/** Code to copy. It scrolls, also by the keyboard. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="code-block">
      <CopyButton text={code} label={texts.copy(label)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section tabIndex={0} aria-label={texts.source(label)}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
    </div>
  )
}
