// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fadeOutView } from './fadeOutView.ts'

let end: () => void
let box: HTMLElement
let old: HTMLElement
let current: HTMLElement
let lessMotion: boolean

beforeEach(() => {
  lessMotion = false
  window.matchMedia = vi.fn(() => ({ matches: lessMotion }) as MediaQueryList)
  HTMLElement.prototype.animate = vi.fn(() => {
    const finished = new Promise<void>((resolve) => {
      end = resolve
    })
    return { finished } as unknown as Animation
  })
  document.body.innerHTML = `<div class="hw-auto-height"><div><div class="hw-view" data-view="Networks"></div></div></div>`
  box = document.querySelector('.hw-auto-height') as HTMLElement
  current = document.querySelector('.hw-view') as HTMLElement
  old = document.createElement('div')
  old.dataset.view = 'Account'
  old.innerHTML = '<button id="send" data-testid="send">Send</button>'
})

afterEach(() => {
  Reflect.deleteProperty(HTMLElement.prototype, 'animate')
})

describe('a view that is left', () => {
  it('fades as a picture: inert, unread, found by no name', () => {
    fadeOutView(old, current, 'next')
    expect(old.parentElement).toBe(current.parentElement)
    expect(old.inert).toBe(true)
    expect(old.getAttribute('aria-hidden')).toBe('true')
    expect(document.querySelector('#send, [data-testid=send], [data-view=Account]')).toBeNull()
  })

  it('keeps the gradients of its drawings', () => {
    old.innerHTML +=
      '<svg id="avatar"><defs><radialGradient id="glow"/></defs><circle fill="url(#glow)"/></svg>'
    fadeOutView(old, current, 'next')
    expect(document.querySelector('#glow')).not.toBeNull()
    expect(document.querySelector('#avatar')).toBeNull()
  })

  it('is removed after the transition', async () => {
    fadeOutView(old, current, 'next')
    end()
    await vi.waitFor(() => expect(old.isConnected).toBe(false))
  })

  it('keeps its place while the new view starts at the top', () => {
    box.scrollTop = 120
    fadeOutView(old, current, 'next')
    expect(box.scrollTop).toBe(0)
    expect(old.style.insetBlockStart).toBe('-120px')
  })

  it('is removed at once with reduced motion', () => {
    lessMotion = true
    fadeOutView(old, current, 'next')
    expect(old.isConnected).toBe(false)
  })
})
