import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { transformWithOxc } from 'vite'
import { expect, it } from 'vitest'

/** Functions that WebViews of 2019 lack. */
const lacking = [
  'Object.hasOwn',
  'String.prototype.replaceAll',
  'String.prototype.at',
  'Array.prototype.at',
  'Promise.any',
  'globalThis.AggregateError',
  'AbortSignal.timeout',
]

/** Returns a function that evaluates code in a browser of its own. */
async function openBrowser(change: string) {
  const file = new URL('olderBrowsers.ts', import.meta.url)
  const { code } = await transformWithOxc(readFileSync(file, 'utf8'), file.pathname)
  const context = createContext({ AbortController, AbortSignal: { timeout: () => 'native' }, setTimeout })
  runInContext(`${change}\n${code}`, context)
  return (text: string): unknown => runInContext(text, context)
}

it('adds what older browsers lack', async () => {
  const run = await openBrowser(lacking.map((name) => `delete ${name}`).join('\n'))
  expect(run(`[Object.hasOwn({ a: 1 }, 'a'), Object.hasOwn({}, 'toString')].join()`)).toBe('true,false')
  expect(run(`'a-b-c'.replaceAll('-', '+')`)).toBe('a+b+c')
  expect(run(`[[1, 2].at(-1), 'ab'.at(-1), [1].at(3)].join()`)).toBe('2,b,')
  expect(await run(`Promise.any([Promise.reject(new Error('no')), Promise.resolve(1)])`)).toBe(1)
  const failed = `Promise.any([Promise.reject(new Error('no'))]).catch((error) => error.errors.length + error.message)`
  expect(await run(failed)).toBe('1All promises were rejected')
  const signal = run('AbortSignal.timeout(1)') as AbortSignal
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  expect(signal.aborted).toBe(true)
})

it('changes nothing in newer ones', async () => {
  const run = await openBrowser(`const natives = [${lacking.join(', ')}]`)
  expect(run(`[${lacking.join(', ')}].every((value, at) => value === natives[at])`)).toBe(true)
})
