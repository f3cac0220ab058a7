import type { RestClient } from '@hawser/client'
import type { CaipNetworkId } from '../types/network.ts'

/** Which chains the gateway serves: asked once, and again only after a failure. */
export interface ServedChains {
  /**
   * Reports whether the gateway serves a chain. A gateway that cannot be asked has not said no.
   *
   * @throws the errors of the REST client when it cannot be asked.
   */
  has(id: CaipNetworkId): Promise<boolean>
}

export function createServedChains(client: RestClient): ServedChains {
  let answer: Promise<readonly string[]> | undefined

  return {
    async has(id) {
      answer ??= client.supportedChains().then(({ http }) => http)
      const asked = answer
      try {
        return (await asked).includes(id)
      } catch (error) {
        if (answer === asked) answer = undefined
        throw error
      }
    },
  }
}
