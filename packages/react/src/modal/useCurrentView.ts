import { embeddedConnector, loadAdapters, type View } from '@hawser/core'
import { type ComponentType, createElement, useEffect, useRef, useState } from 'react'
import { useHawser } from '../hooks/useHawser.ts'
import { useHawserState } from '../hooks/useHawserState.ts'
import { mayPrefetch, whenIdle } from '../provider/idle.ts'
import {
  lazyViews,
  loadedViews,
  loadView,
  loginViews,
  namespaceViews,
  nameViews,
  sessionViews,
  viewsBeforeConnection,
} from './routes.ts'
import { ViewFailure } from './ViewFailure.tsx'

export interface CurrentView {
  view: View
  /** Length of the history; gives the direction of the next transition. */
  depth: number
  Component: ComponentType | undefined
}

/**
 * Returns the view to show. While the chunk of a new view is loading the previous view of this visit stays, so that nothing flashes;
 * a failure is shown in its place. Once the modal is open the other views are prefetched in idle time.
 */
export function useCurrentView(open: boolean): CurrentView {
  const hawser = useHawser()
  const view = useHawserState(hawser.router, (state) => state.view)
  const depth = useHawserState(hawser.router, (state) => state.history.length)
  const [arrived, setArrived] = useState<typeof loadedViews>({})
  const failed = useRef(new Set<View>())
  const Component = loadedViews[view] ?? arrived[view]
  const [shown, setShown] = useState<CurrentView>({ view, depth, Component })
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    // The view of the last visit is not shown while the first one of this visit is loading.
    if (open && !Component) setShown({ view, depth, Component })
  }

  const isNew = shown.view !== view || shown.depth !== depth || shown.Component !== Component
  if (Component && isNew) setShown({ view, depth, Component })

  useEffect(() => {
    if (!open || Component) return
    let current = true
    const put = (Loaded: ComponentType | undefined) => setArrived((views) => ({ ...views, [view]: Loaded }))
    loadView(view).then(
      (LoadedView) => current && LoadedView && put(LoadedView),
      (error: unknown) => {
        console.error(`The view ${view} could not be loaded`, error)
        if (!current) return
        const wasRetried = failed.current.has(view)
        failed.current.add(view)
        put(() => createElement(ViewFailure, { wasRetried, onRetry: () => put(undefined) }))
      },
    )
    return () => {
      current = false
    }
  }, [open, view, Component])

  const isConnecting = useHawserState(
    hawser.connection,
    ({ status, wcUri }) => status === 'connecting' || wcUri !== undefined,
  )
  useEffect(() => {
    if (open && isConnecting) loadView('Account').catch(() => undefined)
  }, [open, isConnecting])

  const isDisconnected = useHawserState(hawser.connection, ({ status }) => status === 'disconnected')
  const leadsToNames = view === 'Profile'
  useEffect(() => {
    if (!open || !mayPrefetch(hawser)) return
    const wanted = isDisconnected
      ? [...viewsBeforeConnection, ...loginViews, ...namespaceViews]
      : (Object.keys(lazyViews) as View[]).filter((name) => !viewsBeforeConnection.includes(name))
    const hasLogins = embeddedConnector(hawser.connectors.getState().allConnectors) !== undefined
    const hasSessions = hawser.options.getState().features.smartSessions
    const hasNamespaces = hawser.chain.getState().chains.size > 1
    const next = wanted.filter(
      (name) =>
        (hasLogins || !loginViews.includes(name)) &&
        (hasSessions || !sessionViews.includes(name)) &&
        (leadsToNames || !nameViews.includes(name)) &&
        // The tab that leads to it loads it.
        name !== 'RevokeApprovals' &&
        (hasNamespaces || !namespaceViews.includes(name)),
    )
    return whenIdle(() => {
      void loadAdapters(hawser)
      for (const name of next) loadView(name).catch(() => undefined)
    })
  }, [open, isDisconnected, leadsToNames, hawser])

  return Component ? { view, depth, Component } : shown
}
