import type { Options } from 'minisearch'

/** A heading of a page with the text below it. */
export interface Place {
  /** Link to it from the root of the site. */
  id: string
  title: string
  /** The section and the page that it is on. */
  page: string
  text: string
  /** The text without code and tables, of which the results show a part. */
  prose: string
}

/** How the index is written when the site is built, and read by the page. */
export const searchOptions: Options<Place> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'prose'],
  // Names in code are found by their parts as well: HAWSER_STORE_DSN, store.dsn, useAccount.
  tokenize: (text) => {
    const words = text.split(/[^\p{L}\p{N}_.$]+/u).map((word) => word.replaceAll(/^\.+|\.+$/g, ''))
    return words.flatMap((word) => {
      const parts = word.split(/[._$]|(?<=\p{Ll})(?=\p{Lu})/u)
      return parts.length > 1 ? [word, ...parts] : [word]
    })
  },
}
