// @vitest-environment jsdom
import { english } from '@hawser/texts/handoff/language'
import { h, render } from 'preact'
import { expect, it, vi } from 'vitest'
import type { Actions, Screen } from '../page.ts'
import type { PendingRequest } from '../session/sessions.ts'
import type { Drawing } from './draw.tsx'
import { Page } from './Page.tsx'

/** Draws a request, behind which others wait. */
function draw(waiting: number) {
  const site = { projectId: '01', name: 'Shop', origin: 'https://shop.test' }
  const session = { topic: 'topic 2' }
  const request = { key: 'a', site, session, method: 'personal_sign', isGiven: false }
  const disconnect = vi.fn()
  const screen = { at: 'connected', request: request as unknown as PendingRequest, waiting } as Screen
  const drawing = {
    language: english,
    previews: { of: () => ({ content: 'Nothing leaves.', isDanger: false }) },
    actions: { disconnect } as Partial<Actions>,
  } as unknown as Drawing
  render(h(Page, { screen, drawing }), document.body)
  return { disconnect, button: document.querySelector<HTMLButtonElement>('button.disconnect') }
}

it('a site whose requests wait can be left without an answer to each', () => {
  const { disconnect, button } = draw(3)
  expect(button?.textContent).toBe('Disconnect from shop.test')
  button?.click()
  expect(disconnect).toHaveBeenCalledExactlyOnceWith('topic 2')
})

it('a single request is answered', () => {
  expect(draw(0).button).toBeNull()
})
