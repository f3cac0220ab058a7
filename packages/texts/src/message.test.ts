import { describe, expect, it } from 'vitest'
import type { CoreCatalogues } from './gen/types.ts'
import { type Message, messagesOf, translated } from './message.ts'

const say = messagesOf('toasts', {
  done: 'Done',
  sent: (what: string, to: string) => `Sent ${what} to ${to}`,
  wait: (seconds: number) => `Wait ${seconds} s`,
  changed: { records: (name: string) => `${name} saved` },
})

const german = {
  toasts: {
    done: 'Fertig',
    sent: (what: string, to: string) => `${what} an ${to} gesendet`,
    changed: { records: (name: string) => `${name} gespeichert` },
  },
} as unknown as CoreCatalogues

const inGerman = (message: Message) =>
  translated(message, german, (decimal) => new Intl.NumberFormat('de').format(Number(decimal)))

describe('a message', () => {
  it('is in English, with its key and its values', () => {
    expect(say('done')).toEqual({ message: 'Done', key: 'toasts.done' })
    expect(say('wait', 30)).toEqual({ message: 'Wait 30 s', key: 'toasts.wait', values: [30] })
    expect(say('changed.records', 'bob')).toMatchObject({
      message: 'bob saved',
      key: 'toasts.changed.records',
    })
    expect(say('sent', { amount: '1,234.5', unit: 'ETH' }, 'bob').message).toBe('Sent 1,234.5 ETH to bob')
  })

  it('is translated by its key, and its amounts are formatted', () => {
    expect(inGerman(say('done'))).toBe('Fertig')
    expect(inGerman(say('changed.records', 'bob'))).toBe('bob gespeichert')
    expect(inGerman(say('sent', { amount: '1,234.5', unit: 'ETH' }, 'bob'))).toBe(
      '1.234,5 ETH an bob gesendet',
    )
  })

  it('keeps an amount that is shortened, and a text that only looks like one', () => {
    expect(inGerman(say('sent', { amount: '<0.01', unit: 'ETH' }, '1,234.5'))).toBe(
      '<0.01 ETH an 1,234.5 gesendet',
    )
  })

  it('is in English where a language does not have it, and where it has no key', () => {
    expect(inGerman(say('wait', 30))).toBe('Wait 30 s')
    expect(inGerman({ message: 'From the site' })).toBe('From the site')
    for (const key of ['', 'toasts', 'toasts.changed', 'toasts.toString', '__proto__.done', 'constructor'])
      expect(inGerman({ message: 'In English', key })).toBe('In English')
  })
})
