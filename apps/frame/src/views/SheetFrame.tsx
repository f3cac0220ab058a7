import { type ComponentChildren, createContext, type RefObject } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'

/** The page that embeds the frame. */
export interface Host {
  /** Tells the page how high the frame has to be, in CSS pixels. */
  readonly resized: (height: number) => void
  /** Whether the page shows a close button beside the frame, as older SDKs do. */
  readonly hasCloseButton: boolean
}

export const HostContext = createContext<Host>({ resized: () => undefined, hasCloseButton: false })

interface Props {
  readonly title: string
  /** What stays in view while the content scrolls. */
  readonly top?: ComponentChildren
  readonly children: ComponentChildren
  readonly footer: ComponentChildren
  readonly cancel: () => void
  readonly sheet?: RefObject<HTMLElement | null>
  /** The state of the guard. */
  readonly state?: string
}

/** A sheet in the shape of the modal's card: the title, what it is about, and the buttons. It fills the frame. */
export function SheetFrame({ title, top, children, footer, cancel, sheet, state }: Props) {
  const texts = useTexts()
  const { hasCloseButton } = useContext(HostContext)
  const own = useRef<HTMLElement>(null)
  const root = sheet ?? own
  const content = useRef<HTMLDivElement>(null)
  useHeight(root, content)
  return (
    <main class="sheet" ref={root} data-state={state} aria-labelledby="title">
      <header>
        <h1 id="title">{title}</h1>
        {!hasCloseButton && (
          <button type="button" class="close" aria-label={texts.cancel} onClick={cancel}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="m6.5 6.5 11 11m0-11-11 11" />
            </svg>
          </button>
        )}
      </header>
      {top}
      <section class="content">
        <div ref={content}>{children}</div>
      </section>
      <footer>{footer}</footer>
    </main>
  )
}

interface FooterProps {
  /** Why the request cannot be approved now. */
  readonly notice: string | undefined
  readonly reject: () => void
  readonly approve: (event: MouseEvent) => void
  readonly isDisabled: boolean
  /** Whether its guard waits; the button keeps the focus. */
  readonly isSettling: boolean
  /** Of the button that approves. */
  readonly label: string
}

/** The buttons that reject and approve a request. */
export function RequestFooter({ notice, reject, approve, isDisabled, isSettling, label }: FooterProps) {
  const { sheet } = useTexts()
  return (
    <>
      <p class="notice" role="status">
        {notice}
      </p>
      <div class="buttons">
        <button type="button" onClick={reject}>
          {sheet.reject}
        </button>
        <button
          type="button"
          class="primary"
          disabled={isDisabled}
          aria-disabled={isSettling}
          onClick={approve}
        >
          {label}
        </button>
      </div>
    </>
  )
}

/** Reports the height that a sheet needs to show its content whole, whenever it changes. */
function useHeight(sheet: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const { resized: report } = useContext(HostContext)
  useLayoutEffect(() => {
    const inner = content.current
    const box = inner?.parentElement
    const all = sheet.current
    if (!inner || !box || !all) return
    let last = 0
    const observer = new ResizeObserver(() => {
      const height = Math.ceil(all.clientHeight - box.clientHeight + inner.offsetHeight)
      if (height !== last) report(height)
      last = height
    })
    for (const part of [...all.children, inner]) observer.observe(part)
    return () => observer.disconnect()
  }, [report, sheet, content])
}
