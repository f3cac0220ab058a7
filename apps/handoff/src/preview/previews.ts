import type { HandoffLanguage } from '@hawser/texts/handoff/language'
import type { ComponentChild } from 'preact'
import type { Networks } from '../networks.ts'
import type { PendingRequest } from '../session/sessions.ts'

/** What requests would do, loaded when one is shown for the first time. */
export interface Previews {
  /** Returns the content for a request; undefined while it is loaded. */
  of(request: PendingRequest, language: HandoffLanguage): ComponentChild | undefined
}

export function createPreviews(networks: Networks, loaded: () => void): Previews {
  const contents = new Map<string, ComponentChild | undefined>()
  return {
    of(request, { tag, texts }) {
      const { key } = request
      if (!contents.has(key)) {
        contents.set(key, undefined)
        void import('./preview.tsx')
          .then(({ loadPreview }) => loadPreview(request, tag, texts, networks))
          .catch(() => texts.preview.unchecked)
          .then((content) => {
            contents.set(key, content)
            loaded()
          })
      }
      return contents.get(key)
    },
  }
}
