import type { Language } from '@hawser/texts/frame/language'
import type { FrameConfig } from '../config.ts'
import { mount } from './mount.tsx'

/** Draws the page of a popup until its opener sends it to a provider. */
export async function start(_config: FrameConfig, loading: Promise<Language>): Promise<void> {
  const language = await loading
  const { popup } = language.texts
  mount(language, popup.loading, <p role="status">{popup.waiting}</p>)
}
