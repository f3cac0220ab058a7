import type { RestClient } from '@hawser/client'
import type { CaipNetworkId } from '../types/network.ts'

/** Which chains the gateway serves: asked once, and again only after a failure. */
export interface ServedChains {
  /** False as well when the gateway cannot be asked. Never throws. */
  has(id: CaipNetworkId): Promise<boolean>
}

export function createServedChains(client: RestClient): ServedChains {
  let answer: Promise<readonly string[]> | undefined

  function ask(): Promise<readonly string[]> {
    answer ??= client.supportedChains().then(({ http }) => http)
    return answer
  }

  return {
    async has(id) {
      try {
        return (await ask()).includes(id)
      } catch {
        answer = undefined
        return false
      }
    },
  }
}
