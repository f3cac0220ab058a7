import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

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

/** WAI-ARIA tabs: arrows, Home and End select a tab; Tab moves the focus to the panel. */
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
      <div
        key={current.id}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${current.id}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: WAI-ARIA wants a panel reachable when nothing in it is
        tabIndex={0}
        className="hw-tab-panel"
      >
        {current.panel()}
      </div>
    </div>
  )
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
