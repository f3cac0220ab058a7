import { describe, expect, it } from 'vitest'
import { createLatestOnly } from './latestOnly.ts'
import { deferred } from './testing/fakeWallet.ts'

describe('a second request', () => {
  it('aborts the previous one of the same name only', () => {
    const latest = createLatestOnly()
    const first = latest.begin('balance')
    const other = latest.begin('gas')
    const second = latest.begin('balance')
    expect([first.signal.aborted, other.signal.aborted, second.signal.aborted]).toEqual([true, false, false])
    expect([first.isCurrent(), other.isCurrent(), second.isCurrent()]).toEqual([false, true, true])
  })
})

describe('a shared request', () => {
  it('joins the pending one about the same subject', async () => {
    const latest = createLatestOnly()
    const answer = deferred<string>()
    let asked = 0
    const ask = () => {
      asked += 1
      return answer.promise
    }
    const both = Promise.all([latest.share('balance', 'alice', ask), latest.share('balance', 'alice', ask)])
    answer.resolve('1')
    expect(await both).toEqual(['1', '1'])
    expect(asked).toBe(1)
    await latest.share('balance', 'alice', ask)
    expect(asked).toBe(2)
  })

  it('aborts the pending one about another subject', () => {
    const latest = createLatestOnly()
    const signals: AbortSignal[] = []
    const ask = ({ signal }: { signal: AbortSignal }) => {
      signals.push(signal)
      return new Promise(() => undefined)
    }
    void latest.share('balance', 'alice', ask)
    void latest.share('balance', 'bob', ask)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  })

  it('starts again after a failure', async () => {
    const latest = createLatestOnly()
    await expect(latest.share('balance', 'alice', () => Promise.reject(new Error('down')))).rejects.toThrow(
      'down',
    )
    expect(await latest.share('balance', 'alice', async () => 'up')).toBe('up')
  })
})

describe('abandoning', () => {
  it('aborts every question of a kind, and joins none of them', async () => {
    const latest = createLatestOnly()
    const native = latest.begin('balance:native')
    const gas = latest.begin('send:gas')
    void latest.share('balance:tokens', 'alice', () => new Promise(() => undefined))
    latest.abandon('balance')
    expect([native.isCurrent(), native.signal.aborted, gas.isCurrent()]).toEqual([false, true, true])
    expect(await latest.share('balance:tokens', 'alice', async () => 'again')).toBe('again')
  })
})
