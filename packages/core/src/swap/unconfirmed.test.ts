import { describe, expect, it } from 'vitest'
import { unconfirmedBecause } from './unconfirmed.ts'

const answer = { confirmed: false, unconfirmedBecause: 'words of the gateway' }

describe('unconfirmedBecause', () => {
  it('is undefined for what was simulated', () => {
    expect(unconfirmedBecause({ confirmed: true, unconfirmedBecause: '' })).toBeUndefined()
  })

  it('has the cause by its name, and what the contract says as plain text', () => {
    expect(unconfirmedBecause({ ...answer, unconfirmedCause: 6, unconfirmedDetail: '"S\u202eTF"' })).toEqual({
      text: 'words of the gateway',
      cause: 'failsNow',
      detail: '"STF"',
    })
  })

  it('has the words of the gateway alone for a cause of a later version', () => {
    expect(unconfirmedBecause({ ...answer, unconfirmedCause: 99 as 6 })).toMatchObject({ cause: undefined })
    expect(unconfirmedBecause(answer)).toEqual({ text: 'words of the gateway', cause: undefined, detail: '' })
  })
})
