import { importModule } from '@hawser/core'
import { useEffect, useState } from 'react'

/** A chunk with parts of views that only some sites or accounts need. */
export interface LazyFeature<Feature> {
  /** Undefined until the chunk is loaded. */
  loaded: Feature | undefined
  /** Loads the chunk. */
  load(): Promise<Feature>
}

export interface LazyParts<Feature> {
  /** Undefined until their chunk is loaded, and while they are not needed. */
  readonly feature: Feature | undefined
  readonly hasFailed: boolean
  retry(): void
}

/**
 * Defines a chunk with parts of views. It may be module state: it is code, and the same for every instance on the page.
 *
 * @param name an export of the chunk.
 */
export function lazyFeature<Name extends string, Feature extends Record<Name, unknown>>(
  load: () => Promise<Feature>,
  name: Name,
): LazyFeature<Feature> {
  return {
    loaded: undefined,
    async load() {
      this.loaded ??= await importModule(load, name)
      return this.loaded
    },
  }
}

/** Returns the parts of a chunk, which is loaded if they are needed. */
export function useLazyFeature<Feature>(lazy: LazyFeature<Feature>, isNeeded: boolean): LazyParts<Feature> {
  const [loaded, setLoaded] = useState(lazy.loaded)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!isNeeded || loaded || hasFailed) return
    let isCurrent = true
    lazy.load().then(
      (found) => isCurrent && setLoaded(found),
      (error: unknown) => {
        console.error('A part of the view could not be loaded', error)
        if (isCurrent) setFailed(true)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [lazy, isNeeded, loaded, hasFailed])
  return { feature: isNeeded ? loaded : undefined, hasFailed, retry: () => setFailed(false) }
}
