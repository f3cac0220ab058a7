import { createStorage } from '@hawser/walletconnect/testing'
import { expect, it } from 'vitest'
import { createGivenRequests } from './given.ts'

it('keeps the newest answers for which there is room, and that older requests were given', async () => {
  const storage = createStorage()
  const given = createGivenRequests(storage)
  const answer = { result: 'a'.repeat(60_000) }
  for (let at = 0; at < 20; at += 1) expect(await given.give(`key ${at}`, async () => answer)).toBe(answer)
  expect(storage.values.get('given')?.length).toBeLessThan(600_000)
  expect(given.answerTo('key 19')).toEqual(answer)
  expect(given.answerTo('key 0')).toBeUndefined()
  expect(await given.give('key 0', () => Promise.reject(new Error('asked again')))).toBeUndefined()
})
