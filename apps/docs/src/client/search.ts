import MiniSearch, { type SearchResult } from 'minisearch'
import { type Place, searchOptions } from './searchOptions.ts'

declare global {
  interface Window {
    /** Called by search.js with the index. */
    hawserSearch?: (index: string) => void
  }
}

const mostResults = 20

/** Opens the search by its button, "/" or Ctrl+K, and lists what is found while the reader types. */
export function search(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.search')
  const input = dialog?.querySelector('input')
  const list = dialog?.querySelector('ul')
  const state = dialog?.querySelector<HTMLElement>('.search-state')
  if (!dialog || !input || !list || !state) return

  let index: Promise<MiniSearch<Place>> | undefined
  const open = () => {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    index ??= loadIndex()
    index.catch(() => {
      index = undefined
      state.textContent = 'The index could not be loaded.'
    })
  }
  const show = async () => {
    const words = input.value.trim()
    const loaded = await index?.catch(() => undefined)
    // A failed load has its message already. If the text changed while the index loaded, a later call shows
    // its results.
    if (!loaded || words !== input.value.trim()) return
    const results = words === '' ? [] : find(loaded, words)
    list.replaceChildren(...results.map(resultRow))
    state.textContent = words === '' ? '' : countOf(results.length)
  }

  document.querySelector('[data-search-open]')?.addEventListener('click', open)
  document.addEventListener('keydown', (event) => {
    // For a moment after it was closed, the dialog's hidden field has the focus still.
    const isTyping = isVisibleField(event.target)
    const isShortcut = event.key === '/' ? !isTyping : event.key === 'k' && (event.ctrlKey || event.metaKey)
    if (!isShortcut) return
    event.preventDefault()
    open()
  })
  input.addEventListener('input', () => void show())
  dialog.addEventListener('keydown', (event) => moveThrough(event, input, list))
  dialog.addEventListener('click', (event) => {
    const isLink = event.target instanceof Element && event.target.closest('a')
    if (event.target === dialog || isLink) dialog.close()
  })
}

function isVisibleField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input, textarea, select') && target.checkVisibility()
  )
}

/** Arrows move between the field and the results; Enter in the field opens the first. */
function moveThrough(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  const links = [...list.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  if (event.key === 'Enter' && event.target === input) {
    event.preventDefault()
    links[0]?.click()
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const next = at + (event.key === 'ArrowDown' ? 1 : -1)
  if (next < 0) input.focus()
  else links[Math.min(next, links.length - 1)]?.focus()
}

/** How much a declaration, a call or news counts beside a page that was written for readers, unless it is what was typed. */
const referenceWeight = 0.1

/** Characters of a place's text that are shown under its title. */
const excerptLength = 160

function find(index: MiniSearch<Place>, words: string): SearchResult[] {
  const options = {
    boost: { title: 4, page: 1.5 },
    boostDocument: (_id: unknown, _term: string, place?: Record<string, unknown>) => {
      const isTyped = String(place?.title).toLowerCase() === words.toLowerCase()
      return !isTyped && /^(Packages|API|Project)\b/.test(String(place?.page)) ? referenceWeight : 1
    },
    prefix: true,
    combineWith: 'AND' as const,
  }
  const exact = index.search(words, options)
  return (exact.length > 0 ? exact : index.search(words, { ...options, fuzzy: 0.2 })).slice(0, mostResults)
}

function resultRow({ id, title, page, prose, terms }: SearchResult): HTMLLIElement {
  const row = document.createElement('li')
  const link = document.createElement('a')
  link.href = `${document.documentElement.dataset.root ?? ''}${id}`
  link.append(
    line('strong', 'title', title),
    line('span', 'page', page),
    line('p', 'excerpt', excerptOf(prose, terms)),
  )
  row.append(link)
  return row
}

/** Returns the part of a text that begins with the sentence of the first term that it has. */
function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const found = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0)
  const sentence = text.lastIndexOf('. ', Math.min(...found, text.length)) + 2
  const start = found.length === 0 || sentence < 2 ? 0 : sentence
  const part = text.slice(start, start + excerptLength)
  return `${start > 0 ? '… ' : ''}${part}${start + excerptLength < text.length ? '…' : ''}`
}

function line(tag: 'strong' | 'span' | 'p', part: string, text: string): HTMLElement {
  const element = document.createElement(tag)
  element.className = `search-${part}`
  element.textContent = text
  return element
}

function countOf(results: number): string {
  if (results === 0) return 'Nothing was found.'
  return results === 1 ? '1 result' : `${results === mostResults ? 'The best ' : ''}${results} results`
}

/** Loads search.js, which is larger than the pages: with the first search. */
function loadIndex(): Promise<MiniSearch<Place>> {
  return new Promise((resolve, reject) => {
    window.hawserSearch = (index) => resolve(MiniSearch.loadJSON<Place>(index, searchOptions))
    const script = document.createElement('script')
    script.src = `${document.documentElement.dataset.root ?? ''}search.js`
    script.addEventListener('error', () => reject(new Error('search.js could not be loaded')))
    document.head.append(script)
  })
}
