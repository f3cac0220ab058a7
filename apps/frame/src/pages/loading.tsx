import { mount } from './mount.tsx'

/** Draws the page of a popup until its opener sends it to a provider. */
export function start(): void {
  mount('Loading', <p role="status">Waiting for the site that opened this window...</p>)
}
