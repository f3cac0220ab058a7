import type { Place } from '@hawser/vault'
import { type ComponentChildren, createContext, type RefObject } from 'preact'
import { useContext, useLayoutEffect, useRef } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'

/** The page that embeds the frame. */
export interface Host {
  /** Tells the page how high the frame has to be, in CSS pixels. */
  readonly resized: (height: number) => void
  /** Whether the page shows a close button beside the frame, as older SDKs do. */
  readonly hasCloseButton: boolean
  /** The place of the request among those that wait; undefined where it is the only one. */
  readonly place?: Place | undefined
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
  const { hasCloseButton, place } = useContext(HostContext)
  const own = useRef<HTMLElement>(null)
  const root = sheet ?? own
  const content = useRef<HTMLDivElement>(null)
  useHeight(root, content)
  return (
    <main class="sheet" ref={root} data-state={state} aria-labelledby="title">
      {!hasCloseButton && <Handle dragged={cancel} />}
      <header>
        <div class="title">
          <h1 id="title">{title}</h1>
          {place && place.of > 1 && <span class="name">{texts.sheet.place(place.at, place.of)}</span>}
        </div>
        {!hasCloseButton && (
          <button type="button" class="close" aria-label={texts.cancel} onClick={cancel}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="m6.5 6.5 11 11m0-11-11 11" />
            </svg>
          </button>
        )}
      </header>
      {top}
      <section class="content" aria-labelledby="title">
        <div ref={content}>{children}</div>
      </section>
      <footer>{footer}</footer>
    </main>
  )
}

/** How far the handle is dragged down to close the sheet, in CSS pixels. */
const CLOSING_DISTANCE = 60

/** The handle of a sheet on a phone: dragged down, it cancels. */
function Handle({ dragged }: { readonly dragged: () => void }) {
  const start = useRef(0)
  return (
    <div
      class="handle"
      aria-hidden="true"
      onPointerDown={(event) => {
        start.current = event.clientY
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerUp={({ clientY }) => {
        if (clientY - start.current > CLOSING_DISTANCE) dragged()
      }}
    />
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
  /** The tick that a dangerous request needs; undefined for another one. */
  readonly risk?: Risk | undefined
}

/** A risk that the user accepts by a tick. */
interface Risk {
  /** What the tick says. */
  readonly label: string
  readonly isAccepted: boolean
  /** Only a guarded click counts. */
  readonly toggle: (event: MouseEvent) => void
}

/**
 * The buttons that reject and approve a request. Of a dangerous one, the first choice is to reject it, and it is approved only after a tick,
 * which does not scroll out of sight.
 */
export function RequestFooter(props: FooterProps) {
  const { notice, isDisabled, isSettling, risk } = props
  return (
    <>
      {risk && (
        <label class="check">
          <input type="checkbox" checked={risk.isAccepted} aria-disabled={isSettling} onClick={risk.toggle} />
          {risk.label}
        </label>
      )}
      <p class="notice" role="status">
        {notice}
      </p>
      <div class={risk ? 'buttons risky' : 'buttons'}>
        {risk ? (
          <>
            <ApproveButton {...props} class="danger" isDisabled={isDisabled || !risk.isAccepted} />
            <RejectButton {...props} class="primary" />
          </>
        ) : (
          <>
            <RejectButton {...props} />
            <ApproveButton {...props} class="primary" />
          </>
        )}
      </div>
    </>
  )
}

function RejectButton({ reject, class: look }: FooterProps & { readonly class?: string }) {
  const { sheet } = useTexts()
  return (
    <button type="button" class={look} onClick={reject}>
      {sheet.reject}
    </button>
  )
}

function ApproveButton({
  approve,
  isDisabled,
  isSettling,
  label,
  class: look,
}: FooterProps & { readonly class: string }) {
  return (
    <button type="button" class={look} disabled={isDisabled} aria-disabled={isSettling} onClick={approve}>
      {label}
    </button>
  )
}

/** Reports the height that a sheet needs to show its content whole, whenever it changes. Content that is higher takes the focus. */
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
      // What scrolls can be scrolled by the keyboard too.
      if (inner.offsetHeight > box.clientHeight) box.tabIndex = 0
      else box.removeAttribute('tabindex')
      if (height !== last) report(height)
      last = height
    })
    for (const part of [...all.children, inner]) observer.observe(part)
    return () => observer.disconnect()
  }, [report, sheet, content])
}
