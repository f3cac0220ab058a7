/** Header with the origin of the page that embeds the frame; the browser's own says that of the frame. */
const PAGE_ORIGIN_HEADER = 'hawser-page-origin'

/** Returns a fetch whose calls name the page that embeds the frame. */
export function fetchFor(
  pageOrigin: string | undefined,
  fetch: typeof globalThis.fetch,
): typeof globalThis.fetch {
  if (pageOrigin === undefined) return (input, init) => fetch(input, init)
  return (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set(PAGE_ORIGIN_HEADER, pageOrigin)
    return fetch(input, { ...init, headers })
  }
}
