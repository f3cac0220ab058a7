import { importModule } from '@hawser/core'
import { useEffect, useState } from 'react'

export type LoginFeature = typeof import('../features/login.ts')

/** Module state is safe here: it is code, and the same for every instance on the page. */
let feature: LoginFeature | undefined

/** Loads the chunk of the embedded wallet. */
export async function loadLogin(): Promise<LoginFeature> {
  feature ??= await importModule(() => import('../features/login.ts'), 'EmailLogin')
  return feature
}

/** Returns the parts of the embedded wallet once their chunk is loaded, if they are needed. */
export function useLoginFeature(isNeeded: boolean): LoginFeature | undefined {
  const [loaded, setLoaded] = useState(feature)
  useEffect(() => {
    if (!isNeeded || loaded) return
    let isCurrent = true
    loadLogin().then(
      (found) => isCurrent && setLoaded(found),
      (error: unknown) => console.error('The logins could not be loaded', error),
    )
    return () => {
      isCurrent = false
    }
  }, [isNeeded, loaded])
  return isNeeded ? loaded : undefined
}
