import type { HandoffLanguage } from '@hawser/texts/handoff/language'
import type { Networks } from '../networks.ts'
import type { PendingRequest } from '../session/sessions.ts'
import type { RequestPreview } from './preview.tsx'

/** What requests would do, loaded when one is shown for the first time. */
export interface Previews {
  /** Returns the preview of a request; undefined while it is loaded. */
  of(request: PendingRequest, language: HandoffLanguage): RequestPreview | undefined
}

export function createPreviews(networks: Networks, loaded: () => void): Previews {
  const contents = new Map<string, RequestPreview | undefined>()
  return {
    of(request, { tag, texts }) {
      const { key } = request
      if (!contents.has(key)) {
        contents.set(key, undefined)
        void import('./preview.tsx')
          .then(({ loadPreview }) => loadPreview(request, tag, texts, networks))
          .catch(() => ({ content: texts.preview.unchecked, isDanger: false }))
          .then((preview) => {
            contents.set(key, preview)
            loaded()
          })
      }
      return contents.get(key)
    },
  }
}
