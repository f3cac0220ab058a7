import type { ThemeMode } from '@hawser/core'
import { applyThemeVars } from '@hawser/ui'
import type { Rgba } from './contrast.ts'
import { type Design, themeVariablesOf } from './design.ts'

/** Returns the colours that variables have in a palette of a design, however they are written there. */
export function resolveColours<Name extends string>(
  design: Design,
  mode: ThemeMode,
  names: readonly Name[],
): Readonly<Record<Name, Rgba>> {
  const probe = document.createElement('div')
  probe.dataset.hwTheme = mode
  probe.hidden = true
  applyThemeVars(probe, themeVariablesOf(design, mode))
  document.body.append(probe)
  const style = getComputedStyle(probe)
  const colours = names.map((name) => {
    probe.style.color = `var(${name})`
    return [name, pixelOf(style.color)] as const
  })
  probe.remove()
  return Object.fromEntries(colours) as Record<Name, Rgba>
}

/** Draws a colour of any CSS syntax, and reads it in sRGB. */
function pixelOf(colour: string): Rgba {
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return [0, 0, 0, 1]
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0, alpha = 255] = context.getImageData(0, 0, 1, 1).data
  return [red, green, blue, alpha / 255]
}
