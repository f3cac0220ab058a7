import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

export interface Tab {
  id: string
  label: string
  /** Rendered only while the tab is selected. */
  panel: () => ReactNode
}

export interface TabsProps {
  /** Names the group for screen readers. */
  label: string
  tabs: readonly Tab[]
  selected: string
  onSelect: (id: string) => void
}

/** WAI-ARIA tabs: arrows, Home and End select a tab; Tab moves the focus to the panel, or to what it starts with. */
export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const index = Math.max(
    0,
    tabs.findIndex((tab) => tab.id === selected),
  )
  const current = tabs[index]
  if (!current) return null

  function onKeyDown(event: KeyboardEvent) {
    const target = keyTarget(event.key, index, tabs.length, isRightToLeft(list.current))
    const next = target === undefined ? undefined : tabs[target]
    if (!next || target === undefined) return
    event.preventDefault()
    onSelect(next.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus()
  }

  return (
    <div className="hw-tabs">
      <div ref={list} role="tablist" aria-label={label} className="hw-tab-list" onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            className="hw-tab"
            aria-selected={tab === current}
            aria-controls={tab === current ? `${id}-panel` : undefined}
            tabIndex={tab === current ? 0 : -1}
            data-testid={`tab-${tab.id}`}
            onClick={() => onSelect(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <Panel key={current.id} id={`${id}-panel`} labelledBy={`${id}-${current.id}`}>
        {current.panel()}
      </Panel>
    </div>
  )
}

/** The panel of a tab: a stop of the Tab key, unless it starts with one. */
function Panel({ id, labelledBy, children }: { id: string; labelledBy: string; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  const [isStop, setStop] = useState(true)
  useEffect(() => {
    const element = panel.current
    if (!element) return
    const update = () => setStop(!startsWithStop(element))
    update()
    const observer = new MutationObserver(update)
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={panel}
      role="tabpanel"
      id={id}
      aria-labelledby={labelledBy}
      // -1, so that a panel that has the focus keeps it.
      tabIndex={isStop ? 0 : -1}
      className="hw-tab-panel"
    >
      {children}
    </div>
  )
}

/** Reports whether the first content of an element is a stop of the Tab key. */
function startsWithStop(element: HTMLElement): boolean {
  const first = element.querySelector(':is(a[href], button, input):not(:disabled)')
  if (!first) return false
  const before = document.createRange()
  before.setStart(element, 0)
  before.setEndBefore(first)
  return before.toString().trim() === ''
}

function keyTarget(key: string, index: number, count: number, rightToLeft: boolean): number | undefined {
  const forward = rightToLeft ? 'ArrowLeft' : 'ArrowRight'
  const backward = rightToLeft ? 'ArrowRight' : 'ArrowLeft'
  if (key === forward) return (index + 1) % count
  if (key === backward) return (index + count - 1) % count
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}

function isRightToLeft(element: Element | null): boolean {
  return element !== null && getComputedStyle(element).direction === 'rtl'
}
