import { createStorage } from '@hawser/walletconnect/testing'
import { expect, it } from 'vitest'
import { createGivenRequests } from './given.ts'

it('keeps the newest answers for which there is room, and that older requests were given', () => {
  const storage = createStorage()
  const given = createGivenRequests(storage)
  for (let at = 0; at < 20; at += 1) {
    expect(given.take(`key ${at}`)).toBe(true)
    given.answered(`key ${at}`, { result: 'a'.repeat(60_000) })
  }
  expect(storage.values.get('given')?.length).toBeLessThan(600_000)
  expect(given.answerTo('key 19')).toEqual({ result: 'a'.repeat(60_000) })
  expect(given.answerTo('key 0')).toBeUndefined()
  expect(given.take('key 0')).toBe(false)
})
