import type { View } from '@hawser/core'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { fadeOutView } from './fadeOutView.ts'

export interface ViewStageProps {
  view: View
  depth: number
  titleId: string
  /** Keeps the view while something else is shown in its place. */
  isHidden: boolean
  children: ReactNode
}

interface Scene {
  view: View
  depth: number
  direction: 'none' | 'next' | 'previous'
}

/** Animates from one view to the next, and moves the focus to the new title. */
export function ViewStage({ view, depth, titleId, isHidden, children }: ViewStageProps) {
  const stage = useRef<HTMLDivElement>(null)
  const [scene, setScene] = useState<Scene>({ view, depth, direction: 'none' })
  if (scene.view !== view || scene.depth !== depth) {
    setScene({ view, depth, direction: depth >= scene.depth ? 'next' : 'previous' })
  }

  const shown = useRef<{ view: View; element: HTMLElement | null; wasHidden: boolean }>({
    view,
    element: null,
    wasHidden: false,
  })
  useLayoutEffect(() => {
    const { view: previousView, element: previous, wasHidden } = shown.current
    shown.current = { view, element: stage.current, wasHidden: isHidden }
    // The dialog focuses the first view; when only the history changes, the view stays.
    if (isHidden || (previousView === view && !wasHidden)) return
    if (previous && stage.current && !wasHidden) fadeOutView(previous, stage.current, scene.direction)
    // In a frame, focus() would take the keyboard from the page around it.
    if (window.parent !== window && !document.hasFocus()) return
    const root = stage.current?.getRootNode() as Document | ShadowRoot | undefined
    if (stage.current?.contains(root?.activeElement ?? null)) return
    root?.getElementById(titleId)?.focus({ preventScroll: true })
  }, [view, scene.direction, titleId, isHidden])

  return (
    <div
      ref={stage}
      key={view}
      className="hw-view"
      data-view={view}
      data-direction={scene.direction}
      hidden={isHidden}
    >
      {children}
    </div>
  )
}
