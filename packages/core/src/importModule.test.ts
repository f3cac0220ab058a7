import { afterEach, describe, expect, it, vi } from 'vitest'
import { importModule } from './importModule.ts'

const url = 'https://site.example/assets/View-abc.js'
const chromium = () => Promise.reject(new TypeError(`Failed to fetch dynamically imported module: ${url}`))
const firefox = () => Promise.reject(new TypeError(`error loading dynamically imported module: ${url}`))

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('importing a module', () => {
  it('imports it once when it arrives', async () => {
    const importUrl = vi.fn()
    await expect(importModule(async () => ({ View: 1 }), 'View', importUrl)).resolves.toEqual({ View: 1 })
    expect(importUrl).not.toHaveBeenCalled()
  })

  it.each([
    ['Chromium', chromium],
    ['Firefox', firefox],
  ])('imports it from another URL when %s kept the failure', async (_, load) => {
    const importUrl = vi.fn(async (_: string) => ({ View: 1 }))
    await expect(importModule<'View', { View: number }>(load, 'View', importUrl)).resolves.toEqual({
      View: 1,
    })
    const retried = new URL(String(importUrl.mock.calls[0]?.[0]))
    expect(retried.origin + retried.pathname).toBe(url)
    expect(retried.search).not.toBe('')
  })

  it('imports it again in a page that is not secure', async () => {
    vi.stubGlobal('crypto', {})
    const importUrl = async () => ({ View: 1 })
    await expect(importModule<'View', { View: number }>(chromium, 'View', importUrl)).resolves.toEqual({
      View: 1,
    })
  })

  it('never imports the same URL twice', async () => {
    const importUrl = vi.fn((_: string) => Promise.reject(new Error('offline')))
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(importModule<'View', { View: number }>(chromium, 'View', importUrl)).rejects.toThrow()
    expect(new Set([url, ...importUrl.mock.calls.map(([retried]) => retried)]).size).toBe(4)
  })

  it('finds the module inside a chunk of several', async () => {
    const importUrl = async () => ({ a: 3, t: { View: 1 } })
    await expect(importModule<'View', { View: number }>(chromium, 'View', importUrl)).resolves.toEqual({
      View: 1,
    })
  })

  it('throws the first error when the module does not arrive again', async () => {
    const importUrl = () => Promise.reject(new Error('offline'))
    await expect(importModule<'View', { View: number }>(chromium, 'View', importUrl)).rejects.toThrow(url)
  })

  it('throws when another file was answered', async () => {
    await expect(importModule<'View', { View: number }>(chromium, 'View', async () => ({}))).rejects.toThrow(
      url,
    )
  })

  it('throws an error of the module itself as it is', async () => {
    const importUrl = vi.fn()
    const broken = () => Promise.reject(new ReferenceError('x is not defined'))
    await expect(importModule<'View', { View: number }>(broken, 'View', importUrl)).rejects.toThrow(
      'x is not defined',
    )
    expect(importUrl).not.toHaveBeenCalled()
  })
})
