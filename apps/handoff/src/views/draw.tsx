import type { HandoffLanguage } from '@hawser/texts/handoff/language'
import { render } from 'preact'
import type { Networks } from '../networks.ts'
import type { Actions, Screen } from '../page.ts'
import type { Previews } from '../preview/previews.ts'
import { Page } from './Page.tsx'

/** What screens are drawn with. */
export interface Drawing {
  readonly language: HandoffLanguage
  readonly networks: Networks
  readonly previews: Previews
  readonly actions: Actions
  /** The link of this page. */
  readonly link: string
}

/** Draws a screen into the page, and moves the focus to the heading of one that is new. */
export function draw(screen: Screen, drawing: Drawing): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('page has no root')
  const { documentElement } = document
  const { tag, direction, texts } = drawing.language
  documentElement.lang = tag
  documentElement.dir = direction
  document.title = texts.title
  const before = root.dataset.screen
  root.dataset.screen = screen.at
  render(<Page screen={screen} drawing={drawing} />, root)
  // The button that led here is gone.
  if (before && before !== screen.at && document.activeElement === document.body)
    root.querySelector('h1')?.focus()
}
