import type { View } from '@hawser/core'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

export interface ViewStageProps {
  view: View
  depth: number
  titleId: string
  children: ReactNode
}

interface Scene {
  view: View
  depth: number
  direction: 'none' | 'next' | 'previous'
}

/** Slides a new view in from the side it lies on, and moves the focus to its title. */
export function ViewStage({ view, depth, titleId, children }: ViewStageProps) {
  const stage = useRef<HTMLDivElement>(null)
  const [scene, setScene] = useState<Scene>({ view, depth, direction: 'none' })
  if (scene.view !== view || scene.depth !== depth) {
    setScene({ view, depth, direction: depth >= scene.depth ? 'next' : 'previous' })
  }

  const firstView = useRef(view)
  useLayoutEffect(() => {
    // The first view is focused by the dialog itself.
    if (firstView.current === view) return
    firstView.current = view
    if (stage.current?.contains(document.activeElement)) return
    document.getElementById(titleId)?.focus({ preventScroll: true })
  }, [view, titleId])

  return (
    <div
      ref={stage}
      key={`${view} ${depth}`}
      className="hw-view"
      data-view={view}
      data-direction={scene.direction}
    >
      {children}
    </div>
  )
}
