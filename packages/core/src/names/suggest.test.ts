import { describe, expect, it } from 'vitest'
import { isServed } from '../gateway/servedFeatures.ts'
import { openModal } from '../modal/modal.ts'
import { settle } from '../testing/fakeClock.ts'
import { free } from '../testing/fakeNames.ts'
import { deferred } from '../testing/fakeWallet.ts'
import { createConnectedKit, type Kit } from '../testing/kit.ts'
import type { NameSuggestion } from '../types/names.ts'
import { nameReadiness } from './readiness.ts'
import { nameSuggestions, openRegisterName, setNameLabel, suggestNames } from './suggest.ts'

const readiness = ({ hawser }: Kit) => nameReadiness(hawser.names.getState())
const asked = ({ gateway }: Kit) =>
  gateway.requests
    .filter((request) => request.includes('/SuggestNames '))
    .map((request) => request.match(/"name":"([^"]*)"/)?.[1])

async function type(kit: Kit, text: string) {
  setNameLabel(kit.hawser, text)
  await kit.clock.advance(500)
  await settle()
}

describe('a typed name', () => {
  it.each([
    ['nothing', '', 'empty'],
    ['three letters', 'abc', 'tooShort'],
    ['65 letters', 'a'.repeat(65), 'tooLong'],
    ['a dot', 'alice.eth', 'invalidLetters'],
    ['a space inside', 'al ice', 'invalidLetters'],
    ['an underscore', 'al_ice', 'invalidLetters'],
    ['a letter that looks like another', 'аlice', 'invalidLetters'],
  ])('of %s is not requested', async (_, text, expected) => {
    const kit = await createConnectedKit()
    await type(kit, text)
    expect(readiness(kit)).toBe(expected)
    expect(asked(kit)).toEqual([])
  })

  it('counts in lower case, without the space around it', async () => {
    const kit = await createConnectedKit()
    await type(kit, ' Alice-1 ')
    expect(kit.hawser.names.getState().label).toBe('alice-1')
    expect(asked(kit)).toEqual(['alice-1'])
    expect(readiness(kit)).toBe('ready')
  })

  it('is requested once typing stops for half a second', async () => {
    const kit = await createConnectedKit()
    setNameLabel(kit.hawser, 'alic')
    await kit.clock.advance(499)
    setNameLabel(kit.hawser, 'alice')
    await kit.clock.advance(499)
    expect(readiness(kit)).toBe('checking')
    expect(asked(kit)).toEqual([])
    await kit.clock.advance(1)
    await settle()
    expect(asked(kit)).toEqual(['alice'])
  })

  it.each<[string, Partial<NameSuggestion>, string]>([
    ['free', {}, 'ready'],
    ['taken', { registered: true, available: false }, 'registered'],
    ['reserved', { available: false }, 'reserved'],
  ])('that is %s is said to be', async (_, change, expected) => {
    const kit = await createConnectedKit()
    kit.gateway.names.suggestions = (label) => [{ ...free(`${label}.hawser.id`), ...change }]
    await type(kit, 'alice')
    expect(readiness(kit)).toBe(expected)
  })

  it('is never judged by the answer about another', async () => {
    const kit = await createConnectedKit()
    const late = deferred<readonly NameSuggestion[]>()
    kit.gateway.names.suggestions = (label) =>
      label === 'alice' ? late.promise : [{ name: `${label}.hawser.id`, registered: true, available: false }]
    await type(kit, 'alice')
    await type(kit, 'alicia')
    late.resolve([free('alice.hawser.id')])
    await settle()
    expect(readiness(kit)).toBe('registered')
  })

  it('is unknown while the gateway fails, and requested again on demand', async () => {
    const kit = await createConnectedKit()
    await isServed(kit.hawser, 'eip155:31337')
    kit.gateway.status = 503
    await type(kit, 'alice')
    expect(readiness(kit)).toBe('unavailable')
    kit.gateway.status = 200
    await suggestNames(kit.hawser)
    expect(readiness(kit)).toBe('ready')
  })
})

it('the suggestions without the form fail with the text of the catalogue', async () => {
  const kit = await createConnectedKit()
  await expect(nameSuggestions(kit.hawser, 'alice')).resolves.not.toHaveLength(0)
  kit.gateway.status = 503
  await expect(nameSuggestions(kit.hawser, 'alice')).rejects.toThrow('Error fetching name suggestions')
})

describe('opening the form', () => {
  it('starts again and says so', async () => {
    const kit = await createConnectedKit()
    setNameLabel(kit.hawser, 'alice')
    openModal(kit.hawser, { view: 'Account' })
    openRegisterName(kit.hawser)
    expect(kit.hawser.router.getState().history).toEqual(['Account', 'RegisterAccountName'])
    expect(kit.hawser.names.getState().label).toBe('')
    expect(kit.events.at(-1)).toEqual({
      event: 'OPEN_ENS_FLOW',
      properties: { network: 'eip155:31337', isSmartAccount: false },
    })
  })

  it('shows a registration that is under way instead', async () => {
    const kit = await createConnectedKit()
    kit.hawser.names.setState({ status: 'signing', name: 'alice.hawser.id' })
    openRegisterName(kit.hawser)
    expect(kit.hawser.router.getState().view).toBe('RegisterAccountNameSuccess')
    expect(kit.hawser.names.getState().name).toBe('alice.hawser.id')
  })
})
