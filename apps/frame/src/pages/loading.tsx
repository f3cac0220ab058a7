import type { FrameConfig } from '../config.ts'
import type { Language } from '../locale/language.ts'
import { mount } from './mount.tsx'

/** Draws the page of a popup until its opener sends it to a provider. */
export function start(_config: FrameConfig, language: Language): void {
  const { popup } = language.texts
  mount(language, popup.loading, <p role="status">{popup.waiting}</p>)
}
