import { useSyncExternalStore } from 'react'

/** Where the operator is: the segments of the fragment. It is never sent to a server, nor logged by a proxy. */
export type Route = readonly string[]

/** Parses a fragment such as `#/projects/0123`. */
export function parseRoute(hash: string): Route {
  return hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(decode)
}

/** Returns the address of a screen. */
export function hrefOf(...segments: readonly string[]): string {
  return `#/${segments.map(encodeURIComponent).join('/')}`
}

/** Goes to a screen. */
export function goTo(...segments: readonly string[]): void {
  location.hash = hrefOf(...segments)
}

/** Returns the current route. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return parseRoute(hash)
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
