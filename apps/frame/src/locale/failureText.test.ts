import { english } from '@hawser/texts/frame/english'
import { loadLanguage } from '@hawser/texts/frame/loadLanguage'
import { CallError, failures } from '@hawser/vault'
import { describe, expect, it } from 'vitest'
import { failureText } from './failureText.ts'

const german = (await loadLanguage('de'))?.texts ?? english.texts

describe('what a failure says', () => {
  it.each(Object.values(failures))(
    'is translated by its key in the catalogue of the frame: %s',
    (failure) => {
      expect(failureText(new CallError('internal', failure), german)).toBe(german.walletErrors[failure.key])
      expect(failureText(new CallError('internal', failure), english.texts)).toBe(failure.message)
    },
  )

  it('is not translated by its sentence', () => {
    expect(failureText(new Error('The wallet is locked'), german)).toBe('The wallet is locked')
  })

  it('is translated by the reason of the service, whatever the words of the service are', () => {
    const refused = new CallError('already_exists', 'Another user has this email', 'EMAIL_TAKEN')
    expect(failureText(refused, german)).toBe(german.refused.EMAIL_TAKEN)
    expect(failureText(new CallError('x', 'Words that changed', 'CODE_WRONG'), german)).toBe(
      'Ungültiger Code',
    )
  })

  it.each([
    ['INTERNAL', 'Internal server error'],
    ['DEADLINE', 'The request took too long'],
    ['DEVICE_PROOF_INVALID', 'The device proof is not valid'],
  ])('is translated where the service fails: %s', (reason, text) => {
    const said = failureText(new CallError('x', text, reason), german)
    expect(said).not.toBe(text)
    expect(said).toBe(german.refused[reason as keyof typeof german.refused])
  })

  it.each([
    'Please try again after 42 seconds',
    'Requests per second limit exceeded: Rate limit exceeded. Try again at 1795488000',
  ])('has the seconds to wait that the service gave, not those of its text: %s', (text) => {
    const refused = new CallError('resource_exhausted', text, 'RATE_LIMITED', 42)
    expect(failureText(refused, german)).toBe('Bitte versuchen Sie es nach 42 Sekunden erneut')
  })

  it('is translated where the service gave no time to wait', () => {
    const busy = new CallError('resource_exhausted', 'Too many at once, over 64', 'RATE_LIMITED')
    expect(failureText(busy, german)).toBe('Zu viele Anfragen. Versuchen Sie es später erneut')
    const full = new CallError('resource_exhausted', 'Remove one first', 'FACTORS_FULL')
    expect(failureText(full, german)).toBe(german.refused.FACTORS_FULL)
  })

  it('is returned unchanged without a known reason, such as the message of a node', () => {
    expect(failureText(new Error('nonce too low'), german)).toBe('nonce too low')
    expect(failureText(new CallError('x', 'New words', 'toString'), german)).toBe('New words')
  })

  it('does not repeat what a browser says of a passkey', () => {
    const text = failureText(new DOMException('The operation either timed out …', 'NotAllowedError'), german)
    expect(text).toBe('Der Passkey wurde nicht verwendet')
  })
})
