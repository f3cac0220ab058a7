import { CopyButton } from '@hawser/ui'
import { useConsole } from '../api/ApiContext.ts'
import { texts } from '../texts.ts'

export interface CopyTextProps {
  text: string
  /** What is copied, for screen readers: "project id". */
  what: string
  /** How it is shown; the whole text by default. */
  shown?: string
}

/** An id or an address with a button that copies it. */
export function CopyText({ text, what, shown = text }: CopyTextProps) {
  const { tell } = useConsole()
  return (
    <span className="copy-text" data-short={shown !== text || undefined}>
      <code title={text}>{shown}</code>
      <CopyButton
        text={text}
        label={texts.copy(what)}
        onCopy={(result) => (result === 'copied' ? tell(texts.copied) : tell(texts.copyFailed, 'error'))}
      />
    </span>
  )
}
