// @vitest-environment jsdom
/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { applyThemeVars, darkTheme, lightTheme } from './theme.ts'

const css = readFileSync(`${import.meta.dirname}/styles/theme.css`, 'utf8')

function palette(mode: 'dark' | 'light'): Record<string, string> {
  const block = css.slice(css.indexOf(`[data-hw-theme='${mode}']`))
  return Object.fromEntries(
    [...block.slice(0, block.indexOf('}')).matchAll(/--hw-color-([\w-]+): (#[0-9a-f]{6})/g)].map((match) => [
      match[1],
      match[2],
    ]),
  ) as Record<string, string>
}

/** Returns the WCAG 2 relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, two: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(two)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe.each(['dark', 'light'] as const)('the %s palette', (mode) => {
  const colours = palette(mode)
  const colour = (name: string) => colours[name] ?? 'missing'
  const surfaces = ['background', 'surface', 'surface-hover'] as const

  it.each(['text', 'text-secondary', 'text-tertiary', 'accent-text', 'error', 'success'])(
    '%s reads on every surface (WCAG AA, 4.5:1)',
    (text) => {
      for (const surface of surfaces) {
        expect(contrast(colour(text), colour(surface)), surface).toBeGreaterThanOrEqual(4.5)
      }
    },
  )

  it('text reads on the accent, resting and hovered', () => {
    expect(contrast(colour('on-accent'), colour('accent'))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colour('on-accent'), colour('accent-hover'))).toBeGreaterThanOrEqual(4.5)
  })
})

describe('a theme function', () => {
  it('sets nothing by default: the palette is in the stylesheet', () => {
    expect(darkTheme()).toEqual({ themeMode: 'dark', themeVariables: {} })
    expect(lightTheme()).toEqual({ themeMode: 'light', themeVariables: {} })
  })

  it('derives the shades of an accent, lighter on dark and darker on light', () => {
    expect(darkTheme({ accent: '#f60' }).themeVariables['--hw-color-accent-hover']).toContain('white')
    expect(lightTheme({ accent: '#f60' }).themeVariables['--hw-color-accent-hover']).toContain('black')
  })

  it('lets single variables win over everything else', () => {
    const { themeVariables } = darkTheme({ radius: 'large', vars: { '--hw-radius-card': '4px' } })
    expect(themeVariables['--hw-radius-card']).toBe('4px')
    expect(themeVariables['--hw-radius-row']).toBe('24px')
  })
})

describe('theme variables on an element', () => {
  it('are set, and unset again', () => {
    const element = document.createElement('div')
    const undo = applyThemeVars(element, { '--hw-color-accent': '#f60', '--hw-z-index': 9 })
    expect(element.style.getPropertyValue('--hw-color-accent')).toBe('#f60')
    expect(element.style.getPropertyValue('--hw-z-index')).toBe('9')
    undo()
    expect(element.getAttribute('style') ?? '').toBe('')
  })

  it('are nothing but Hawser’s own', () => {
    const element = document.createElement('div')
    applyThemeVars(element, { 'background-image': 'url(https://example.com)' })
    expect(element.getAttribute('style') ?? '').toBe('')
  })
})
