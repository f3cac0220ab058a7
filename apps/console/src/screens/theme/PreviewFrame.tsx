import type { ThemeMode } from '@hawser/core'
import { useEffect, useRef, useState } from 'react'
import type { PreviewMessage, PreviewReady } from '../../preview/messages.ts'
import type { Design } from '../../studio/design.ts'
import { texts } from '../../texts.ts'

/** The modal in a frame: a modal dialog of its own document, beside which the studio can be used. */
export function PreviewFrame({ design, mode }: { design: Design; mode: ThemeMode }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== location.origin) return
      if ((event.data as Partial<PreviewReady>).type === 'hawser-console/ready') setReady(true)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])
  useEffect(() => {
    if (!isReady) return
    const message: PreviewMessage = { type: 'hawser-console/design', design, mode }
    frame.current?.contentWindow?.postMessage(message, location.origin)
  }, [isReady, design, mode])
  return (
    <section className="preview" data-theme={mode} aria-label={texts.theme.preview}>
      <iframe ref={frame} src="/preview.html" title={texts.theme.preview} data-testid="preview" />
      <p className="aside">{texts.theme.previewHint}</p>
    </section>
  )
}
