import { expect, it, vi } from 'vitest'
import { loadedHandlers } from './context.ts'

it('a call whose code was not loaded is tried again with the next call', async () => {
  const load = vi
    .fn<() => Promise<{ GET_CONTACTS: () => Promise<{ contacts: null }> }>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValue({ GET_CONTACTS: async () => ({ contacts: null }) })
  const { GET_CONTACTS } = loadedHandlers(['GET_CONTACTS'], load)
  await expect(GET_CONTACTS({})).rejects.toThrow('offline')
  expect(await GET_CONTACTS({})).toEqual({ contacts: null })
  await GET_CONTACTS({})
  expect(load).toHaveBeenCalledTimes(2)
})
